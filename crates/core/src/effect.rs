use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::fmt;

/// What a command would do to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EffectKind {
    /// Reads a path.
    Read,
    /// Runs something whose effects are not known.
    Run,
    /// Runs code that the workspace holds.
    WorkspaceCode,
    /// Writes, creates or overwrites a path.
    Write,
    /// Removes a path.
    Delete,
    /// Moves a path away.
    Move,
    /// Changes a mode or an owner.
    Permission,
    /// Sends data out.
    Send,
    /// Fetches data.
    Receive,
    /// Listens for connections.
    Listen,
    /// Changes the environment of what runs later.
    Environment,
    /// Gains rights.
    Privilege,
    /// Arranges to run again later.
    Persistence,
    /// Acts on other processes or on the system.
    Process,
    /// Changes version control state.
    VcsWrite,
    /// What would be done cannot be known. A word that a reader does not know is read as this: a
    /// plugin may be older than its host.
    #[serde(other)]
    Opaque,
}

impl EffectKind {
    /// The word used in JSON and in rules.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Run => "run",
            Self::WorkspaceCode => "workspace-code",
            Self::Write => "write",
            Self::Delete => "delete",
            Self::Move => "move",
            Self::Permission => "permission",
            Self::Send => "send",
            Self::Receive => "receive",
            Self::Listen => "listen",
            Self::Environment => "environment",
            Self::Privilege => "privilege",
            Self::Persistence => "persistence",
            Self::Process => "process",
            Self::VcsWrite => "vcs-write",
            Self::Opaque => "opaque",
        }
    }
}

impl fmt::Display for EffectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Where a path lies, from the most to the least dangerous place to lose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Zone {
    /// The root directory itself, or everything in it.
    Root,
    /// What the operating system is made of: `/etc`, `/usr`, …
    System,
    /// A device other than the harmless ones.
    Device,
    /// A home directory itself, or everything in it.
    Home,
    /// Somewhere inside a home directory, outside every workspace.
    InHome,
    /// A workspace root itself, or everything in it.
    WorkspaceRoot,
    /// Inside a workspace.
    Workspace,
    /// A directory of a workspace that is made anew by building or installing.
    Build,
    /// Inside a directory for temporary files.
    Temp,
    /// The directory for temporary files itself, or everything in it.
    TempRoot,
    /// A sink or terminal that holds nothing: `/dev/null`, `/dev/tty`, …
    Null,
    /// Anywhere else.
    Elsewhere,
    /// Not known.
    #[serde(other)]
    Unknown,
}

/// What an effect is on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "type")]
pub enum Target {
    /// A path.
    Path {
        /// As it was typed.
        typed: String,
        /// Absolute, with `.` and `..` removed and links followed as far as facts tell. Absent
        /// when it is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resolved: Option<String>,
        /// Where it lies.
        zone: Zone,
    },
    /// A host.
    Host {
        /// Its name or address, without port.
        host: String,
    },
    /// A package, a program, a setting: something that has a name.
    Name {
        /// The name.
        name: String,
    },
}

impl Target {
    /// The target as it was typed.
    pub fn typed(&self) -> &str {
        match self {
            Self::Path { typed, .. } => typed,
            Self::Host { host } => host,
            Self::Name { name } => name,
        }
    }
}

/// Whether an effect is sure to happen when the command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// It happens.
    Always,
    /// It can happen.
    #[serde(other)]
    Maybe,
}

/// The machine on which an effect takes place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// This one.
    #[default]
    Here,
    /// A container on this one.
    Container,
    /// Another host. The furthest, so a word that a reader does not know is read as this.
    #[serde(other)]
    Remote,
}

/// One thing that a call would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    /// What it does.
    pub kind: EffectKind,
    /// What it does it to.
    #[serde(
        default,
        deserialize_with = "known_target",
        skip_serializing_if = "Option::is_none"
    )]
    pub target: Option<Target>,
    /// The command that does it: an index into [`Judgement::commands`](crate::Judgement).
    pub command: u32,
    /// Whether it is sure to happen.
    pub certainty: Certainty,
    /// Where it happens.
    #[serde(default, skip_serializing_if = "is_here")]
    pub place: Place,
    /// Words that rules match on, such as `recursive` or `secret`; sorted, no word twice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Cow<'static, str>>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature serde asks for"
)]
fn is_here(place: &Place) -> bool {
    *place == Place::Here
}

/// A kind of target that a reader does not know is none to it.
fn known_target<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Target>, D::Error> {
    let value = serde_json::Value::deserialize(reader)?;
    Ok(Target::deserialize(value).ok())
}
