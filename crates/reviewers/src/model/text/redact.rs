//! Secrets are taken out of what is sent to a model.

#[cfg(test)]
mod tests;

/// The text without the secrets that can be told by their form. A hidden word could be the
/// dangerous one, so only what looks like a secret is hidden, never a blank, a path or anything that
/// a shell would act on, and what is hidden is marked.
pub fn redact(text: &str) -> String {
    countersign_core::redact::redact(text).into_owned()
}
