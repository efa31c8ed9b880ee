//! Parked approvals: a call waits for a person while its turn rests.
//!
//! ```text
//!                        ┌─► resumed    a person allowed it: the very call that was parked goes on
//! pending ──► parked ────┼─► rejected   a person denied it
//!                        ├─► expired    nobody answered in time
//!                        └─► evicted    given up: its session ended, or it is not what it was
//! ```
//!
//! Each end is reached once, whatever races: answers, time, ends of sessions, other processes. That
//! is decided in the row of the parked call, by pure steps (`row.rs`); everything here is a handle
//! to it that can be used once. A wake-up may be lost: whoever holds the call looks again.
//!
//! An answer that the call itself cannot use any more is kept as a stored decision for the next
//! identical call. Nothing is acted on before its record is written, and an answer whose record
//! cannot be written is spent.

mod ends;
mod history;
mod holder;
mod lot;
mod question;
mod row;

pub use ends::{Eviction, Exit, Mismatch};
pub use history::{Fingerprint, History};
pub use holder::{Continued, Live, Outcome, Parked, Pause, PauseLatch, Rejected, Resumed};
pub use lot::Evicted;
pub use question::{Answered, NotAnswered, Question, Reply};

use crate::store::{Key, Store, StoreError, Table};
use crate::{AnswerLimits, AuditError, AuditPort, Ttl};
use countersign_core::{AuditKind, BoundInput, Digest, ToolName, call_key};
use std::fmt;
use std::fmt::Write as _;
use thiserror::Error;

/// The longest input that is parked, in bytes of JSON: a person has to see all of it.
pub const MAX_PARKED_BYTES: usize = 128 << 10;

/// How many calls may wait, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParkLimits {
    /// How long the call itself can go on.
    pub ttl: Ttl,
    /// How long after that an answer is still heard, for the next identical call.
    pub late: Ttl,
    /// In all sessions together; at most [`ParkLimits::MOST`].
    pub most: usize,
    /// In one session.
    pub per_session: usize,
    /// For the answers that are kept.
    pub answers: AnswerLimits,
}

impl ParkLimits {
    /// The most that may wait in all sessions together.
    pub const MOST: usize = 256;
}

impl Default for ParkLimits {
    fn default() -> Self {
        Self {
            ttl: Ttl::FIVE_MINUTES,
            late: Ttl::AN_HOUR,
            most: 32,
            per_session: 8,
            answers: AnswerLimits::default(),
        }
    }
}

/// Where calls are parked.
#[derive(Clone, Copy)]
pub struct Parking<'a> {
    /// Where they are kept.
    pub store: &'a dyn Store,
    /// How many, and for how long.
    pub limits: ParkLimits,
}

impl fmt::Debug for Parking<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parking")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Names a parked call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParkId(String);

impl ParkId {
    /// An id of random bytes, which nobody can guess and no two calls share.
    ///
    /// # Errors
    /// When there are fewer than 16 of them, or more than 64.
    pub fn random(bytes: &[u8]) -> Result<Self, ParkIdError> {
        if !(16..=64).contains(&bytes.len()) {
            return Err(ParkIdError);
        }
        let mut text = String::with_capacity(bytes.len().saturating_mul(2));
        for byte in bytes {
            // Writing to a string cannot fail.
            let _infallible = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    /// An id as it was printed.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(text: &str) -> Result<Self, ParkIdError> {
        let digits = text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if digits && (32..=128).contains(&text.len()) && text.len().is_multiple_of(2) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ParkIdError)
        }
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn row(&self) -> Key {
        Key::new(Table::Parked, self.as_str())
    }
}

impl fmt::Display for ParkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// An id that is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the id of a parked call is 16 to 64 random bytes, written as hexadecimal digits")]
pub struct ParkIdError;

/// A call that a person must be asked about. Its input and its name are what is shown, what is kept
/// and what the digests are made of.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldCall {
    /// Who observed it.
    pub source: String,
    /// The agent's session.
    pub session: String,
    /// The type of gate that holds it.
    pub gate: String,
    /// The tool.
    pub tool: ToolName,
    /// The agent's id for the call.
    pub tool_call_id: String,
    /// The input without what the host sets itself.
    pub input: BoundInput,
    /// The digest of exactly this call.
    pub request: Digest,
    /// What an identical call has in common with it.
    pub retry_key: Digest,
    /// What had been said.
    pub history: Fingerprint,
}

