//! Lexes random programs and soups on threads with little stack, and holds every script to what
//! the lexer promises. Then measures memory, of random inputs and of hostile ones.
//!
//! `cargo run --release -p countersign-oracle --bin soups -- COUNT [SEED] [MIN MAX]`
//!
//! The lexing itself happens in a child process, because a stack that overflows takes its process
//! along; the parent then looks for the input.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for a terminal"
)]

mod heap;
mod hostile;
mod lane;
mod stack;

use peakmem_alloc::{INSTRUMENTED_SYSTEM, PeakMemAlloc};
use std::alloc::System;
use std::process::ExitCode;

/// Counts what is allocated, and the most there was at a time. Resizing a block counts the
/// difference, as the system's allocator does it: it moves large blocks without copying them.
#[global_allocator]
static HEAP: &PeakMemAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Which inputs to make: numbers from `first` on, each the seed of one.
#[derive(Debug, Clone, Copy)]
struct Inputs {
    first: u64,
    count: u64,
    min: usize,
    max: usize,
}

impl Inputs {
    fn from_args(args: &[String]) -> Option<Self> {
        let number = |at: usize, default: u64| {
            args.get(at)
                .map_or(Some(default), |arg| arg.replace('_', "").parse().ok())
        };
        let size = |at, default| number(at, default).and_then(|it| usize::try_from(it).ok());
        Some(Self {
            count: args.first().and(number(0, 0))?,
            first: number(1, 1)?,
            min: size(2, 64)?,
            max: size(3, 512)?,
        })
    }

    fn to_args(self) -> [String; 4] {
        [
            self.count.to_string(),
            self.first.to_string(),
            self.min.to_string(),
            self.max.to_string(),
        ]
    }

    /// Input number `seed`: programs and soups take turns, and every eighth is damaged.
    fn make(self, seed: u64) -> Vec<u8> {
        use countersign_oracle::generate::{Random, mutate, program, soup};
        let mut random = Random::new(seed);
        let size = random.between(self.min, self.max.max(self.min));
        let mut input = if seed.is_multiple_of(2) {
            // Programs turn out longer than asked for.
            program(&mut random, size / 2)
        } else {
            soup(&mut random, size)
        };
        if random.below(8) == 0 {
            input = mutate(&mut random, &input);
        }
        input.truncate(self.max);
        input
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match args.split_first() {
        Some((mode, rest)) if mode == stack::CHILD => Inputs::from_args(rest)
            .ok_or_else(usage)
            .and_then(lane::run),
        Some((mode, _)) if mode == stack::RECURSE => stack::recurse(),
        _ => Inputs::from_args(&args).ok_or_else(usage).and_then(all),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("soups: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    "usage: soups COUNT [SEED] [MIN MAX], all of them numbers".to_owned()
}

/// Every check, each whatever became of the others.
fn all(inputs: Inputs) -> Result<(), String> {
    stack::guard_is_hit()?;
    println!(
        "a stack of {} KiB has a guard that is hit",
        stack::SIZE >> 10
    );
    let checks = [
        stack::supervise(inputs),
        heap::random(inputs),
        heap::hostile(),
    ];
    let failed: Vec<String> = checks.into_iter().filter_map(Result::err).collect();
    if failed.is_empty() {
        Ok(())
    } else {
        Err(failed.join("\nsoups: "))
    }
}

/// An input for a message, on one line.
fn show(input: &[u8]) -> String {
    let shown = input.get(..600).unwrap_or(input);
    format!("$'{}'", shown.escape_ascii())
}
