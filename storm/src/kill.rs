//! Processes are killed at random while they spend grants.

use crate::field::{self, LONG, Ticket, letter};
use crate::random::Random;
use crate::worker::Worker;
use crate::{Chance, Outcome, at};
use clap::Args;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// How many attempts each process makes on a grant.
const TRIES: u64 = 3;

/// One in so many kills is of all processes at once, so that the next one has to recover alone.
const ALL_AT_ONCE: u64 = 20;

/// Kills.
#[derive(Debug, Clone, Args)]
pub(crate) struct Kill {
    /// At least so many kills
    #[arg(long, default_value_t = 600)]
    kills: u64,
    /// How many processes
    #[arg(long, default_value_t = 8)]
    processes: u64,
    /// How many grants are issued at a time
    #[arg(long, default_value_t = 1500)]
    grants: u64,
    /// The longest time between two kills, in milliseconds
    #[arg(long, default_value_t = 20)]
    pause: u64,
    #[command(flatten)]
    chance: Chance,
}

/// What the parent knows.
#[derive(Debug, Default)]
struct Known {
    kills: u64,
    acknowledged: BTreeMap<u64, u64>,
}

/// A process, and whether it is through.
struct Running {
    child: Child,
    through: bool,
}

impl Kill {
    pub(crate) fn full() -> Self {
        Self {
            kills: 600,
            processes: 8,
            grants: 1500,
            pause: 20,
            chance: Chance { seed: 1 },
        }
    }

    pub(crate) fn smoke() -> Self {
        Self {
            kills: 40,
            grants: 200,
            ..Self::full()
        }
    }

    pub(crate) fn run(&self) -> Outcome {
        let dir = field::folder()?;
        let begun = Instant::now();
        let mut random = Random::new(self.chance.seed, 0);
        let mut rounds = Vec::new();
        let mut kills: u64 = 0;
        let mut silent: u64 = 0;
        while kills < self.kills {
            let seed = random.next();
            let store = field::open(dir.path());
            for number in 0..self.grants {
                Ticket::new(seed, number).issue(&store, LONG)?;
            }
            drop(store);
            let known = self.round(dir.path(), seed, &mut random)?;
            kills = kills.saturating_add(known.kills);
            silent = silent.saturating_add(check(dir.path(), seed, self.grants, &known)?);
            rounds.push((seed, known));
        }
        field::in_order(dir.path())?;
        let mut acknowledged: u64 = 0;
        for (seed, known) in &rounds {
            // Once more at the end. What was open until the first look was spent by it.
            check(dir.path(), *seed, self.grants, known)?;
            let count = u64::try_from(known.acknowledged.len()).unwrap_or(0);
            acknowledged = acknowledged.saturating_add(count);
        }
        println!(
            "kill: {kills} kills in {} rounds and {:.1} s; {acknowledged} grants acknowledged, each \
             once and each spent; {silent} spent by a process that did not live to say so",
            rounds.len(),
            begun.elapsed().as_secs_f64()
        );
        Ok(())
    }

    /// Kills until all grants were tried.
    fn round(&self, dir: &Path, seed: u64, random: &mut Random) -> Outcome<Known> {
        let mut known = Known::default();
        let (tell, told) = channel();
        let mut running = Vec::new();
        for number in 0..self.processes {
            running.push(self.start(dir, seed, number, 0, &tell)?);
        }
        while running.iter().any(|process| !process.through) {
            std::thread::sleep(Duration::from_millis(random.below(self.pause)));
            known.hear(&told);
            let all = random.below(ALL_AT_ONCE) == 0;
            let chosen = random.below(self.processes);
            let mut killed = Vec::new();
            for (number, process) in (0..).zip(running.iter_mut()) {
                let ended = process.child.try_wait().map_err(at("a process is lost"))?;
                if let Some(status) = ended
                    && !process.through
                {
                    if !status.success() {
                        return Err(format!("a process failed by itself ({status})"));
                    }
                    process.through = true;
                }
                if (all || number == chosen) && !process.through {
                    process
                        .child
                        .kill()
                        .map_err(at("a process cannot be killed"))?;
                    killed.push((number, process));
                }
            }
            // Only when all of them are dead, so that nobody is there to help the next one.
            for (number, process) in killed {
                let status = process.child.wait().map_err(at("a process is lost"))?;
                known.kills = known.kills.saturating_add(u64::from(!status.success()));
                known.hear(&told);
                *process = self.start(dir, seed, number, known.front(), &tell)?;
            }
        }
        drop(tell);
        for number in told {
            known.acknowledge(number);
        }
        Ok(known)
    }

    fn start(
        &self,
        dir: &Path,
        seed: u64,
        number: u64,
        from: u64,
        tell: &Sender<u64>,
    ) -> Outcome<Running> {
        let worker = Worker {
            dir: dir.to_path_buf(),
            seed,
            number,
            grants: self.grants,
            from: from.saturating_mul(TRIES),
            attempts: self.grants.saturating_mul(TRIES),
            results: None,
            torn: false,
        };
        let mut child = worker
            .command()?
            .stdout(Stdio::piped())
            .spawn()
            .map_err(at("a process cannot be started"))?;
        let output = child.stdout.take().ok_or("a process has no output")?;
        let tell = tell.clone();
        std::thread::spawn(move || {
            // A kill may cut nothing: each line is one write.
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if let Ok(number) = line.parse()
                    && tell.send(number).is_err()
                {
                    break;
                }
            }
        });
        Ok(Running {
            child,
            through: false,
        })
    }
}

impl Known {
    fn hear(&mut self, told: &Receiver<u64>) {
        for number in told.try_iter() {
            self.acknowledge(number);
        }
    }

    fn acknowledge(&mut self, number: u64) {
        let times = self.acknowledged.entry(number).or_default();
        *times = times.saturating_add(1);
    }

    /// Where a new process begins: a little before the last that is known to be spent, but for the
    /// few that were taken out of turn.
    fn front(&self) -> u64 {
        let numbers = self.acknowledged.keys().rev().copied();
        let last = numbers
            .zip(self.acknowledged.keys().rev().skip(20).copied())
            .find(|(number, before)| number.saturating_sub(*before) < 60);
        last.map_or(0, |(_, before)| before)
    }
}

/// How many grants were spent without a word.
fn check(dir: &Path, seed: u64, grants: u64, known: &Known) -> Outcome<u64> {
    let store = field::open(dir);
    let mut silent: u64 = 0;
    for number in 0..grants {
        let times = known.acknowledged.get(&number).copied().unwrap_or(0);
        if times > 1 {
            return Err(format!(
                "kill: grant {number} was acknowledged {times} times"
            ));
        }
        let outcome = letter(&Ticket::new(seed, number).consume(&store));
        match (times, outcome) {
            (1, 'r') | (0, 'w' | 'e') => {}
            (0, 'r') => silent = silent.saturating_add(1),
            _ => {
                return Err(format!(
                    "kill: grant {number}, acknowledged {times} times, comes to {outcome}"
                ));
            }
        }
    }
    Ok(silent)
}
