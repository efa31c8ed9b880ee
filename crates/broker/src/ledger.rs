//! What outlives a call, as the walk needs it: looked at once, changed by one step at the end.

use crate::answers::{self, Answer, Answers, Owner};
use crate::denials::{Authorized, Denial, Session};
use crate::grant::{self, Grant, Token};
use crate::intent::intent;
use crate::place::{Place, scope_key, session_key, window_key};
use crate::ports::transition;
use crate::scope::{Answered, Limits, Scope, Window};
use crate::store::{Key, Records, Store, StoreError, look, transact};
use crate::{Call, shown};
use countersign_budget::{RevisionRefused, Standing};
use countersign_core::{
    AgentMode, AuditEvent, AuditKind, Decision, DeferKind, Digest, JsonError, Review, Stage,
    Verdict, digest, retry_key,
};
use std::fmt;
use std::time::Duration;

/// What a caller keeps over its calls, and for whom.
#[derive(Clone, Copy)]
pub struct Keeping<'a> {
    /// Where it is kept.
    pub store: &'a dyn Store,
    /// How often is too often.
    pub limits: &'a Limits,
    /// The user that the agent works for.
    pub user: &'a str,
    /// The project that it works on.
    pub project: &'a str,
    /// Takes secrets out of a text before it is kept.
    pub redact: &'a dyn Fn(&str) -> String,
    /// The grant that the caller wants with an allow.
    pub grant: Option<GrantWish>,
}

impl<'a> Keeping<'a> {
    /// What is kept in `store`, without a grant.
    pub fn new(
        store: &'a dyn Store,
        limits: &'a Limits,
        user: &'a str,
        project: &'a str,
        redact: &'a dyn Fn(&str) -> String,
    ) -> Self {
        Self {
            store,
            limits,
            user,
            project,
            redact,
            grant: None,
        }
    }
}

impl fmt::Debug for Keeping<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keeping")
            .field("limits", self.limits)
            .field("user", &self.user)
            .field("project", &self.project)
            .field("grant", &self.grant)
            .finish_non_exhaustive()
    }
}

/// A grant that is wanted.
#[derive(Clone, Copy)]
pub struct GrantWish {
    /// 256 bits of the system's generator, used for nothing else.
    pub random: [u8; 32],
    /// How long it lives: 1 to 300 seconds, [`GRANT_TTL`](crate::GRANT_TTL) as a rule.
    pub ttl: Duration,
}

impl fmt::Debug for GrantWish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GrantWish")
            .field("ttl", &self.ttl)
            .finish_non_exhaustive()
    }
}

/// The names that a call goes by.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    pub(crate) key: Digest,
    pub(crate) digest: Digest,
    pub(crate) intent: Digest,
}

impl Names {
    pub(crate) fn of(call: &Call<'_>) -> Result<Self, JsonError> {
        let key = retry_key(
            call.request,
            &call.judgement.observed,
            &call.judgement.policy,
        )?;
        Ok(Self {
            digest: digest(&key, call.request.tool_call_id.as_deref())?,
            intent: intent(call.request, call.judgement)?,
            key,
        })
    }
}

const SESSION: usize = 0;
const SCOPE: usize = 1;
const WINDOW: usize = 2;
const ANSWERS: usize = 3;

/// What is kept about one call's session, scope and window.
pub(crate) struct Ledger<'a> {
    call: &'a Call<'a>,
    keeping: &'a Keeping<'a>,
    names: &'a Names,
    keys: [Key; 4],
    /// What happened, to be recorded after the decision.
    pub(crate) events: Vec<AuditEvent>,
}

impl<'a> Ledger<'a> {
    pub(crate) fn new(call: &'a Call<'a>, keeping: &'a Keeping<'a>, names: &'a Names) -> Self {
        let place = Place::of(call.request);
        Self {
            call,
            keeping,
            names,
            keys: [
                session_key(&place),
                scope_key(&place),
                window_key(keeping.user, place.source, keeping.project),
                answers::row_of(place.session),
            ],
            events: Vec::new(),
        }
    }

