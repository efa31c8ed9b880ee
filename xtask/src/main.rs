//! The project's chores. `cargo xtask --help` lists them; `.ci/run` calls `cargo xtask ci`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for a terminal"
)]

mod ci;
mod commands;
mod dist;
mod example;
mod fuzz;
mod layers;
mod new_plugin;
mod oracle;
mod peers;
mod step;
mod storm;
mod tidy;
mod tools;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
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
    /// Run the example of a policy held by snapshots
    Example,
    /// Measure lexing, verdicts, digests and a whole hook process
    Bench {
        /// Only see that everything runs, with a loose bound on the hook process
        #[arg(long)]
        smoke: bool,
    },
    /// Compare the lexer with other shell parsers
    Peers {
        /// Measure, or let every parser vote on the commands of standard input
        what: peers::What,
        /// What the program is given, after `--`
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Look for inputs that break the lexer or the policy
    Fuzz(fuzz::Args),
    /// Ask real bash, in a jail, what commands run, and hold the lexer to it
    Oracle {
        /// About two thousand commands, in a minute
        #[arg(long)]
        smoke: bool,
        /// How many programs to generate
        #[arg(long, default_value_t = 300_000)]
        programs: usize,
        /// How many token soups to generate
        #[arg(long, default_value_t = 700_000)]
        soups: usize,
    },
    /// Try to make the store spend something twice or forget something
    Storm {
        /// All of it in little, in half a minute
        #[arg(long)]
        smoke: bool,
    },
    /// Check the rules on files, names and layers that no compiler checks
    Tidy,
    /// Write docs/commands.md, which lists the programs that are known
    Commands,
    /// Build the program and its static front, side by side in `target/dist`
    Dist,
    /// Make the folder of a new plugin, which works as it is
    NewPlugin {
        /// Its name: lower-case letters, digits and dashes
        name: String,
        /// The folder to make, here or anywhere else [default: plugins/NAME]
        #[arg(long, value_name = "DIR")]
        path: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Ci => ci::ci(),
        Task::Test => ci::test(),
        Task::Example => example::smoke(),
        Task::Bench { smoke } => ci::bench(smoke),
        Task::Peers { what, args } => peers::peers(what, &args),
        Task::Fuzz(args) => fuzz::fuzz(&args),
        Task::Oracle {
            smoke,
            programs,
            soups,
        } => oracle::oracle(smoke, programs, soups),
        Task::Storm { smoke } => storm::storm(smoke),
        Task::Commands => commands::commands(),
        Task::Dist => dist::dist(),
        Task::Tidy => tidy::tidy(),
        Task::NewPlugin { name, path } => new_plugin::new_plugin(&name, path.as_deref()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
