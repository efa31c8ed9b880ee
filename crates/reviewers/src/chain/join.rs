//! Many opinions to one.

use super::Opinion;
use countersign_core::{Authorization, Review, ReviewContext, Risk, Tier, Verdict};
use std::cmp::Reverse;

/// The most restrictive opinion. A failure stands for the verdict that it comes to; where a review
/// says the same, the review is the better reason.
pub(super) fn strictest(opinions: Vec<Opinion>, context: &ReviewContext<'_>) -> Opinion {
    let weight = |opinion: &Opinion| match opinion {
        Ok(None) => None,
        Ok(Some(review)) => Some((review.verdict, 1, careful(review))),
        Err(failure) => {
            let verdict = failure.verdict(context.person, context.on_failure);
            Some((verdict, 0, least_careful()))
        }
    };
    let mut strictest: Opinion = Ok(None);
    for opinion in opinions {
        if weight(&opinion) > weight(&strictest) {
            strictest = opinion;
        }
    }
    strictest
}

/// Of reviews with the same verdict, which one is the more careful: it saw less of the user's wish,
/// and then more risk. What lies under a verdict is lifted by authorization, so the order in which
/// reviewers are named must not choose it.
fn careful(review: &Review) -> (Reverse<Authorization>, Risk) {
    (Reverse(review.authorization), review.risk)
}

fn least_careful() -> (Reverse<Authorization>, Risk) {
    (Reverse(Authorization::High), Risk::Low)
}

/// The most restrictive opinion that enough of them share.
pub(super) fn quorum(opinions: Vec<Opinion>, quorum: usize) -> Opinion {
    let asked = opinions.len();
    let mut reviews = Vec::new();
    let mut failures = Vec::new();
    for opinion in opinions {
        match opinion {
            Ok(review) => reviews.extend(review),
            Err(failure) => failures.push(failure),
        }
    }
    let carried = [
        Verdict::Deny,
        Verdict::Revise,
        Verdict::Defer,
        Verdict::Allow,
    ]
    .into_iter()
    .find(|&verdict| votes(&reviews, verdict) >= quorum);
    if let Some(verdict) = carried {
        let mut agreed: Option<Review> = None;
        for review in reviews
            .into_iter()
            .filter(|review| review.verdict == verdict)
        {
            if agreed
                .as_ref()
                .is_none_or(|best| careful(&review) > careful(best))
            {
                agreed = Some(review);
            }
        }
        return Ok(agreed);
    }
    match failures.into_iter().next() {
        Some(failure) => Err(failure),
        None if reviews.is_empty() => Ok(None),
        None => Ok(Some(divided(&reviews, quorum, asked))),
    }
}

fn votes(reviews: &[Review], verdict: Verdict) -> usize {
    reviews
        .iter()
        .filter(|review| review.verdict == verdict)
        .count()
}

/// They do not agree, so a person decides.
fn divided(reviews: &[Review], quorum: usize, asked: usize) -> Review {
    let votes: Vec<String> = reviews
        .iter()
        .map(|review| {
            format!(
                "{}: {}",
                review.reviewer.as_deref().unwrap_or("?"),
                review.verdict
            )
        })
        .collect();
    let mut rationale = format!(
        "{quorum} of {asked} reviewers had to agree, and they did not ({})",
        votes.join(", ")
    );
    if let Some((cut, _)) = rationale
        .char_indices()
        .nth(countersign_core::MAX_RATIONALE)
    {
        rationale.truncate(cut);
    }
    Review {
        reviewer: None,
        verdict: Verdict::Defer,
        risk: reviews
            .iter()
            .map(|review| review.risk)
            .max()
            .unwrap_or(Risk::Medium),
        authorization: reviews
            .iter()
            .map(|review| review.authorization)
            .min()
            .unwrap_or(Authorization::Unknown),
        tier: Tier::None,
        rationale,
        instruction: None,
        replacement: None,
    }
}
