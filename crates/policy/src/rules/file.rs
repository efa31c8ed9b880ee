//! The shape of a rule pack (`rules/*.toml`), exactly as it is typed.

use serde::Deserialize;

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
    #[serde(default)]
    pub(crate) safer: Option<String>,
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
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConditionFile {
    /// The program's name.
    #[serde(default)]
    pub(crate) program: Vec<String>,
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
    /// The list its path is on: `protected`, `secret`, `denied` or `own`.
    #[serde(default)]
    pub(crate) list: Option<String>,
    /// Its path, `~/` standing for a home directory, `./` for a workspace root, `*` for any run of characters but `/`,
    /// a final `/**` for the path itself and everything under it.
    #[serde(default)]
    pub(crate) path: Vec<String>,
    /// Its name, for effects on names.
    #[serde(default)]
    pub(crate) name: Vec<String>,
}
