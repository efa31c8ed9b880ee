//! Many processes, kills and losses of power against the store. `cargo xtask storm` runs it.
#![forbid(unsafe_code)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for a terminal"
)]

mod bare;
mod costs;
mod field;
mod kill;
mod ploss;
mod race;
mod random;
mod worker;

use clap::{Args, Parser, Subcommand};
use std::process::ExitCode;

/// What went wrong, for a person.
type Outcome<T = ()> = Result<T, String>;

/// Holds the store to its promises: nothing is spent twice, nothing is forgotten.
#[derive(Debug, Parser)]
#[command(name = "countersign-storm", disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// A short run of everything
    Smoke,
    /// Everything in full
    All,
    /// Many processes spend the same grants at the same time
    Race(race::Race),
    /// The same, while processes are killed at random
    Kill(kill::Kill),
    /// A run, cut at every write as by a loss of power
    Ploss(ploss::Ploss),
    /// What the store costs, in time, memory and disk
    Costs,
    /// One process of a race (started by `race` and `kill`)
    #[command(hide = true)]
    Worker(worker::Worker),
    /// The run that `ploss` cuts (started by it)
    #[command(hide = true)]
    Record(ploss::record::Record),
    /// Opens the store once (started by `costs`)
    #[command(hide = true)]
    Once(costs::Once),
}

/// What all runs have.
#[derive(Debug, Clone, Args)]
struct Chance {
    /// What all that is random follows from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Smoke => smoke(),
        Task::All => all(),
        Task::Race(race) => race.run(),
        Task::Kill(kill) => kill.run(),
        Task::Ploss(ploss) => ploss.run(),
        Task::Costs => costs::run(),
        Task::Worker(worker) => worker.run(),
        Task::Record(record) => record.run(),
        Task::Once(once) => once.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("storm: {error}");
            ExitCode::FAILURE
        }
    }
}

fn smoke() -> Outcome {
    race::Race::smoke().run()?;
    race::Race::planted().run()?;
    kill::Kill::smoke().run()?;
    ploss::Ploss::smoke().run()
}

fn all() -> Outcome {
    race::Race::full().run()?;
    race::Race::planted().run()?;
    kill::Kill::full().run()?;
    ploss::Ploss::full().run()?;
    costs::run()
}

/// An error of something, for a person.
fn at<E: std::fmt::Display>(what: &str) -> impl Fn(E) -> String {
    move |error| format!("{what}: {error}")
}
