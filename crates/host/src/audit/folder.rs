//! The segments of a log: one a day, named by it.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

const END: &str = ".jsonl";

/// The day of a time, as segments are named by it.
pub(super) fn day(time: &str) -> &str {
    time.get(..10).unwrap_or(time)
}

pub(super) fn file(folder: &Path, day: &str) -> PathBuf {
    folder.join(format!("{day}{END}"))
}

/// The log of a version before segments.
pub(super) fn before_segments(folder: &Path) -> PathBuf {
    folder.with_extension("jsonl")
}

/// The days that have a segment, in order.
pub(super) fn days(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut days = Vec::new();
    for entry in entries {
        let name = entry?.file_name();
        let day = name.to_str().and_then(|name| name.strip_suffix(END));
        days.extend(day.filter(|day| is_day(day)).map(str::to_owned));
    }
    days.sort();
    Ok(days)
}

/// `2026-12-01`.
pub(super) fn is_day(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

/// Opens a file of the log for writing at its end. What is there but no file is an error, and holds
/// nobody up.
pub(super) fn open(path: &Path, create: bool) -> io::Result<File> {
    let flags = nix::fcntl::OFlag::O_NONBLOCK | nix::fcntl::OFlag::O_NOFOLLOW;
    OpenOptions::new()
        .read(true)
        .append(true)
        .create(create)
        .mode(0o600)
        .custom_flags(flags.bits())
        .open(path)
}

/// The entry of a new file is on disk.
pub(super) fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
