use crate::json::{JsonError, canonical};
use crate::{Annotations, Facts, PathFact, RepositoryFact, Request};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;

/// A SHA-256 digest, written as 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest(String);

impl Digest {
    /// The digest of some bytes under a domain: digests of two domains never meet.
    pub fn of(domain: &str, bytes: &[u8]) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(domain.as_bytes());
        hasher.update([0]);
        hasher.update(bytes);
        let mut text = String::with_capacity(64);
        for byte in hasher.finalize() {
            // Writing to a string cannot fail.
            let _infallible = write!(text, "{byte:02x}");
        }
        Self(text)
    }

    /// The 64 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// All that identifies an action. The handle, the agent's id for the call, and the session are
/// left out: a retried call gets new ones.
#[derive(Serialize)]
struct Action<'a> {
    v: u32,
    source: &'a str,
    surface: &'a str,
    operation: &'a str,
    cwd: &'a str,
    command: Option<&'a str>,
    path: Option<&'a str>,
    resolved_path: Option<&'a str>,
    destination: Option<&'a str>,
    tool_name: Option<&'a str>,
    skill_name: Option<&'a str>,
    input: Option<&'a serde_json::Map<String, serde_json::Value>>,
    /// Absent where it is not known, as it was before there was such a field.
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Annotations>,
    matched_policy: Option<&'a serde_json::Map<String, serde_json::Value>>,
    agent: Option<&'a str>,
    home: &'a str,
    roots: &'a [String],
    paths: &'a BTreeMap<String, PathFact>,
    repositories: &'a BTreeMap<String, RepositoryFact>,
    contents: &'a BTreeMap<String, String>,
    policy: &'a str,
}

/// The key under which a call and its exact retry are the same: the action, the facts that were
/// used and the policy version (crate version and digest of the resolved rules).
///
/// # Errors
/// When the request has no canonical JSON form.
pub fn retry_key(request: &Request, used: &Facts, policy: &str) -> Result<Digest, JsonError> {
    let action = Action {
        v: request.v,
        source: &request.source,
        surface: request.surface.as_str(),
        operation: &request.operation,
        cwd: &request.cwd,
        command: request.command.as_deref(),
        path: request.path.as_deref(),
        resolved_path: request.resolved_path.as_deref(),
        destination: request.destination.as_deref(),
        tool_name: request.tool_name.as_deref(),
        skill_name: request.skill_name.as_deref(),
        input: request.input.as_ref(),
        annotations: request.annotations,
        matched_policy: request.matched_policy.as_ref(),
        agent: request.agent.as_deref(),
        home: &used.home,
        roots: &used.roots,
        paths: &used.paths,
        repositories: &used.repositories,
        contents: &used.contents,
        policy,
    };
    Ok(Digest::of("countersign.retry-key.v1", &canonical(&action)?))
}

/// The digest of one call: its retry key and the agent's id for it, where the agent has one.
///
/// # Errors
/// When the id has no canonical JSON form.
pub fn digest(retry_key: &Digest, tool_call_id: Option<&str>) -> Result<Digest, JsonError> {
    Ok(Digest::of(
        "countersign.call.v1",
        &canonical(&(retry_key.as_str(), tool_call_id))?,
    ))
}
