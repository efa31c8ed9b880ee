//! When a call ends, and what happens on the way there.

use countersign_core::{FailureKind, ReviewFailure};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long before the deadline a plugin is told to end a call. When it is over, its process is
/// ended.
const GRACE: Duration = Duration::from_millis(50);

/// The longest time that a call may be given.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The time that a plugin is told is cut to whole milliseconds, so it stops that much early.
const ROUNDING: Duration = Duration::from_millis(2);

/// When a call ends.
pub(super) struct Ends<'a> {
    /// The plugin is told to stop.
    pub(super) soft: Instant,
    /// Nobody waits any more.
    pub(super) hard: Instant,
    limit: Duration,
    cancelled: &'a AtomicBool,
}

impl<'a> Ends<'a> {
    pub(super) fn after(left: Duration, limit: Duration, cancelled: &'a AtomicBool) -> Self {
        let now = Instant::now();
        // A clock cannot count to the end of time.
        let left = left.min(LONGEST);
        Self {
            soft: now + left.saturating_sub(GRACE.min(left / 4)),
            hard: now + left,
            limit,
            cancelled,
        }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// The time between telling and ending.
    pub(super) fn grace(&self) -> Duration {
        self.hard.saturating_duration_since(self.soft)
    }

    /// What the plugin is told is left.
    pub(super) fn told_ms(&self) -> u64 {
        let left = self.soft.saturating_duration_since(Instant::now());
        u64::try_from(left.as_millis()).unwrap_or(u64::MAX)
    }

    /// The failure of a call that was not answered.
    pub(super) fn failure(&self, what: &str) -> ReviewFailure {
        if self.is_cancelled() {
            ReviewFailure::new(
                FailureKind::Cancelled,
                format!("nobody waits for it any more; {what}"),
            )
        } else {
            ReviewFailure::new(
                FailureKind::TimedOut,
                format!("no answer within {} s; {what}", self.limit.as_secs_f64()),
            )
        }
    }

    /// A failure that the plugin reports after it was told to stop is about that.
    pub(super) fn judge(&self, failure: ReviewFailure) -> ReviewFailure {
        match failure.kind {
            FailureKind::Cancelled | FailureKind::TimedOut
                if self.is_cancelled() || Instant::now() + ROUNDING >= self.soft =>
            {
                self.failure("it stopped when it was told to")
            }
            _ => failure,
        }
    }
}

/// What whoever waits for an answer does next.
pub(super) enum Step {
    /// Wait, until then at most.
    Wait(Instant),
    /// Tell the plugin to stop, then wait until then.
    Tell(Instant),
    /// Wait no longer.
    GiveUp,
}

/// The walk from waiting to telling to giving up, the same wherever the plugin runs.
pub(super) struct Watch<'a> {
    ends: &'a Ends<'a>,
    told: Option<Instant>,
}

impl<'a> Watch<'a> {
    pub(super) fn of(ends: &'a Ends<'a>) -> Self {
        Self { ends, told: None }
    }

    pub(super) fn next(&mut self) -> Step {
        let now = Instant::now();
        let ends = self.ends;
        let last = |told: Instant| ends.hard.min(told + ends.grace());
        match self.told {
            Some(told) if now >= last(told) => Step::GiveUp,
            Some(told) => Step::Wait(last(told)),
            None if now >= ends.soft || ends.is_cancelled() => {
                self.told = Some(now);
                Step::Tell(last(now))
            }
            None => Step::Wait(ends.soft),
        }
    }
}
