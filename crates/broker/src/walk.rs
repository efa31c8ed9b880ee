use crate::ledger::{Keeping, Ledger, Names};
use crate::review::{Panel, reviewed};
use crate::store::StoreError;
use crate::{AuditError, AuditPort, Grant, floors};
use countersign_core::{
    AgentMode, AuditEvent, Decision, DeferKind, Judgement, OnFailure, Person, Request, RuleHit,
    Severity, Stage, Verdict,
};

/// What is known about the turn and the gate, apart from the call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Situation {
    /// The turn was cancelled.
    pub cancelled: bool,
    /// A person has locked the gate down: everything is denied.
    pub lockdown: bool,
}

/// One call to decide.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// What the agent wants to do.
    pub request: &'a Request,
    /// What policy found about it.
    pub judgement: &'a Judgement,
    /// Who is asked when rules cannot tell, where anybody is.
    pub panel: Option<Panel<'a>>,
    /// What is kept over calls, and for whom; nothing where each call stands for itself.
    pub keeping: Option<Keeping<'a>>,
    /// What is known apart from the call.
    pub situation: Situation,
}

impl Call<'_> {
    /// The hits of at least this severity, as policy ordered them.
    pub(crate) fn reasons(&self, at_least: Severity) -> Vec<RuleHit> {
        self.judgement
            .hits
            .iter()
            .filter(|hit| hit.severity >= at_least)
            .cloned()
            .collect()
    }

    /// What a person is to decide, or a deny that says so where nobody can be asked.
    pub(crate) fn asked(&self, decision: Decision, kind: DeferKind) -> Decision {
        if self.judgement.observed.person != Person::Unattended {
            return decision.with_defer(kind);
        }
        Decision {
            verdict: Verdict::Deny,
            ..decision
        }
        .with_diagnostic("a person would have to decide this, and nobody can be asked here")
    }

    /// A person is to decide because no review can be had; a deny where the owner wants that.
    pub(crate) fn failed_over(&self, decision: Decision) -> Decision {
        let denies = |panel: Panel<'_>| panel.context.on_failure == OnFailure::Deny;
        if self.panel.is_some_and(denies) {
            return Decision {
                verdict: Verdict::Deny,
                ..decision
            };
        }
        self.asked(decision, DeferKind::Flagged)
    }
}

/// The answer to one call.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    /// What may happen. It holds nothing that varies between two runs.
    pub decision: Decision,
    /// The right to run the call once, where it is allowed and a grant was wanted.
    pub grant: Option<Grant>,
}

/// Decides one call and records the decision. The same call, in the same state and at the same
/// time, gives the same decision.
pub fn decide(call: &Call<'_>, audit: &mut dyn AuditPort) -> Decided {
    let (names, refused) = match named(call) {
        Ok(names) => (Some(names), None),
        Err(decision) => (None, Some(*decision)),
    };
    let mut ledger = match (&call.keeping, &names) {
        (Some(keeping), Some(names)) => Some(Ledger::new(call, keeping, names)),
        _ => None,
    };
    let decision = refused.unwrap_or_else(|| walk(call, ledger.as_mut()));
    let (decision, grant) = kept(decision, ledger.as_mut());
    let mut event = event(call, &decision);
    event.digest = names.as_ref().map(|names| names.digest.clone());
    let events = ledger.map(|ledger| ledger.events).unwrap_or_default();
    match record(audit, std::iter::once(event).chain(events)) {
        Ok(()) => Decided { decision, grant },
        Err(error) => Decided {
            decision: unrecorded(decision, &error.to_string()),
            grant: None,
        },
    }
}

/// Stages 2 to 11 in order; the first that has an answer gives it.
fn walk(call: &Call<'_>, ledger: Option<&mut Ledger<'_>>) -> Decision {
    switched_off(call)
        .or_else(|| denied(call))
        .or_else(|| read_only(call))
        .or_else(|| rule_allowed(call))
        .or_else(|| decided_before(ledger))
        .or_else(|| reviewed(call))
        .unwrap_or_else(|| undecided(call))
}

/// Stage 12, and what the decision leaves behind for the next one.
fn kept(decision: Decision, ledger: Option<&mut Ledger<'_>>) -> (Decision, Option<Grant>) {
    let Some(ledger) = ledger else {
        return (decision, None);
    };
    let settled = match ledger.settle(decision.clone()) {
        Ok(decision) => decision,
        Err(error) => return (unkept(decision, &error), None),
    };
    if settled.verdict != Verdict::Allow {
        return (settled, None);
    }
    match ledger.granted() {
        Ok(grant) => (settled, grant),
        Err(error) => (unkept(settled, &error), None),
    }
}

