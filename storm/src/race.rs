//! Many processes spend the same grants at the same time.

use crate::field::{self, LONG, Ticket};
use crate::random::Random;
use crate::worker::Worker;
use crate::{Chance, Outcome, at};
use clap::Args;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};

/// How far the clock of an attempt and that of the store may be apart.
const SLACK_MS: u64 = 50;

/// A race.
#[derive(Debug, Clone, Args)]
pub(crate) struct Race {
    /// How many grants are issued
    #[arg(long, default_value_t = 10_000)]
    grants: u64,
    /// How many attempts are made, by all processes
    #[arg(long, default_value_t = 1_000_000)]
    attempts: u64,
    /// How many processes
    #[arg(long, default_value_t = 8)]
    processes: u64,
    /// The longest that a grant lives that is to expire on the way, in seconds
    #[arg(long, default_value_t = 40)]
    short: u64,
    /// Plant a fault: a store that looks first and changes later. The run must find it
    #[arg(long)]
    torn: bool,
    #[command(flatten)]
    chance: Chance,
}

impl Race {
    pub(crate) fn full() -> Self {
        Self {
            grants: 10_000,
            attempts: 1_000_000,
            processes: 8,
            short: 40,
            torn: false,
            chance: Chance { seed: 1 },
        }
    }

    pub(crate) fn smoke() -> Self {
        Self {
            grants: 300,
            attempts: 24_000,
            short: 3,
            ..Self::full()
        }
    }

    pub(crate) fn planted() -> Self {
        Self {
            torn: true,
            ..Self::smoke()
        }
    }

    pub(crate) fn run(&self) -> Outcome {
        let dir = field::folder()?;
        let issued = Instant::now();
        let ends = self.issue(dir.path())?;
        println!(
            "race: {} grants issued in {:.1} s",
            self.grants,
            issued.elapsed().as_secs_f64()
        );
        let begun = Instant::now();
        self.storm(dir.path())?;
        let took = begun.elapsed();
        let mut seen = Seen::new(ends);
        for number in 0..self.processes {
            seen.read(&results(dir.path(), number))?;
        }
        seen.print(self, took);
        let faults = seen.faults(self, dir.path())?;
        if self.torn {
            let spent_twice = faults
                .iter()
                .filter(|fault| fault.contains("times"))
                .count();
            println!("race: the planted fault spent {spent_twice} grants more than once");
            return if spent_twice > 0 {
                Ok(())
            } else {
                Err("the race does not find a store that looks first and changes later".to_owned())
            };
        }
        if let Some(first) = faults.first() {
            return Err(format!("race: {} faults, the first: {first}", faults.len()));
        }
        println!("race: nothing was spent twice, and nothing was refused without need");
        Ok(())
    }

    /// Those that expire on the way come last, so that they do not expire before it.
    fn issue(&self, dir: &Path) -> Outcome<Vec<u64>> {
        let store = field::open(dir);
        let mut random = Random::new(self.chance.seed, u64::MAX);
        let short: Vec<bool> = (0..self.grants).map(|_| random.per_mille(80)).collect();
        let mut ends = vec![0; short.len()];
        for pass in [false, true] {
            let numbered = (0_u64..).zip(short.iter()).zip(ends.iter_mut());
            for ((number, _), end) in numbered.filter(|((_, short), _)| **short == pass) {
                let ttl = if pass {
                    Duration::from_secs(1_u64.saturating_add(random.below(self.short)))
                } else {
                    LONG
                };
                *end = Ticket::new(self.chance.seed, number).issue(&store, ttl)?;
            }
        }
        Ok(ends)
    }

    fn storm(&self, dir: &Path) -> Outcome {
        let mut children = Vec::new();
        for number in 0..self.processes {
            let worker = Worker {
                dir: dir.to_path_buf(),
                seed: self.chance.seed,
                number,
                grants: self.grants,
                from: 0,
                attempts: self.attempts.checked_div(self.processes).unwrap_or(0),
                results: Some(results(dir, number)),
                torn: self.torn,
            };
            let child = worker.command()?.spawn();
            children.push(child.map_err(at("a process cannot be started"))?);
        }
        for mut child in children {
            let status = child.wait().map_err(at("a process is lost"))?;
            if !status.success() {
                return Err(format!("a process failed ({status})"));
            }
        }
        Ok(())
    }
}

fn results(dir: &Path, number: u64) -> std::path::PathBuf {
    dir.join(format!("results-{number}"))
}

/// What is known of one grant.
#[derive(Debug, Clone, Default)]
struct Known {
    ends: u64,
    wins: u32,
    /// A fitting attempt was over before the grant was.
    in_time: bool,
}

#[derive(Debug, Default)]
struct Seen {
    grants: Vec<Known>,
    counts: BTreeMap<(char, char), u64>,
    won_ns: Vec<u64>,
    refused_ns: Vec<u64>,
    beaten: u64,
    errors: Vec<String>,
    faults: Vec<String>,
}

impl Seen {
    fn new(ends: Vec<u64>) -> Self {
        let grants = ends.into_iter().map(|ends| Known {
            ends,
            ..Known::default()
        });
        Self {
            grants: grants.collect(),
            ..Self::default()
        }
    }

