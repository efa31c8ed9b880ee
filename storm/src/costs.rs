//! What the store costs, in time, memory and disk.

use crate::bare::{self, Sync};
use crate::field::{self, LONG, Ticket};
use crate::race::percentiles;
use crate::{Outcome, at};
use clap::Args;
use countersign::store::SystemClock;
use countersign_broker::store::{
    Capacity, Change, Key, MemoryStore, Row, Store, StoreError, Table,
};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const SEED: u64 = 5;
const ROUNDS: u64 = 2000;
const COLD: u64 = 200;

/// Opens the store once, as a hook process does.
#[derive(Debug, Clone, Args)]
pub(crate) struct Once {
    /// The folder of the store
    #[arg(long)]
    dir: PathBuf,
    /// `nothing`, `read` or `update`
    #[arg(long)]
    what: String,
}

impl Once {
    pub(crate) fn run(&self) -> Outcome {
        once(&self.dir, &self.what).map_err(|error| error.to_string())
    }
}

fn once(dir: &Path, what: &str) -> Result<(), StoreError> {
    let store = field::open(dir);
    match what {
        "read" => look(&store),
        "update" => decide(&store, 1),
        _ => Ok(()),
    }
}

pub(crate) fn run() -> Outcome {
    let say = at("the store");
    sizes()?;
    let dir = field::folder()?;
    let memory = MemoryStore::new(Box::new(SystemClock::new()), Capacity::default());
    let sqlite = field::open(dir.path());
    for (name, store) in [("memory", &memory as &dyn Store), ("sqlite", &sqlite)] {
        decide(store, 0).map_err(&say)?;
        time(&format!("{name}: read of 3 rows"), ROUNDS, |_| look(store)).map_err(&say)?;
        time(
            &format!("{name}: read of 3, change of 2"),
            ROUNDS,
            |round| look(store).and_then(|()| decide(store, round)),
        )
        .map_err(&say)?;
    }
    drop(sqlite);
    consuming()?;
    // As one that lived long left it, and as those leave it that come after it.
    for _ in 0..2 {
        let log = std::fs::metadata(dir.path().join("state.db-wal")).map_or(0, |log| log.len());
        let name = format!("open, read, close; log of {} KB", log >> 10);
        time(&name, COLD, |_| once(dir.path(), "read")).map_err(&say)?;
        once(dir.path(), "update").map_err(&say)?;
    }
    time("open, change, close", COLD, |_| once(dir.path(), "update")).map_err(&say)?;
    let this = std::env::current_exe().map_err(at("this program cannot be found"))?;
    for what in ["nothing", "read", "update"] {
        time(&format!("a process: {what}"), COLD, |_| {
            let status = Command::new(&this)
                .args(["once", "--what", what, "--dir"])
                .arg(dir.path())
                .status()
                .map_err(at("a process cannot be started"))?;
            status
                .success()
                .then_some(())
                .ok_or_else(|| "a process failed".to_owned())
        })?;
    }
    Ok(())
}

/// The store's `consume` and the bare statement, by turns, so that both meet the same machine.
fn consuming() -> Outcome {
    let dir = field::folder()?;
    let say = at("a bare statement");
    let store = field::open(dir.path());
    for number in 0..ROUNDS {
        Ticket::new(SEED, number).issue(&store, LONG)?;
    }
    let mut bare = bare::make(dir.path(), ROUNDS, Sync::Full).map_err(&say)?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for number in 0..ROUNDS {
        let begun = Instant::now();
        Ticket::new(SEED, number)
            .consume(&store)
            .map_err(at("a grant is not spent"))?;
        ours.push(nanos(begun));
        let begun = Instant::now();
        bare::consume(&mut bare, number).map_err(&say)?;
        theirs.push(nanos(begun));
    }
    println!(
        "costs: consume                       {}",
        percentiles(&mut ours)
    );
    println!(
        "costs: bare statement                {}",
        percentiles(&mut theirs)
    );
    let middle = |ns: &[u64]| ns.get(ns.len() / 2).copied().unwrap_or(0);
    println!(
        "costs: consume is {:.2} times the bare statement",
        ratio(middle(&ours), middle(&theirs))
    );
    let mut refused = Vec::new();
    for number in 0..ROUNDS {
        let ticket = Ticket::new(SEED, number);
        let begun = Instant::now();
        let _refused = ticket.consume(&store);
        refused.push(nanos(begun));
    }
    println!(
        "costs: consume, refused              {}",
        percentiles(&mut refused)
    );
    Ok(())
}

