use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Whether a person can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Person {
    /// Somebody is there.
    #[default]
    Attended,
    /// Nobody is there now, but the call can wait for somebody.
    Parkable,
    /// Nobody is there.
    #[serde(other)]
    Unattended,
}

/// The agent's own permission mode.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum AgentMode {
    /// It asks before what its rules do not cover.
    #[default]
    Default,
    /// It edits without asking.
    AcceptEdits,
    /// It only plans: nothing beyond reading is ever allowed.
    Plan,
    /// It asks nothing.
    BypassPermissions,
    /// It denies what it would have asked about.
    DontAsk,
    /// Its own classifier decides.
    Auto,
    /// A mode that is not known.
    Other(String),
}

impl From<String> for AgentMode {
    fn from(word: String) -> Self {
        match word.as_str() {
            "default" | "manual" => Self::Default,
            "acceptEdits" => Self::AcceptEdits,
            "plan" => Self::Plan,
            "bypassPermissions" => Self::BypassPermissions,
            "dontAsk" => Self::DontAsk,
            "auto" => Self::Auto,
            _ => Self::Other(word),
        }
    }
}

impl From<AgentMode> for String {
    fn from(mode: AgentMode) -> Self {
        match mode {
            AgentMode::Default => "default".to_owned(),
            AgentMode::AcceptEdits => "acceptEdits".to_owned(),
            AgentMode::Plan => "plan".to_owned(),
            AgentMode::BypassPermissions => "bypassPermissions".to_owned(),
            AgentMode::DontAsk => "dontAsk".to_owned(),
            AgentMode::Auto => "auto".to_owned(),
            AgentMode::Other(word) => word,
        }
    }
}

/// What a path is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PathKind {
    /// A regular file with something in it.
    File,
    /// A regular file with nothing in it.
    Empty,
    /// A directory.
    Directory,
    /// A device, a pipe or a socket.
    Special,
    /// Nothing is there.
    Missing,
    /// It could not be found out.
    #[default]
    #[serde(other)]
    Unknown,
}

/// What the host saw at a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathFact {
    /// The path with links followed: the real path of its nearest existing ancestor, with the
    /// rest appended.
    pub real: String,
    /// What is there.
    pub kind: PathKind,
}

/// What the host saw of a repository's own configuration.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RepositoryFact {
    /// The directory that holds it; absent when the directory asked about is in no repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// Its settings that run a program when it is only read, such as `core.fsmonitor`; sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub executes: Vec<String>,
    /// The branch that is checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

/// Something that policy asks the host to look at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "ask", content = "at")]
pub enum Query {
    /// What is at this absolute path?
    Path(String),
    /// What does the repository around this directory execute when it is read?
    Repository(String),
    /// What is the SHA-256 of this file, which is about to be run?
    Contents(String),
}

/// What the host observed because policy asked. Data: policy never looks by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The version of this form.
    pub v: u32,
    /// The user's home directory.
    pub home: String,
    /// The workspace roots, real paths.
    pub roots: Vec<String>,
    /// Directories for temporary files, real paths.
    pub temp_roots: Vec<String>,
    /// Countersign's own files and directories, and the agents' files that register it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<String>,
    /// The agent's permission mode.
    #[serde(default)]
    pub mode: AgentMode,
    /// Whether a person can be asked.
    #[serde(default)]
    pub person: Person,
    /// The shell that would run a command (`bash`, `sh`, `zsh`, …), where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shell: Option<String>,
    /// There is no file system: every path is itself, and nothing executes by configuration.
    #[serde(default)]
    pub virtual_files: bool,
    /// Answers to [`Query::Path`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub paths: BTreeMap<String, PathFact>,
    /// Answers to [`Query::Repository`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub repositories: BTreeMap<String, RepositoryFact>,
    /// Answers to [`Query::Contents`], in hexadecimal digits.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub contents: BTreeMap<String, String>,
}

impl Facts {
    /// Facts of a machine with nothing on it: for batches, evaluation and tests.
    pub fn virtual_at(home: &str, roots: &[&str]) -> Self {
        Self {
            virtual_files: true,
            temp_roots: vec!["/tmp".to_owned(), "/var/tmp".to_owned()],
            ..Self::at(home, roots)
        }
    }

    /// Facts of a real machine before anything was asked.
    pub fn at(home: &str, roots: &[&str]) -> Self {
        Self {
            v: crate::FORM_VERSION,
            home: home.to_owned(),
            roots: roots.iter().map(|&root| root.to_owned()).collect(),
            temp_roots: Vec::new(),
            own: Vec::new(),
            mode: AgentMode::Default,
            person: Person::Attended,
            shell: None,
            virtual_files: false,
            paths: BTreeMap::new(),
            repositories: BTreeMap::new(),
            contents: BTreeMap::new(),
        }
    }

    /// What is at an absolute path. A path that nobody looked at is unknown.
    pub fn path(&self, path: &str) -> PathFact {
        self.paths.get(path).cloned().unwrap_or_else(|| PathFact {
            real: path.to_owned(),
            kind: PathKind::Unknown,
        })
    }
}
