use crate::{Judgement, Request};
use serde::{Deserialize, Serialize};

/// Everything a reviewer is given about one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The version of this form.
    pub v: u32,
    /// What the agent wants to do.
    pub request: Request,
    /// What policy found about it.
    pub judgement: Judgement,
    /// What was said and done before it.
    #[serde(default)]
    pub evidence: Evidence,
    /// The owner's words on what may be done here.
    #[serde(default)]
    pub guidance: Guidance,
    /// A person allowed this exact retry after a denial: it raises the authorization of this call
    /// alone, and overrides nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trusted_override: Option<TrustedOverride>,
}

impl Case {
    /// A case with nothing but the call.
    pub fn new(request: Request, judgement: Judgement) -> Self {
        Self {
            v: crate::FORM_VERSION,
            request,
            judgement,
            evidence: Evidence::default(),
            guidance: Guidance::default(),
            trusted_override: None,
        }
    }
}

/// The owner's words for reviewers, one list a section.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guidance {
    /// What is true here: which repositories, hosts and accounts are the owner's.
    #[serde(default)]
    pub environment: Vec<String>,
    /// What is fine; lifts an entry of `soft_deny`, never one of `hard_deny`.
    #[serde(default)]
    pub allow: Vec<String>,
    /// What is not done unless the user asked for exactly that.
    #[serde(default)]
    pub soft_deny: Vec<String>,
    /// What is never done.
    #[serde(default)]
    pub hard_deny: Vec<String>,
}

/// What was said and done before a call, oldest first. None of it is trusted but the user's words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The items.
    #[serde(default)]
    pub items: Vec<EvidenceItem>,
    /// How many were left out.
    #[serde(default)]
    pub omitted: u32,
}

/// One thing that was said or done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceItem {
    /// Whose it is.
    pub kind: EvidenceKind,
    /// What was said, or the call as JSON text.
    pub text: String,
}

/// Whose an item of evidence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// The person at the keyboard.
    User,
    /// The agent's model.
    Agent,
    /// A tool call of the agent.
    ToolCall,
    /// What a tool answered. The least trusted, so a word that a reader does not know is read as this.
    #[serde(other)]
    ToolResult,
}

/// A person allowed one exact retry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustedOverride {
    /// Who, as the host knows them.
    pub by: String,
    /// What they said, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