    /// Stages 6 to 8: what was decided before, about this call or about many.
    pub(crate) fn standing(&mut self) -> Result<Option<Decision>, StoreError> {
        // A tool without an effect is nobody's business; a plan runs nothing, whoever allowed it.
        if self.call.judgement.no_effect {
            return Ok(None);
        }
        let plan = self.call.judgement.observed.mode == AgentMode::Plan;
        let (authorized, decision) = look(self.keeping.store, &self.keys, |records| {
            let session: Option<Session> = records.get(SESSION)?;
            let authorized =
                session.is_some_and(|it| it.authorized(&self.names.key, records.now).is_some());
            let answered = records.get::<Answers>(ANSWERS)?.is_some();
            Ok(((authorized || answered) && !plan, self.stopped(records)?))
        })?;
        if authorized && let Some(decision) = self.by_person()? {
            return Ok(Some(decision));
        }
        Ok(decision)
    }

    /// Stage 6: a person decided about this exact call before. That decides, once; where somebody else
    /// was faster, it does not. A deny comes before an authorised retry.
    fn by_person(&mut self) -> Result<Option<Decision>, StoreError> {
        let key = &self.names.key;
        let (answer, spent) = transact(self.keeping.store, &self.keys, |records| {
            let now = records.now;
            let answer = answers::take_in(records, ANSWERS, key)?;
            if answer.is_some() {
                return Ok((answer, None));
            }
            let Some(mut session) = records.get::<Session>(SESSION)? else {
                return Ok((None, None));
            };
            let spent = session.spend(key, now);
            if spent.is_some() {
                records.put(SESSION, &session, None, session.is_pinned(now))?;
            }
            Ok((None, spent))
        })?;
        if let Some(answer) = answer {
            return Ok(Some(self.answered_before(answer)));
        }
        let Some(how) = spent else {
            return Ok(None);
        };
        let (code, kind) = match how {
            Authorized::Retry => ("approved", AuditKind::OverrideConsumed),
            Authorized::BreakGlass => ("break-glass", AuditKind::BreakGlassConsumed),
        };
        let event = self.event(kind, "the one retry that a person authorised");
        self.events.push(event);
        Ok(Some(Decision::new(Verdict::Allow, Stage::Override, code)))
    }

    fn answered_before(&mut self, answer: Answer) -> Decision {
        let place = Place::of(self.call.request);
        let owner = Owner {
            source: place.source,
            session: place.session,
        };
        self.events
            .push(answers::consumed(&owner, &self.names.key, answer));
        let (verdict, code) = match answer {
            Answer::Allow => (Verdict::Allow, "answered"),
            Answer::Deny => (Verdict::Deny, "answered"),
        };
        Decision::new(verdict, Stage::Override, code)
    }

    /// Stages 7 and 8, by what was seen.
    fn stopped(&self, records: &Records<'_>) -> Result<Option<Decision>, StoreError> {
        let limits = self.keeping.limits;
        let scope: Option<Scope> = records.get(SCOPE)?;
        let window: Option<Window> = records.get(WINDOW)?;
        let long = window.is_some_and(|window| window.breaker.is_open());
        if long || scope.as_ref().is_some_and(|scope| scope.breaker.is_open()) {
            return Ok(Some(self.breaker_open(scope.as_ref(), long)));
        }
        let Some(scope) = scope else {
            return Ok(None);
        };
        if self.call.panel.is_none() {
            return Ok(None);
        }
        if let Some(known) = scope.answered(&self.names.key) {
            return Ok(Some(resubmitted(known)));
        }
        let standing = scope.standing(&self.names.intent, &self.names.key, limits.revise)?;
        if !matches!(standing, Standing::Room(_)) && scope.has_revised(&self.names.intent) {
            return Ok(Some(self.exhausted(standing == Standing::ScopeExhausted)));
        }
        if scope.is_suspended(limits.failures, records.now.ms) {
            let decision = Decision::new(Verdict::Defer, Stage::Breaker, "review-suspended")
                .with_diagnostic(
                    "reviews failed again and again, so none is tried for up to five minutes",
                );
            return Ok(Some(self.call.failed_over(decision)));
        }
        Ok(None)
    }

    /// Stage 7: nobody reviews for an agent that was denied again and again.
    fn breaker_open(&self, scope: Option<&Scope>, long: bool) -> Decision {
        if scope.is_some_and(|scope| scope.has_denied(&self.names.intent)) {
            let decision = Decision::new(Verdict::Deny, Stage::Breaker, "denied-before");
            return self.with_denials(decision, scope);
        }
        let mut decision = Decision::new(Verdict::Defer, Stage::Breaker, "breaker");
        if long {
            decision = decision.with_diagnostic(
                "too many calls were denied over this project's sessions; only a person ends this, with `countersign breaker reset`",
            );
        }
        let decision = self.with_denials(decision, scope);
        self.call.asked(decision, DeferKind::Flagged)
    }