    fn read(&mut self, file: &Path) -> Outcome {
        let file = File::open(file).map_err(at("results"))?;
        for line in BufReader::new(file).lines() {
            let line = line.map_err(at("results"))?;
            if let Some(beaten) = line.strip_prefix("# ") {
                self.beaten = self.beaten.saturating_add(beaten.parse().unwrap_or(0));
            } else if let Some(error) = line.strip_prefix("! ") {
                self.errors.push(error.to_owned());
            } else {
                self.attempt(&line)
                    .ok_or_else(|| format!("`{line}` is no result"))?;
            }
        }
        Ok(())
    }

    fn attempt(&mut self, line: &str) -> Option<()> {
        let mut parts = line.split(' ');
        let number: usize = parts.next()?.parse().ok()?;
        let sort = parts.next()?.chars().next()?;
        let outcome = parts.next()?.chars().next()?;
        let end: u64 = parts.next()?.parse().ok()?;
        let took: u64 = parts.next()?.parse().ok()?;
        let begin = end.saturating_sub(took / 1_000_000);
        let known = self.grants.get_mut(number)?;
        let count = self.counts.entry((sort, outcome)).or_default();
        *count = count.saturating_add(1);
        if outcome == 'w' {
            known.wins = known.wins.saturating_add(1);
            self.won_ns.push(took);
        } else {
            self.refused_ns.push(took);
        }
        let right = match (sort, outcome) {
            ('f', 'w') => begin <= known.ends.saturating_add(SLACK_MS),
            ('f', 'e') => end.saturating_add(SLACK_MS) >= known.ends,
            ('f', 'r') | ('d' | 's', 'm') | ('t', 'n') | (_, 'b') => true,
            _ => false,
        };
        if sort == 'f' && outcome != 'b' && end.saturating_add(SLACK_MS) < known.ends {
            known.in_time = true;
        }
        if !right {
            let ends = known.ends;
            self.faults.push(format!(
                "an attempt of sort {sort} on grant {number} came to {outcome} at {end}; it ends at {ends}"
            ));
        }
        Some(())
    }

    fn print(&mut self, race: &Race, took: Duration) {
        let all: u64 = self.counts.values().sum();
        println!(
            "race: {all} attempts by {} processes in {:.1} s, {:.0} in a second",
            race.processes,
            took.as_secs_f64(),
            f64::from(u32::try_from(all).unwrap_or(u32::MAX)) / took.as_secs_f64()
        );
        for ((sort, outcome), count) in &self.counts {
            println!("race: {count:9} {} {}", word(*sort), word(*outcome));
        }
        println!(
            "race: {} attempts saw a grant open and found it spent under the lock",
            self.beaten
        );
        println!("race: won     {}", percentiles(&mut self.won_ns));
        println!("race: refused {}", percentiles(&mut self.refused_ns));
        if let Some(error) = self.errors.first() {
            println!("race: {} errors, the first: {error}", self.errors.len());
        }
    }

    fn faults(mut self, race: &Race, dir: &Path) -> Outcome<Vec<String>> {
        field::in_order(dir)?;
        let mut spent: usize = 0;
        for (number, known) in self.grants.iter().enumerate() {
            let wins = known.wins;
            if wins > 1 {
                self.faults
                    .push(format!("grant {number} was spent {wins} times"));
            }
            if wins == 0 && known.in_time {
                self.faults.push(format!(
                    "grant {number} was never spent, though an attempt came in time"
                ));
            }
            spent = spent.saturating_add(usize::from(wins > 0));
        }
        let busy = self
            .counts
            .iter()
            .filter(|((_, outcome), _)| *outcome == 'b');
        let busy: u64 = busy.map(|(_, count)| *count).sum();
        // Waiting ends at some time, and nothing is spent then. That must be rare.
        if busy > race.attempts / 1000 {
            self.faults.push(format!("{busy} attempts waited in vain"));
        }
        let all: u64 = self.counts.values().sum();
        if all != race.attempts {
            self.faults
                .push(format!("{all} of {} attempts were made", race.attempts));
        }
        let views = countersign_broker::grants(&field::open(dir), usize::MAX)
            .map_err(at("the grants cannot be listed"))?;
        let kept = views.iter().filter(|view| view.state == "spent").count();
        if views.len() != self.grants.len() || kept != spent {
            self.faults.push(format!(
                "the store holds {} grants, {kept} of them spent; {} were issued and {spent} spent",
                views.len(),
                self.grants.len()
            ));
        }
        println!("race: {spent} grants spent, {kept} of them in the store");
        Ok(self.faults)
    }
}

fn word(letter: char) -> &'static str {
    match letter {
        'f' => "fitting:",
        'd' => "for another call:",
        's' => "for another session:",
        't' => "with a token of nobody:",
        'w' => "won",
        'r' => "reused",
        'e' => "expired",
        'm' => "mismatch",
        'n' => "unknown",
        'b' => "waited in vain",
        _ => "not known",
    }
}

/// The usual places in a heap of durations.
pub(crate) fn percentiles(ns: &mut [u64]) -> String {
    ns.sort_unstable();
    let place = |per_mille: usize| {
        let at = ns.len().saturating_mul(per_mille) / 1000;
        let value = ns.get(at.min(ns.len().saturating_sub(1)));
        Duration::from_nanos(value.copied().unwrap_or(0))
    };
    format!(
        "p50 {:.1?}, p90 {:.1?}, p99 {:.1?}, p99.9 {:.1?}, most {:.1?}",
        place(500),
        place(900),
        place(990),
        place(999),
        place(1000)
    )
}
