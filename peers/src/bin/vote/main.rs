//! What every parser makes of every command: an extra voter for a differential test.
#![expect(clippy::print_stderr, reason = "a program for a terminal")]

mod matching;
mod seat;
mod table;
mod worker;

use clap::Parser;
use seat::Seat;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::io::{BufRead as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;
use table::Table;

/// Let every parser vote on commands: JSON lines {"id", "command"} on standard input, one line a
/// row on standard output
#[derive(Debug, Parser)]
struct Cli {
    /// Print the agreement with the recorded `bash_n` and `argvs` of the rows, on standard error
    #[arg(long)]
    table: bool,
    /// Milliseconds that a parser may take for one command
    #[arg(long, default_value_t = 2000)]
    timeout: u64,
    /// Be the process in which this parser works
    #[arg(long, hide = true, value_name = "PARSER")]
    worker: Option<String>,
}

/// One command, with what bash said about it where that is known.
#[derive(Debug, Deserialize)]
struct Row {
    id: Value,
    command: String,
    bash_n: Option<bool>,
    argvs: Option<Vec<Vec<String>>>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.worker {
        Some(parser) => worker::work(parser),
        None => vote(&cli),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("vote: {error}");
            ExitCode::FAILURE
        }
    }
}

fn vote(cli: &Cli) -> Result<(), String> {
    let mut seats = worker::names()
        .map(|name| Seat::open(name, Duration::from_millis(cli.timeout)))
        .collect::<Result<Vec<_>, _>>()?;
    let mut table = Table::default();
    let mut out = std::io::stdout().lock();
    for (number, line) in (1..).zip(std::io::stdin().lock().lines()) {
        let line = line.map_err(|error| format!("line {number} of the input: {error}"))?;
        if line.trim().is_empty() {
            continue;
        }
        let row: Row = serde_json::from_str(&line).map_err(|error| {
            format!("line {number} of the input is not {{\"id\", \"command\"}}: {error}")
        })?;
        // All of them start before the first is waited for.
        let asked: Vec<bool> = seats.iter_mut().map(|it| it.ask(&row.command)).collect();
        let mut peers = Map::new();
        for (seat, asked) in seats.iter_mut().zip(asked) {
            let answer = seat.answer(asked)?;
            table.add(seat.name(), &row, &answer);
            peers.insert(seat.name().to_owned(), json!(answer));
        }
        writeln!(out, "{}", json!({"id": row.id, "peers": peers}))
            .map_err(|error| format!("cannot write a vote: {error}"))?;
    }
    if cli.table {
        eprint!("{table}");
    }
    Ok(())
}
