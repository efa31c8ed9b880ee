use super::Moment;
use serde::{Deserialize, Serialize};

/// What the system's clocks say at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// Milliseconds since the Unix epoch. People and time servers set this clock, in both
    /// directions.
    pub wall: u64,
    /// Milliseconds since the machine started, those that it slept included.
    pub since_start: u64,
    /// Names this run of the machine.
    pub start: String,
}

/// The latest moment that a store knows of, kept with its rows. Time by the mark never goes back:
/// it is the later of the system's clock and the mark plus what has passed since.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    era: u64,
    ms: u64,
    since_start: u64,
    start: String,
}

impl Mark {
    /// The moment of a reading. It may be kept as the new mark, or not: one that is left out only
    /// makes the next one count from further back.
    pub fn at(&self, reading: &Reading) -> (Moment, Self) {
        // The same run of the machine with less time since its start is a copy of it that was
        // brought back.
        let same = self.start == reading.start && reading.since_start >= self.since_start;
        let (era, least) = if same {
            let passed = reading.since_start.saturating_sub(self.since_start);
            (self.era, self.ms.saturating_add(passed))
        } else {
            (self.era.saturating_add(1), self.ms)
        };
        let ms = least.max(reading.wall);
        let mark = Self {
            era,
            ms,
            since_start: reading.since_start,
            start: reading.start.clone(),
        };
        (Moment { era, ms }, mark)
    }
}
