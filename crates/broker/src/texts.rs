//! What an agent is told of a call that did not run, or whose end nobody saw.

/// A call that stood beside one that waits for a person. It never began.
pub const DEFERRED_NOT_EXECUTED: &str = "DEFERRED_NOT_EXECUTED: this call did not run. Another \
    call of the same turn waits for a person's answer, and everything beside it was put off. \
    Nothing was judged wrong with it; issue it again once that answer has come, if it is still needed.";

/// A call that a person approved and whose end nobody saw.
pub const APPROVED_EXECUTION_RESULT_UNKNOWN: &str = "APPROVED_EXECUTION_RESULT_UNKNOWN: a person \
    approved this call and it was started, but its result was lost. It may have run whole, in part or \
    not at all. Do not issue it again: look at what it would have changed, and tell the user.";

/// A call that was cut off before it began.
pub const INTERRUPTED_NOT_EXECUTED: &str = "INTERRUPTED_NOT_EXECUTED: this call did not run. The \
    turn was stopped before it began. Do not issue it again unless the user asks for it.";

/// How far a call of a turn has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OpenCall {
    /// It was issued and has not begun.
    NotBegun,
    /// It waits for a person.
    Waiting,
    /// It was allowed, by rules or by a person, and may be running.
    Allowed,
    /// A person, or a rule, refused it, and the agent was told.
    Refused,
}

impl OpenCall {
    /// What to answer for this call when its turn pauses for another one that waits; nothing where
    /// it must be left alone: an answer of ours would cover the real one.
    pub fn at_pause(self) -> Option<&'static str> {
        match self {
            Self::NotBegun => Some(DEFERRED_NOT_EXECUTED),
            Self::Waiting | Self::Allowed | Self::Refused => None,
        }
    }

    /// What to answer for this call when its turn is torn down.
    pub fn at_end(self) -> Option<&'static str> {
        match self {
            Self::NotBegun | Self::Waiting => Some(INTERRUPTED_NOT_EXECUTED),
            Self::Allowed => Some(APPROVED_EXECUTION_RESULT_UNKNOWN),
            Self::Refused => None,
        }
    }
}
