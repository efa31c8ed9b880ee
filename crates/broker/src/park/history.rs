use countersign_core::Digest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Names what had been said when a call was parked. If it is another when the answer comes, the
/// conversation that the call belonged to is not the one that goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(Digest);

/// A conversation, as far as it must not change under a call that waits: what the user wrote, and
/// which calls there were. What the agent wrote is left out: agents write it anew when they resume.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    messages: Vec<Vec<String>>,
    calls: BTreeSet<String>,
}

impl History {
    /// Nothing was said.
    pub fn new() -> Self {
        Self::default()
    }

    /// The user wrote a message of these texts; none, where it held no text.
    pub fn user_message<T: Into<String>>(&mut self, texts: impl IntoIterator<Item = T>) {
        self.messages
            .push(texts.into_iter().map(Into::into).collect());
    }

    /// The agent issued a call. The same id again is the same call.
    pub fn call(&mut self, tool_call_id: impl Into<String>) {
        self.calls.insert(tool_call_id.into());
    }

    /// Its fingerprint.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut bytes = Vec::new();
        count(&mut bytes, self.messages.len());
        for message in &self.messages {
            count(&mut bytes, message.len());
            for text in message {
                put(&mut bytes, text);
            }
        }
        count(&mut bytes, self.calls.len());
        for call in &self.calls {
            put(&mut bytes, call);
        }
        Fingerprint(Digest::of("countersign.history.v1", &bytes))
    }
}

/// Lengths stand before what they count, so that no text can pass for two.
fn put(bytes: &mut Vec<u8>, text: &str) {
    count(bytes, text.len());
    bytes.extend_from_slice(text.as_bytes());
}

fn count(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend_from_slice(&number.to_be_bytes());
}
