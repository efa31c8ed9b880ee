use super::limits::LimitsFile;
use super::review::{GuidanceFile, PluginFile, ReviewFile, ReviewerFile};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A configuration file, exactly as it is typed. Unknown keys are errors: a misspelt deny rule
/// must not be an absent one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Countersign configuration")]
pub struct ConfigFile {
    /// What the agent is told about a call that nobody decided: `no-opinion` leaves it to the
    /// agent's own permission flow, `ask` asks the user.
    pub undecided: Option<Undecided>,
    /// Rules on calls, written `Tool(pattern)`. Deny wins over ask, ask over allow.
    #[serde(default)]
    pub permissions: Permissions,
    /// Lists of paths.
    #[serde(default)]
    pub paths: PathLists,
    /// Hosts.
    #[serde(default)]
    pub network: Network,
    /// The built-in rules that deny whatever anybody says.
    #[serde(default, alias = "hardDeny")]
    pub hard_deny: HardDeny,
    /// MCP servers.
    #[serde(default)]
    pub mcp: Mcp,
    /// The log of decisions.
    #[serde(default)]
    pub audit: AuditFile,
    /// Who is asked about calls that rules cannot decide.
    #[serde(default)]
    pub review: ReviewFile,
    /// How often is too often.
    #[serde(default)]
    pub limits: LimitsFile,
    /// Reviewers, by name.
    #[serde(default)]
    pub reviewers: BTreeMap<String, ReviewerFile>,
    /// Plugins that you vouch for, by name.
    #[serde(default)]
    pub plugins: BTreeMap<String, PluginFile>,
    /// What reviewers are told.
    #[serde(default)]
    pub guidance: GuidanceFile,
}

/// What the agent is told about a call that nobody decided.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Undecided {
    /// Its own permission flow decides.
    #[default]
    NoOpinion,
    /// The user is asked.
    Ask,
}

/// Rules on calls, written `Tool(pattern)`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Permissions {
    /// Calls that are denied.
    #[serde(default)]
    pub deny: Vec<String>,
    /// Calls that the user is asked about.
    #[serde(default)]
    pub ask: Vec<String>,
    /// Calls that are allowed.
    #[serde(default)]
    pub allow: Vec<String>,
}

/// Lists of paths. `$defaults` stands for the built-in list; a list without it replaces that list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathLists {
    /// Writes to them are always asked about.
    pub protected: Option<Vec<String>>,
    /// Reads of them are always asked about.
    pub secret: Option<Vec<String>>,
    /// Nothing may touch them.
    pub denied: Option<Vec<String>>,
}

/// Hosts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Hosts from which plainly fetching counts as reading; `*.example.org` covers every name
    /// under it.
    #[serde(default)]
    pub read_hosts: Vec<String>,
    /// Reads of remote services through their own command line tools (`gh pr list`, `kubectl get
    /// pods`) are allowed like reading.
    pub remote_reads: Option<bool>,
    /// Plainly fetching a page with curl or wget is allowed like reading, whatever its host: no
    /// upload, no credential, no file written.
    pub plain_gets: Option<bool>,
}

/// The log of decisions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditFile {
    /// A file that the head of the log is appended to, so that a cut at its end is seen: one that the
    /// agent cannot change.
    pub anchor: Option<PathBuf>,
    /// A head that cannot be written there denies the call.
    pub anchor_required: Option<bool>,
}

/// MCP servers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mcp {
    /// What you say of them, by the names that the agent has for them.
    #[serde(default)]
    pub servers: BTreeMap<String, McpServer>,
}

/// What you say of one MCP server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct McpServer {
    /// What it says of its own tools is believed: those that it calls read-only may be allowed
    /// like reading.
    #[serde(default)]
    pub trust: bool,
    /// Tools of it that only read, by its names for them.
    #[serde(default)]
    pub read_only: Vec<String>,
}

/// The built-in rules that deny whatever anybody says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HardDeny {
    /// The owner's exceptions to them.
    #[serde(default)]
    pub except: Vec<Exception>,
}

/// An exception to one built-in rule, for one place.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    /// The rule's id.
    pub rule: String,
    /// The path that it does not hold for, with everything under it.
    pub path: Option<String>,
    /// The host that it does not hold for.
    pub host: Option<String>,
    /// Why; shown by `doctor` and recorded.
    pub reason: String,
}

/// Reads a configuration text.
///
/// # Errors
/// With the line and column, and what was expected there.
pub fn parse(text: &str) -> Result<ConfigFile, toml::de::Error> {
    toml::from_str(text)
}