/// What is held for many sessions, in memory and on disk.
fn sizes() -> Outcome {
    let say = at("the store");
    let before = resident();
    let memory = MemoryStore::new(Box::new(SystemClock::new()), Capacity::default());
    fill(&memory).map_err(&say)?;
    println!(
        "costs: memory of 100,000 scopes (300 B) and 10,000 parked (1 KB): {} KB",
        resident().saturating_sub(before)
    );
    drop(memory);
    let dir = field::folder()?;
    let begun = Instant::now();
    let store = field::open(dir.path());
    fill(&store).map_err(&say)?;
    let size =
        |name: &str| std::fs::metadata(dir.path().join(name)).map_or(0, |file| file.len() >> 10);
    println!(
        "costs: file of the same: {} KB, its log {} KB; filled in {:.1} s",
        size("state.db"),
        size("state.db-wal"),
        begun.elapsed().as_secs_f64()
    );
    time("sqlite, full: read of 3, change of 2", 300, |round| {
        look(&store).and_then(|()| decide(&store, round))
    })
    .map_err(&say)
}

fn fill(store: &dyn Store) -> Result<(), StoreError> {
    for (table, rows, bytes) in [(Table::Scope, 100_000, 300), (Table::Parked, 10_000, 1000)] {
        let numbers: Vec<u64> = (0..rows).collect();
        for some in numbers.chunks(16) {
            let keys: Vec<Key> = some.iter().map(|number| key(table, *number)).collect();
            store.update(&keys, &mut |_| {
                keys.iter().map(|key| change(key, bytes, 0)).collect()
            })?;
        }
    }
    Ok(())
}

fn key(table: Table, number: u64) -> Key {
    Key::new(table, format!("{number:064x}"))
}

fn change(key: &Key, bytes: usize, round: u64) -> Change {
    Change {
        key: key.clone(),
        row: Some(Row {
            body: format!("{round:>bytes$}"),
            until: None,
            pinned: false,
        }),
    }
}

/// The look of a decision: scope, window and session.
fn look(store: &dyn Store) -> Result<(), StoreError> {
    let keys = [Table::Scope, Table::Window, Table::Session].map(|table| key(table, 1));
    store.read(&keys).map(drop)
}

/// What a decision leaves: scope and session.
fn decide(store: &dyn Store, round: u64) -> Result<(), StoreError> {
    let keys = [Table::Scope, Table::Session].map(|table| key(table, 1));
    store.update(&keys, &mut |_| {
        keys.iter().map(|key| change(key, 300, round)).collect()
    })
}

fn time<E>(name: &str, rounds: u64, mut act: impl FnMut(u64) -> Result<(), E>) -> Result<(), E> {
    let mut all = Vec::new();
    for round in 0..rounds {
        let begun = Instant::now();
        act(round)?;
        all.push(nanos(begun));
    }
    println!("costs: {name:<37} {}", percentiles(&mut all));
    Ok(())
}

fn nanos(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

fn ratio(one: u64, other: u64) -> f64 {
    let number = |value: u64| f64::from(u32::try_from(value / 10).unwrap_or(u32::MAX));
    number(one) / number(other).max(1.0)
}

/// The memory that this process holds, in kilobytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|rest| rest.trim().strip_suffix("kB"))
        .and_then(|number| number.trim().parse().ok())
        .unwrap_or(0)
}
