use super::Opinion;
use countersign_core::{Case, FailureKind, Review, ReviewContext, ReviewFailure, Reviewer};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// The longest wait that a server may ask for before another try; a longer one is a failure.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// The wait before another try where nobody says how long: doubled with each.
const FIRST_WAIT: Duration = Duration::from_millis(200);

/// One reviewer in a chain.
pub struct Member {
    /// Its name, for the record.
    pub name: String,
    /// The reviewer.
    pub reviewer: Box<dyn Reviewer>,
    /// How often it is asked again after a failure that another try may mend.
    pub retries: u32,
    /// In [`Mode::First`](super::Mode::First): when it fails, the next one is asked.
    pub fallback: bool,
}

impl Member {
    /// A member that is asked once, and whose failure is the chain's.
    pub fn new(name: &str, reviewer: Box<dyn Reviewer>) -> Self {
        Self {
            name: name.to_owned(),
            reviewer,
            retries: 0,
            fallback: false,
        }
    }

    /// Its opinion, after at most `retries + 1` calls and before the deadline.
    pub(super) fn ask(&self, case: &Case, context: &ReviewContext<'_>) -> Opinion {
        let mut tried = 0;
        loop {
            let failure = match self.once(case, context) {
                Ok(opinion) => return Ok(opinion),
                Err(failure) => failure,
            };
            let wait = failure.retry_after_ms.map_or(
                FIRST_WAIT.saturating_mul(1 << tried.min(8)),
                Duration::from_millis,
            );
            let mended = failure.retryable && wait <= MAX_WAIT && wait < context.remaining();
            if tried >= self.retries || !mended || context.is_cancelled() {
                return Err(failure.of(&self.name));
            }
            context.clock.sleep(wait);
            tried += 1;
        }
    }

    fn once(&self, case: &Case, context: &ReviewContext<'_>) -> Opinion {
        let over = |context: &ReviewContext<'_>| {
            if context.is_cancelled() {
                Err(ReviewFailure::new(
                    FailureKind::Cancelled,
                    "nobody waits for it any more",
                ))
            } else if context.remaining().is_zero() {
                Err(late(context))
            } else {
                Ok(())
            }
        };
        over(context)?;
        let opinion = catch_unwind(AssertUnwindSafe(|| self.reviewer.review(case, context)))
            .unwrap_or_else(|payload| {
                // Its drop could panic as well.
                std::mem::forget(payload);
                Err(ReviewFailure::new(FailureKind::Panicked, "it panicked"))
            })?;
        over(context)?;
        opinion.map(|review| self.signed(review)).transpose()
    }

    fn signed(&self, mut review: Review) -> Result<Review, ReviewFailure> {
        review.check().map_err(|problem| {
            ReviewFailure::new(FailureKind::Contradictory, problem.to_string())
        })?;
        review.reviewer = Some(self.name.clone());
        Ok(review)
    }
}

/// The failure of an answer that is not there in time.
fn late(context: &ReviewContext<'_>) -> ReviewFailure {
    ReviewFailure::new(
        FailureKind::TimedOut,
        format!("no answer within {} s", context.limit.as_secs_f64()),
    )
}

impl fmt::Debug for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Member")
            .field("name", &self.name)
            .field("retries", &self.retries)
            .field("fallback", &self.fallback)
            .finish_non_exhaustive()
    }
}
