//! What lies under an allow: a review can be stricter than a floor, never laxer.

use countersign_core::{
    AgentMode, Authorization, EffectKind, Judgement, Review, Severity, Verdict,
};

/// Something in the call is for a person to see.
pub(crate) fn is_flagged(judgement: &Judgement) -> bool {
    judgement.worst() >= Some(Severity::Ask)
}

/// The least that a review's verdict is raised to; `bounded` where no reviewer may allow the call.
pub(crate) fn under(judgement: &Judgement, review: &Review, bounded: bool) -> Verdict {
    let opaque = judgement
        .effects
        .iter()
        .any(|effect| effect.kind == EffectKind::Opaque);
    let asked = judgement
        .hits
        .iter()
        .any(|hit| hit.severity == Severity::Ask);
    let soft = judgement
        .hits
        .iter()
        .any(|hit| hit.severity == Severity::Soft);
    let lifted = review.authorization >= Authorization::Medium;
    let plan = judgement.observed.mode == AgentMode::Plan && !judgement.read_only;
    if bounded || opaque || asked || plan || (soft && !lifted) {
        Verdict::Defer
    } else {
        Verdict::Allow
    }
}