    fn with_denials(&self, decision: Decision, scope: Option<&Scope>) -> Decision {
        let denials: Vec<&str> = scope.into_iter().flat_map(Scope::denials).collect();
        let newest = denials.iter().rev().take(3);
        newest.fold(
            decision.with_reasons(self.call.reasons(countersign_core::Severity::Ask)),
            |decision, what| decision.with_diagnostic(format!("denied before: {what}")),
        )
    }

    /// Stage 8: sent back as often as may be.
    fn exhausted(&self, scope: bool) -> Decision {
        let what = if scope {
            "calls of this scope were sent back to be changed as often as may be"
        } else {
            "this was sent back to be changed as often as may be"
        };
        let decision = Decision::new(
            Verdict::Defer,
            Stage::ReviseBudget,
            "revise-budget-exhausted",
        )
        .with_reasons(self.call.reasons(countersign_core::Severity::Ask))
        .with_diagnostic(what);
        self.call.asked(decision, DeferKind::Flagged)
    }

    /// What the decision leaves behind, in one step that looks at the breaker again: an allow that is
    /// ready after others have opened it does not pass.
    pub(crate) fn settle(&mut self, decision: Decision) -> Result<Decision, StoreError> {
        let outcome = Outcome::of(&decision);
        if outcome == Outcome::Nothing {
            return Ok(decision);
        }
        let mut events = Vec::new();
        let settled = if self.changes_nothing(outcome)? {
            decision
        } else {
            transact(self.keeping.store, &self.keys, |records| {
                events.clear();
                self.step(outcome, &decision, records, &mut events)
            })?
        };
        self.events.append(&mut events);
        Ok(settled)
    }

    /// Nothing stands against the scope that the outcome could lift.
    fn changes_nothing(&self, outcome: Outcome) -> Result<bool, StoreError> {
        if !matches!(outcome, Outcome::Allowed | Outcome::Deferred) {
            return Ok(false);
        }
        look(self.keeping.store, &self.keys, |records| {
            let scope: Option<Scope> = records.get(SCOPE)?;
            let window: Option<Window> = records.get(WINDOW)?;
            let works = scope.as_ref().is_none_or(Scope::works);
            let clean = scope.is_none_or(|scope| scope.breaker.is_clean())
                && window.is_none_or(|window| window.breaker.is_clean());
            Ok(works && (clean || outcome == Outcome::Deferred))
        })
    }

    fn step(
        &self,
        outcome: Outcome,
        decision: &Decision,
        records: &mut Records<'_>,
        events: &mut Vec<AuditEvent>,
    ) -> Result<Decision, StoreError> {
        let limits = self.keeping.limits;
        let place = Place::of(self.call.request);
        let (mut scope, mut window) = self.rows(records)?;
        let mut decision = decision.clone();
        match outcome {
            Outcome::Nothing => {}
            Outcome::Allowed => {
                if scope.breaker.is_open() || window.breaker.is_open() {
                    let long = window.breaker.is_open();
                    return Ok(self.breaker_open(Some(&scope), long));
                }
                scope.succeeded();
                scope.breaker.allowed(&limits.scope);
                window.breaker.allowed(&limits.window);
            }
            Outcome::Deferred => scope.succeeded(),
            Outcome::Failed => scope.failed(records.now.ms),
            Outcome::Revised => {
                scope.succeeded();
                match scope.revised(&self.names.intent, &self.names.key, limits.revise)? {
                    Ok(_) => {
                        scope.answer(self.answered(false, &decision));
                        events.push(self.event(AuditKind::Revised, ""));
                    }
                    Err(RevisionRefused::ScopeExhausted) => decision = self.exhausted(true),
                    Err(_) => decision = self.exhausted(false),
                }
            }
            Outcome::Denied => {
                scope.succeeded();
                scope.answer(self.answered(true, &decision));
                if let Some(review) = &decision.review {
                    let mut session = records
                        .get::<Session>(SESSION)?
                        .unwrap_or_else(|| Session::new(&place));
                    session.denied(self.denial(review, &place, records));
                    let pinned = session.is_pinned(records.now);
                    records.put(SESSION, &session, None, pinned)?;
                }
                if scope.breaker.denied(&limits.scope) {
                    events.push(self.tripped("scope", scope.breaker.counts()));
                }
                if window.breaker.denied(&limits.window) {
                    events.push(self.tripped("window", window.breaker.counts()));
                }
            }
        }
        records.put(SCOPE, &scope, None, scope.is_pinned())?;
        if !window.breaker.is_clean() {
            let pinned = window.breaker.is_open();
            records.put(WINDOW, &window, None, pinned)?;
        }
        Ok(decision)
    }

