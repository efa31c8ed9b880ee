//! Running commands and timing them.

use std::process::Command;
use std::time::Instant;

/// What went wrong, for a person.
pub(crate) type Outcome = Result<(), String>;

/// The names and times of the steps that were run.
#[derive(Debug, Default)]
pub(crate) struct Steps(Vec<(String, f64)>);

impl Steps {
    /// Runs one step under a heading and keeps its time.
    pub(crate) fn run(&mut self, name: &str, step: impl FnOnce() -> Outcome) -> Outcome {
        println!("\n== {name}");
        let start = Instant::now();
        let outcome = step().map_err(|error| format!("{name}: {error}"));
        self.0
            .push((name.to_owned(), start.elapsed().as_secs_f64()));
        outcome
    }

    /// Prints the time of every step.
    pub(crate) fn report(&self) {
        println!();
        for (name, seconds) in &self.0 {
            println!("{seconds:8.1} s  {name}");
        }
        println!(
            "{:8.1} s  in all",
            self.0.iter().map(|(_, seconds)| seconds).sum::<f64>()
        );
    }
}

/// Runs cargo with these arguments and environment variables.
pub(crate) fn cargo(args: &[&str], env: &[(&str, &str)]) -> Outcome {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    println!("$ cargo {}", args.join(" "));
    let status = Command::new(cargo)
        .args(args)
        .envs(env.iter().copied())
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`cargo {}` failed ({status})", args.join(" ")))
    }
}

/// Runs a program with these arguments.
pub(crate) fn run(program: &str, args: &[&str]) -> Outcome {
    println!("$ {program} {}", args.join(" "));
    let status = Command::new(program)
        .args(args)
        .status()
        .map_err(|error| format!("cannot start {program}: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{program} failed ({status})"))
    }
}
