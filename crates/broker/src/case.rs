//! What a reviewer is shown: the case without secrets.

use countersign_core::redact::redact;
use countersign_core::{Case, FailureKind, ReviewFailure};
use serde_json::{Map, Value};

/// Hides the secrets that can be told by their form.
pub(crate) fn by_form(text: &str) -> String {
    redact(text).into_owned()
}

/// A case with every text in it redacted, those of names in it too. A reviewer judges what a call does,
/// and a secret in it would go wherever the reviewer sends what it is given.
///
/// # Errors
/// When the case has no JSON form, which is a failed review.
pub fn redacted_case(case: &Case, redact: &dyn Fn(&str) -> String) -> Result<Case, ReviewFailure> {
    let failed = |error: serde_json::Error| {
        ReviewFailure::new(
            FailureKind::Malformed,
            format!("the case cannot be written: {error}"),
        )
    };
    let value = serde_json::to_value(case).map_err(failed)?;
    serde_json::from_value(shown(value, redact)).map_err(failed)
}

/// No deeper than a request may be.
fn shown(value: Value, redact: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(redact(&text)),
        Value::Array(items) => items.into_iter().map(|item| shown(item, redact)).collect(),
        Value::Object(entries) => {
            let entries = entries.into_iter().map(|(name, value)| {
                let value = match value {
                    Value::String(text) => Value::String(named(&name, &text, redact)),
                    value => shown(value, redact),
                };
                (redact(&name), value)
            });
            Value::Object(entries.collect())
        }
        plain => plain,
    }
}

/// A text under a name: some are secrets by their names alone. Of such a text, too, only what looks
/// like a secret is hidden.
fn named(name: &str, text: &str, redact: &dyn Fn(&str) -> String) -> String {
    let alone = redact(text);
    if alone != text {
        return alone;
    }
    let entry = Map::from_iter([(name.to_owned(), Value::from(text))]);
    let pair = redact(&Value::Object(entry).to_string());
    let read: Option<Map<String, Value>> = serde_json::from_str(&pair).ok();
    match read.as_ref().and_then(|read| read.get(name)) {
        Some(Value::String(shown)) => shown.clone(),
        _ => alone,
    }
}

#[cfg(test)]
mod tests {
    use super::{by_form, named};

    #[test]
    fn a_name_hides_a_secret_and_nothing_that_runs() {
        assert_eq!(named("password", "A1b2C3d4E5f6", &by_form), "[redacted]");
        for text in ["$(rm -rf ~)", "x; rm -rf ~", "/etc/passwd", "two words"] {
            let shown = named("password", text, &by_form);
            let rest = text.split_once(' ').map_or(text, |(_, rest)| rest);
            assert!(shown.ends_with(rest), "{text}: {shown}");
        }
    }
}
