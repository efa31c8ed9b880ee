//! The project's chores. `cargo xtask --help` lists them; `.ci/run` calls `cargo xtask ci`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for a terminal"
)]

mod ci;
mod layers;
mod step;
mod tidy;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The project's chores.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Everything that CI checks, with the time of each step
    Ci,
    /// Build what the tests load, then run every test
    Test,
    /// Check the rules on files, names and layers that no compiler checks
    Tidy,
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Ci => ci::ci(),
        Task::Test => ci::test(),
        Task::Tidy => tidy::tidy(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
