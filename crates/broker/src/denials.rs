//! What reviewers denied lately, and what a person makes of it.

use crate::AuditPort;
use crate::place::{Place, scope_key, session_key};
use crate::scope::Scope;
use crate::store::{Moment, Store, StoreError, Table, look, transact};
use countersign_core::{AuditEvent, AuditKind, Digest, Risk};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use thiserror::Error;

/// How many denials a session keeps.
pub const KEPT_DENIALS: usize = 10;

/// How many calls of a session a person may authorise in all: each of them once.
const MAX_OVERRIDES: usize = 64;

/// How long an authorised retry may take to come, in milliseconds.
const RETRY_MS: u64 = 60 * 1000;

/// How old a critical denial may be to be overridden.
const BREAK_GLASS_MS: u64 = 5 * 60 * 1000;

/// How long the code may take to be typed.
const TYPED_MS: u64 = 60 * 1000;

/// What a session keeps.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Session {
    v: u32,
    source: String,
    name: String,
    denials: Vec<Denial>,
    overrides: Vec<Override>,
}

/// A call that a reviewer denied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Denial {
    /// Names it in its session.
    pub id: String,
    /// The retry key of the call: the hash that an approval must bring.
    pub key: Digest,
    /// The scope it was denied in.
    pub scope: String,
    /// The call for a person: redacted, not yet escaped for a terminal.
    pub call: String,
    /// How risky the reviewer called it.
    pub risk: Risk,
    /// What the reviewer said; redacted.
    pub rationale: String,
    /// When, in milliseconds of the store's clock.
    pub at_ms: u64,
    /// Since which start of the machine.
    pub era: u64,
}

impl Denial {
    /// Only breaking the glass lifts it.
    pub fn is_critical(&self) -> bool {
        self.risk == Risk::Critical
    }
}

/// A denial with the session that it belongs to and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DenialView {
    /// The source that observes the session.
    pub source: String,
    /// The session.
    pub session: String,
    /// The denial.
    pub denial: Denial,
    /// Where it stands: `denied`, `authorized` or `used`.
    pub state: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Override {
    key: Digest,
    until_era: u64,
    until_ms: u64,
    used: bool,
    broke_glass: bool,
}

impl Override {
    fn is_pending(&self, now: Moment) -> bool {
        let until = Moment {
            era: self.until_era,
            ms: self.until_ms,
        };
        !self.used && !until.is_past(now)
    }
}

/// How an authorised retry was authorised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Authorized {
    Retry,
    BreakGlass,
}

impl Session {
    pub(crate) fn new(place: &Place<'_>) -> Self {
        Self {
            v: 1,
            name: place.session.to_owned(),
            source: place.source.to_owned(),
            ..Self::default()
        }
    }

    /// Keeps a denial, newest first. The same call denied again in its scope is one denial.
    pub(crate) fn denied(&mut self, denial: Denial) {
        self.denials
            .retain(|known| (&known.key, &known.scope) != (&denial.key, &denial.scope));
        self.denials.insert(0, denial);
        self.denials.truncate(KEPT_DENIALS);
    }

    /// A person authorised exactly this call, and it has not come yet.
    pub(crate) fn authorized(&self, key: &Digest, now: Moment) -> Option<Authorized> {
        let known = self
            .overrides
            .iter()
            .find(|known| known.key == *key && known.is_pending(now))?;
        Some(if known.broke_glass {
            Authorized::BreakGlass
        } else {
            Authorized::Retry
        })
    }

    /// Spends the authorisation: a call is authorised once in a session, for good.
    pub(crate) fn spend(&mut self, key: &Digest, now: Moment) -> Option<Authorized> {
        let found = self.authorized(key, now)?;
        for known in &mut self.overrides {
            known.used |= known.key == *key;
        }
        Some(found)
    }

    /// Something is pending that must not be dropped to make room.
    pub(crate) fn is_pinned(&self, now: Moment) -> bool {
        self.overrides.iter().any(|known| known.is_pending(now))
    }

