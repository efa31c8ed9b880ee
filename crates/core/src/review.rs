use crate::Verdict;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

/// The longest rationale and the longest instruction, in characters. Codex's reviewer and
/// pi-auto-review bound theirs alike, so that a person reads it.
pub const MAX_RATIONALE: usize = 600;

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
    /// Who gave it; the host writes it, whatever a reviewer says of itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewer: Option<String>,
    /// What it would do.
    pub verdict: Verdict,
    /// The harm it sees.
    pub risk: Risk,
    /// How clearly the user asked.
    pub authorization: Authorization,
    /// The list it rests on.
    pub tier: Tier,
    /// Why, for a person; at most [`MAX_RATIONALE`] characters.
    pub rationale: String,
    /// For [`Verdict::Revise`]: what to change; at most [`MAX_RATIONALE`] characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction: Option<String>,
    /// For [`Verdict::Revise`]: the tool's input as it should be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement: Option<Map<String, Value>>,
}

/// A review that contradicts itself or lacks a part: no review at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum ReviewProblem {
    /// Nobody could say why.
    #[error("it has no rationale")]
    NoRationale,
    /// Longer than a person reads.
    #[error("its {0} is longer than {MAX_RATIONALE} characters")]
    TooLong(&'static str),
    /// Revise, and nothing to do.
    #[error("it says revise without an instruction")]
    NoInstruction,
    /// An instruction or a replacement with another verdict than revise.
    #[error("it has an {0} without saying revise")]
    Stray(&'static str),
    /// Allow and critical.
    #[error("it allows a critical risk")]
    AllowsCritical,
    /// Allow and high, and the user did not ask for it.
    #[error("it allows a high risk without medium or high authorization")]
    AllowsHigh,
    /// Allow, resting on a list of what to deny.
    #[error("it allows what it says the owner denies")]
    AllowsDenied,
}

impl Review {
    /// An opinion that quotes no rule and asks for nothing to be changed.
    pub fn new(
        verdict: Verdict,
        risk: Risk,
        authorization: Authorization,
        rationale: impl Into<String>,
    ) -> Self {
        Self {
            reviewer: None,
            verdict,
            risk,
            authorization,
            tier: Tier::None,
            rationale: rationale.into(),
            instruction: None,
            replacement: None,
        }
    }

    /// Whether it holds together. What does not is a failed review, never an allow.
    ///
    /// # Errors
    /// With the first thing that is wrong.
    pub fn check(&self) -> Result<(), ReviewProblem> {
        if self.rationale.trim().is_empty() {
            return Err(ReviewProblem::NoRationale);
        }
        for (name, text) in [
            ("rationale", Some(&self.rationale)),
            ("instruction", self.instruction.as_ref()),
        ] {
            if text.is_some_and(|text| text.chars().count() > MAX_RATIONALE) {
                return Err(ReviewProblem::TooLong(name));
            }
        }
        match (self.verdict, self.instruction.as_deref().map(str::trim)) {
            (Verdict::Revise, None | Some("")) => return Err(ReviewProblem::NoInstruction),
            (Verdict::Revise, Some(_)) | (_, None) => {}
            (_, Some(_)) => return Err(ReviewProblem::Stray("instruction")),
        }
        if self.verdict != Verdict::Revise && self.replacement.is_some() {
            return Err(ReviewProblem::Stray("replacement"));
        }
        if self.verdict == Verdict::Allow {
            self.check_allow()?;
        }
        Ok(())
    }

    fn check_allow(&self) -> Result<(), ReviewProblem> {
        if matches!(self.tier, Tier::HardDeny | Tier::SoftDeny) {
            return Err(ReviewProblem::AllowsDenied);
        }
        match self.risk {
            Risk::Critical => Err(ReviewProblem::AllowsCritical),
            Risk::High if self.authorization < Authorization::Medium => {
                Err(ReviewProblem::AllowsHigh)
            }
            Risk::Low | Risk::Medium | Risk::High => Ok(()),
        }
    }
}
