//! The `countersign` program.

fn main() -> std::process::ExitCode {
    // A plugin runs in a child process, and that is this program again.
    countersign_reviewers::load::become_runner_if_asked();
    countersign::run(std::env::args_os()).into()
}
