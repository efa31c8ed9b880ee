//! The audit log: JSON lines, each holding the hash of the line before it, in a file a day.
//!
//! The chain shows a line that was changed, dropped or moved. A file beside the segments holds the
//! head, which shows a cut at the end by somebody who did not think of it. Only an anchor outside
//! the agent's reach shows one by somebody who did.

mod anchor;
mod append;
mod end;
mod folder;
mod head;
mod read;
#[cfg(test)]
mod tests;
mod verify;

pub use anchor::Anchor;
pub use read::Follower;
pub use verify::{Anchored, Break, Verified};

use crate::secrets;
use countersign_broker::{AuditError, AuditPort};
use countersign_core::AuditEvent;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The hash that the first line carries.
const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The longest line ever written, in bytes; the last line is looked for in this much of the file.
const MAX_LINE: u64 = 256 << 10;

/// How long a record waits for those of other processes.
const PATIENCE: Duration = Duration::from_secs(5);

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Counts from 1, over all segments.
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
    folder: PathBuf,
    anchor: Option<Anchor>,
    patience: Duration,
    now: fn() -> jiff::Timestamp,
}

impl AuditLog {
    /// The log in this folder, which need not exist yet. A file of the same name and `.jsonl`
    /// beside it, which versions before segments wrote, becomes the first segment.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            anchor: None,
            patience: PATIENCE,
            now: jiff::Timestamp::now,
        }
    }

    /// The same log with its head kept elsewhere too.
    pub fn anchored(mut self, anchor: Option<Anchor>) -> Self {
        self.anchor = anchor;
        self
    }

    /// The folder that the segments are in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl AuditPort for AuditLog {
    /// Secrets are taken out before anything is written. On an error the log is as it was.
    fn record(&mut self, event: &AuditEvent) -> Result<(), AuditError> {
        let event = secrets::redactor().redact_event(event);
        append::append(self, &event).map_err(|error| AuditError {
            message: format!("{}: {error}", self.folder.display()),
        })
    }
}

/// Creates a directory that only its owner can enter.
pub(crate) fn private_dir(dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

fn hash(line: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(line) {
        // Writing to a string cannot fail.
        let _infallible = write!(text, "{byte:02x}");
    }
    text
}
