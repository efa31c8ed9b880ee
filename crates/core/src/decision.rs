use crate::{DeferKind, Review, ReviewFailure, RuleHit, Severity, Verdict};
use serde::{Deserialize, Serialize};

/// The stage of the walk that gave the decision, in the order of the walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The request is malformed or too big.
    Request,
    /// The turn is cancelled, or everything is denied.
    Switch,
    /// A hard deny or one of the owner's deny rules.
    Deny,
    /// It only reads ordinary places.
    ReadOnly,
    /// The owner's allow rules cover it.
    RuleAllow,
    /// A person decided about this very call before.
    Override,
    /// Too many denials: the breaker is open.
    Breaker,
    /// The call, or one like it, was sent back too often.
    ReviseBudget,
    /// A review was needed and failed.
    Review,
    /// A review joined with the floors under it.
    Join,
    /// Nobody decided.
    Undecided,
    /// Countersign itself failed.
    Failure,
}

impl Stage {
    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Switch => "switch",
            Self::Deny => "deny",
            Self::ReadOnly => "read-only",
            Self::RuleAllow => "rule-allow",
            Self::Override => "override",
            Self::Breaker => "breaker",
            Self::ReviseBudget => "revise-budget",
            Self::Review => "review",
            Self::Join => "join",
            Self::Undecided => "undecided",
            Self::Failure => "failure",
        }
    }
}

/// The answer to one request.
///
/// It holds nothing that varies between two runs on the same input: no clock, no token, no path
/// that the request or the facts did not bring, and its lists are ordered. A snapshot needs no
/// redaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The version of this form.
    pub v: u32,
    /// What may happen.
    pub verdict: Verdict,
    /// For [`Verdict::Defer`]: why a person is to decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defer: Option<DeferKind>,
    /// The stage that decided.
    pub stage: Stage,
    /// The decision in one word: `hard-deny`, `too-big`, `lockdown`, …
    pub code: String,
    /// The rules behind it, most severe first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<RuleHit>,
    /// The review behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Review>,
    /// The review that failed. Nothing was judged unsafe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<ReviewFailure>,
    /// What went wrong on the way, for a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<String>,
}

impl Decision {
    /// A decision without rules or a review behind it.
    pub fn new(verdict: Verdict, stage: Stage, code: &str) -> Self {
        Self {
            v: crate::FORM_VERSION,
            verdict,
            defer: None,
            stage,
            code: code.to_owned(),
            reasons: Vec::new(),
            review: None,
            failure: None,
            diagnostics: Vec::new(),
        }
    }

    /// The same decision, saying why a person is to decide.
    pub fn with_defer(mut self, kind: DeferKind) -> Self {
        self.defer = Some(kind);
        self
    }

    /// The same decision with the rules behind it.
    pub fn with_reasons(mut self, reasons: Vec<RuleHit>) -> Self {
        self.reasons = reasons;
        self
    }

    /// The same decision with the review behind it.
    pub fn with_review(mut self, review: Review) -> Self {
        self.review = Some(review);
        self
    }

    /// The same decision with the review that failed.
    pub fn with_failure(mut self, failure: ReviewFailure) -> Self {
        self.failure = Some(failure);
        self
    }

    /// The same decision with a note on what went wrong.
    pub fn with_diagnostic(mut self, text: impl Into<String>) -> Self {
        self.diagnostics.push(text.into());
        self
    }

    /// A hard deny is behind it.
    pub fn is_hard(&self) -> bool {
        self.verdict == Verdict::Deny
            && self
                .reasons
                .iter()
                .any(|hit| hit.severity == Severity::Hard)
    }
}
