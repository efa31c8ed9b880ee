//! What a reviewer behind a wire answers: `{"v":1,"review":{…}}`, or `{"v":1,"review":null}` to
//! abstain.
//!
//! It is read strictly where it could be misread: a duplicate key, another `v`, an unknown verdict,
//! a missing part or a contradiction make a failed review. Keys that are not known are passed over,
//! so that a newer reviewer can say more than an older host understands.

use countersign_core::{FORM_VERSION, FailureKind, Review, ReviewFailure, parse_strict};
use serde::Serialize;
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
    let value =
        parse_strict(reply).map_err(|error| malformed(format!("{error}{}", beginning(reply))))?;
    let Value::Object(mut fields) = value else {
        return Err(malformed("it is not a JSON object"));
    };
    match fields.get("v") {
        Some(v) if *v == json!(FORM_VERSION) => {}
        Some(v) => return Err(malformed(format!("its `v` is {v} and not {FORM_VERSION}"))),
        None => {
            return Err(malformed(
                "it has no `v`; a reply is {\"v\":1,\"review\":…}",
            ));
        }
    }
    match fields.remove("review") {
        None => Err(malformed("it has no `review`")),
        Some(Value::Null) => Ok(None),
        Some(value) => review(value).map(Some),
    }
}

/// A review that holds together. Who gave it is for the host to say.
pub(crate) fn review(value: Value) -> Result<Review, ReviewFailure> {
    let mut review: Review = serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let what = error.inner();
        malformed(if path == "." {
            format!("its review has {what}")
        } else {
            format!("the `{path}` of its review is no such thing: {what}")
        })
    })?;
    review.reviewer = None;
    review
        .check()
        .map_err(|problem| ReviewFailure::new(FailureKind::Contradictory, problem.to_string()))?;
    Ok(review)
}

/// How a reply begins that is no JSON: often enough it is a message for people.
fn beginning(reply: &[u8]) -> String {
    let text = String::from_utf8_lossy(reply.get(..80).unwrap_or(reply)).into_owned();
    let shown: String = text
        .chars()
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .take(40)
        .collect();
    if shown.trim().is_empty() {
        String::new()
    } else {
        format!("; it begins `{}`", shown.trim())
    }
}

fn malformed(message: impl Into<String>) -> ReviewFailure {
    ReviewFailure::new(FailureKind::Malformed, message).retryable()
}
