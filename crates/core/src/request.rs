use crate::json::{JsonError, parse_strict};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use thiserror::Error;

/// The largest request accepted, in bytes of JSON.
pub const MAX_REQUEST_BYTES: usize = 4 << 20;

/// The largest of the short fields, in bytes.
const MAX_FIELD_BYTES: usize = 64 << 10;

/// What kind of boundary a call crosses. Any other word is a surface too.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Surface {
    /// A shell command.
    Command,
    /// Reading a file.
    FilesystemRead,
    /// Changing a file.
    FilesystemWrite,
    /// Reaching another host.
    Network,
    /// A tool of an MCP server.
    Mcp,
    /// A skill.
    Skill,
    /// Something else.
    Other(String),
}

impl Surface {
    /// The word used in JSON.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Command => "command",
            Self::FilesystemRead => "filesystem-read",
            Self::FilesystemWrite => "filesystem-write",
            Self::Network => "network",
            Self::Mcp => "mcp",
            Self::Skill => "skill",
            Self::Other(word) => word,
        }
    }
}

impl From<String> for Surface {
    fn from(word: String) -> Self {
        match word.as_str() {
            "command" => Self::Command,
            "filesystem-read" => Self::FilesystemRead,
            "filesystem-write" => Self::FilesystemWrite,
            "network" => Self::Network,
            "mcp" => Self::Mcp,
            "skill" => Self::Skill,
            _ => Self::Other(word),
        }
    }
}

impl From<Surface> for String {
    fn from(surface: Surface) -> Self {
        surface.as_str().to_owned()
    }
}

impl fmt::Display for Surface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What an agent wants to do, as the host observed it.
///
/// Prose that the model wrote about the call (a `description`) is not part of it: it must not
/// change what is hashed or judged.
///
/// [`Request::from_json`] takes no key that is not listed here. Serde alone passes over such keys: a
/// reviewer may be older than the host that asks it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The version of this form.
    pub v: u32,
    /// A handle for this request; identifies nothing.
    pub id: String,
    /// Who observed it: an adapter's name.
    pub source: String,
    /// The boundary it crosses.
    pub surface: Surface,
    /// What is done there: `run`, `write`, `fetch`, …
    pub operation: String,
    /// The directory it would be done in; absolute.
    pub cwd: String,
    /// Shell source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// A path, as given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The path with links followed, where the source knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_path: Option<String>,
    /// A host or URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination: Option<String>,
    /// The agent's name for the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// The agent's id for this call; a retried call gets a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The skill it runs in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_name: Option<String>,
    /// The tool's input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Map<String, Value>>,
    /// What the tool's server says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// The rule of the agent's own that asked for a decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched_policy: Option<Map<String, Value>>,
    /// The agent, or the subagent, that asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The agent's session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Session and prompt: what denials are counted in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}

/// What an MCP server says of one of its tools: hints, which are true if the server is honest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    /// It changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// It may destroy, not only add.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// It reaches things outside its own domain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

/// Every key of the JSON form.
const KEYS: [&str; 19] = [
    "v",
    "id",
    "source",
    "surface",
    "operation",
    "cwd",
    "command",
    "path",
    "resolved_path",
    "destination",
    "tool_name",
    "tool_call_id",
    "skill_name",
    "input",
    "annotations",
    "matched_policy",
    "agent",
    "session",
    "scope",
];

fn unknown_key(value: &Value) -> Option<&str> {
    let fields = value.as_object()?;
    fields
        .keys()
        .map(String::as_str)
        .find(|key| !KEYS.contains(key))
}

impl Request {
    /// A request with the required fields; every other field can be set afterwards.
    pub fn new(id: &str, source: &str, surface: Surface, operation: &str, cwd: &str) -> Self {
        Self {
            v: crate::FORM_VERSION,
            id: id.to_owned(),
            source: source.to_owned(),
            surface,
            operation: operation.to_owned(),
            cwd: cwd.to_owned(),
            command: None,
            path: None,
            resolved_path: None,
            destination: None,
            tool_name: None,
            tool_call_id: None,
            skill_name: None,
            input: None,
            annotations: None,
            matched_policy: None,
            agent: None,
            session: None,
            scope: None,
        }
    }

    /// A shell command.
    pub fn command(id: &str, source: &str, cwd: &str, command: &str) -> Self {
        let mut request = Self::new(id, source, Surface::Command, "run", cwd);
        request.command = Some(command.to_owned());
        request
    }