    fn rows(&self, records: &Records<'_>) -> Result<(Scope, Window), StoreError> {
        let place = Place::of(self.call.request);
        let scope = records
            .get(SCOPE)?
            .unwrap_or_else(|| Scope::new(place.session, place.scope));
        let window = records
            .get(WINDOW)?
            .unwrap_or_else(|| Window::new(self.keeping.user, place.source, self.keeping.project));
        Ok((scope, window))
    }

    fn answered(&self, denied: bool, decision: &Decision) -> Answered {
        let redact = self.keeping.redact;
        let why = decision
            .review
            .as_ref()
            .map_or(decision.code.as_str(), |review| review.rationale.as_str());
        // Redacted before it is cut: half a secret is not recognised any more.
        let call = shown::cut(&redact(&shown::brief(self.call)), 120);
        Answered {
            key: self.names.key.clone(),
            intent: self.names.intent.clone(),
            denied,
            what: format!("{call} ({})", shown::cut(&redact(why), 160)),
        }
    }

    fn denial(&self, review: &Review, place: &Place<'_>, records: &Records<'_>) -> Denial {
        let name = [
            place.source,
            place.session,
            place.scope,
            self.names.key.as_str(),
        ]
        .join("\0");
        let id = Digest::of("countersign.denial.v1", name.as_bytes());
        Denial {
            id: id.as_str().chars().take(8).collect(),
            key: self.names.key.clone(),
            scope: place.scope.to_owned(),
            call: shown::cut(
                &(self.keeping.redact)(&shown::whole(self.call.request)),
                shown::WHOLE,
            ),
            risk: review.risk,
            rationale: (self.keeping.redact)(&review.rationale),
            at_ms: records.now.ms,
            era: records.now.era,
        }
    }

    /// Stage 12: the one-use right to run the call.
    pub(crate) fn granted(&mut self) -> Result<Option<Grant>, StoreError> {
        let Some(wish) = self.keeping.grant else {
            return Ok(None);
        };
        let grant = grant::issue(
            self.keeping.store,
            Token::from_random(wish.random),
            self.call.request,
            &self.names.digest,
            wish.ttl,
        )?;
        self.events.push(grant::issued(self.call.request, &grant));
        Ok(Some(grant))
    }

    fn event(&self, kind: AuditKind, note: &str) -> AuditEvent {
        AuditEvent {
            digest: Some(self.names.digest.clone()),
            ..transition(kind, self.call.request, note)
        }
    }

    fn tripped(&self, what: &str, (in_a_row, among): (u32, u32)) -> AuditEvent {
        self.event(
            AuditKind::BreakerTripped,
            &format!("{what}: {in_a_row} denials in a row, {among} among the last"),
        )
    }
}

/// Stage 8: the very call that was answered before, unchanged. It counts as a denial.
fn resubmitted(known: &Answered) -> Decision {
    let before = if known.denied { "denied" } else { "sent back" };
    Decision::new(Verdict::Deny, Stage::ReviseBudget, "resubmitted")
        .with_diagnostic(format!("{before} before: {}", known.what))
}

/// What a decision means to what is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Nothing,
    Allowed,
    Deferred,
    Revised,
    Denied,
    Failed,
}

impl Outcome {
    /// Hard denies, denials by reviewers and identical resubmissions count; rules of the owner,
    /// the breaker's own answers and what a person is asked do not.
    fn of(decision: &Decision) -> Self {
        match (decision.stage, decision.verdict) {
            (Stage::Deny, _) if decision.is_hard() => Self::Denied,
            (Stage::ReviseBudget, Verdict::Deny) if decision.code == "resubmitted" => Self::Denied,
            (Stage::Review, _) => Self::Failed,
            (Stage::Join, Verdict::Allow) => Self::Allowed,
            (Stage::Join, Verdict::Revise) => Self::Revised,
            (Stage::Join, verdict) => {
                let refused = decision
                    .review
                    .as_ref()
                    .is_some_and(|review| review.verdict == Verdict::Deny);
                if verdict == Verdict::Deny && refused {
                    Self::Denied
                } else {
                    Self::Deferred
                }
            }
            _ => Self::Nothing,
        }
    }
}
