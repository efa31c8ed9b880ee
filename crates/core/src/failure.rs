use crate::{Person, Verdict};
use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

/// Why a review failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FailureKind {
    /// There is no such reviewer, or it was refused before it ran.
    Missing,
    /// Its configuration cannot be used.
    Configuration,
    /// It died.
    Crashed,
    /// It died too often lately, and is left alone for a while.
    CircuitOpen,
    /// It panicked.
    Panicked,
    /// It did not answer in time.
    TimedOut,
    /// The turn was cancelled.
    Cancelled,
    /// Its allowance of calls, tokens or money is spent.
    OverBudget,
    /// Its answer stopped in the middle.
    Truncated,
    /// Its answer is not a review.
    Malformed,
    /// Its answer contradicts itself.
    Contradictory,
    /// The model would not answer.
    Refused,
    /// The server does not accept the key.
    Unauthorized,
    /// The server does not accept the request.
    Rejected,
    /// The server has had enough for now.
    RateLimited,
    /// The server failed.
    Server,
    /// The server cannot be reached.
    Connection,
    /// The call is too big to be reviewed.
    TooBig,
    /// It does not know the operation.
    Unsupported,
    /// Anything else.
    Failed,
}

impl FailureKind {
    /// The failure in a few words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Missing => "is not available",
            Self::Configuration => "is configured wrongly",
            Self::Crashed => "crashed",
            Self::CircuitOpen => "crashed too often and is left alone for now",
            Self::Panicked => "panicked",
            Self::TimedOut => "timed out",
            Self::Cancelled => "was cancelled",
            Self::OverBudget => "is out of budget",
            Self::Truncated => "answered only in part",
            Self::Malformed => "gave an answer that is no review",
            Self::Contradictory => "contradicted itself",
            Self::Refused => "would not answer",
            Self::Unauthorized => "was not let in by its server",
            Self::Rejected => "was turned away by its server",
            Self::RateLimited => "was told to wait by its server",
            Self::Server => "has a failing server",
            Self::Connection => "cannot reach its server",
            Self::TooBig => "cannot take a call this big",
            Self::Unsupported => "does not know that",
            Self::Failed => "failed",
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// A review that did not come about. It says nothing about the call, and is never an allow.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[error("{} {kind}: {message}", .reviewer.as_deref().unwrap_or("the reviewer"))]
pub struct ReviewFailure {
    /// Who was asked, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewer: Option<String>,
    /// Why.
    pub kind: FailureKind,
    /// What happened, for a person: a fragment without a full stop.
    pub message: String,
    /// The same call may succeed if it is made again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub retryable: bool,
    /// Milliseconds to wait before that, where the other side said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

/// What a failed review comes to where a person could be asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnFailure {
    /// The person is asked.
    #[default]
    Ask,
    /// The call is denied.
    Deny,
}

impl ReviewFailure {
    /// A failure that another try does not mend.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            reviewer: None,
            kind,
            message: message.into(),
            retryable: false,
            retry_after_ms: None,
        }
    }

    /// The same failure, which another try may mend.
    pub fn retryable(mut self) -> Self {
        self.retryable = true;
        self
    }

    /// The same failure with the name of who was asked.
    pub fn of(mut self, reviewer: &str) -> Self {
        self.reviewer = Some(reviewer.to_owned());
        self
    }

    /// What it comes to: the one place where a failed review becomes a verdict. A person decides
    /// where one can be asked and the owner did not say otherwise; a call that is itself the cause
    /// is denied.
    pub fn verdict(&self, person: Person, on_failure: OnFailure) -> Verdict {
        let own_fault = matches!(self.kind, FailureKind::TooBig | FailureKind::Cancelled);
        if own_fault || on_failure == OnFailure::Deny || person == Person::Unattended {
            Verdict::Deny
        } else {
            Verdict::Defer
        }
    }
}