    /// Reads the JSON form strictly: another version, an unknown or duplicate key, or a blank
    /// required field is an error.
    ///
    /// # Errors
    /// See [`RequestErrorKind`].
    pub fn from_json(text: &[u8]) -> Result<Self, RequestError> {
        if text.len() > MAX_REQUEST_BYTES {
            return Err(RequestErrorKind::TooBig {
                what: "request",
                bytes: text.len(),
            }
            .into());
        }
        let value = parse_strict(text).map_err(RequestErrorKind::Json)?;
        let version = value.get("v").and_then(Value::as_u64);
        if version != Some(u64::from(crate::FORM_VERSION)) {
            let found = value
                .get("v")
                .map_or_else(|| "none".to_owned(), Value::to_string);
            return Err(RequestErrorKind::Version(found).into());
        }
        if let Some(key) = unknown_key(&value) {
            return Err(RequestErrorKind::Shape(format!("unknown field `{key}`")).into());
        }
        let request: Self = serde_json::from_value(value)
            .map_err(|error| RequestErrorKind::Shape(error.to_string()))?;
        request.validate()?;
        Ok(request)
    }

    /// Checks what the type cannot: required fields that are blank, a relative working directory,
    /// NUL bytes, and sizes.
    ///
    /// # Errors
    /// See [`RequestErrorKind`].
    pub fn validate(&self) -> Result<(), RequestError> {
        let required = [
            ("id", self.id.as_str()),
            ("source", self.source.as_str()),
            ("surface", self.surface.as_str()),
            ("operation", self.operation.as_str()),
            ("cwd", self.cwd.as_str()),
        ];
        for (name, value) in required {
            if value.trim().is_empty() {
                return Err(RequestErrorKind::Blank(name).into());
            }
            short(name, value)?;
        }
        if !self.cwd.starts_with('/') {
            return Err(RequestErrorKind::RelativeCwd(self.cwd.clone()).into());
        }
        let optional = [
            ("path", &self.path),
            ("resolved_path", &self.resolved_path),
            ("destination", &self.destination),
            ("tool_name", &self.tool_name),
            ("tool_call_id", &self.tool_call_id),
            ("skill_name", &self.skill_name),
            ("agent", &self.agent),
            ("session", &self.session),
            ("scope", &self.scope),
        ];
        for (name, value) in optional {
            short(name, value.as_deref().unwrap_or_default())?;
        }
        if let Some(command) = &self.command {
            if command.len() > MAX_REQUEST_BYTES {
                let bytes = command.len();
                return Err(RequestErrorKind::TooBig {
                    what: "command",
                    bytes,
                }
                .into());
            }
            no_nul("command", command)?;
        }
        Ok(())
    }
}

fn short(name: &'static str, value: &str) -> Result<(), RequestError> {
    if value.len() > MAX_FIELD_BYTES {
        return Err(RequestErrorKind::TooBig {
            what: name,
            bytes: value.len(),
        }
        .into());
    }
    no_nul(name, value)
}

/// No program can be given a NUL, so what follows one would be judged but not run, or run but not
/// judged.
fn no_nul(name: &'static str, value: &str) -> Result<(), RequestError> {
    if value.contains('\0') {
        Err(RequestErrorKind::Nul(name).into())
    } else {
        Ok(())
    }
}

/// A request that was refused before it was judged.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct RequestError {
    kind: RequestErrorKind,
}

impl RequestError {
    /// What is wrong.
    pub fn kind(&self) -> &RequestErrorKind {
        &self.kind
    }

    /// It was refused for its size alone.
    pub fn is_too_big(&self) -> bool {
        matches!(self.kind, RequestErrorKind::TooBig { .. })
    }
}

impl From<RequestErrorKind> for RequestError {
    fn from(kind: RequestErrorKind) -> Self {
        Self { kind }
    }
}

/// What is wrong with a request.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RequestErrorKind {
    /// Not strict JSON.
    #[error("{0}")]
    Json(JsonError),
    /// Another version of the form.
    #[error("request version {0} is not known; this release reads version 1")]
    Version(String),
    /// A missing, unknown or mistyped field.
    #[error("{0}")]
    Shape(String),
    /// A required field is blank.
    #[error("`{0}` must not be blank")]
    Blank(&'static str),
    /// The working directory is not absolute.
    #[error("`cwd` must be an absolute path, not `{0}`")]
    RelativeCwd(String),
    /// A text holds a NUL byte.
    #[error("`{0}` holds a NUL byte, which no program can be given")]
    Nul(&'static str),
    /// Over a size limit.
    #[error("`{what}` is {bytes} bytes long, more than can be judged")]
    TooBig {
        /// The field.
        what: &'static str,
        /// Its length in bytes.
        bytes: usize,
    },
}
