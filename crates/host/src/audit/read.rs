//! Reading records: all of them, the last ones, and those that come.

use super::folder;
use super::head::{Head, Lock};
use super::{AuditLog, Record};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

/// Days, and the lengths of their segments.
type Lengths = Vec<(String, u64)>;

impl AuditLog {
    /// The file of a day; of a log of before segments, that.
    pub(super) fn segment_file(&self, day: &str) -> PathBuf {
        if day.is_empty() {
            folder::before_segments(&self.folder)
        } else {
            folder::file(&self.folder, day)
        }
    }

    pub(super) fn segment_name(&self, day: &str) -> String {
        let file = self.segment_file(day);
        let name = file.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// The days that have a segment, in order; an empty one for a log of before segments, which the
    /// next record takes over.
    pub(super) fn segment_days(&self) -> io::Result<Vec<String>> {
        let mut days = folder::days(&self.folder)?;
        if days.is_empty() && folder::before_segments(&self.folder).exists() {
            days.push(String::new());
        }
        Ok(days)
    }

    /// The segments with their lengths, and the head, all of one moment.
    pub(super) fn snapshot(&self) -> io::Result<(Lengths, Option<Head>)> {
        let lock = Lock::share(&self.folder, self.patience)?;
        let head = lock.as_ref().map(Lock::head).transpose()?.flatten();
        let mut segments = Vec::new();
        for day in self.segment_days()? {
            let length = std::fs::metadata(self.segment_file(&day))?.len();
            segments.push((day, length));
        }
        Ok((segments, head))
    }

    /// Every record from this day on, oldest first. A line that is no record is passed over;
    /// [`AuditLog::verify`] names it.
    ///
    /// # Errors
    /// When a file cannot be read. A log that does not exist is empty.
    pub fn each(&self, from: Option<&str>, on: &mut dyn FnMut(Record)) -> io::Result<()> {
        let days = self.segment_days()?;
        // What a day's records are in can begin before it, where the clock went back or the log is
        // of before segments.
        for day in days {
            if from.is_some_and(|from| !day.is_empty() && day.as_str() < from) {
                continue;
            }
            for line in BufReader::new(File::open(self.segment_file(&day))?).split(b'\n') {
                if let Ok(record) = serde_json::from_slice(&line?) {
                    on(record);
                }
            }
        }
        Ok(())
    }

    /// The last records that are wanted, oldest first.
    ///
    /// # Errors
    /// When a file cannot be read. A log that does not exist is empty.
    pub fn last(&self, count: usize, wanted: &dyn Fn(&Record) -> bool) -> io::Result<Vec<Record>> {
        let mut records = VecDeque::new();
        for day in self.segment_days()?.iter().rev() {
            let text = std::fs::read(self.segment_file(day))?;
            for line in text.rsplit(|&byte| byte == b'\n') {
                if records.len() >= count {
                    return Ok(records.into());
                }
                let record = serde_json::from_slice(line).ok();
                if let Some(record) = record.filter(wanted) {
                    records.push_front(record);
                }
            }
        }
        Ok(records.into())
    }

    /// Goes on from here.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn follow(&self) -> io::Result<Follower> {
        let (segments, _) = self.snapshot()?;
        let (day, at) = segments.last().cloned().unwrap_or_default();
        Ok(Follower {
            log: self.clone(),
            day,
            at,
        })
    }
}

/// A place in a log, from which new records are read.
#[derive(Debug, Clone)]
pub struct Follower {
    log: AuditLog,
    day: String,
    at: u64,
}

impl Follower {
    /// The records that were written since.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn read(&mut self) -> io::Result<Vec<Record>> {
        let mut records = self.rest()?;
        let later: Vec<String> = self
            .log
            .segment_days()?
            .into_iter()
            .filter(|day| *day > self.day)
            .collect();
        for day in later {
            // What was before segments has become one: it is read on in its new place.
            self.at = if self.day.is_empty() { self.at } else { 0 };
            self.day = day;
            records.extend(self.rest()?);
        }
        Ok(records)
    }

    fn rest(&mut self) -> io::Result<Vec<Record>> {
        let mut file = match File::open(self.log.segment_file(&self.day)) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        file.seek(SeekFrom::Start(self.at))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n');
        let whole = text.get(..whole.map_or(0, |at| at.saturating_add(1)));
        let whole = whole.unwrap_or_default();
        self.at = self.at.saturating_add(whole.len() as u64);
        let lines = whole.split(|&byte| byte == b'\n');
        Ok(lines
            .filter_map(|line| serde_json::from_slice(line).ok())
            .collect())
    }
}
