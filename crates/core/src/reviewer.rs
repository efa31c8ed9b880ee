use crate::{Case, OnFailure, Person, Review, ReviewFailure};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Gives an opinion on calls that rules cannot decide.
pub trait Reviewer: Send + Sync {
    /// The opinion; `None` abstains.
    ///
    /// # Errors
    /// When there is none: late, malformed, crashed. Never an allow.
    fn review(
        &self,
        case: &Case,
        context: &ReviewContext<'_>,
    ) -> Result<Option<Review>, ReviewFailure>;
}

/// A clock that only goes forward.
pub trait Clock: Send + Sync {
    /// The time since some fixed moment.
    fn now(&self) -> Duration;

    /// Waits.
    fn sleep(&self, time: Duration);
}

/// What goes with one review.
#[derive(Clone, Copy)]
pub struct ReviewContext<'a> {
    /// The clock that `deadline` is read on.
    pub clock: &'a dyn Clock,
    /// When the answer must be there, on that clock.
    pub deadline: Duration,
    /// The whole time that was given, for messages.
    pub limit: Duration,
    /// Set when nobody waits for the answer any more.
    pub cancelled: &'a AtomicBool,
    /// Whether a person can be asked, which decides what a failure comes to.
    pub person: Person,
    /// What the owner wants a failure to come to.
    pub on_failure: OnFailure,
}

impl<'a> ReviewContext<'a> {
    /// A context that ends after `limit`, with a person to ask.
    pub fn within(limit: Duration, clock: &'a dyn Clock, cancelled: &'a AtomicBool) -> Self {
        Self {
            clock,
            deadline: clock.now().saturating_add(limit),
            limit,
            cancelled,
            person: Person::Attended,
            on_failure: OnFailure::Ask,
        }
    }

    /// The time that is left.
    pub fn remaining(&self) -> Duration {
        self.deadline.saturating_sub(self.clock.now())
    }

    /// Nobody waits for the answer any more.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }
}

impl fmt::Debug for ReviewContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReviewContext")
            .field("deadline", &self.deadline)
            .field("limit", &self.limit)
            .field("cancelled", &self.is_cancelled())
            .field("person", &self.person)
            .field("on_failure", &self.on_failure)
            .finish_non_exhaustive()
    }
}
