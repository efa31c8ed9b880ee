//! The side of whoever holds the call.

use super::row::{Ended, Polled, Row};
use super::{Evicted, Eviction, Exit, Fingerprint, HeldCall, ParkError, ParkId, Parking};
use crate::guard::{AllowError, Allowed, Guard, Turn};
use crate::store::StoreError;
use crate::{Answer, AuditPort};
use countersign_core::{CallKey, Digest};
use std::sync::atomic::{AtomicBool, Ordering};

/// The call that is held now, and what is known about it now.
#[derive(Debug, Clone, Copy)]
pub struct Live<'a> {
    /// The types of gate that the holder knows.
    pub gates: &'a [&'a str],
    /// The agent's id for the call that is held.
    pub tool_call_id: &'a str,
    /// The digest of the call that is held.
    pub request: &'a Digest,
    /// The conversation.
    pub history: &'a Fingerprint,
    /// The credentials and mounts that the call needs have not expired.
    pub reachable: bool,
}

/// A call that waits, in the hands of whoever holds it. Looking for its answer uses this up, and
/// gives it back where there is none yet.
///
/// ```compile_fail,E0382
/// use countersign_broker::{AuditPort, Live, Parked, Parking};
///
/// fn twice(parked: Parked, parking: &Parking<'_>, live: &Live<'_>, audit: &mut dyn AuditPort) {
///     let first = parked.poll(parking, live, audit);
///     let second = parked.poll(parking, live, audit); // whatever came of it is in `first`
/// }
/// ```
#[derive(Debug, PartialEq)]
#[must_use = "the call goes on when it is polled"]
pub struct Parked {
    id: ParkId,
    tool_call_id: String,
}

impl Parked {
    pub(super) fn new(id: ParkId, call: &HeldCall) -> Self {
        Self {
            id,
            tool_call_id: call.tool_call_id.clone(),
        }
    }

    /// Its id.
    pub fn id(&self) -> &ParkId {
        &self.id
    }

    /// The agent's id for the call.
    pub fn tool_call_id(&self) -> &str {
        &self.tool_call_id
    }

    /// Looks for an answer. Where there is one and everything is as it was, the call ends here, and
    /// the end is recorded before it is given out.
    ///
    /// # Errors
    /// When the end could not be recorded, or the store failed. An answer counts as spent, and the
    /// call must not go on.
    pub fn poll(
        self,
        parking: &Parking<'_>,
        live: &Live<'_>,
        audit: &mut dyn AuditPort,
    ) -> Result<Outcome, ParkError> {
        let Some((polled, row)) = parking.step(&self.id, |row, now| row.poll(live, now))? else {
            return Ok(Outcome::Gone);
        };
        let ended = match polled {
            Polled::Waiting => return Ok(Outcome::Waiting(self)),
            Polled::Over(exit) => return Ok(Outcome::Over(exit)),
            Polled::Ended(ended) => ended,
        };
        let kept = parking.settle(&self.id, &row, ended, audit)?;
        Ok(Outcome::of(ended, row, kept))
    }
}

/// What looking for an answer came to.
#[derive(Debug, PartialEq)]
#[must_use = "the agent waits for an answer about this call"]
pub enum Outcome {
    /// There is none yet.
    Waiting(Parked),
    /// A person allowed it: it goes on.
    Resumed(Resumed),
    /// A person denied it.
    Rejected(Rejected),
    /// It ended otherwise. An answer that it could not use may have been kept for the next
    /// identical call.
    Ended {
        /// How.
        exit: Exit,
        /// The answer that was kept.
        kept: Option<Answer>,
    },
    /// It ended before, and whoever saw that has what came of it.
    Over(Exit),
    /// There is no such call: the machine started again, or it ended long ago.
    Gone,
}

impl Outcome {
    fn of(ended: Ended, row: Row, kept: Option<Answer>) -> Self {
        let Row {
            tool_call_id,
            request,
            key,
            ..
        } = row;
        match ended.exit {
            Exit::Resumed => Self::Resumed(Resumed {
                tool_call_id,
                request,
                key,
            }),
            Exit::Rejected => Self::Rejected(Rejected { tool_call_id }),
            exit => Self::Ended { exit, kept },
        }
    }

    fn is_answered(&self) -> bool {
        match self {
            Self::Resumed(_) | Self::Rejected(_) => true,
            Self::Ended { kept, .. } => kept.is_some(),
            Self::Waiting(_) | Self::Over(_) | Self::Gone => false,
        }
    }
}

