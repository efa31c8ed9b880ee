//! How much reviews may cost in a session and in a day.

use crate::amount::{Amount, AmountLimits, Measure};
use crate::state::{STATE_VERSION, StateError, known_version};
use std::fmt;

/// The milliseconds of a day. Days begin at midnight UTC; a caller who wants another midnight adds
/// its offset to every time that it gives.
pub const DAY_MILLIS: u64 = 24 * 60 * 60 * 1_000;

/// The most that may be spent in a session and in a day. Each limit is optional.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SpendLimits {
    /// In a session.
    pub session: AmountLimits,
    /// In a day.
    pub day: AmountLimits,
}

/// What a limit holds for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Period {
    /// From the beginning of a session to its end.
    Session,
    /// From midnight to midnight.
    Day,
}

impl Period {
    fn as_str(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Day => "day",
        }
    }
}

/// What a review did cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// So much.
    Known(Amount),
    /// Nobody knows: it crashed, or was killed. It counts as the worst case.
    Unknown,
}

/// When a limit that is gone has room again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returns {
    /// At the end of the day, in milliseconds since the Unix epoch.
    At(u64),
    /// Not as long as the session lasts or the limits are what they are.
    Never,
}

/// A limit that has no room for another review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone {
    /// The session's or the day's.
    pub period: Period,
    /// What is counted.
    pub measure: Measure,
    /// How much was spent, in the unit of the measure.
    pub spent: u64,
    /// How much may be spent.
    pub most: u64,
    /// How much another review may cost.
    pub worst: u64,
    /// When there is room again.
    pub returns: Returns,
}

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the {} has spent {}, and a review may need {} more; ",
            self.period.as_str(),
            self.measure.spent(self.spent, Some(self.most)),
            self.measure.number(self.worst)
        )?;
        match self.returns {
            Returns::At(_) => f.write_str("a person decides until the day ends"),
            Returns::Never => f.write_str("a person decides, or raises the limit"),
        }
    }
}

/// Whether there is room for a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// There is room for the worst case.
    Room,
    /// There is none. Of several limits that are gone it is the one that stays away longest, the
    /// session's before the day's.
    Gone(Gone),
}

/// What a session has spent. Plain data, for a caller that keeps it with the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct SessionSpend {
    /// The version of this form, [`STATE_VERSION`].
    pub v: u32,
    /// How much.
    pub spent: Amount,
}

impl SessionSpend {
    /// Nothing yet: for a session that begins, never for one whose state is lost.
    pub const BEGINS: Self = Self {
        v: STATE_VERSION,
        spent: Amount::NONE,
    };
}

/// What a day has spent. Plain data, for a caller that keeps it where all sessions of a user find
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct DaySpend {
    /// The version of this form, [`STATE_VERSION`].
    pub v: u32,
    /// Which day, counted from that of the Unix epoch. It never goes back.
    pub day: u64,
    /// How much.
    pub spent: Amount,
}

impl DaySpend {
    /// Nothing yet: for a user's first session, never for a state that is lost.
    pub const BEGINS: Self = Self {
        v: STATE_VERSION,
        day: 0,
        spent: Amount::NONE,
    };
}

/// What reviews may cost, and did.
///
/// A caller asks [`Self::admit`] before a review and calls [`Self::charge`] after it, one review
/// after the other. There is room when the declared worst case fits, so that no limit is ever
/// overstepped as long as no review costs more than that. A caller that can die in between writes
/// down that a review begins; where it finds a beginning without an end, it charges
/// [`Cost::Unknown`].
///
/// Times are milliseconds since the Unix epoch by the caller's clock. The day is the latest that
/// any call has named: when the clock steps back, the later day goes on, nothing is given back,
/// and no day begins twice. After a step forward by mistake the limits of that day hold until it
/// is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpendBudget {
    limits: SpendLimits,
    worst: Amount,
    session: SessionSpend,
    day: DaySpend,
}

