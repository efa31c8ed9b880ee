//! What the lexer costs: against the peers on ordinary input, and alone on hostile input.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for a terminal"
)]

mod clock;
mod generators;
mod hostile;
mod inputs;
mod race;

use clap::Parser;
use std::process::ExitCode;

/// Measure the lexer against other parsers, in processor time of one thread
#[derive(Debug, Parser)]
struct Cli {
    /// Measure the lexer alone on sources made to be slow
    #[arg(long)]
    hostile: bool,
    /// Fail when an aim is missed
    #[arg(long)]
    check: bool,
    /// Seconds for each input
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Only this input, such as `200 B`, or the hostile ones with this in their names
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let only = cli.only.as_deref();
    let met = if cli.hostile {
        hostile::hostile(only)
    } else {
        race::race(cli.seconds, only)
    };
    if met || !cli.check {
        return ExitCode::SUCCESS;
    }
    eprintln!("speed: an aim was missed; see the tables");
    ExitCode::FAILURE
}
