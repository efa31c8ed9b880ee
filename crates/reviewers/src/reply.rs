//! What a reviewer behind a wire answers: `{"v":1,"review":{…}}`, or `{"v":1,"review":null}` to
//! abstain.
//!
//! It is read strictly where it could be misread: a duplicate key, another `v`, an unknown verdict,
//! a missing part or a contradiction make a failed review. Keys that are not known are passed over,
//! so that a newer reviewer can say more than an older host understands.

use countersign_core::{FORM_VERSION, FailureKind, Review, ReviewFailure, parse_strict};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The bytes of a reply.
///
/// # Errors
/// When the review has no JSON form.
pub fn encode(review: Option<&Review>) -> Result<Vec<u8>, serde_json::Error> {
    #[derive(Serialize)]
    struct Reply<'a> {
        v: u32,
        review: Option<&'a Review>,
    }
    serde_json::to_vec(&Reply {
        v: FORM_VERSION,
        review,
    })
}

/// The review in a reply; `None` where the reviewer abstains.
///
/// # Errors
/// [`FailureKind::Malformed`] or [`FailureKind::Contradictory`], with what is wrong.
pub fn parse(reply: &[u8]) -> Result<Option<Review>, ReviewFailure> {
    let value = parse_strict(reply).map_err(|error| malformed(error.to_string()))?;
    let Value::Object(mut fields) = value else {
        return Err(malformed("it is not a JSON object"));
    };
    if fields.get("v") != Some(&json!(FORM_VERSION)) {
        return Err(malformed(format!("its `v` is not {FORM_VERSION}")));
    }
    match fields.remove("review") {
        None => Err(malformed("it has no `review`")),
        Some(Value::Null) => Ok(None),
        Some(value) => review(value).map(Some),
    }
}

/// A review that holds together. Who gave it is for the host to say.
pub(crate) fn review(value: Value) -> Result<Review, ReviewFailure> {
    let mut review =
        Review::deserialize(value).map_err(|error| malformed(format!("its review has {error}")))?;
    review.reviewer = None;
    review
        .check()
        .map_err(|problem| ReviewFailure::new(FailureKind::Contradictory, problem.to_string()))?;
    Ok(review)
}

fn malformed(message: impl Into<String>) -> ReviewFailure {
    ReviewFailure::new(FailureKind::Malformed, message).retryable()
}