/// A call that waits nowhere yet. Parking it uses it up.
///
/// ```compile_fail,E0382
/// use countersign_broker::{AuditPort, ParkId, Parking, Pending};
///
/// fn twice(pending: Pending, parking: &Parking<'_>, id: ParkId, audit: &mut dyn AuditPort) {
///     let parked = pending.park(parking, id.clone(), audit);
///     let again = pending.park(parking, id, audit); // it was parked before
/// }
/// ```
#[derive(Debug, PartialEq)]
#[must_use = "the agent waits for an answer about this call"]
pub struct Pending(HeldCall);

impl Pending {
    /// A call that nobody decided.
    pub fn new(call: HeldCall) -> Self {
        Self(call)
    }

    /// The call.
    pub fn call(&self) -> &HeldCall {
        &self.0
    }

    /// The hash of what a person is shown: the call's digest, its tool and input, and its id. An
    /// answer must bring it.
    pub fn shown(&self) -> Digest {
        let key = call_key(&self.0.tool, &self.0.input);
        // Two digests are of one length each: what follows them is the id.
        let text = format!("{}{key}{}", self.0.request, self.0.tool_call_id);
        Digest::of("countersign.shown.v1", text.as_bytes())
    }

    /// Parks the call. No call that waits is given up for it.
    ///
    /// # Errors
    /// With the call, which must be refused or put to a person in another way.
    pub fn park(
        self,
        parking: &Parking<'_>,
        id: ParkId,
        audit: &mut dyn AuditPort,
    ) -> Result<Parked, Box<NotParked>> {
        match self.try_park(parking, &id, audit) {
            Ok(()) => Ok(Parked::new(id, &self.0)),
            Err(why) => Err(Box::new(NotParked { pending: self, why })),
        }
    }

    fn try_park(
        &self,
        parking: &Parking<'_>,
        id: &ParkId,
        audit: &mut dyn AuditPort,
    ) -> Result<(), NotParkedKind> {
        if self.0.input.canonical().len() > MAX_PARKED_BYTES {
            return Err(NotParkedKind::TooBig);
        }
        // What is over makes room, and what became of it is recorded.
        parking.sweep(audit).map_err(NotParkedKind::from)?;
        let row = parking.admit(self, id)??;
        let event = row.event(
            id.as_str(),
            AuditKind::Parked,
            "this call waits for a person",
        );
        if let Err(error) = audit.record(&event) {
            parking.drop_unrecorded(id);
            return Err(error.into());
        }
        Ok(())
    }
}

/// A call that was not parked.
#[derive(Debug, PartialEq, Error)]
#[error("{why}")]
pub struct NotParked {
    /// The call.
    pub pending: Pending,
    /// Why.
    pub why: NotParkedKind,
}

/// Why a call was not parked. The texts are for the agent as well.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotParkedKind {
    /// Too many wait.
    #[error(
        "this call did not run: it needs a person's approval, and as many calls as may wait for one \
         do already. Issue it again when some of them have been answered"
    )]
    Full,
    /// Too many of the session wait.
    #[error(
        "this call did not run: it needs a person's approval, and too many calls of this session \
         wait for one already. Go on when they have been answered"
    )]
    SessionFull,
    /// The same call, by its id, waits already.
    #[error("this call waits for a person's approval already; issuing it again does not hurry it")]
    Twice,
    /// The input is too long to be shown.
    #[error(
        "this call did not run: it needs a person's approval, and its input is longer than \
         {MAX_PARKED_BYTES} bytes, more than a person can be shown. Split it up"
    )]
    TooBig,
    /// It could not be recorded.
    #[error("this call did not run: {0}")]
    Unrecorded(#[from] AuditError),
    /// The store failed.
    #[error("this call did not run: {0}")]
    Store(#[from] StoreError),
}

impl From<ParkError> for NotParkedKind {
    fn from(error: ParkError) -> Self {
        match error {
            ParkError::Unrecorded(error) => Self::Unrecorded(error),
            ParkError::Store(error) => Self::Store(error),
        }
    }
}

/// What a person answered may be lost, and counts as spent: the call must not run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParkError {
    /// It could not be recorded.
    #[error(transparent)]
    Unrecorded(#[from] AuditError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
