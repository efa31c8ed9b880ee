//! A session with a store, a log and a reviewer that says what it is told.

use countersign_broker::store::conformance::TestClock;
use countersign_broker::store::{Capacity, MemoryStore, Store};
use countersign_broker::{
    AuditError, AuditPort, Call, Decided, GrantWish, Keeping, Limits, Panel, Situation, decide,
};
use countersign_core::{
    AuditEvent, Authorization, Case, Certainty, Clock, CommandView, Effect, EffectKind, Evidence,
    Facts, FailureKind, Guidance, Judgement, OnFailure, Person, Place, Request, Review,
    ReviewContext, ReviewFailure, Reviewer, Risk, RuleHit, Severity, Surface, Target, Tier,
    Verdict, Zone,
};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Time does not pass.
pub(crate) struct Still;

impl Clock for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn sleep(&self, _time: Duration) {}
}

/// Keeps events; fails from some event on.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) events: Vec<AuditEvent>,
    pub(crate) good_for: Option<usize>,
}

impl AuditPort for Log {
    fn record(&mut self, event: &AuditEvent) -> Result<(), AuditError> {
        if self.good_for == Some(self.events.len()) {
            return Err(AuditError {
                message: "disk full".to_owned(),
            });
        }
        self.events.push(event.clone());
        Ok(())
    }
}

/// What a reviewer says next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Says {
    Allow,
    Defer,
    Revise,
    Deny,
    Critical,
    Fails,
    Abstains,
}

pub(crate) fn review(says: Says) -> Review {
    let verdict = match says {
        Says::Allow => Verdict::Allow,
        Says::Defer => Verdict::Defer,
        Says::Revise => Verdict::Revise,
        _ => Verdict::Deny,
    };
    Review {
        reviewer: None,
        verdict,
        risk: match says {
            Says::Allow => Risk::Low,
            Says::Critical => Risk::Critical,
            _ => Risk::High,
        },
        authorization: Authorization::Unknown,
        tier: Tier::None,
        rationale: format!("{says:?}, because").to_lowercase(),
        instruction: (verdict == Verdict::Revise).then(|| "name the files".to_owned()),
        replacement: None,
    }
}

pub(crate) struct Scripted {
    pub(crate) says: Says,
    pub(crate) asked: AtomicUsize,
    /// Something that happens while the reviewer thinks.
    pub(crate) meanwhile: Option<Box<dyn Fn() + Send + Sync>>,
}

impl Reviewer for Scripted {
    fn review(
        &self,
        _case: &Case,
        _context: &ReviewContext<'_>,
    ) -> Result<Option<Review>, ReviewFailure> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if let Some(meanwhile) = &self.meanwhile {
            meanwhile();
        }
        match self.says {
            Says::Fails => Err(ReviewFailure::new(FailureKind::TimedOut, "late")),
            Says::Abstains => Ok(None),
            says => Ok(Some(review(says))),
        }
    }
}

/// A call that would delete a file.
pub(crate) fn deletes(file: &str) -> (Request, Judgement) {
    let mut request = Request::command("r", "test", "/p", &format!("rm {file}"));
    request.session = Some("s".to_owned());
    request.scope = Some("s:1".to_owned());
    let mut judgement = Judgement::empty(Facts::virtual_at("/home/u", &["/p"]), "test");
    judgement
        .commands
        .push(CommandView::plain(&format!("rm {file}")));
    judgement.effects.push(Effect {
        kind: EffectKind::Delete,
        target: Some(Target::Path {
            typed: file.to_owned(),
            resolved: None,
            zone: Zone::Workspace,
        }),
        command: 0,
        certainty: Certainty::Always,
        place: Place::Here,
        tags: Vec::new(),
    });
    (request, judgement)
}

/// A retry as agents make it: the same call under a new id.
pub(crate) fn again(of: &(Request, Judgement), id: &str) -> (Request, Judgement) {
    let mut retry = of.clone();
    id.clone_into(&mut retry.0.id);
    retry.0.tool_call_id = Some(id.to_owned());
    retry
}

pub(crate) fn hit(severity: Severity) -> RuleHit {
    RuleHit {
        rule: format!("test.{severity:?}").to_lowercase(),
        severity,
        command: Some(0),
        target: None,
        resolved: None,
        why: "test".to_owned(),
        safer: None,
    }
}

/// Everything that outlives a call.
pub(crate) struct World {
    pub(crate) clock: TestClock,
    pub(crate) store: Box<dyn Store>,
    pub(crate) log: Log,
    pub(crate) limits: Limits,
    pub(crate) person: Person,
    pub(crate) on_failure: OnFailure,
    pub(crate) bounded: Vec<Surface>,
    pub(crate) grants: bool,
    /// How often a reviewer was asked by the last call.
    pub(crate) asked: Cell<usize>,
    random: u8,
}

impl World {
    pub(crate) fn new() -> Self {
        let clock = TestClock::default();
        let store = MemoryStore::new(Box::new(clock.clone()), Capacity::default());
        Self::over(clock, Box::new(store))
    }

    pub(crate) fn over(clock: TestClock, store: Box<dyn Store>) -> Self {
        Self {
            clock,
            store,
            log: Log::default(),
            limits: Limits::default(),
            person: Person::Attended,
            on_failure: OnFailure::Ask,
            bounded: Vec::new(),
            grants: false,
            asked: Cell::new(0),
            random: 0,
        }
    }

    pub(crate) fn call(&mut self, of: &(Request, Judgement), says: Says) -> Decided {
        let reviewer = Scripted {
            says,
            asked: AtomicUsize::new(0),
            meanwhile: None,
        };
        self.ask(of, Some(&reviewer))
    }

    pub(crate) fn unreviewed(&mut self, of: &(Request, Judgement)) -> Decided {
        self.ask(of, None)
    }

    pub(crate) fn ask(
        &mut self,
        (request, judgement): &(Request, Judgement),
        reviewer: Option<&Scripted>,
    ) -> Decided {
        let cancelled = AtomicBool::new(false);
        let guidance = Guidance::default();
        let mut judgement = judgement.clone();
        judgement.observed.person = self.person;
        self.random = self.random.wrapping_add(1);
        let random = self.random;
        let call = Call {
            request,
            judgement: &judgement,
            panel: reviewer.map(|reviewer| Panel {
                reviewer,
                context: ReviewContext {
                    person: self.person,
                    on_failure: self.on_failure,
                    ..ReviewContext::within(Duration::from_secs(1), &Still, &cancelled)
                },
                guidance: &guidance,
                evidence: &Evidence::default,
                trusted_override: None,
                redact: &str::to_owned,
                bounded: &self.bounded,
                rejudge: None,
            }),
            keeping: Some(Keeping {
                store: &*self.store,
                limits: &self.limits,
                user: "u",
                project: "/p",
                redact: &|text: &str| text.replace("hunter2", "[redacted]"),
                grant: self.grants.then_some(GrantWish {
                    random: [random; 32],
                    ttl: countersign_broker::GRANT_TTL,
                }),
            }),
            situation: Situation::default(),
        };
        let decided = decide(&call, &mut self.log);
        self.asked
            .set(reviewer.map_or(0, |it| it.asked.load(Ordering::Relaxed)));
        decided
    }

    /// The kinds of the events since some place in the log.
    pub(crate) fn events(&self, since: usize) -> Vec<&'static str> {
        self.log.events[since..]
            .iter()
            .map(|event| event.kind.as_str())
            .collect()
    }
}

/// A verdict and its code.
pub(crate) fn said(decided: &Decided) -> String {
    let decision = &decided.decision;
    format!("{} {}", decision.verdict, decision.code)
}
