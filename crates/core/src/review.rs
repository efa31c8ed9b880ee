use crate::Verdict;
use serde::{Deserialize, Serialize};

/// How much harm a call could do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    /// Easily undone, on the user's own work.
    Low,
    /// Undone with some effort.
    Medium,
    /// Hard to undo, or reaches others.
    High,
    /// Never acceptable without a person.
    Critical,
}

/// How clearly the user asked for the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Authorization {
    /// Nothing is known.
    Unknown,
    /// A general request that may cover it.
    Low,
    /// A request that covers it.
    Medium,
    /// The exact action was asked for.
    High,
}

/// The list of the owner's that a reviewer rests its verdict on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Never to be done.
    HardDeny,
    /// To be done only on a clear request.
    SoftDeny,
    /// Listed as fine.
    Allow,
    /// The user asked for exactly this.
    ExplicitIntent,
    /// None of the lists.
    None,
}

/// A reviewer's opinion of one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// What it would do.
    pub verdict: Verdict,
    /// The harm it sees.
    pub risk: Risk,
    /// How clearly the user asked.
    pub authorization: Authorization,
    /// The list it rests on.
    pub tier: Tier,
    /// Why, for a person; at most 600 characters.
    pub rationale: String,
    /// For [`Verdict::Revise`]: what to change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction: Option<String>,
}