/// The right to let exactly the call that was parked go on, once.
///
/// ```compile_fail,E0308
/// use countersign_broker::Resumed;
///
/// fn copy(right: &Resumed) -> Resumed {
///     right.clone()
/// }
/// ```
///
/// ```compile_fail,E0451
/// use countersign_broker::Resumed;
///
/// fn forge(request: countersign_core::Digest, key: countersign_core::CallKey) -> Resumed {
///     Resumed { tool_call_id: String::new(), request, key }
/// }
/// ```
#[derive(Debug, PartialEq)]
#[must_use = "a person's approval is spent for it"]
pub struct Resumed {
    tool_call_id: String,
    request: Digest,
    key: CallKey,
}

impl Resumed {
    /// Lets the call go on: it is told the agent's id for it and the digest of what may run.
    pub fn go_on<T>(self, go: impl FnOnce(&str, &Digest) -> T) -> T {
        go(&self.tool_call_id, &self.request)
    }

    /// Lets the call go on to an executor that guards itself: its allowance is kept first.
    ///
    /// # Errors
    /// When there may be no allowance. The approval is spent and the call must be refused.
    pub fn go_on_guarded<T>(
        self,
        guard: &Guard<'_>,
        turn: &Turn<'_>,
        audit: &mut dyn AuditPort,
        go: impl FnOnce(&str, &Digest, Allowed) -> T,
    ) -> Result<T, AllowError> {
        let allowed = guard.allow(turn, &self.key, audit)?;
        Ok(go(&self.tool_call_id, &self.request, allowed))
    }
}

/// A person denied the call that was parked.
#[derive(Debug, PartialEq)]
#[must_use = "the agent waits for this answer"]
pub struct Rejected {
    tool_call_id: String,
}

impl Rejected {
    /// The agent's id for the call.
    pub fn tool_call_id(&self) -> &str {
        &self.tool_call_id
    }

    /// What the agent is told.
    pub fn text(&self) -> &'static str {
        "a person denied this call. Do not issue it again, in this shape or another, unless the \
         user asks for it"
    }
}

/// What became of the calls of a turn that went on.
#[derive(Debug, Default)]
pub struct Continued {
    /// Those that ended, by the agent's ids for them.
    pub ended: Vec<(String, Result<Outcome, ParkError>)>,
    /// Those that wait on.
    pub carried: Vec<Parked>,
}

impl Parking<'_> {
    /// Takes up a call that an earlier process parked and that is held again.
    ///
    /// # Errors
    /// When the store fails.
    pub fn held(&self, id: &ParkId) -> Result<Option<Parked>, StoreError> {
        let open = self.peek(id)?.filter(|(row, _)| row.is_open());
        Ok(open.map(|(row, _)| Parked {
            id: id.clone(),
            tool_call_id: row.tool_call_id,
        }))
    }

    /// Goes on with a turn in which several calls wait: those that were answered end, each on its
    /// own, and the others wait on. If none was answered, nobody means to answer: all are given up.
    /// One that is answered in that very moment is not.
    pub fn continue_turn(
        &self,
        calls: Vec<(Parked, Live<'_>)>,
        audit: &mut dyn AuditPort,
    ) -> Continued {
        let mut continued = Continued::default();
        let mut waiting = Vec::new();
        let mut answered = false;
        for (parked, live) in calls {
            let name = parked.tool_call_id.clone();
            match parked.poll(self, &live, audit) {
                Ok(Outcome::Waiting(parked)) => waiting.push((parked, live)),
                outcome => {
                    // What failed may have been an answer.
                    answered |= outcome.as_ref().map_or(true, Outcome::is_answered);
                    continued.ended.push((name, outcome));
                }
            }
        }
        if answered {
            continued.carried = waiting.into_iter().map(|(parked, _)| parked).collect();
            return continued;
        }
        for (parked, live) in waiting {
            let name = parked.tool_call_id.clone();
            let outcome = match self.evict(&parked.id, Eviction::Unanswered, audit) {
                Ok(Evicted::Ended(exit)) => Ok(Outcome::Ended { exit, kept: None }),
                Ok(Evicted::Over(exit)) => Ok(Outcome::Over(exit)),
                Ok(Evicted::Unknown) => Ok(Outcome::Gone),
                Ok(Evicted::Answered) => parked.poll(self, &live, audit),
                Err(error) => Err(error),
            };
            continued.ended.push((name, outcome));
        }
        continued
    }
}

/// Lets one of several calls that wait in a turn pause it, whichever comes first.
#[derive(Debug, Default)]
pub struct PauseLatch(AtomicBool);

/// The right to pause a turn; there is one.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "the turn is paused by whoever has this, and by nobody else"]
pub struct Pause(());

impl PauseLatch {
    /// For a turn that runs.
    pub fn new() -> Self {
        Self::default()
    }

    /// The right to pause, for the first that asks.
    pub fn pause(&self) -> Option<Pause> {
        (!self.0.swap(true, Ordering::AcqRel)).then_some(Pause(()))
    }

    /// Whether the turn pauses.
    pub fn is_paused(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
