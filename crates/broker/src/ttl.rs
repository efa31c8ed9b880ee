use crate::store::Moment;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How long something of a person's lives: from a second to an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ttl(u32);

impl Ttl {
    /// The shortest and the longest, in seconds.
    pub const SECONDS: std::ops::RangeInclusive<u32> = 1..=3_600;

    pub(crate) const FIVE_MINUTES: Self = Self(300);
    pub(crate) const A_QUARTER: Self = Self(900);
    pub(crate) const AN_HOUR: Self = Self(3_600);

    /// This many seconds.
    ///
    /// # Errors
    /// When it is too short or too long.
    pub fn seconds(seconds: u32) -> Result<Self, TtlError> {
        if Self::SECONDS.contains(&seconds) {
            Ok(Self(seconds))
        } else {
            Err(TtlError(seconds))
        }
    }

    pub(crate) fn from(self, now: Moment) -> Until {
        Until::at(now.after(u64::from(self.0).saturating_mul(1_000)))
    }
}

/// A time to live that is too short or too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "{0} seconds to live are out of range; write from {first} to {last}",
    first = Ttl::SECONDS.start(),
    last = Ttl::SECONDS.end()
)]
pub struct TtlError(u32);

/// A moment, as rows keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Until {
    era: u64,
    ms: u64,
}

impl Until {
    pub(crate) fn at(moment: Moment) -> Self {
        let Moment { era, ms } = moment;
        Self { era, ms }
    }

    pub(crate) fn moment(self) -> Moment {
        let Self { era, ms } = self;
        Moment { era, ms }
    }

    pub(crate) fn is_past(self, now: Moment) -> bool {
        self.moment().is_past(now)
    }
}