impl SpendBudget {
    /// A budget of which nothing is spent, and what a review costs at worst.
    pub fn new(limits: SpendLimits, worst: Amount) -> Self {
        Self {
            limits,
            worst,
            session: SessionSpend::BEGINS,
            day: DaySpend::BEGINS,
        }
    }

    /// The budget that was kept. The limits are the caller's: they are not part of what is kept.
    ///
    /// # Errors
    /// When a state is of another version, or names a day that no clock can name.
    pub fn restore(
        limits: SpendLimits,
        worst: Amount,
        session: SessionSpend,
        day: DaySpend,
    ) -> Result<Self, StateError> {
        known_version(session.v)?;
        known_version(day.v)?;
        if day.day > u64::MAX / DAY_MILLIS {
            return Err(StateError::Damaged {
                what: "its day is none that a clock can name",
            });
        }
        Ok(Self {
            limits,
            worst,
            session,
            day,
        })
    }

    /// What the session has spent, for keeping.
    pub fn session(&self) -> &SessionSpend {
        &self.session
    }

    /// What the latest day has spent, for keeping.
    pub fn day(&self) -> &DaySpend {
        &self.day
    }

    /// Says whether there is room for a review that begins now. Spends nothing; a later day than
    /// the latest begins.
    pub fn admit(&mut self, now: u64) -> Admission {
        self.see(now);
        let gone = [Period::Session, Period::Day]
            .into_iter()
            .flat_map(|period| Measure::ALL.map(|measure| (period, measure)))
            .filter_map(|(period, measure)| self.gone(period, measure));
        // The first of those that stay away longest.
        let longest = gone.reduce(|first, next| {
            if first.returns != Returns::Never && next.returns == Returns::Never {
                next
            } else {
                first
            }
        });
        longest.map_or(Admission::Room, Admission::Gone)
    }

    /// Spends what a review did cost that ends now. It was spent, so it is never refused; what is
    /// too much to count stays at the most that can be counted.
    pub fn charge(&mut self, now: u64, cost: Cost) {
        self.see(now);
        let amount = match cost {
            Cost::Known(amount) => amount,
            Cost::Unknown => self.worst,
        };
        self.session.spent = self.session.spent.plus(amount);
        self.day.spent = self.day.spent.plus(amount);
    }

    /// Begins a day, if it is later than all before.
    fn see(&mut self, now: u64) {
        let day = now / DAY_MILLIS;
        if day > self.day.day {
            self.day = DaySpend {
                day,
                ..DaySpend::BEGINS
            };
        }
    }

    fn gone(&self, period: Period, measure: Measure) -> Option<Gone> {
        let (limits, spent) = match period {
            Period::Session => (self.limits.session, self.session.spent),
            Period::Day => (self.limits.day, self.day.spent),
        };
        let most = limits.of(measure)?;
        let (spent, worst) = (spent.of(measure), self.worst.of(measure));
        let fits = spent.checked_add(worst).is_some_and(|sum| sum <= most);
        // An empty budget without room for one review has none tomorrow either.
        let returns = if period == Period::Session || worst > most {
            Returns::Never
        } else {
            Returns::At((self.day.day + 1).saturating_mul(DAY_MILLIS))
        };
        (!fits).then_some(Gone {
            period,
            measure,
            spent,
            most,
            worst,
            returns,
        })
    }
}

/// One line for the session and one for the day, without a line break at the end.
impl fmt::Display for SpendBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line =
            |f: &mut fmt::Formatter<'_>, period: Period, spent: Amount, most: AmountLimits| {
                write!(f, "{}:", period.as_str())?;
                for (nth, measure) in Measure::ALL.into_iter().enumerate() {
                    let comma = if nth == 0 { "" } else { "," };
                    let text = measure.spent(spent.of(measure), most.of(measure));
                    write!(f, "{comma} {text}")?;
                }
                Ok(())
            };
        line(f, Period::Session, self.session.spent, self.limits.session)?;
        writeln!(f)?;
        line(f, Period::Day, self.day.spent, self.limits.day)
    }
}