    fn state(&self, key: &Digest, now: Moment) -> &'static str {
        let known = self.overrides.iter().find(|known| known.key == *key);
        match known {
            Some(known) if known.used => "used",
            Some(known) if known.is_pending(now) => "authorized",
            _ => "denied",
        }
    }

    fn authorize(
        &mut self,
        key: &Digest,
        now: Moment,
        broke_glass: bool,
    ) -> Result<(), ApprovalRefusal> {
        let known = self.overrides.iter().position(|known| known.key == *key);
        if let Some(known) = known.and_then(|at| self.overrides.get(at)) {
            if known.used {
                return Err(ApprovalRefusal::Used);
            }
            if known.is_pending(now) {
                return Err(ApprovalRefusal::Pending);
            }
        }
        self.overrides
            .retain(|known| known.used || known.is_pending(now));
        if self.overrides.len() >= MAX_OVERRIDES {
            return Err(ApprovalRefusal::TooMany);
        }
        let until = now.after(RETRY_MS);
        self.overrides.push(Override {
            key: key.clone(),
            until_era: until.era,
            until_ms: until.ms,
            used: false,
            broke_glass,
        });
        Ok(())
    }
}

/// Why a retry was not authorised. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ApprovalRefusal {
    /// There is none.
    #[error(
        "no such denial is kept; `countersign denials` lists those that are (the last {KEPT_DENIALS} of a session)"
    )]
    Unknown,
    /// What was shown is not what would be approved.
    #[error("the denial is not the one that was shown; look at it again before you approve it")]
    Changed,
    /// A critical denial.
    #[error("it was denied as critical; `countersign break-glass ID` is for that")]
    Critical,
    /// A denial that is not critical.
    #[error("it was not denied as critical; `countersign approve ID` does")]
    NotCritical,
    /// Too long ago.
    #[error(
        "a critical denial can be overridden within five minutes, and this one is older; let the agent try again and be denied again first"
    )]
    TooOld,
    /// The wrong code, or too late.
    #[error("the code is not the one that was shown, or it came after a minute")]
    Code,
    /// It was approved before, and ran.
    #[error(
        "one retry of this call was approved before and has run; a second is not possible in this session"
    )]
    Used,
    /// It is approved already.
    #[error("it is approved already: the agent has to try again, unchanged, within a minute")]
    Pending,
    /// A session's authorisations are limited.
    #[error(
        "{MAX_OVERRIDES} calls of this session were approved, and no more can be; begin a new session"
    )]
    TooMany,
    /// The store or the log failed.
    #[error("it could not be approved, and counts as not approved: {0}")]
    Failed(String),
}

/// The denials that are kept, newest first in each session.
///
/// # Errors
/// When they cannot be had.
pub fn list(store: &dyn Store, limit: usize) -> Result<Vec<DenialView>, StoreError> {
    let now = store.now()?;
    let mut views = Vec::new();
    for (key, body) in store.scan(Table::Session, None, limit)? {
        let session: Session = crate::store::parse(key.table, &body)?;
        for denial in &session.denials {
            views.push(DenialView {
                source: session.source.clone(),
                session: session.name.clone(),
                state: session.state(&denial.key, now),
                denial: denial.clone(),
            });
        }
    }
    Ok(views)
}

/// Authorises one exact retry of a call that a reviewer denied, within a minute, once in its
/// session. Only a person may do that: the caller sees to it. `shown` is the hash of what the person
/// was shown. The breaker of the denial's scope is closed again.
///
/// Nothing that a hard deny or a rule of the owner denied is ever among the denials.
///
/// # Errors
/// See [`ApprovalRefusal`].
pub fn approve(
    store: &dyn Store,
    audit: &mut dyn AuditPort,
    of: &DenialView,
    shown: &Digest,
) -> Result<(), ApprovalRefusal> {
    authorize(store, audit, of, shown, false)
}

/// What a person types to override a critical denial.
#[derive(Debug)]
pub struct Challenge {
    code: String,
    begun: Moment,
    of: DenialView,
}

