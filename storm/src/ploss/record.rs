//! The run that is cut: what it does, and what it acknowledges.

use crate::bare::{self, Sync};
use crate::field::{self, LONG, Ticket};
use crate::{Outcome, at};
use clap::{Args, ValueEnum};
use countersign_broker::store::{Change, Key, Row, Store, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;

/// What the grants follow from.
pub(super) const SEED: u64 = 77;

/// The log of the run: lines, each flushed before it counts.
pub(super) const LOG: &str = "audit.jsonl";

/// Where acknowledgements go. What is in this file has been told to somebody.
pub(super) const WORDS: &str = "words";

/// So long that the log of SQLite is folded back in and begun anew on the way.
const DENIAL_BYTES: usize = 40 << 10;

/// How many rows share the denials.
const DENIAL_ROWS: u64 = 5;

/// What is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Run {
    Store,
    Bare(Sync),
}

impl Run {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Store => "store",
            Self::Bare(Sync::Full) => "bare-full",
            Self::Bare(Sync::Normal) => "bare-normal",
        }
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl ValueEnum for Run {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Store,
            Self::Bare(Sync::Full),
            Self::Bare(Sync::Normal),
        ]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.word()))
    }
}

/// The run.
#[derive(Debug, Clone, Args)]
pub(crate) struct Record {
    /// A new folder
    #[arg(long)]
    dir: PathBuf,
    /// How many grants
    #[arg(long)]
    grants: u64,
    /// What to run
    #[arg(long)]
    run: Run,
}

impl Record {
    pub(crate) fn run(&self) -> Outcome {
        DirBuilder::new()
            .mode(0o700)
            .create(&self.dir)
            .map_err(at("the folder"))?;
        let mut words = append(&self.dir.join(WORDS))?;
        let mut tell = |word: &str| {
            words
                .write_all(format!("{word}\n").as_bytes())
                .map_err(at("words"))
        };
        match self.run {
            Run::Store => self.store(&mut tell),
            Run::Bare(sync) => bare::record(&self.dir, self.grants, sync, &mut tell),
        }
    }

    fn store(&self, tell: &mut dyn FnMut(&str) -> Outcome) -> Outcome {
        let mut store = field::open(&self.dir);
        for number in 0..self.grants {
            Ticket::new(SEED, number).issue(&store, LONG)?;
            tell(&format!("issued {number}"))?;
        }
        let mut log = append(&self.dir.join(LOG))?;
        // Its name must last, too.
        File::open(&self.dir)
            .and_then(|dir| dir.sync_all())
            .map_err(at("the folder"))?;
        for number in 0..self.grants {
            // Now and then by another process, as far as the file can tell.
            if number % 8 == 7 {
                drop(store);
                store = field::open(&self.dir);
            }
            Ticket::new(SEED, number)
                .consume(&store)
                .map_err(at("a grant is not spent"))?;
            tell(&format!("spent {number}"))?;
            for version in [
                number.saturating_mul(2),
                number.saturating_mul(2).saturating_add(1),
            ] {
                let row = version % DENIAL_ROWS;
                deny(&store, row, version)?;
                tell(&format!("denied {row} {version}"))?;
            }
            log.write_all(&line(number))
                .and_then(|()| log.sync_data())
                .map_err(at("the log"))?;
            tell("audited")?;
        }
        Ok(())
    }
}

fn append(file: &std::path::Path) -> Outcome<File> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(file)
        .map_err(at("a file of the run"))
}

fn deny(store: &dyn Store, row: u64, version: u64) -> Outcome {
    let key = Key::new(Table::Session, row.to_string());
    let filler = char::from(b'a'.saturating_add(u8::try_from(version % 26).unwrap_or(0)));
    let body = format!("{version} {}", filler.to_string().repeat(DENIAL_BYTES));
    let mut change = |_: &_| {
        vec![Change {
            key: key.clone(),
            row: Some(Row {
                body: body.clone(),
                until: None,
                pinned: true,
            }),
        }]
    };
    store
        .update(std::slice::from_ref(&key), &mut change)
        .map_err(at("a denial is not kept"))
}

/// About as long as a record is.
fn line(number: u64) -> Vec<u8> {
    format!("{{\"n\":{number},\"note\":\"{}\"}}\n", "x".repeat(700)).into_bytes()
}

/// Whether a line of the log is all there.
pub(super) fn is_whole(line: &[u8]) -> bool {
    line.starts_with(b"{") && line.ends_with(b"\"}\n") && !line.contains(&0)
}

/// What was told before the cut.
#[derive(Debug, Clone, Default)]
pub(crate) struct Acknowledged {
    pub(super) issued: BTreeSet<u64>,
    pub(crate) spent: BTreeSet<u64>,
    /// The last version of each row.
    pub(super) denials: BTreeMap<u64, u64>,
    pub(super) audited: u64,
}

impl Acknowledged {
    pub(super) fn hear(&mut self, text: &str) -> Outcome {
        let mut words = text.split_whitespace();
        let what = words.next().unwrap_or_default();
        let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
        match (what, number(), number()) {
            ("issued", Some(number), None) => {
                self.issued.insert(number);
            }
            ("spent", Some(number), None) => {
                self.spent.insert(number);
            }
            ("denied", Some(row), Some(version)) => {
                self.denials.insert(row, version);
            }
            ("audited", None, None) => self.audited = self.audited.saturating_add(1),
            _ => return Err(format!("`{text}` acknowledges nothing")),
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.spent.is_empty()
    }
}
