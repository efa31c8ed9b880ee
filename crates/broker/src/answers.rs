//! Stored decisions: what a person answered when the call could no longer go on, kept for the next
//! identical call of the session.
//!
//! First in, first out, and each is used once, a deny as well: whoever uses one has it by value and
//! nothing puts it back. Allow and deny rules come before and use none.

use crate::store::{Key, Moment, Records, Store, StoreError, Table, transact};
use crate::ttl::Until;
use crate::{AuditError, AuditPort, Ttl, Unrecorded};
use countersign_core::{AuditEvent, AuditKind, Digest};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a person said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// It may run.
    Allow,
    /// It may not.
    Deny,
}

impl Answer {
    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
        }
    }
}

/// How many stored decisions there may be, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerLimits {
    /// How long each lives.
    pub ttl: Ttl,
    /// For one call.
    pub per_key: usize,
    /// In one session.
    pub per_session: usize,
}

impl Default for AnswerLimits {
    fn default() -> Self {
        Self {
            ttl: Ttl::A_QUARTER,
            per_key: 8,
            per_session: 64,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    key: Digest,
    answer: Answer,
    until: Until,
}

/// The stored decisions of one session: the state that a row keeps.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answers {
    kept: Vec<Kept>,
}

/// There is no room for one more: the next call is asked about as if there had been no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("there is no room for another stored decision; the next call will be asked about")]
pub struct NoRoom;

impl Answers {
    /// Keeps a decision behind all others.
    ///
    /// # Errors
    /// When there is no room. None is dropped for another.
    pub fn put(
        &mut self,
        key: &Digest,
        answer: Answer,
        now: Moment,
        limits: &AnswerLimits,
    ) -> Result<(), NoRoom> {
        self.forget_past(now);
        let alike = self.kept.iter().filter(|kept| kept.key == *key).count();
        if alike >= limits.per_key || self.kept.len() >= limits.per_session {
            return Err(NoRoom);
        }
        self.kept.push(Kept {
            key: key.clone(),
            answer,
            until: limits.ttl.from(now),
        });
        Ok(())
    }

    /// Takes the first decision for a key, if there is one.
    pub fn take(&mut self, key: &Digest, now: Moment) -> Option<Answer> {
        self.forget_past(now);
        let at = self.kept.iter().position(|kept| kept.key == *key)?;
        Some(self.kept.remove(at).answer)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    fn forget_past(&mut self, now: Moment) {
        self.kept.retain(|kept| !kept.until.is_past(now));
    }

    fn over_at(&self) -> Option<Moment> {
        self.kept.iter().map(|kept| kept.until.moment()).max()
    }
}

/// The row that holds the decisions of a session.
pub fn row_of(session: &str) -> Key {
    let id = Digest::of("countersign.answers.v1", session.as_bytes());
    Key::new(Table::Answer, id.as_str())
}

/// Takes the first decision for a key within a larger step, which named [`row_of`] the session at
/// this place.
pub(crate) fn take_in(
    records: &mut Records<'_>,
    at: usize,
    key: &Digest,
) -> Result<Option<Answer>, StoreError> {
    let Some(mut answers) = records.get::<Answers>(at)? else {
        return Ok(None);
    };
    let taken = answers.take(key, records.now);
    write(records, at, &answers)?;
    Ok(taken)
}

/// Keeps a decision within a larger step.
pub(crate) fn put_in(
    records: &mut Records<'_>,
    at: usize,
    key: &Digest,
    answer: Answer,
    limits: &AnswerLimits,
) -> Result<Result<(), NoRoom>, StoreError> {
    let mut answers = records.get::<Answers>(at)?.unwrap_or_default();
    let put = answers.put(key, answer, records.now, limits);
    write(records, at, &answers)?;
    Ok(put)
}

fn write(records: &mut Records<'_>, at: usize, answers: &Answers) -> Result<(), StoreError> {
    if answers.is_empty() {
        return records.remove(at);
    }
    records.put(at, answers, answers.over_at(), false)
}

/// Whose call it is, for records and for the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner<'a> {
    /// Who observed it.
    pub source: &'a str,
    /// The agent's session.
    pub session: &'a str,
}

impl Owner<'_> {
    pub(crate) fn event(
        &self,
        kind: AuditKind,
        digest: &Digest,
        note: impl Into<String>,
    ) -> AuditEvent {
        AuditEvent {
            session: Some(self.session.to_owned()),
            digest: Some(digest.clone()),
            ..AuditEvent::note(kind, self.source, note)
        }
    }
}

/// The record of a decision that was used.
pub fn consumed(owner: &Owner<'_>, key: &Digest, answer: Answer) -> AuditEvent {
    let note = match answer {
        Answer::Allow => "a person allowed this call before it was issued again",
        Answer::Deny => "a person denied this call before it was issued again",
    };
    owner.event(AuditKind::AnswerConsumed, key, note)
}

/// Takes the first decision for a key. It is taken at most once, whatever becomes of it.
///
/// # Errors
/// When the store fails: the decision counts as taken, and nobody has it.
pub fn take(
    store: &dyn Store,
    owner: &Owner<'_>,
    key: &Digest,
) -> Result<Unrecorded<Option<Answer>>, StoreError> {
    let taken = transact(store, &[row_of(owner.session)], |records| {
        take_in(records, 0, key)
    })?;
    let events = taken.map(|answer| consumed(owner, key, answer));
    Ok(Unrecorded::new(events.into_iter().collect(), taken))
}

/// Keeps a decision for the next identical call of the session. It is recorded first: there is no
/// stored decision that no record tells of.
///
/// # Errors
/// When it was not recorded, or there is no room, or the store failed. The next call is asked about
/// then.
pub fn keep(
    store: &dyn Store,
    owner: &Owner<'_>,
    key: &Digest,
    answer: Answer,
    limits: &AnswerLimits,
    audit: &mut dyn AuditPort,
) -> Result<(), KeepError> {
    let note = match answer {
        Answer::Allow => "a person's allow is kept for the next identical call",
        Answer::Deny => "a person's deny is kept for the next identical call",
    };
    audit.record(&owner.event(AuditKind::AnswerStored, key, note))?;
    let put = transact(store, &[row_of(owner.session)], |records| {
        put_in(records, 0, key, answer, limits)
    })?;
    if let Err(no_room) = put {
        audit.record(&owner.event(AuditKind::AnswerRefused, key, no_room.to_string()))?;
        return Err(no_room.into());
    }
    Ok(())
}

/// Forgets every decision of a session that has ended.
///
/// # Errors
/// When the store fails.
pub fn forget(store: &dyn Store, session: &str) -> Result<(), StoreError> {
    transact(store, &[row_of(session)], |records| records.remove(0))
}

/// A decision that may not have been kept.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeepError {
    /// It could not be recorded, so it was not kept.
    #[error(transparent)]
    Unrecorded(#[from] AuditError),
    /// No room.
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
