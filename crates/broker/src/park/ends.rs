use countersign_core::AuditKind;
use serde::{Deserialize, Serialize};

/// How a parked call ended. It ends once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// A person allowed it, and it went on.
    Resumed,
    /// A person denied it.
    Rejected,
    /// Its time was over.
    Expired,
    /// It was given up.
    Evicted(Eviction),
}

/// Why a parked call was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Eviction {
    /// A person answered, and the call that is held is not the one that was parked.
    Mismatch(Mismatch),
    /// Its turn went on and no call of it was answered.
    Unanswered,
    /// Its session ended.
    SessionEnded,
    /// Its turn was stopped.
    Aborted,
    /// The process that held it is gone.
    HolderGone,
    /// That it waits could not be recorded.
    Unrecorded,
}

/// How the call that is held differs from the one that was parked. In the order in which they are
/// looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mismatch {
    /// Its type of gate is not known.
    Gate,
    /// It is another call.
    Call,
    /// It would do something else.
    Request,
    /// The conversation changed.
    History,
    /// What it needs is gone: credentials or a mount have expired.
    Unreachable,
}

impl Eviction {
    /// The person meant this call, whoever holds it, and the next identical one may use the answer.
    pub(super) fn keeps_the_answer(self) -> bool {
        match self {
            Self::Mismatch(_) | Self::HolderGone => true,
            Self::Unanswered | Self::SessionEnded | Self::Aborted | Self::Unrecorded => false,
        }
    }
}

impl Exit {
    pub(super) fn kind(self) -> AuditKind {
        match self {
            Self::Resumed => AuditKind::Resumed,
            Self::Rejected => AuditKind::Rejected,
            Self::Expired => AuditKind::Expired,
            Self::Evicted(_) => AuditKind::Evicted,
        }
    }

    /// The end in words, for records and people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Resumed => "a person allowed this call, and it goes on",
            Self::Rejected => "a person denied this call",
            Self::Expired => "this call waited too long",
            Self::Evicted(Eviction::Mismatch(Mismatch::Gate)) => {
                "a person answered, and the type of gate that holds this call is not known"
            }
            Self::Evicted(Eviction::Mismatch(Mismatch::Call)) => {
                "a person answered, and another call is held in its place"
            }
            Self::Evicted(Eviction::Mismatch(Mismatch::Request)) => {
                "a person answered, and what is held would do something else"
            }
            Self::Evicted(Eviction::Mismatch(Mismatch::History)) => {
                "a person answered, and the conversation has changed meanwhile"
            }
            Self::Evicted(Eviction::Mismatch(Mismatch::Unreachable)) => {
                "a person answered, and the credentials or mounts that it needs have expired"
            }
            Self::Evicted(Eviction::Unanswered) => {
                "the turn went on without an answer to any of its calls"
            }
            Self::Evicted(Eviction::SessionEnded) => "its session ended",
            Self::Evicted(Eviction::Aborted) => "its turn was stopped",
            Self::Evicted(Eviction::HolderGone) => "the process that held this call is gone",
            Self::Evicted(Eviction::Unrecorded) => "a record about this call could not be written",
        }
    }
}
