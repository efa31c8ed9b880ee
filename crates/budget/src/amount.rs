//! What reviews cost, and how much they may.

use std::fmt;

/// What a review costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Amount {
    /// Calls of a reviewer, each retry among them.
    pub calls: u64,
    /// Tokens, those it read and those it wrote.
    pub tokens: u64,
    /// The time that it took, in milliseconds.
    pub millis: u64,
    /// Money, in millionths of the currency that the caller reckons in.
    pub micros: u64,
}

impl Amount {
    /// Nothing.
    pub const NONE: Self = Self {
        calls: 0,
        tokens: 0,
        millis: 0,
        micros: 0,
    };

    /// Both together; what is too much to count stays at the most that can be counted.
    pub fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            tokens: self.tokens.saturating_add(other.tokens),
            millis: self.millis.saturating_add(other.millis),
            micros: self.micros.saturating_add(other.micros),
        }
    }

    /// One of its four numbers, in the unit of its field.
    pub fn of(self, measure: Measure) -> u64 {
        match measure {
            Measure::Calls => self.calls,
            Measure::Tokens => self.tokens,
            Measure::Time => self.millis,
            Measure::Money => self.micros,
        }
    }
}

/// The most that may be spent; what is `None` has no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AmountLimits {
    /// Calls of a reviewer.
    pub calls: Option<u64>,
    /// Tokens.
    pub tokens: Option<u64>,
    /// Time, in milliseconds.
    pub millis: Option<u64>,
    /// Money, in millionths of the caller's currency.
    pub micros: Option<u64>,
}

impl AmountLimits {
    /// No limit at all.
    pub const NONE: Self = Self {
        calls: None,
        tokens: None,
        millis: None,
        micros: None,
    };

    /// One of its four limits, in the unit of its field.
    pub fn of(self, measure: Measure) -> Option<u64> {
        match measure {
            Measure::Calls => self.calls,
            Measure::Tokens => self.tokens,
            Measure::Time => self.millis,
            Measure::Money => self.micros,
        }
    }
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// Calls of a reviewer.
    Calls,
    /// Tokens.
    Tokens,
    /// Time, in milliseconds.
    Time,
    /// Money, in millionths of the caller's currency.
    Money,
}

impl Measure {
    /// All of them, in the order in which they are looked at and printed.
    pub const ALL: [Self; 4] = [Self::Calls, Self::Tokens, Self::Time, Self::Money];

    fn unit(self, one: bool) -> &'static str {
        match self {
            Self::Calls if one => "call",
            Self::Calls => "calls",
            Self::Tokens if one => "token",
            Self::Tokens => "tokens",
            Self::Time => "seconds",
            Self::Money => "in money",
        }
    }

    /// A number of this measure as people read it: seconds and whole units of the currency.
    pub(crate) fn number(self, value: u64) -> String {
        match self {
            Self::Calls | Self::Tokens => value.to_string(),
            Self::Time => format!("{}.{:03}", value / 1_000, value % 1_000),
            Self::Money => format!("{}.{:06}", value / 1_000_000, value % 1_000_000),
        }
    }

    /// What was spent of it and the most that may be, as people read it.
    pub(crate) fn spent(self, spent: u64, most: Option<u64>) -> String {
        let unit = self.unit(spent == 1 && most.is_none());
        let spent = self.number(spent);
        match most {
            Some(most) => format!("{spent} of {} {unit}", self.number(most)),
            None => format!("{spent} {unit}"),
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Calls => "calls",
            Self::Tokens => "tokens",
            Self::Time => "time",
            Self::Money => "money",
        })
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, measure) in Measure::ALL.into_iter().enumerate() {
            let comma = if nth == 0 { "" } else { ", " };
            write!(f, "{comma}{}", measure.spent(self.of(measure), None))?;
        }
        Ok(())
    }
}
