//! What a status other than success comes to.

use super::clean;
use countersign_core::{FailureKind, ReviewFailure};
use serde_json::Value;
use ureq::http::{HeaderMap, StatusCode};

/// The longest piece of the server's own words that is told, in characters.
const MAX_WORDS: usize = 200;

pub(super) fn failure(
    url: &str,
    status: StatusCode,
    headers: &HeaderMap,
    body: &[u8],
) -> ReviewFailure {
    let said = Said::new(body);
    let code = status.as_u16();
    let kind = match code {
        401 | 403 => FailureKind::Unauthorized,
        402 => FailureKind::OverBudget,
        429 if said.code == "insufficient_quota" => FailureKind::OverBudget,
        413 => FailureKind::TooBig,
        400 if said.is_about_size() => FailureKind::TooBig,
        429 => FailureKind::RateLimited,
        500.. => FailureKind::Server,
        _ => FailureKind::Rejected,
    };
    let words = match status.canonical_reason() {
        Some(reason) if said.words.is_empty() => reason,
        _ => &said.words,
    };
    let hint = if status.is_redirection() {
        let to = headers.get("location").and_then(|to| to.to_str().ok());
        let to = clean(to.unwrap_or("nowhere"), 100);
        format!("; a redirect to `{to}` is not followed; set `base_url` to where the server is")
    } else {
        String::new()
    };
    let message = format!("{url} answered {code}: {words}{hint}");
    let retry_after_ms = retry_after_ms(headers);
    ReviewFailure {
        retryable: match kind {
            FailureKind::Server => true,
            FailureKind::RateLimited => retry_after_ms.is_some(),
            _ => false,
        },
        retry_after_ms: retry_after_ms
            .filter(|_| matches!(kind, FailureKind::Server | FailureKind::RateLimited)),
        ..ReviewFailure::new(kind, message)
    }
}

/// `Retry-After` in seconds; the form with a date is no answer to "how long".
fn retry_after_ms(headers: &HeaderMap) -> Option<u64> {
    let text = headers.get("retry-after")?.to_str().ok()?;
    text.trim().parse::<u64>().ok()?.checked_mul(1000)
}

/// What a server says about an error of its own, in any of the shapes that are around.
struct Said {
    words: String,
    code: String,
}

impl Said {
    fn new(body: &[u8]) -> Self {
        let value: Value = serde_json::from_slice(body).unwrap_or_default();
        let error = value.get("error").unwrap_or(&value);
        let words = [error.get("message"), error.get("detail"), Some(error)]
            .into_iter()
            .flatten()
            .find_map(Value::as_str)
            .unwrap_or_default();
        let code = [error.get("code"), error.get("type")]
            .into_iter()
            .flatten()
            .find_map(Value::as_str)
            .unwrap_or_default();
        Self {
            words: clean(words, MAX_WORDS),
            code: code.to_owned(),
        }
    }

    /// Servers have no common word for a prompt that is longer than the model takes.
    fn is_about_size(&self) -> bool {
        let words = self.words.to_lowercase();
        matches!(
            self.code.as_str(),
            "context_length_exceeded" | "exceed_context_size_error"
        ) || ["context length", "context size", "context window"]
            .iter()
            .any(|size| words.contains(size))
    }
}
