//! Checking the chain, from the first segment or a later one.

use super::{AuditLog, GENESIS, Record, hash};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::PathBuf;

/// What [`AuditLog::verify`] found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// The number of the first record that was looked at, less one: 0 for a whole log.
    pub before: u64,
    /// The number of the last record whose links hold.
    pub records: u64,
    /// The hash of it.
    pub head: String,
    /// How many segments were looked at.
    pub segments: usize,
    /// How many records say that the log was mended.
    pub mended: u64,
    /// The first place that is not as it was written.
    pub broken: Option<Break>,
    /// There is a file that says where the log ends.
    pub has_head: bool,
    /// What the anchor says, where there is one.
    pub anchored: Option<Anchored>,
}

/// Where a log was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Break {
    /// The file of the segment, without its folder.
    pub segment: String,
    /// The line in it, from 1.
    pub line: u64,
    /// What is wrong there.
    pub what: String,
}

impl Break {
    /// The place and what is wrong there, in one line.
    pub fn said(&self) -> String {
        if self.line == 0 {
            return self.what.clone();
        }
        format!("{} line {}: {}", self.segment, self.line, self.what)
    }
}

/// Heads that were kept outside the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Anchored {
    /// The file.
    pub file: PathBuf,
    /// How many heads in it the log was compared with.
    pub heads: usize,
    /// The last record that is anchored.
    pub last: u64,
    /// Lines of it that are no head.
    pub others: usize,
}

/// What somebody remembers of a record.
struct Memory {
    hash: String,
    whose: &'static str,
}

type Memories = BTreeMap<u64, Vec<Memory>>;

/// A walk over the lines.
struct Walk {
    seq: u64,
    hash: String,
    mended: u64,
    memories: Memories,
}

impl AuditLog {
    /// Reads the log and checks every link of the chain, from the first segment of this day or
    /// after it, or from the first of all.
    ///
    /// # Errors
    /// When a file cannot be read. A log that does not exist is empty.
    pub fn verify(&self, from: Option<&str>) -> io::Result<Verified> {
        let (mut segments, head) = self.snapshot()?;
        let has_head = head.is_some();
        let mut memories = Memories::new();
        let mut anchored = None;
        if let Some(anchor) = &self.anchor {
            let (heads, others) = anchor.heads()?;
            anchored = Some(Anchored {
                file: anchor.file.clone(),
                heads: heads.len(),
                last: heads.iter().map(|head| head.seq).max().unwrap_or(0),
                others,
            });
            for head in heads {
                remember(&mut memories, head.seq, head.hash, "the anchor");
            }
        }
        if let Some(head) = head {
            remember(&mut memories, head.seq, head.hash, "the file `head`");
        }
        let whole = segments.len();
        if let Some(from) = from {
            segments.retain(|(day, _)| day.as_str() >= from);
        }
        let is_part = segments.len() < whole;
        let mut walk = Walk {
            seq: 0,
            hash: GENESIS.to_owned(),
            mended: 0,
            memories,
        };
        let mut before = 0;
        let mut broken = None;
        for (nth, (day, length)) in segments.iter().enumerate() {
            let file = self.segment_file(day);
            let reader = BufReader::new(File::open(&file)?.take(*length));
            let take_up = is_part && nth == 0;
            let found = walk.segment(reader, take_up, &mut before)?;
            if let Some((line, what)) = found {
                broken = Some((day, line, what));
                break;
            }
        }
        let last = segments
            .last()
            .map(|(day, _)| day.clone())
            .unwrap_or_default();
        let broken = match broken {
            // Nothing was looked at, and so nothing is missing.
            None if is_part && segments.is_empty() => None,
            Some((day, line, what)) => Some(Break {
                segment: self.segment_name(day),
                line,
                what,
            }),
            None => walk.missing_end().map(|what| Break {
                segment: self.segment_name(&last),
                line: 0,
                what,
            }),
        };
        Ok(Verified {
            before,
            records: walk.seq,
            head: walk.hash,
            segments: segments.len(),
            mended: walk.mended,
            broken,
            has_head,
            anchored,
        })
    }
}

fn remember(memories: &mut Memories, seq: u64, hash: String, whose: &'static str) {
    if seq > 0 {
        let memory = Memory { hash, whose };
        memories.entry(seq).or_default().push(memory);
    }
}

impl Walk {
    /// The line at which a segment does not hold, and why.
    fn segment(
        &mut self,
        mut reader: impl io::BufRead,
        take_up: bool,
        before: &mut u64,
    ) -> io::Result<Option<(u64, String)>> {
        let mut line = Vec::new();
        let mut number = 0_u64;
        loop {
            line.clear();
            if reader.read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            number = number.saturating_add(1);
            if line.pop() != Some(b'\n') {
                let what = "the line is unfinished: a process died while it wrote, or the end was cut off; the next record mends it";
                return Ok(Some((number, what.to_owned())));
            }
            let Ok(record) = serde_json::from_slice::<Record>(&line) else {
                return Ok(Some((number, "the line is not a record".to_owned())));
            };
            if take_up && number == 1 {
                self.seq = record.seq.saturating_sub(1);
                self.hash.clone_from(&record.prev);
                *before = self.seq;
            }
            if let Some(what) = self.record(&line, &record) {
                return Ok(Some((number, what)));
            }
        }
    }

    fn record(&mut self, line: &[u8], record: &Record) -> Option<String> {
        let number = self.seq.saturating_add(1);
        if record.seq != number {
            return Some(format!(
                "record {} stands where {number} should: records, or a segment before this one, are missing or moved",
                record.seq
            ));
        }
        if record.prev != self.hash {
            return Some(format!(
                "record {number} does not follow from the one before it: one of the two was changed"
            ));
        }
        let hash = hash(line);
        let remembered = self.memories.get(&number).into_iter().flatten();
        for memory in remembered {
            if memory.hash != hash {
                return Some(format!(
                    "record {number} is not the one that {} has: it was changed, or the log was written anew",
                    memory.whose
                ));
            }
        }
        self.mended = self.mended.saturating_add(u64::from(
            record.event.kind == countersign_core::AuditKind::Recovered,
        ));
        self.seq = number;
        self.hash = hash;
        None
    }

    /// Somebody remembers a record behind the last one.
    fn missing_end(&self) -> Option<String> {
        let (seq, memories) = self.memories.last_key_value()?;
        let memory = memories.first()?;
        (*seq > self.seq).then(|| {
            format!(
                "the log ends at record {}, and {} has record {seq}: the end was cut off",
                self.seq, memory.whose
            )
        })
    }
}
