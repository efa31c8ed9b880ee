//! The contract of a model's answer: one JSON object with exactly six keys, each once.
//!
//! What does not keep it is a failed review. Nothing is guessed: no code fence is taken off, no
//! prose passed over, no word corrected.

#[cfg(test)]
mod tests;

use super::text::clean;
use countersign_core::{
    FailureKind, MAX_RATIONALE, Review, ReviewFailure, ReviewProblem, Risk, Verdict, parse_strict,
};
use serde::de::{DeserializeOwned, IntoDeserializer as _, value::Error};
use serde_json::{Map, Value, json};

/// The keys of an answer. Reasons come first, since a model that has written them decides better.
const KEYS: [&str; 6] = [
    "rationale",
    "risk",
    "authorization",
    "tier",
    "verdict",
    "instruction",
];

/// The longest piece of an answer that is shown in a message, in characters.
const SHOWN: usize = 60;

/// The review in a model's text.
///
/// # Errors
/// [`FailureKind::Malformed`], which another try may mend, or [`FailureKind::Contradictory`].
pub fn parse(text: &str) -> Result<Review, ReviewFailure> {
    let text = text.trim();
    if text.is_empty() {
        return Err(malformed("it is empty"));
    }
    if !text.starts_with('{') {
        return Err(malformed(format!(
            "it begins with `{}` and not with the JSON object that was asked for",
            clean(text, SHOWN).replace('`', "'")
        )));
    }
    let fields = match parse_strict(text.as_bytes()) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) => return Err(malformed("it is not a JSON object")),
        Err(problem) => {
            return Err(malformed(format!(
                "it cannot be read: {}",
                clean(&problem.to_string(), 2 * SHOWN)
            )));
        }
    };
    if let Some(key) = fields.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let key = clean(key, SHOWN);
        return Err(malformed(format!(
            "it has a key `{key}` that was not asked for"
        )));
    }
    let review = Review {
        reviewer: None,
        verdict: word(&fields, "verdict")?,
        risk: word(&fields, "risk")?,
        authorization: word(&fields, "authorization")?,
        tier: word(&fields, "tier")?,
        rationale: string(&fields, "rationale")?.to_owned(),
        instruction: match field(&fields, "instruction")? {
            Value::Null => None,
            _ => Some(string(&fields, "instruction")?.to_owned()),
        },
        replacement: None,
    };
    check(&review)?;
    Ok(review)
}

/// The contract as a JSON Schema, for servers that hold a model to one. It uses only what every
/// such server knows; lengths are checked here.
pub fn schema() -> Value {
    let words = |words: &[&str]| json!({"type": "string", "enum": words});
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": KEYS,
        "properties": {
            "rationale": {"type": "string"},
            "risk": words(&["low", "medium", "high", "critical"]),
            "authorization": words(&["unknown", "low", "medium", "high"]),
            "tier": words(&["hard_deny", "soft_deny", "allow", "explicit_intent", "none"]),
            "verdict": words(&["allow", "revise", "defer", "deny"]),
            "instruction": {"type": ["string", "null"]},
        },
    })
}

fn check(review: &Review) -> Result<(), ReviewFailure> {
    // The general check lets a blank one pass, which is not what was asked for either.
    if review.verdict != Verdict::Revise && review.instruction.is_some() {
        return Err(malformed(
            "it has an `instruction` without the verdict `revise`",
        ));
    }
    if review.verdict == Verdict::Defer && review.risk == Risk::Critical {
        return Err(contradictory(
            "it defers a critical risk, which is to be denied",
        ));
    }
    review.check().map_err(|problem| match problem {
        ReviewProblem::NoRationale => malformed("its `rationale` is blank"),
        ReviewProblem::NoInstruction => malformed("it says `revise` without an `instruction`"),
        ReviewProblem::TooLong(name) => malformed(format!(
            "its `{name}` is longer than {MAX_RATIONALE} characters"
        )),
        _ => contradictory(problem.to_string()),
    })
}

fn field<'a>(fields: &'a Map<String, Value>, key: &str) -> Result<&'a Value, ReviewFailure> {
    fields
        .get(key)
        .ok_or_else(|| malformed(format!("it has no `{key}`")))
}

fn string<'a>(fields: &'a Map<String, Value>, key: &str) -> Result<&'a str, ReviewFailure> {
    field(fields, key)?
        .as_str()
        .ok_or_else(|| malformed(format!("its `{key}` is not a string")))
}

/// One of a fixed set of words. By way of a string, since serde would also take `{"allow": null}`.
fn word<T: DeserializeOwned>(fields: &Map<String, Value>, key: &str) -> Result<T, ReviewFailure> {
    let text = string(fields, key)?;
    T::deserialize(text.into_deserializer()).map_err(|problem: Error| {
        let problem = clean(&problem.to_string(), 3 * SHOWN);
        malformed(format!("its `{key}` is wrong: {problem}"))
    })
}

fn malformed(message: impl Into<String>) -> ReviewFailure {
    ReviewFailure::new(FailureKind::Malformed, message).retryable()
}

fn contradictory(message: impl Into<String>) -> ReviewFailure {
    ReviewFailure::new(FailureKind::Contradictory, message)
}
