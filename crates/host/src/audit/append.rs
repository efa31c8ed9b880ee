//! Writing a record: under a lock, after the last whole line of the last segment, all or nothing.

use super::anchor::{self, is_due};
use super::end::End;
use super::folder::{self, before_segments};
use super::head::{Head, Lock};
use super::{AuditLog, GENESIS, MAX_LINE, hash, private_dir};
use countersign_core::{AuditEvent, AuditKind};
use serde::Serialize;
use std::fs::File;
use std::io::{self, ErrorKind, Write as _};

/// A segment that records are written to.
struct Segment {
    day: String,
    file: File,
    /// How much of it is whole.
    length: u64,
    /// The number and hash of the last record, here or in a segment before.
    seq: u64,
    hash: String,
    /// It was made for this record.
    created: bool,
    /// What must be told first.
    notes: Vec<AuditEvent>,
}

/// One line of the log, as it is written.
#[derive(Serialize)]
struct Line<'e> {
    seq: u64,
    time: &'e str,
    prev: &'e str,
    event: &'e AuditEvent,
}

pub(super) fn append(log: &AuditLog, event: &AuditEvent) -> io::Result<()> {
    let lock = match Lock::take(&log.folder, log.patience) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            private_dir(&log.folder)?;
            Lock::take(&log.folder, log.patience)?
        }
        lock => lock?,
    };
    let time = (log.now)().to_string();
    let mut segment = Segment::last(log, &lock, folder::day(&time))?;
    let flush = event.must_be_flushed();
    let mut lines = Vec::new();
    let (before, length) = (segment.seq, segment.length);
    for note in std::mem::take(&mut segment.notes) {
        segment.line(&time, &note, &mut lines)?;
    }
    let due = is_due(
        flush,
        segment.created,
        before,
        segment.seq.saturating_add(1),
    );
    let mut anchored = None;
    if let Some(anchor) = log.anchor.as_ref().filter(|_| due) {
        match anchor.open() {
            Ok(file) => anchored = Some(file),
            Err(error) => {
                let what = format!("anchor {}: {error}", anchor.file.display());
                if anchor.required {
                    return Err(io::Error::new(error.kind(), what));
                }
                let note = AuditEvent::note(AuditKind::Unanchored, "countersign", what);
                segment.line(&time, &note, &mut lines)?;
            }
        }
    }
    segment.line(&time, event, &mut lines)?;
    let head = Head {
        day: segment.day.clone(),
        length: segment.length,
        seq: segment.seq,
        hash: segment.hash.clone(),
    };
    let mut write = || {
        segment.file.write_all(&lines)?;
        if flush {
            segment.file.sync_data()?;
        }
        if segment.created {
            folder::sync(&log.folder)?;
        }
        if let (Some(anchor), Some(file)) = (&log.anchor, &mut anchored) {
            let kept = anchor::keep(file, &head, &time, flush);
            if anchor.required {
                let what = |error: io::Error| {
                    let what = format!("anchor {}: {error}", anchor.file.display());
                    io::Error::new(error.kind(), what)
                };
                kept.map_err(what)?;
            }
        }
        lock.set(&head)?;
        if segment.created {
            lock.sync()?;
        }
        Ok(())
    };
    write().inspect_err(|_| {
        // Nobody acts on a record that was not told to be there.
        let _best_effort = segment.file.set_len(length);
    })
}

impl Segment {
    /// The last segment, or a new one where a new day has begun.
    fn last(log: &AuditLog, lock: &Lock, today: &str) -> io::Result<Self> {
        let head = lock.head()?;
        let days = || folder::days(&log.folder);
        let mut last = match &head {
            Some(head) => Self::open(log, &head.day, Some(head))?,
            None => None,
        };
        let mut taken_over = false;
        if last.is_none() {
            if days()?.is_empty() {
                taken_over = take_over(log, today)?;
            }
            if let Some(day) = days()?.last() {
                last = Self::open(log, day, None)?;
            }
        }
        if last.as_ref().is_some_and(|last| last.day.as_str() < today) {
            // Once a day it is looked whether the head was left behind.
            let later = days()?.pop();
            let later = later.filter(|day| last.as_ref().is_some_and(|last| last.day < *day));
            if let Some(found) = later.map(|day| Self::open(log, &day, None)).transpose()? {
                last = found;
            }
        }
        let mut segment = match last {
            Some(last) if today <= last.day.as_str() => last,
            last => Self::new(log, lock, today, last)?,
        };
        segment.compare(head.as_ref(), taken_over);
        if segment.length == 0 && segment.seq > 0 {
            let note = format!("goes on from record {}", segment.seq);
            let note = AuditEvent::note(AuditKind::Segment, "countersign", note);
            segment.notes.insert(0, note);
        }
        Ok(segment)
    }

