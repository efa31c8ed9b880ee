use serde::{Deserialize, Serialize};

/// When a breaker opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakerLimits {
    /// This many denials in a row open it.
    pub in_a_row: u32,
    /// And this many among the last [`last`](Self::last) outcomes.
    pub denials: u32,
    /// How many outcomes are looked back on.
    pub last: u32,
}

impl BreakerLimits {
    /// For one scope: 3 denials in a row, or 10 of the last 50. The numbers are those of the broker
    /// that this one grew from, and of Codex's guardian.
    pub const SCOPE: Self = Self {
        in_a_row: 3,
        denials: 10,
        last: 50,
    };

    /// For a user, an agent and a project over all their sessions: 30 of the last 200, in a row or
    /// not. It opens when somebody was stopped in one scope after another.
    pub const WINDOW: Self = Self {
        in_a_row: 30,
        denials: 30,
        last: 200,
    };
}

/// Stops asking for an agent that is denied again and again.
///
/// Hard denies, denials by reviewers and identical resubmissions count as denials; a reviewer's allow
/// ends a row. The owner's deny rules, reviews that failed, calls that rules allowed and calls that a
/// person is asked about count as nothing, in either direction. Once open it stays open, whatever
/// comes, until [`rearm`](Self::rearm).
///
/// It keeps the places of at most as many denials as open it.
///
/// ```
/// use countersign_broker::{Breaker, BreakerLimits};
///
/// let mut breaker = Breaker::default();
/// assert!(!breaker.denied(&BreakerLimits::SCOPE));
/// assert!(!breaker.denied(&BreakerLimits::SCOPE));
/// assert!(breaker.denied(&BreakerLimits::SCOPE), "the third in a row opens it");
/// breaker.allowed(&BreakerLimits::SCOPE);
/// assert!(breaker.is_open());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Breaker {
    seen: u64,
    in_a_row: u32,
    denials: Vec<u64>,
    open: bool,
}

impl Breaker {
    /// One more denial. True when this one opened it.
    pub fn denied(&mut self, limits: &BreakerLimits) -> bool {
        if self.open {
            return false;
        }
        self.see(limits);
        self.denials.push(self.seen);
        self.in_a_row = self.in_a_row.saturating_add(1);
        let among = u32::try_from(self.denials.len()).unwrap_or(u32::MAX);
        self.open = self.in_a_row >= limits.in_a_row || among >= limits.denials;
        self.open
    }

    /// A reviewer allowed a call.
    pub fn allowed(&mut self, limits: &BreakerLimits) {
        if self.open || self.is_clean() {
            return;
        }
        self.see(limits);
        self.in_a_row = 0;
    }

    /// Somebody who may closed it: it begins anew.
    pub fn rearm(&mut self) {
        *self = Self::default();
    }

    /// No reviewer is asked any more.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Nothing stands against the scope.
    pub fn is_clean(&self) -> bool {
        self.denials.is_empty()
    }

    /// Denials in a row, and among those that are looked back on.
    pub fn counts(&self) -> (u32, u32) {
        let among = u32::try_from(self.denials.len()).unwrap_or(u32::MAX);
        (self.in_a_row, among)
    }

    /// One more outcome; the denials that it pushes out of sight are forgotten.
    fn see(&mut self, limits: &BreakerLimits) {
        self.seen = self.seen.saturating_add(1);
        let oldest = self.seen.saturating_sub(u64::from(limits.last));
        self.denials.retain(|&place| place > oldest);
    }
}