impl Challenge {
    /// Begins to break the glass over a critical denial that is at most five minutes old. `random`
    /// comes from the system's generator.
    ///
    /// # Errors
    /// See [`ApprovalRefusal`].
    pub fn begin(
        store: &dyn Store,
        of: DenialView,
        random: [u8; 3],
    ) -> Result<Self, ApprovalRefusal> {
        let now = store.now()?;
        if !of.denial.is_critical() {
            return Err(ApprovalRefusal::NotCritical);
        }
        if is_old(&of.denial, now) {
            return Err(ApprovalRefusal::TooOld);
        }
        let mut code = "BREAK-GLASS ".to_owned();
        for byte in random {
            // Writing to a string cannot fail.
            let _infallible = write!(code, "{byte:02X}");
        }
        Ok(Self {
            code,
            begun: now,
            of,
        })
    }

    /// What is to be typed.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// What was typed. The right code within a minute authorises one exact retry, within another.
    ///
    /// # Errors
    /// See [`ApprovalRefusal`].
    pub fn typed(
        self,
        store: &dyn Store,
        audit: &mut dyn AuditPort,
        text: &str,
    ) -> Result<(), ApprovalRefusal> {
        let now = store.now()?;
        if text.trim() != self.code || self.begun.after(TYPED_MS).is_past(now) {
            return Err(ApprovalRefusal::Code);
        }
        let shown = self.of.denial.key.clone();
        authorize(store, audit, &self.of, &shown, true)
    }
}

fn is_old(denial: &Denial, now: Moment) -> bool {
    let at = Moment {
        era: denial.era,
        ms: denial.at_ms,
    };
    at.after(BREAK_GLASS_MS).is_past(now)
}

impl From<StoreError> for ApprovalRefusal {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// The record is written first: an authorisation that nobody can see is worse than a record of one
/// that then failed.
fn authorize(
    store: &dyn Store,
    audit: &mut dyn AuditPort,
    of: &DenialView,
    shown: &Digest,
    breaks_glass: bool,
) -> Result<(), ApprovalRefusal> {
    let place = Place::named(&of.source, &of.session, &of.denial.scope);
    let keys = [session_key(&place), scope_key(&place)];
    let check = |session: Option<Session>, now| -> Result<Session, ApprovalRefusal> {
        let session = session.ok_or(ApprovalRefusal::Unknown)?;
        let kept = session
            .denials
            .iter()
            .find(|known| known.id == of.denial.id)
            .ok_or(ApprovalRefusal::Unknown)?;
        if *kept != of.denial || kept.key != *shown {
            return Err(ApprovalRefusal::Changed);
        }
        if kept.is_critical() && !breaks_glass {
            return Err(ApprovalRefusal::Critical);
        }
        if kept.is_critical() && is_old(kept, now) {
            return Err(ApprovalRefusal::TooOld);
        }
        let mut after = session.clone();
        after.authorize(shown, now, breaks_glass)?;
        Ok(after)
    };
    look(store, &keys, |records| {
        Ok(check(records.get(0)?, records.now))
    })??;
    let kind = if breaks_glass {
        AuditKind::BreakGlassAuthorized
    } else {
        AuditKind::OverrideAuthorized
    };
    let event = AuditEvent {
        session: Some(of.session.clone()),
        subject: Some(of.denial.id.clone()),
        ..AuditEvent::note(kind, &of.source, "one exact retry, within a minute")
    };
    audit
        .record(&event)
        .map_err(|error| ApprovalRefusal::Failed(error.to_string()))?;
    transact(store, &keys, |records| {
        let after = match check(records.get(0)?, records.now) {
            Ok(after) => after,
            Err(refusal) => return Ok(Err(refusal)),
        };
        records.put(0, &after, None, true)?;
        if let Some(mut scope) = records.get::<Scope>(1)? {
            scope.forget(shown);
            if !breaks_glass {
                scope.rearm();
            }
            let pinned = scope.is_pinned();
            records.put(1, &scope, None, pinned)?;
        }
        Ok(Ok(()))
    })?
}