    /// A segment that is there. Where the head tells its end, it is not read.
    fn open(log: &AuditLog, day: &str, head: Option<&Head>) -> io::Result<Option<Self>> {
        let file = match folder::open(&folder::file(&log.folder, day), false) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let found = file.metadata()?;
        if !found.is_file() {
            return Err(io::Error::other(format!("{day}.jsonl is no regular file")));
        }
        let mut segment = Self {
            day: day.to_owned(),
            length: found.len(),
            seq: 0,
            hash: GENESIS.to_owned(),
            created: false,
            notes: Vec::new(),
            file,
        };
        if let Some(head) = head.filter(|head| head.length == found.len()) {
            segment.seq = head.seq;
            segment.hash.clone_from(&head.hash);
            return Ok(Some(segment));
        }
        let end = End::of(&mut segment.file, found.len())?;
        let last = end.last()?;
        if end.is_torn() {
            segment.file.set_len(end.whole)?;
            let what = "an unfinished line was removed";
            segment.notes.push(mended(what.to_owned()));
        }
        segment.length = end.whole;
        if let Some((seq, hash)) = last {
            (segment.seq, segment.hash) = (seq, hash);
        } else {
            let days = folder::days(&log.folder)?;
            let before = days.iter().rev().find(|before| before.as_str() < day);
            let before = before.map(|day| Self::open(log, day, None)).transpose()?;
            segment.follow(before.flatten());
        }
        Ok(Some(segment))
    }

    /// A segment for today. It may be there already, where a process died that had begun it.
    fn new(log: &AuditLog, lock: &Lock, today: &str, last: Option<Self>) -> io::Result<Self> {
        if let Some(mut begun) = Self::open(log, today, None)? {
            begun
                .notes
                .extend(last.into_iter().flat_map(|last| last.notes));
            return Ok(begun);
        }
        let (seq, hash) = match &last {
            Some(last) => (last.seq, last.hash.clone()),
            None => (0, GENESIS.to_owned()),
        };
        // Said before it is made: whoever comes after a death in between finds where to go on.
        lock.set(&Head {
            day: today.to_owned(),
            length: 0,
            seq,
            hash,
        })?;
        let file = folder::open(&folder::file(&log.folder, today), true)?;
        let mut segment = Self {
            day: today.to_owned(),
            file,
            length: 0,
            seq: 0,
            hash: GENESIS.to_owned(),
            created: true,
            notes: Vec::new(),
        };
        segment.follow(last);
        Ok(segment)
    }

    /// Goes on from the end of another.
    fn follow(&mut self, before: Option<Self>) {
        if let Some(before) = before {
            self.notes.extend(before.notes);
            (self.seq, self.hash) = (before.seq, before.hash);
        }
    }

    /// What the head says and the log does not leaves a record.
    fn compare(&mut self, head: Option<&Head>, taken_over: bool) {
        match head {
            Some(head)
                if head.seq > self.seq || (head.seq == self.seq && head.hash != self.hash) =>
            {
                let what = format!(
                    "the log had ended at record {} with hash {}, and was found to end at {}; what is missing was lost or cut off",
                    head.seq, head.hash, self.seq
                );
                self.notes.push(mended(what));
            }
            None if self.seq > 0 && !taken_over => {
                let what = format!(
                    "the file `head` said nothing; the log was found to end at {}",
                    self.seq
                );
                self.notes.push(mended(what));
            }
            _ => {}
        }
    }

    /// Adds a line to those that will be written.
    fn line(&mut self, time: &str, event: &AuditEvent, lines: &mut Vec<u8>) -> io::Result<()> {
        let start = lines.len();
        let seq = self.seq.saturating_add(1);
        let line = Line {
            seq,
            time,
            prev: &self.hash,
            event,
        };
        serde_json::to_writer(&mut *lines, &line).map_err(io::Error::other)?;
        self.hash = hash(lines.get(start..).unwrap_or_default());
        self.seq = seq;
        lines.push(b'\n');
        let length = u64::try_from(lines.len().saturating_sub(start)).unwrap_or(u64::MAX);
        if length > MAX_LINE {
            return Err(io::Error::other("the record is too long"));
        }
        self.length = self.length.saturating_add(length);
        Ok(())
    }
}

fn mended(what: String) -> AuditEvent {
    AuditEvent::note(AuditKind::Recovered, "countersign", what)
}

/// The log of a version before segments becomes the first one, with the day of its last record, so
/// that all that follow come after it.
fn take_over(log: &AuditLog, today: &str) -> io::Result<bool> {
    let old = before_segments(&log.folder);
    let mut file = match File::open(&old) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(io::Error::other(format!(
            "{} is in the way: it is no regular file",
            old.display()
        )));
    }
    // A process of that version may be writing.
    file.lock_shared()?;
    let length = file.metadata()?.len();
    let last = End::of(&mut file, length)?.last_time()?;
    let day = last.as_deref().map_or(today, folder::day);
    if !folder::is_day(day) {
        return Err(io::Error::other(format!(
            "the last record of {} has no time",
            old.display()
        )));
    }
    std::fs::rename(&old, folder::file(&log.folder, day))?;
    Ok(true)
}
