//! The whole path of one call, for the program and for other hosts that embed it.

use crate::review::Reviewing;
use crate::{facts, secrets};
use countersign_broker::{
    AuditError, AuditPort, Call, Decided, Grant, Keeping, Panel, Situation, decide,
};
use countersign_core::{AuditEvent, Decision, Facts, Judgement, Request, ReviewContext};
use countersign_policy::Policy;
use countersign_reviewers::Monotonic;
use std::sync::atomic::AtomicBool;

/// A call that was judged and decided.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What policy found.
    pub judgement: Judgement,
    /// The answer.
    pub decision: Decision,
    /// The right to run the call once, where one was wanted and the call is allowed.
    pub grant: Option<Grant>,
}

/// Judges and decides one call. `base` holds what the host knows before policy asks: home,
/// workspace roots, mode and person; with virtual files nothing on this machine is looked at.
/// `reviewing` says who is asked where rules cannot tell, `keeping` what is kept over calls.
pub fn judge_and_decide(
    policy: &Policy,
    request: &Request,
    base: Facts,
    situation: Situation,
    reviewing: Option<Reviewing<'_>>,
    keeping: Option<Keeping<'_>>,
    audit: &mut dyn AuditPort,
) -> Outcome {
    let judgement = judged(policy, request, base);
    let (clock, cancelled) = (Monotonic::default(), AtomicBool::new(false));
    let call = Call {
        request,
        judgement: &judgement,
        panel: reviewing.map(|reviewing| Panel {
            reviewer: reviewing.reviewer,
            context: ReviewContext {
                person: judgement.observed.person,
                on_failure: reviewing.on_failure,
                ..ReviewContext::within(reviewing.limit, &clock, &cancelled)
            },
            guidance: reviewing.guidance,
            evidence: reviewing.evidence,
            trusted_override: None,
            redact: &secrets::judged,
            bounded: reviewing.bounded,
            rejudge: reviewing.rejudge,
        }),
        keeping,
        situation,
    };
    let Decided { decision, grant } = decide(&call, audit);
    Outcome {
        judgement,
        decision,
        grant,
    }
}

/// Judges a request that must be well formed, such as one with an input that a reviewer offers.
///
/// # Errors
/// With what is wrong with it.
pub fn judge(policy: &Policy, request: &Request, base: Facts) -> Result<Judgement, String> {
    request.validate().map_err(|error| error.to_string())?;
    Ok(judged(policy, request, base))
}

fn judged(policy: &Policy, request: &Request, mut base: Facts) -> Judgement {
    if !base.virtual_files && request.validate().is_ok() {
        let queries = policy.observe(request, &base);
        facts::answer(&queries, &mut base);
    }
    policy.judge(request, &base)
}

/// For questions that are not decisions about a real call: nothing is recorded.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unrecorded;

impl AuditPort for Unrecorded {
    fn record(&mut self, _event: &AuditEvent) -> Result<(), AuditError> {
        Ok(())
    }
}
