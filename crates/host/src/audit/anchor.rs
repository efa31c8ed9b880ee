//! Where the head of the log is kept beside the log itself: a file that the owner put out of the
//! agent's reach. Nothing in it is ever read by a writer, so that it may be one that its writer can
//! only append to.

use super::head::Head;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;

/// After so many plain records the head is anchored, as it is after each that is flushed: so many
/// can be cut off unseen, and a read costs next to nothing.
const EVERY: u64 = 64;

/// A file that heads are appended to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// The file.
    pub file: PathBuf,
    /// A head that cannot be anchored is an error.
    pub required: bool,
}

/// A head, as it is anchored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) time: String,
    pub(super) segment: String,
    pub(super) seq: u64,
    pub(super) hash: String,
}

/// The head is to be anchored now.
pub(super) fn is_due(flushed: bool, created: bool, before: u64, seq: u64) -> bool {
    let rounds = |seq: u64| seq.checked_div(EVERY);
    flushed || created || rounds(before) != rounds(seq)
}

impl Anchor {
    /// The file by every name that is known for it.
    pub fn own_paths(&self) -> Vec<String> {
        let names = [self.file.clone(), crate::facts::real(&self.file)];
        names
            .into_iter()
            .filter_map(|path| path.into_os_string().into_string().ok())
            .collect()
    }

    /// Opens the file, which is made where it can be.
    pub(super) fn open(&self) -> io::Result<File> {
        let open = |create| {
            OpenOptions::new()
                .append(true)
                .create(create)
                .mode(0o600)
                .custom_flags(nix::fcntl::OFlag::O_NONBLOCK.bits())
                .open(&self.file)
        };
        let file = match open(false) {
            Err(error) if error.kind() == ErrorKind::NotFound => open(true)?,
            other => other?,
        };
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("it is no regular file"));
        }
        Ok(file)
    }

    /// Every head that was anchored, and how many lines are none.
    pub(super) fn heads(&self) -> io::Result<(Vec<Kept>, usize)> {
        let file = match File::open(&self.file) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok((Vec::new(), 0)),
            Err(error) => return Err(error),
        };
        let (mut heads, mut others) = (Vec::new(), 0_usize);
        for line in BufReader::new(file).split(b'\n') {
            let line = line?;
            match serde_json::from_slice(&line) {
                Ok(head) => heads.push(head),
                Err(_) if line.is_empty() => {}
                Err(_) => others = others.saturating_add(1),
            }
        }
        Ok((heads, others))
    }
}

/// Appends a head. It begins on a line of its own, whatever a process that died left there.
pub(super) fn keep(file: &mut File, head: &Head, time: &str, flush: bool) -> io::Result<()> {
    let kept = Kept {
        time: time.to_owned(),
        segment: head.day.clone(),
        seq: head.seq,
        hash: head.hash.clone(),
    };
    let text = serde_json::to_string(&kept).map_err(io::Error::other)?;
    file.write_all(format!("\n{text}\n").as_bytes())?;
    if flush {
        file.sync_data()?;
    }
    Ok(())
}
