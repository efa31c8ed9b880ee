//! What stands against one scope, and against a user's agent in a project.

use crate::breaker::{Breaker, BreakerLimits};
use crate::store::{StoreError, StoreErrorKind};
use countersign_budget::{
    ReviseBudget, ReviseLimits, ReviseState, RevisionRefused, Room, Standing, StateError,
};
use countersign_core::Digest;
use serde::{Deserialize, Serialize};

/// How many answered calls a scope remembers.
const ANSWERED: usize = 64;

/// How long a scope whose reviews failed asks persons alone, in milliseconds.
const SUSPENDED_MS: u64 = 5 * 60 * 1000;

/// A scope: a session and a prompt of its user.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scope {
    v: u32,
    /// The session, for persons.
    pub(crate) session: String,
    /// The scope's own word, for persons.
    pub(crate) word: String,
    pub(crate) breaker: Breaker,
    revise: Option<ReviseState>,
    /// Calls that were denied or sent back, oldest first.
    answered: Vec<Answered>,
    failures: u32,
    failed_ms: u64,
}

/// A call that was answered with something else than allow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answered {
    pub(crate) key: Digest,
    pub(crate) intent: Digest,
    pub(crate) denied: bool,
    /// The call in a few words, and why, for persons; redacted.
    pub(crate) what: String,
}

impl Scope {
    pub(crate) fn new(session: &str, word: &str) -> Self {
        Self {
            v: 1,
            session: session.to_owned(),
            word: word.to_owned(),
            ..Self::default()
        }
    }

    /// The very call that was denied or sent back here before.
    pub(crate) fn answered(&self, key: &Digest) -> Option<&Answered> {
        self.answered.iter().find(|known| known.key == *key)
    }

    /// Something with the same intent was denied here.
    pub(crate) fn has_denied(&self, intent: &Digest) -> bool {
        self.answered
            .iter()
            .any(|known| known.denied && known.intent == *intent)
    }

    /// Something with the same intent was sent back here.
    pub(crate) fn has_revised(&self, intent: &Digest) -> bool {
        let intents = self.revise.iter().flat_map(|state| &state.intents);
        intents
            .into_iter()
            .any(|known| known.intent == intent.as_str() && !known.requests.is_empty())
    }

    /// What was denied, newest last, for persons.
    pub(crate) fn denials(&self) -> impl Iterator<Item = &str> {
        self.answered
            .iter()
            .filter(|known| known.denied)
            .map(|known| known.what.as_str())
    }

    pub(crate) fn answer(&mut self, answered: Answered) {
        self.answered.retain(|known| known.key != answered.key);
        if self.answered.len() >= ANSWERED {
            self.answered.remove(0);
        }
        self.answered.push(answered);
    }

    /// A person authorised this call: it is not taken for a resubmission any more.
    pub(crate) fn forget(&mut self, key: &Digest) {
        self.answered.retain(|known| known.key != *key);
    }

    /// Whether the call may be sent back once more.
    pub(crate) fn standing(
        &self,
        intent: &Digest,
        key: &Digest,
        limits: ReviseLimits,
    ) -> Result<Standing, StoreError> {
        self.budget(limits)?
            .standing(intent.as_str(), key.as_str())
            .map_err(|error| StoreError::new(StoreErrorKind::Misused, error.to_string()))
    }

    pub(crate) fn revised(
        &mut self,
        intent: &Digest,
        key: &Digest,
        limits: ReviseLimits,
    ) -> Result<Result<Room, RevisionRefused>, StoreError> {
        let mut budget = self.budget(limits)?;
        let room = budget.revised(intent.as_str(), key.as_str());
        self.revise = Some(budget.state().clone());
        Ok(room)
    }

    /// More revisions, which only a person may give.
    pub(crate) fn extend(
        &mut self,
        intent: &str,
        by: u32,
        limits: ReviseLimits,
    ) -> Result<Result<Room, String>, StoreError> {
        let mut budget = self.budget(limits)?;
        let room = budget.extended_by_person(intent, by);
        self.revise = Some(budget.state().clone());
        Ok(room.map_err(|error| error.to_string()))
    }

    pub(crate) fn budget(&self, limits: ReviseLimits) -> Result<ReviseBudget, StoreError> {
        let damaged =
            |error: StateError| StoreError::new(StoreErrorKind::Damaged, error.to_string());
        match &self.revise {
            Some(state) => ReviseBudget::restore(state.clone()).map_err(damaged),
            None => Ok(ReviseBudget::new(limits)),
        }
    }

    /// A review failed.
    pub(crate) fn failed(&mut self, now_ms: u64) {
        self.failures = self.failures.saturating_add(1);
        self.failed_ms = now_ms;
    }

    /// A review came about.
    pub(crate) fn succeeded(&mut self) {
        self.failures = 0;
    }

    /// The last review came about.
    pub(crate) fn works(&self) -> bool {
        self.failures == 0
    }

    /// Reviews failed so often that asking once more would only make somebody wait.
    pub(crate) fn is_suspended(&self, limit: u32, now_ms: u64) -> bool {
        let over = self.failed_ms.saturating_add(SUSPENDED_MS);
        limit > 0 && self.failures >= limit && now_ms < over
    }

    /// A person closed the breaker. The revisions that the scope has used stay used.
    pub(crate) fn rearm(&mut self) {
        self.breaker.rearm();
        self.answered.clear();
        self.failures = 0;
    }

    /// Nothing stands against it, so the row may go where room is needed.
    pub(crate) fn is_pinned(&self) -> bool {
        self.breaker.is_open()
    }
}

/// The longer window of a user, an agent and a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Window {
    v: u32,
    pub(crate) user: String,
    pub(crate) agent: String,
    pub(crate) project: String,
    pub(crate) breaker: Breaker,
}

impl Window {
    pub(crate) fn new(user: &str, agent: &str, project: &str) -> Self {
        Self {
            v: 1,
            user: user.to_owned(),
            agent: agent.to_owned(),
            project: project.to_owned(),
            breaker: Breaker::default(),
        }
    }
}

/// How often is too often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For one scope.
    pub scope: BreakerLimits,
    /// Over all scopes of a user, an agent and a project.
    pub window: BreakerLimits,
    /// Failed reviews in a row after which a scope asks persons alone for five minutes; none where 0.
    pub failures: u32,
    /// How often calls are sent back to be changed.
    pub revise: ReviseLimits,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            scope: BreakerLimits::SCOPE,
            window: BreakerLimits::WINDOW,
            failures: 2,
            revise: ReviseLimits::default(),
        }
    }
}
