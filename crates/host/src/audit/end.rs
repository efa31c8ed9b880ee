//! The end of a segment: as much of it as holds the last whole line.

use super::{MAX_LINE, Record, hash};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

pub(super) struct End {
    /// The last bytes of the file.
    tail: Vec<u8>,
    /// Where the last whole line ends, in the file.
    pub(super) whole: u64,
    length: u64,
}

impl End {
    /// Reads backwards in growing steps: the last line is short as a rule.
    pub(super) fn of(file: &mut File, length: u64) -> io::Result<Self> {
        let mut span = 4 << 10;
        loop {
            let from = length.saturating_sub(span);
            file.seek(SeekFrom::Start(from))?;
            let mut tail = Vec::new();
            file.take(span).read_to_end(&mut tail)?;
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
    pub(super) fn is_torn(&self) -> bool {
        self.whole != self.length
    }

    /// The number and the hash of the last whole line, where there is one.
    pub(super) fn last(&self) -> io::Result<Option<(u64, String)>> {
        let found = self.record()?;
        Ok(found.map(|(record, line)| (record.seq, hash(line))))
    }

    /// The time of it.
    pub(super) fn last_time(&self) -> io::Result<Option<String>> {
        let found = self.record()?;
        Ok(found.map(|(record, _)| record.time))
    }

    fn record(&self) -> io::Result<Option<(Record, &[u8])>> {
        let mut lines = self.tail.rsplit(|&byte| byte == b'\n');
        // What follows the last line end is torn, or nothing.
        lines.next();
        let Some(line) = lines.next() else {
            return Ok(None);
        };
        let record: Record = serde_json::from_slice(line).map_err(|_| {
            io::Error::other("the last line is not a record; see `countersign audit verify`")
        })?;
        Ok(Some((record, line)))
    }
}
