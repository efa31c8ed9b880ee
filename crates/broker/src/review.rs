//! Stages 9 and 10: a reviewer is asked, and what it says is joined with the floors.

use crate::{Call, floors};
use countersign_core::{
    Case, Decision, DeferKind, Evidence, FailureKind, Guidance, Review, ReviewContext,
    ReviewFailure, Reviewer, Severity, Stage, TrustedOverride, Verdict,
};

/// Who reviews, and what they are told apart from the call and its judgement.
#[derive(Clone, Copy)]
pub struct Panel<'a> {
    /// Who is asked: one reviewer, or a chain of them.
    pub reviewer: &'a dyn Reviewer,
    /// Time, cancellation, and what a failure comes to.
    pub context: ReviewContext<'a>,
    /// The owner's words.
    pub guidance: &'a Guidance,
    /// Finds what was said and done before; called when somebody is asked.
    pub evidence: &'a dyn Fn() -> Evidence,
    /// A person's word for this exact retry.
    pub trusted_override: Option<&'a TrustedOverride>,
}

impl std::fmt::Debug for Panel<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Panel")
            .field("context", &self.context)
            .finish_non_exhaustive()
    }
}

/// What the reviewer makes of the call; nothing where none is configured or it abstains. A tool
/// without an effect of its own is not worth a question.
pub(crate) fn reviewed(call: &Call<'_>) -> Option<Decision> {
    let panel = call.panel.filter(|_| !call.judgement.no_effect)?;
    match ask(call, &panel) {
        Ok(None) => None,
        Ok(Some(review)) => Some(joined(call, review)),
        Err(failure) => Some(failed(call, &panel.context, failure)),
    }
}

fn ask(call: &Call<'_>, panel: &Panel<'_>) -> Result<Option<Review>, ReviewFailure> {
    let mut case = Case::new(call.request.clone(), call.judgement.clone());
    case.guidance = panel.guidance.clone();
    case.evidence = (panel.evidence)();
    case.trusted_override = panel.trusted_override.cloned();
    let review = panel.reviewer.review(&case, &panel.context)?;
    if let Some(review) = &review {
        review.check().map_err(|problem| {
            ReviewFailure::new(FailureKind::Contradictory, problem.to_string())
        })?;
    }
    Ok(review)
}

/// A review joined with the floors under it: it can be stricter than they are, never laxer.
fn joined(call: &Call<'_>, review: Review) -> Decision {
    let verdict = review.verdict.join(floors::under(call.judgement, &review));
    let decision = Decision::new(verdict, Stage::Join, "reviewed")
        .with_reasons(call.reasons(Severity::Ask))
        .with_review(review);
    if verdict == Verdict::Defer {
        call.asked(decision, DeferKind::Flagged)
    } else {
        decision
    }
}

/// A review that did not come about. It says nothing about the call, and says so.
fn failed(call: &Call<'_>, context: &ReviewContext<'_>, failure: ReviewFailure) -> Decision {
    let verdict = failure.verdict(context.person, context.on_failure);
    let code = match failure.kind {
        FailureKind::TooBig => "too-big",
        FailureKind::Cancelled => "cancelled",
        _ => "review-unavailable",
    };
    let decision = Decision::new(verdict, Stage::Review, code)
        .with_reasons(call.reasons(Severity::Ask))
        .with_failure(failure);
    if verdict == Verdict::Defer {
        call.asked(decision, DeferKind::Flagged)
    } else {
        decision
    }
}
