//! The head of the log, in a file beside the segments that is also the lock of all who write.
//!
//! It spares a writer reading the end of the segment, and shows a reader that the end was cut off
//! or changed, unless whoever did that changed the head too.

use super::folder;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::{Duration, Instant};

const NAME: &str = "head";

/// A day, a length, a number and a hash, with a blank between them and a line end.
const SIZE: usize = 10 + 1 + 20 + 1 + 20 + 1 + 64 + 1;

/// Where the log ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    /// The day of the last segment.
    pub(super) day: String,
    /// Its length in bytes.
    pub(super) length: u64,
    /// The number of its last record.
    pub(super) seq: u64,
    /// The hash of that.
    pub(super) hash: String,
}

/// The right to write, as long as it lives.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
}

impl Lock {
    /// Waits so long for other processes.
    pub(super) fn take(folder: &Path, patience: Duration) -> io::Result<Self> {
        let path = folder.join(NAME);
        let flags = nix::fcntl::OFlag::O_NONBLOCK | nix::fcntl::OFlag::O_NOFOLLOW;
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .custom_flags(flags.bits())
            .open(path)?;
        wait(patience, || file.try_lock())?;
        Ok(Self { file })
    }

    /// For somebody who only reads; nobody writes in the meantime.
    pub(super) fn share(folder: &Path, patience: Duration) -> io::Result<Option<Self>> {
        let file = match File::open(folder.join(NAME)) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        wait(patience, || file.try_lock_shared())?;
        Ok(Some(Self { file }))
    }

    /// The head, unless nothing was written yet or it is none.
    pub(super) fn head(&self) -> io::Result<Option<Head>> {
        let mut text = [0; SIZE];
        match self.file.read_exact_at(&mut text, 0) {
            Ok(()) => Ok(std::str::from_utf8(&text).ok().and_then(parse)),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn set(&self, head: &Head) -> io::Result<()> {
        let Head {
            day,
            length,
            seq,
            hash,
        } = head;
        let text = format!("{day} {length:020} {seq:020} {hash}\n");
        self.file.write_all_at(text.as_bytes(), 0)
    }

    /// It is on disk that there is a segment.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// A holder that hangs must not hang all others.
fn wait(patience: Duration, mut lock: impl FnMut() -> Result<(), TryLockError>) -> io::Result<()> {
    let mut begun = None;
    let mut pause = Duration::from_micros(200);
    loop {
        match lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) => {}
        }
        if begun.get_or_insert_with(Instant::now).elapsed() >= patience {
            return Err(io::Error::new(
                ErrorKind::TimedOut,
                format!(
                    "another process has kept the log locked for {} s; end it",
                    patience.as_secs_f32()
                ),
            ));
        }
        std::thread::sleep(pause);
        pause = pause.saturating_mul(2).min(Duration::from_millis(10));
    }
}

fn parse(text: &str) -> Option<Head> {
    let mut parts = text.strip_suffix('\n')?.split(' ');
    let head = Head {
        day: parts.next()?.to_owned(),
        length: parts.next()?.parse().ok()?,
        seq: parts.next()?.parse().ok()?,
        hash: parts.next()?.to_owned(),
    };
    (folder::is_day(&head.day) && parts.next().is_none()).then_some(head)
}
