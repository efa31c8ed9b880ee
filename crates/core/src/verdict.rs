use serde::{Deserialize, Serialize};
use std::fmt;

/// What may happen to a call. Ordered: a later one is more restrictive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It may run as it is.
    Allow,
    /// A person decides.
    Defer,
    /// It may not run as it is; an instruction says how to change it.
    Revise,
    /// It may not run.
    Deny,
}

impl Verdict {
    /// The more restrictive of the two: `Deny` > `Revise` > `Defer` > `Allow`.
    pub fn join(self, other: Self) -> Self {
        self.max(other)
    }

    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Defer => "defer",
            Self::Revise => "revise",
            Self::Deny => "deny",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Why a person is to decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeferKind {
    /// Nothing was found against the call and nobody spoke for it: an agent with a permission
    /// flow of its own may use it.
    Undecided,
    /// A rule or a reviewer wants a person to look: always asked.
    Flagged,
}

impl DeferKind {
    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Undecided => "undecided",
            Self::Flagged => "flagged",
        }
    }
}
