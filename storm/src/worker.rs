//! One process that spends what it can.

use crate::field::{self, Counted, Ticket, Torn, letter, wall};
use crate::random::Random;
use crate::{Outcome, at};
use clap::Args;
use countersign_broker::store::Store;
use countersign_core::Digest;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// One process of a race.
#[derive(Debug, Clone, Args)]
pub(crate) struct Worker {
    /// The folder of the store
    #[arg(long)]
    pub(crate) dir: PathBuf,
    /// What the grants follow from
    #[arg(long)]
    pub(crate) seed: u64,
    /// Which process this is
    #[arg(long)]
    pub(crate) number: u64,
    /// How many grants there are
    #[arg(long)]
    pub(crate) grants: u64,
    /// The first attempt
    #[arg(long, default_value_t = 0)]
    pub(crate) from: u64,
    /// How many attempts go over all grants
    #[arg(long)]
    pub(crate) attempts: u64,
    /// Write every attempt to this file; without one, write what was spent to standard output, each
    /// as soon as it is
    #[arg(long)]
    pub(crate) results: Option<PathBuf>,
    /// Use a store that looks first and changes later
    #[arg(long)]
    pub(crate) torn: bool,
}

impl Worker {
    /// The command that starts this process.
    pub(crate) fn command(&self) -> Outcome<Command> {
        let this = std::env::current_exe().map_err(at("this program cannot be found"))?;
        let mut command = Command::new(this);
        command.arg("worker").arg("--dir").arg(&self.dir);
        for (name, value) in [
            ("--seed", self.seed),
            ("--number", self.number),
            ("--grants", self.grants),
            ("--from", self.from),
            ("--attempts", self.attempts),
        ] {
            command.arg(name).arg(value.to_string());
        }
        if let Some(results) = &self.results {
            command.arg("--results").arg(results);
        }
        if self.torn {
            command.arg("--torn");
        }
        Ok(command)
    }

    /// Makes the attempts.
    pub(crate) fn run(&self) -> Outcome {
        let store = field::open(&self.dir);
        let store: Box<dyn Store> = if self.torn {
            Box::new(Torn(store))
        } else {
            Box::new(store)
        };
        let store = Counted {
            store,
            beaten: 0.into(),
        };
        match &self.results {
            Some(file) => self.race(&store, File::create(file).map_err(at("results"))?),
            None => self.acknowledge(&store),
        }
    }

    fn race(&self, store: &Counted, results: File) -> Outcome {
        let say = at("results");
        let mut results = BufWriter::new(results);
        let mut random = Random::new(self.seed.wrapping_add(7), self.number);
        for attempt in self.from..self.attempts {
            let grant = self.choose(attempt, &mut random);
            let sort = sort(&mut random);
            let ticket = bent(Ticket::new(self.seed, grant), sort, &mut random);
            let begun = Instant::now();
            let outcome = ticket.consume(store);
            let took = begun.elapsed().as_nanos();
            if let Err(countersign_broker::GrantRefusal::Unknowable(why)) = &outcome {
                writeln!(results, "! {why}").map_err(&say)?;
            }
            let outcome = letter(&outcome);
            writeln!(results, "{grant} {sort} {outcome} {} {took}", wall()).map_err(&say)?;
        }
        let beaten = store.beaten.load(Ordering::Relaxed);
        writeln!(results, "# {beaten}").map_err(&say)?;
        results.flush().map_err(&say)
    }

    fn acknowledge(&self, store: &Counted) -> Outcome {
        let mut random = Random::new(wall(), self.number);
        let mut output = std::io::stdout();
        for attempt in self.from..self.attempts {
            let grant = self.choose(attempt, &mut random);
            if Ticket::new(self.seed, grant).consume(store).is_ok() {
                // One write, far below what a pipe takes at once.
                output
                    .write_all(format!("{grant}\n").as_bytes())
                    .and_then(|()| output.flush())
                    .map_err(at("nobody listens"))?;
            }
        }
        Ok(())
    }

    /// All processes go over the grants in the same order, some steps apart; who leads has to wait
    /// for the disk and is caught up with.
    fn choose(&self, attempt: u64, random: &mut Random) -> u64 {
        if random.per_mille(2) {
            return random.below(self.grants);
        }
        let front = attempt
            .saturating_mul(self.grants)
            .checked_div(self.attempts)
            .unwrap_or(0);
        front
            .saturating_add(random.below(3))
            .min(self.grants.saturating_sub(1))
    }
}

/// `f` fits; `d` is for another call, `s` for another session, `t` has a token of nobody.
fn sort(random: &mut Random) -> char {
    match random.below(100) {
        0..4 => 'd',
        4..8 => 's',
        8..12 => 't',
        _ => 'f',
    }
}

fn bent(mut ticket: Ticket, sort: char, random: &mut Random) -> Ticket {
    match sort {
        'd' => ticket.digest = Digest::of("countersign.storm.other", &random.bytes()),
        's' => ticket.session.push('x'),
        't' => ticket.token = countersign_broker::Token::from_random(random.bytes()),
        _ => {}
    }
    ticket
}