fn record(
    audit: &mut dyn AuditPort,
    mut events: impl Iterator<Item = AuditEvent>,
) -> Result<(), AuditError> {
    events.try_for_each(|event| audit.record(&event))
}

/// The names that the call goes by, once it is known to be well formed.
fn named(call: &Call<'_>) -> Result<Names, Box<Decision>> {
    if let Some(decision) = malformed(call) {
        return Err(Box::new(decision));
    }
    Names::of(call).map_err(|error| {
        Box::new(deny(Stage::Request, "invalid-request").with_diagnostic(error.to_string()))
    })
}

/// Stage 1: a request that cannot be judged.
fn malformed(call: &Call<'_>) -> Option<Decision> {
    let error = call.request.validate().err()?;
    let code = if error.is_too_big() {
        "too-big"
    } else {
        "invalid-request"
    };
    Some(deny(Stage::Request, code).with_diagnostic(error.to_string()))
}

/// Stage 2: nothing is to run.
fn switched_off(call: &Call<'_>) -> Option<Decision> {
    if call.situation.cancelled {
        return Some(deny(Stage::Switch, "cancelled"));
    }
    call.situation
        .lockdown
        .then(|| deny(Stage::Switch, "lockdown"))
}

/// Stage 3: hard denies and the owner's deny rules. No answer at run time overrides either.
fn denied(call: &Call<'_>) -> Option<Decision> {
    let code = match call.judgement.worst()? {
        Severity::Hard => "hard-deny",
        Severity::Deny => "rule-deny",
        Severity::Soft | Severity::Ask | Severity::Allow => return None,
    };
    Some(deny(Stage::Deny, code).with_reasons(call.reasons(Severity::Deny)))
}

/// Stage 4: every effect is a read of ordinary paths.
fn read_only(call: &Call<'_>) -> Option<Decision> {
    (call.judgement.read_only && !floors::is_flagged(call.judgement))
        .then(|| Decision::new(Verdict::Allow, Stage::ReadOnly, "read-only"))
}

/// Stage 5: the owner's allow rules cover every command.
fn rule_allowed(call: &Call<'_>) -> Option<Decision> {
    let judgement = call.judgement;
    let plan = judgement.observed.mode == AgentMode::Plan;
    (judgement.rule_allowed && !plan && !floors::is_flagged(judgement)).then(|| {
        Decision::new(Verdict::Allow, Stage::RuleAllow, "rule-allow")
            .with_reasons(call.reasons(Severity::Allow))
    })
}

/// Stages 6 to 8: what persons and reviewers said before, about this call or about many.
fn decided_before(ledger: Option<&mut Ledger<'_>>) -> Option<Decision> {
    ledger?
        .standing()
        .unwrap_or_else(|error| Some(unavailable(&error)))
}

/// Stage 11: nobody decided.
fn undecided(call: &Call<'_>) -> Decision {
    if floors::is_flagged(call.judgement) {
        let decision = Decision::new(Verdict::Defer, Stage::Undecided, "flagged")
            .with_reasons(call.reasons(Severity::Ask));
        return call.asked(decision, DeferKind::Flagged);
    }
    let code = if call.judgement.no_effect {
        "no-effect"
    } else {
        "undecided"
    };
    Decision::new(Verdict::Defer, Stage::Undecided, code).with_defer(DeferKind::Undecided)
}

fn deny(stage: Stage, code: &str) -> Decision {
    Decision::new(Verdict::Deny, stage, code)
}

fn event(call: &Call<'_>, decision: &Decision) -> AuditEvent {
    let mut event = AuditEvent::decided(call.request, decision);
    event.programs = call
        .judgement
        .commands
        .iter()
        .map(|command| command.program().unwrap_or("?").to_owned())
        .collect();
    event
}

fn unavailable(error: &StoreError) -> Decision {
    deny(Stage::Failure, "store-unavailable").with_diagnostic(error.to_string())
}

/// A deny that cannot be kept stays a deny, and says that nobody will remember it. Nothing else
/// leaves without being kept.
fn unkept(decision: Decision, error: &StoreError) -> Decision {
    if decision.verdict == Verdict::Deny {
        return decision.with_diagnostic(format!("this denial was not counted: {error}"));
    }
    unavailable(error)
}

/// An unrecorded deny stays a deny. Nothing else leaves without a record, and neither does
/// *undecided*, which an agent may turn into a run.
fn unrecorded(decision: Decision, error: &str) -> Decision {
    if decision.verdict == Verdict::Deny {
        return decision.with_diagnostic(error);
    }
    deny(Stage::Failure, "audit-unavailable").with_diagnostic(error)
}
