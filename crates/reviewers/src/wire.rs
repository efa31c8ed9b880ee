//! Errors of the interface as failures of a review.

use countersign_abi::{AbiError, Code};
use countersign_core::{FailureKind, ReviewFailure, parse_strict};
use serde::Deserialize;
use serde_json::Value;

/// The longest message taken over from a plugin, in characters.
const MAX_MESSAGE: usize = 500;

/// The failure that an error of the interface says. Its detail may name the exact kind; what is not
/// known there counts by its code, and a code that is not known is a plain failure.
pub(crate) fn failure(error: &AbiError) -> ReviewFailure {
    let detail = parse_strict(error.detail_json.as_bytes()).unwrap_or(Value::Null);
    let named = detail
        .get("kind")
        .and_then(|kind| FailureKind::deserialize(kind).ok());
    ReviewFailure {
        retryable: error.retryable,
        retry_after_ms: detail.get("retry_after_ms").and_then(Value::as_u64),
        ..ReviewFailure::new(
            named.unwrap_or_else(|| kind(Code(error.code))),
            message(error.message.as_str()),
        )
    }
}

fn kind(code: Code) -> FailureKind {
    match code {
        Code::BAD_CONFIG => FailureKind::Configuration,
        Code::CANCELLED => FailureKind::Cancelled,
        Code::DEADLINE => FailureKind::TimedOut,
        Code::UPSTREAM => FailureKind::Connection,
        Code::PANICKED => FailureKind::Panicked,
        Code::CRASHED => FailureKind::Crashed,
        Code::UNSUPPORTED => FailureKind::Unsupported,
        Code::PROTOCOL => FailureKind::Malformed,
        _ => FailureKind::Failed,
    }
}

/// Somebody else's text: no control characters, and not without end.
pub(crate) fn message(text: &str) -> String {
    text.trim()
        .trim_end_matches('.')
        .chars()
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .take(MAX_MESSAGE)
        .collect()
}
