use crate::{Decision, Digest, Request, Stage, Verdict};
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
    /// The log goes on from another segment.
    Segment,
    /// The head of the log could not be written where its owner wants it kept.
    Unanchored,
    /// A grant was issued for a call.
    GrantIssued,
    /// A grant was spent.
    GrantConsumed,
    /// A grant was presented for something that it does not cover, or too late. It is not spent.
    GrantRefused,
    /// A grant that was spent before was presented again: somebody has its token.
    GrantReused,
    /// A person authorised one exact retry of a denied call.
    OverrideAuthorized,
    /// An authorised retry came, and ran.
    OverrideConsumed,
    /// A person authorised one exact retry of a call that was denied as critical.
    BreakGlassAuthorized,
    /// Such a retry came, and ran.
    BreakGlassConsumed,
    /// Too many denials: the breaker of a scope or of the longer window opened.
    BreakerTripped,
    /// A breaker was closed, by a person or by a message of one.
    BreakerReset,
    /// A call was sent back to the agent to be changed.
    Revised,
    /// A person gave more revisions.
    BudgetExtended,
    /// The executor was given an allowance for one call.
    AllowanceRecorded,
    /// An allowance was spent.
    AllowanceConsumed,
    /// The executor asked for a call that nobody allowed.
    ExecutionRefused,
    /// A person's decision was kept for the next identical call.
    AnswerStored,
    /// A decision that was kept was used.
    AnswerConsumed,
    /// A person answered about a call that waits.
    Answered,
    /// An answer that does not count: it was for something else, came a second time or too late, or
    /// there was no room to keep it.
    AnswerRefused,
    /// A call waits for a person.
    Parked,
    /// A call that waited went on.
    Resumed,
    /// A call that waited was rejected.
    Rejected,
    /// A call waited too long.
    Expired,
    /// A call that waited was given up, to make room or because its session ended.
    Evicted,
}

impl AuditKind {
    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Unjudged => "unjudged",
            Self::Failure => "failure",
            Self::Switch => "switch",
            Self::ConfigChange => "config-change",
            Self::Setup => "setup",
            Self::SessionStart => "session-start",
            Self::Recovered => "recovered",
            Self::Segment => "segment",
            Self::Unanchored => "unanchored",
            Self::GrantIssued => "grant-issued",
            Self::GrantConsumed => "grant-consumed",
            Self::GrantRefused => "grant-refused",
            Self::GrantReused => "grant-reused",
            Self::OverrideAuthorized => "override-authorized",
            Self::OverrideConsumed => "override-consumed",
            Self::BreakGlassAuthorized => "break-glass-authorized",
            Self::BreakGlassConsumed => "break-glass-consumed",
            Self::BreakerTripped => "breaker-tripped",
            Self::BreakerReset => "breaker-reset",
            Self::Revised => "revised",
            Self::BudgetExtended => "budget-extended",
            Self::AllowanceRecorded => "allowance-recorded",
            Self::AllowanceConsumed => "allowance-consumed",
            Self::ExecutionRefused => "execution-refused",
            Self::AnswerStored => "answer-stored",
            Self::AnswerConsumed => "answer-consumed",
            Self::Answered => "answered",
            Self::AnswerRefused => "answer-refused",
            Self::Parked => "parked",
            Self::Resumed => "resumed",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Evicted => "evicted",
        }
    }
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
    /// What it is about, where that is no call: a grant, a denial, a parked approval, by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
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
            subject: None,
            note: Some(note.into()),
        }
    }

    /// The record must be on disk, not only written, before anybody acts on it: it stands for
    /// something that a loss of power must not undo, such as a grant, a person's word, or a call
    /// that runs because a reviewer allowed it.
    pub fn must_be_flushed(&self) -> bool {
        match self.kind {
            AuditKind::Decision => self.decision.as_ref().is_some_and(|decision| {
                decision.verdict == Verdict::Allow && decision.stage >= Stage::Override
            }),
            AuditKind::Unjudged
            | AuditKind::Failure
            | AuditKind::ConfigChange
            | AuditKind::SessionStart
            | AuditKind::Recovered
            | AuditKind::Segment
            | AuditKind::Unanchored
            | AuditKind::Revised
            | AuditKind::GrantRefused
            | AuditKind::ExecutionRefused
            | AuditKind::AnswerRefused => false,
            _ => true,
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
