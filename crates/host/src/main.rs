//! The `countersign` program.

fn main() -> std::process::ExitCode {
    countersign::run(std::env::args_os()).into()
}
