use crate::review::{Panel, reviewed};
use crate::{AuditPort, floors};
use countersign_core::{
    AgentMode, AuditEvent, Decision, DeferKind, Digest, Judgement, Person, Request, RuleHit,
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
    /// The call's digest, for the audit record.
    pub digest: Option<&'a Digest>,
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
}

/// Decides one call and records the decision. The same call gives the same decision.
pub fn decide(call: &Call<'_>, audit: &mut dyn AuditPort) -> Decision {
    let decision = walk(call);
    match audit.record(&event(call, &decision)) {
        Ok(()) => decision,
        Err(error) => unrecorded(decision, &error.to_string()),
    }
}

/// The stages in order; the first that has an answer gives it.
fn walk(call: &Call<'_>) -> Decision {
    malformed(call)
        .or_else(|| switched_off(call))
        .or_else(|| denied(call))
        .or_else(|| read_only(call))
        .or_else(|| rule_allowed(call))
        .or_else(|| reviewed(call))
        .unwrap_or_else(|| undecided(call))
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
    event.digest = call.digest.cloned();
    event
}

/// An unrecorded deny stays a deny. Nothing else leaves without a record, and neither does
/// *undecided*, which an agent may turn into a run.
fn unrecorded(decision: Decision, error: &str) -> Decision {
    if decision.verdict == Verdict::Deny {
        return decision.with_diagnostic(error);
    }
    deny(Stage::Failure, "audit-unavailable").with_diagnostic(error)
}
