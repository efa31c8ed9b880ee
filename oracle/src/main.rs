//! The oracle on the command line.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for a terminal"
)]

mod commands;
mod smoke;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Asks real bash, in a jail, what it would run, and holds the lexer to it.
#[derive(Debug, Parser)]
#[command(name = "countersign-oracle", disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Write down what bash says
    Record {
        #[command(flatten)]
        asking: Asking,
        /// The file to write: JSON lines
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Hold the lexer to what was written down
    Judge {
        /// Files that `record` wrote
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        #[command(flatten)]
        judging: Judging,
    },
    /// Ask bash and hold the lexer to the answers
    Run {
        #[command(flatten)]
        asking: Asking,
        #[command(flatten)]
        judging: Judging,
    },
    /// Show what bash says about one command, and what is wrong with the lexer's report
    Ask {
        /// The command
        command: String,
        /// Print a row for `rows.jsonl` with this id
        #[arg(long, value_name = "ID")]
        row: Option<String>,
        /// What went wrong, for the row
        #[arg(long, default_value = "")]
        note: String,
    },
    /// Compare the answers of the fork server with those of new processes
    Crosscheck {
        #[command(flatten)]
        asking: Asking,
        /// How many commands
        #[arg(long, default_value_t = 2000)]
        count: usize,
    },
    /// A short run of everything: what CI does
    Smoke,
    /// Answer in the jail; the other subcommands start this one
    #[command(hide = true)]
    Inside,
}

#[derive(Debug, Args)]
struct Asking {
    /// `tricky`, `probes`, `rows`, `programs`, `soups`, `corpora`, or the name of a corpus
    #[arg(required = true, value_name = "SOURCE")]
    sources: Vec<String>,
    /// How many programs to generate
    #[arg(long, default_value_t = 10_000)]
    programs: usize,
    /// How many token soups to generate
    #[arg(long, default_value_t = 10_000)]
    soups: usize,
    /// The seed of the first generated text
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many jails work at the same time
    #[arg(long, default_value_t = 2)]
    jails: usize,
}

#[derive(Debug, Args)]
struct Judging {
    /// Write the counts to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// How many disagreements to make small, asking bash again
    #[arg(long, default_value_t = 10, value_name = "COUNT")]
    shrink: usize,
    /// How many disagreements of each kind to print
    #[arg(long, default_value_t = 3, value_name = "COUNT")]
    show: usize,
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Record { asking, out } => commands::record(&asking, &out),
        Task::Judge { files, judging } => commands::judge_files(&files, &judging),
        Task::Run { asking, judging } => commands::run(&asking, &judging),
        Task::Ask { command, row, note } => commands::ask(&command, row.as_deref(), &note),
        Task::Crosscheck { asking, count } => commands::crosscheck(&asking, count),
        Task::Smoke => smoke::smoke(),
        Task::Inside => countersign_oracle::inside::serve().map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("oracle: {error}");
            ExitCode::from(2)
        }
    }
}
