use crate::reason;
use countersign_core::{Decision, DeferKind, Verdict};
use serde_json::json;

/// What Claude Code is told. Lowering never makes a verdict weaker: what this agent cannot express
/// becomes a stricter reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// No opinion: the agent's own permission flow decides. Only a completed judgement, or a
    /// person who switched the gate off, leads here.
    Silent,
    /// The tool runs without a prompt.
    Allow(String),
    /// The user is asked; where nobody can answer, the agent denies.
    Ask(String),
    /// The tool does not run; the model reads why.
    Deny(String),
    /// A change of settings is not taken over by the running session.
    BlockChange(String),
    /// A failure before the event was known: blocks whatever the event is.
    Block(String),
    /// Text for the user at the start of a session.
    Notice(String),
}

impl Reply {
    /// The one conversion from a decision. Claude's `defer` is a pause, so ours is its `ask`, or
    /// no opinion where nothing was found and the agent has a flow of its own.
    pub fn lower(decision: &Decision, ask_undecided: bool) -> Self {
        match decision.verdict {
            Verdict::Allow => Self::Allow(reason::for_agent(decision)),
            // The agent knows no revision; a deny that carries the instruction is the stricter one.
            Verdict::Deny | Verdict::Revise => Self::Deny(reason::for_agent(decision)),
            Verdict::Defer => match decision.defer {
                Some(DeferKind::Undecided) if decision.code == "no-effect" || !ask_undecided => {
                    Self::Silent
                }
                _ => Self::Ask(reason::for_agent(decision)),
            },
        }
    }

    /// The bytes for standard output.
    pub fn render(&self) -> Vec<u8> {
        let value = match self {
            Self::Silent => return Vec::new(),
            Self::Allow(reason) => permission("allow", reason),
            Self::Ask(reason) => permission("ask", reason),
            Self::Deny(reason) => permission("deny", reason),
            Self::BlockChange(reason) | Self::Block(reason) => {
                json!({"decision": "block", "reason": reason})
            }
            Self::Notice(text) => json!({"systemMessage": text}),
        };
        let mut bytes = value.to_string().into_bytes();
        bytes.push(b'\n');
        bytes
    }
}

fn permission(decision: &str, reason: &str) -> serde_json::Value {
    json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision,
        "permissionDecisionReason": reason,
    }})
}
