//! The audit log: JSON lines, each holding the hash of the line before it.
//!
//! The chain shows a line that was changed, dropped or moved. It cannot show that the end of the
//! file was cut off; `audit verify` prints the last hash, so that it can be kept elsewhere.

use countersign_broker::{AuditError, AuditPort};
use countersign_core::{AuditEvent, AuditKind};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The hash that the first line carries.
const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The longest line ever written, in bytes; the last line is looked for in this much of the file.
const MAX_LINE: u64 = 256 << 10;

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Counts from 1.
    pub seq: u64,
    /// When, in UTC.
    pub time: String,
    /// The SHA-256 of the line before, without its newline.
    pub prev: String,
    /// What happened.
    pub event: AuditEvent,
}

/// An audit log on disk.
#[derive(Debug, Clone)]
pub struct AuditLog {
    file: PathBuf,
}

impl AuditLog {
    /// The log in this file, which need not exist yet.
    pub fn new(file: PathBuf) -> Self {
        Self { file }
    }

    fn append(&self, event: &AuditEvent) -> io::Result<()> {
        if let Some(dir) = self.file.parent() {
            private_dir(dir)?;
        }
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .mode(0o600)
            .open(&self.file)?;
        // Released when the file is closed, also when the process is killed.
        file.lock()?;
        let end = End::of(&mut file)?;
        let (mut seq, mut prev) = end.last()?;
        if end.is_torn() {
            file.set_len(end.whole)?;
            let what = "an unfinished line was removed";
            let note = AuditEvent::note(AuditKind::Recovered, "countersign", what);
            (seq, prev) = write_record(&mut file, seq, prev, note)?;
        }
        write_record(&mut file, seq, prev, event.clone())?;
        Ok(())
    }

    /// Reads the log from its beginning and checks every link of the chain.
    ///
    /// # Errors
    /// When the file cannot be read. A log that does not exist is empty.
    pub fn verify(&self) -> io::Result<Verified> {
        let mut verified = Verified {
            records: 0,
            head: GENESIS.to_owned(),
            broken: None,
        };
        let Some(reader) = open(&self.file)? else {
            return Ok(verified);
        };
        for line in reader.split(b'\n') {
            let line = line?;
            let number = verified.records.saturating_add(1);
            let record: Option<Record> = serde_json::from_slice(&line).ok();
            let fits =
                record.is_some_and(|record| record.seq == number && record.prev == verified.head);
            if !fits {
                verified.broken = Some(number);
                return Ok(verified);
            }
            verified.records = number;
            verified.head = hash(&line);
        }
        Ok(verified)
    }

    /// The last records, oldest first.
    ///
    /// # Errors
    /// When the file cannot be read. A log that does not exist is empty.
    pub fn tail(&self, count: usize) -> io::Result<Vec<Record>> {
        let Some(reader) = open(&self.file)? else {
            return Ok(Vec::new());
        };
        let mut records = std::collections::VecDeque::new();
        for line in reader.split(b'\n') {
            if let Ok(record) = serde_json::from_slice(&line?) {
                records.push_back(record);
                if records.len() > count {
                    records.pop_front();
                }
            }
        }
        Ok(records.into())
    }
}

impl AuditPort for AuditLog {
    fn record(&mut self, event: &AuditEvent) -> Result<(), AuditError> {
        self.append(event).map_err(|error| AuditError {
            message: format!("{}: {error}", self.file.display()),
        })
    }
}

/// What [`AuditLog::verify`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Lines whose links hold.
    pub records: u64,
    /// The hash of the last of them.
    pub head: String,
    /// The first line that does not follow from the one before it.
    pub broken: Option<u64>,
}

/// Creates a directory that only its owner can enter.
pub(crate) fn private_dir(dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

fn open(file: &Path) -> io::Result<Option<BufReader<File>>> {
    match File::open(file) {
        Ok(file) => Ok(Some(BufReader::new(file))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The end of a log: as much of it as holds the last whole line.
struct End {
    /// The last bytes of the file.
    tail: Vec<u8>,
    /// Where the last whole line ends, in the file.
    whole: u64,
    length: u64,
}

impl End {
    /// Reads backwards in growing steps: the last line is short as a rule.
    fn of(file: &mut File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let mut span = 4 << 10;
        loop {
            let from = length.saturating_sub(span);
            file.seek(SeekFrom::Start(from))?;
            let mut tail = Vec::new();
            file.read_to_end(&mut tail)?;
            let mut ends = tail
                .iter()
                .enumerate()
                .rev()
                .filter(|(_, byte)| **byte == b'\n');
            let last = ends.next().map(|(at, _)| at);
            let before = ends.next().is_some();
            // With two line ends in sight, or all of the file, the last whole line is too.
            if before || from == 0 || span > MAX_LINE {
                let whole = last.map_or(0, |at| u64::try_from(at).unwrap_or(0).saturating_add(1));
                return Ok(Self {
                    tail,
                    whole: from.saturating_add(whole),
                    length,
                });
            }
            span = span.saturating_mul(8);
        }
    }

    /// What a killed process left of its last line comes after the last whole one.
    fn is_torn(&self) -> bool {
        self.whole != self.length
    }

    /// The number and the hash of the last whole line.
    fn last(&self) -> io::Result<(u64, String)> {
        let mut lines = self.tail.rsplit(|&byte| byte == b'\n');
        // What follows the last line end is torn, or nothing.
        lines.next();
        let Some(line) = lines.next() else {
            return Ok((0, GENESIS.to_owned()));
        };
        let record: Record = serde_json::from_slice(line).map_err(|_| {
            io::Error::other("the last line is not a record; see `countersign audit verify`")
        })?;
        Ok((record.seq, hash(line)))
    }
}

fn write_record(
    file: &mut File,
    seq: u64,
    prev: String,
    event: AuditEvent,
) -> io::Result<(u64, String)> {
    let seq = seq.saturating_add(1);
    let record = Record {
        seq,
        time: jiff::Timestamp::now().to_string(),
        prev,
        event,
    };
    let mut line = serde_json::to_vec(&record).map_err(io::Error::other)?;
    let head = hash(&line);
    line.push(b'\n');
    if u64::try_from(line.len()).unwrap_or(u64::MAX) > MAX_LINE {
        return Err(io::Error::other("the record is too long"));
    }
    file.write_all(&line)?;
    Ok((seq, head))
}

fn hash(line: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(line) {
        // Writing to a string cannot fail.
        let _infallible = write!(text, "{byte:02x}");
    }
    text
}
