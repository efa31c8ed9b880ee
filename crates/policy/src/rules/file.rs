//! The shape of a rule pack (`rules/*.toml`), exactly as it is typed.

use serde::Deserialize;
use std::collections::BTreeSet;

/// Rules about one subject.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PackFile {
    /// The first part of every rule's id.
    pub(crate) pack: String,
    /// What the rules are about; a fragment.
    pub(crate) about: String,
    /// The rules.
    #[serde(rename = "rule")]
    pub(crate) rules: Vec<RuleFile>,
}

/// One rule.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleFile {
    /// The second part of its id; ids are part of the API.
    pub(crate) id: String,
    /// How it weighs.
    pub(crate) severity: SeverityName,
    /// Why it exists; a fragment that follows the target.
    pub(crate) why: String,
    /// A safer way to the same end that an agent can take at once; a fragment.
    pub(crate) safer: String,
    /// It holds where any of these does.
    #[serde(rename = "when")]
    pub(crate) conditions: Vec<ConditionFile>,
    /// Commands that must meet it; run as tests.
    #[serde(rename = "match")]
    pub(crate) matches: Vec<String>,
    /// Commands that must not meet it; run as tests.
    pub(crate) not_match: Vec<String>,
    /// For a rule that needs real files or settings: where it is tested instead.
    #[serde(default)]
    pub(crate) tested_by: Option<String>,
}

/// How a rule weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SeverityName {
    /// A person is to look.
    Ask,
    /// Not without a clear request of the user.
    Soft,
    /// Never.
    Hard,
}

/// All given keys must hold for one effect of one command. A list holds when any entry does, but
/// for `tags`, all of which are needed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConditionFile {
    /// The program's name.
    #[serde(default)]
    pub(crate) program: Vec<String>,
    /// Programs that it does not hold for.
    #[serde(default)]
    pub(crate) not_program: Vec<String>,
    /// Its subcommands, joined by blanks.
    #[serde(default)]
    pub(crate) subcommand: Vec<String>,
    /// The effect's kind.
    #[serde(default)]
    pub(crate) effect: Vec<String>,
    /// Where its path lies.
    #[serde(default)]
    pub(crate) zone: Vec<String>,
    /// The machine it takes place on.
    #[serde(default)]
    pub(crate) place: Vec<String>,
    /// Tags it has, all of them.
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    /// Tags it must not have, any of them.
    #[serde(default)]
    pub(crate) without: Vec<String>,
    /// The owner's list that its path is on.
    #[serde(default)]
    pub(crate) list: Option<ListName>,
    /// Its path, `~/` standing for a home directory, `./` for a workspace root, `*` for any run of characters but `/`,
    /// a final `/**` for the path itself and everything under it.
    #[serde(default)]
    pub(crate) path: Vec<String>,
    /// Its path as a whole: such a place itself, or all of what is directly in it (`/etc`, `/etc/*`).
    #[serde(default)]
    pub(crate) tree: Vec<String>,
    /// Its name, for effects on names.
    #[serde(default)]
    pub(crate) name: Vec<String>,
}

/// A list of paths that an owner keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ListName {
    /// Nothing may touch them.
    Denied,
    /// Directories that secrets lie in.
    HoldsSecrets,
    /// Countersign's own.
    Own,
    /// Directories in which files of Countersign's or of its registration lie.
    OwnFolder,
    /// A change is always asked about.
    Protected,
    /// Reading is always asked about.
    Secret,
}

impl PackFile {
    /// What the shape alone cannot hold, for a built-in pack as for an owner's.
    pub(crate) fn problem(&self) -> Option<String> {
        let pack = &self.pack;
        if !is_name(pack) {
            return Some(format!(
                "the pack's name `{pack}` is not made of a-z, 0-9 and `-`"
            ));
        }
        let mut ids = BTreeSet::new();
        self.rules.iter().find_map(|rule| {
            let id = &rule.id;
            let problem = if !is_name(id) {
                "has an id that is not made of a-z, 0-9 and `-`"
            } else if !ids.insert(id) {
                "is there twice"
            } else if rule.why.trim().is_empty() {
                "needs a `why`: what the effect is"
            } else if rule.safer.trim().is_empty() {
                "needs a `safer`: what the agent can do instead"
            } else if rule.conditions.is_empty() {
                "needs a `[[rule.when]]`"
            } else if rule.conditions.contains(&ConditionFile::default()) {
                "has a `[[rule.when]]` without keys, which every call would meet"
            } else if rule.tested_by.is_none()
                && (rule.matches.is_empty() || rule.not_match.is_empty())
            {
                "needs a `match` and a `not_match` example"
            } else {
                return None;
            };
            Some(format!("the rule `{pack}.{id}` {problem}"))
        })
    }
}

fn is_name(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    text.starts_with(|first: char| first.is_ascii_lowercase()) && text.bytes().all(allowed)
}
