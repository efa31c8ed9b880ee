use crate::{Effect, Facts, Place};
use serde::{Deserialize, Serialize};

/// One command that a call would run, after quote removal and unwrapping.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandView {
    /// Its words as the program would get them; a word that cannot be known is its source text.
    pub argv: Vec<String>,
    /// Which of them cannot be known.
    pub dynamic: Vec<bool>,
    /// How it was found: `top`, `pipe`, `bash-c`, `wrapper:sudo`, …
    pub context: String,
    /// Where it takes place.
    #[serde(default)]
    pub place: Place,
    /// The bytes of the call's own source that it comes from.
    pub span: (usize, usize),
    /// Nesting: the command inside whose words or input it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// A file of command knowledge describes its program.
    pub known: bool,
}

impl CommandView {
    /// A command at the top of a call, split at blanks and with every word known: for examples and
    /// tests of what comes after policy.
    pub fn plain(command: &str) -> Self {
        let argv: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        Self {
            dynamic: vec![false; argv.len()],
            argv,
            context: "top".to_owned(),
            place: Place::default(),
            span: (0, command.len()),
            parent: None,
            known: true,
        }
    }

    /// A word, where it is known. One that cannot be known could be anything.
    pub fn word(&self, at: usize) -> Option<&str> {
        if self.dynamic.get(at).copied().unwrap_or(true) {
            return None;
        }
        self.argv.get(at).map(String::as_str)
    }

    /// The program's name without directories, where it is known.
    pub fn program(&self) -> Option<&str> {
        self.word(0)?
            .rsplit('/')
            .next()
            .filter(|name| !name.is_empty())
    }
}

/// How a rule weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The owner allows it.
    Allow,
    /// A person is to look.
    Ask,
    /// Not without a clear request of the user.
    Soft,
    /// The owner forbids it.
    Deny,
    /// Forbidden whatever anybody says at run time.
    Hard,
}

/// A rule that a call met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleHit {
    /// The rule's id; part of the API.
    pub rule: String,
    /// How it weighs.
    pub severity: Severity,
    /// The command that met it: an index into [`Judgement::commands`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<u32>,
    /// What it met, as it was typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The real target, where it differs from what was typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<String>,
    /// Why the rule exists, for a person: a fragment.
    pub why: String,
    /// A safer way to the same end, which the agent can take at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub safer: Option<String>,
}

/// Policy's whole answer about one request: a pure function of request, facts and rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// The version of this form.
    pub v: u32,
    /// Every command that the call could run, outermost first.
    pub commands: Vec<CommandView>,
    /// What they would do.
    pub effects: Vec<Effect>,
    /// The rules they met, most severe first.
    pub hits: Vec<RuleHit>,
    /// Every effect is a read of ordinary paths.
    pub read_only: bool,
    /// The owner's allow rules cover every command.
    pub rule_allowed: bool,
    /// The tool has no effect of its own (a to-do list, a question to the user): never asked.
    pub no_effect: bool,
    /// The observed facts that were used.
    pub observed: Facts,
    /// The version of the policy: crate version and digest of the resolved rules.
    pub policy: String,
    /// What went wrong on the way, for a person; decides nothing by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<String>,
}

impl Judgement {
    /// A judgement that found nothing.
    pub fn empty(observed: Facts, policy: &str) -> Self {
        Self {
            v: crate::FORM_VERSION,
            commands: Vec::new(),
            effects: Vec::new(),
            hits: Vec::new(),
            read_only: false,
            rule_allowed: false,
            no_effect: false,
            observed,
            policy: policy.to_owned(),
            diagnostics: Vec::new(),
        }
    }

    /// The most severe rule met, if any.
    pub fn worst(&self) -> Option<Severity> {
        self.hits.iter().map(|hit| hit.severity).max()
    }
}
