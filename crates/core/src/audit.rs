use crate::{Decision, Digest, Request};
use serde::{Deserialize, Serialize};

/// What an audit record is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuditKind {
    /// A call was decided.
    Decision,
    /// A call passed unjudged, because the gate is off.
    Unjudged,
    /// A hook call could not be judged, and was blocked.
    Failure,
    /// The gate was switched on or off, or locked down.
    Switch,
    /// An agent's settings changed while a session ran, and the change was blocked.
    ConfigChange,
    /// The owner changed plugins or reviewers.
    Setup,
    /// A session began.
    SessionStart,
    /// The log itself was mended after a process died while writing.
    Recovered,
}

/// One record for the audit log. It names programs, rules and targets, never the text of a command
/// or the input of a tool: those can hold secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEvent {
    /// The version of this form.
    pub v: u32,
    /// What it is about.
    pub kind: AuditKind,
    /// Who observed it.
    pub source: String,
    /// The agent's session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The agent's id for the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The agent's name for the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The programs the call would run, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
    /// The call's digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// The answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// What happened, for the other kinds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl AuditEvent {
    /// An event that is about no call.
    pub fn note(kind: AuditKind, source: &str, note: impl Into<String>) -> Self {
        Self {
            v: crate::FORM_VERSION,
            kind,
            source: source.to_owned(),
            session: None,
            tool_call_id: None,
            tool: None,
            programs: Vec::new(),
            digest: None,
            decision: None,
            note: Some(note.into()),
        }
    }

    /// An event that is about a call.
    pub fn about(kind: AuditKind, request: &Request, note: impl Into<String>) -> Self {
        Self {
            session: request.session.clone(),
            tool_call_id: request.tool_call_id.clone(),
            tool: request.tool_name.clone(),
            ..Self::note(kind, &request.source, note)
        }
    }

    /// A call was decided.
    pub fn decided(request: &Request, decision: &Decision) -> Self {
        let mut decision = decision.clone();
        if let Some(review) = &mut decision.review {
            // A tool's input, and so none of the log's business.
            review.replacement = None;
        }
        Self {
            decision: Some(decision),
            note: None,
            ..Self::about(AuditKind::Decision, request, String::new())
        }
    }
}
