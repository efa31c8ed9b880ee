//! Stages 9 and 10: a reviewer is asked, and what it says is joined with the floors.

use crate::{Call, case, floors};
use countersign_core::{
    Case, Decision, DeferKind, Evidence, FailureKind, Guidance, Judgement, Review, ReviewContext,
    ReviewFailure, Reviewer, Severity, Stage, Surface, TrustedOverride, Verdict,
};
use serde_json::{Map, Value};

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
    /// Takes secrets out of every text that the reviewer is given. What a shell would act on must stay:
    /// a hidden word could be the dangerous one.
    pub redact: &'a dyn Fn(&str) -> String,
    /// Surfaces whose calls a reviewer cannot allow: its allow there only asks a person.
    pub bounded: &'a [Surface],
    /// Judges the call as it would be with another input, for reviewers that offer one. Without it,
    /// what they offer is only an instruction.
    pub rejudge: Option<&'a Rejudge<'a>>,
}

/// Judges the call with another input; a text says why that cannot be.
pub type Rejudge<'a> = dyn Fn(&Map<String, Value>) -> Result<Judgement, String> + 'a;

impl<'a> Panel<'a> {
    /// A reviewer who is told nothing but the call, its judgement and the owner's words.
    pub fn new(
        reviewer: &'a dyn Reviewer,
        context: ReviewContext<'a>,
        guidance: &'a Guidance,
    ) -> Self {
        Self {
            reviewer,
            context,
            guidance,
            evidence: &Evidence::default,
            trusted_override: None,
            redact: &case::by_form,
            bounded: &[],
            rejudge: None,
        }
    }
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
        Ok(Some(review)) => Some(joined(call, &panel, review)),
        Err(failure) => Some(failed(call, &panel.context, failure)),
    }
}

fn ask(call: &Call<'_>, panel: &Panel<'_>) -> Result<Option<Review>, ReviewFailure> {
    let mut case = Case::new(call.request.clone(), call.judgement.clone());
    case.guidance = panel.guidance.clone();
    case.evidence = (panel.evidence)();
    case.trusted_override = panel.trusted_override.cloned();
    let case = case::redacted_case(&case, panel.redact)?;
    let review = panel.reviewer.review(&case, &panel.context)?;
    if let Some(review) = &review {
        review.check().map_err(|problem| {
            ReviewFailure::new(FailureKind::Contradictory, problem.to_string())
        })?;
    }
    Ok(review)
}

/// A review joined with the floors under it: it can be stricter than they are, never laxer.
fn joined(call: &Call<'_>, panel: &Panel<'_>, mut review: Review) -> Decision {
    let bounded = panel.bounded.contains(&call.request.surface);
    let floor = floors::under(call.judgement, &review, bounded);
    let verdict = review.verdict.join(floor);
    let refused = review
        .replacement
        .as_ref()
        .and_then(|input| refused(panel, input));
    if refused.is_some() {
        review.replacement = None;
    }
    let mut decision = Decision::new(verdict, Stage::Join, "reviewed")
        .with_reasons(call.reasons(Severity::Ask))
        .with_review(review);
    if bounded && verdict == Verdict::Defer {
        decision = decision.with_diagnostic("a reviewer alone does not allow this kind of call");
    }
    if let Some(why) = refused {
        decision = decision.with_diagnostic(why);
    }
    if verdict == Verdict::Defer {
        call.asked(decision, DeferKind::Flagged)
    } else {
        decision
    }
}

/// Why an input that a reviewer offers cannot be taken: it has to pass all that the call itself
/// passed, and nobody reviews it.
fn refused(panel: &Panel<'_>, input: &Map<String, Value>) -> Option<String> {
    let Some(rejudge) = panel.rejudge else {
        return Some(
            "the input that the reviewer offered was not judged, so it is left out".to_owned(),
        );
    };
    match rejudge(input) {
        Ok(judgement) => {
            let hit = judgement
                .hits
                .iter()
                .find(|hit| hit.severity >= Severity::Ask)?;
            Some(format!(
                "the input that the reviewer offered is left out: it meets the rule {}",
                hit.rule
            ))
        }
        Err(why) => Some(format!(
            "the input that the reviewer offered is left out: {why}"
        )),
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
