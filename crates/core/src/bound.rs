//! What of a tool's input is the agent's own. A host may set some arguments itself when the call
//! runs (a tenant, a token, a folder); what the agent wrote there never counts, so it is neither
//! shown, nor kept, nor part of what makes two calls the same.

use crate::json::{JsonError, JsonErrorKind, MAX_DEPTH, canonical, check_value};
use crate::{Digest, MAX_REQUEST_BYTES};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use thiserror::Error;

/// The longest name of a tool, in bytes.
pub const MAX_TOOL_NAME_BYTES: usize = 1024;

/// A tool's name in the one form in which names are compared: as the adapter's own table of tools
/// spells it, never as an agent does. An agent whose names ignore case has one spelling here.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ToolName(String);

impl ToolName {
    /// A name, as the adapter's table spells it.
    ///
    /// # Errors
    /// When it is blank, holds a control character or is longer than [`MAX_TOOL_NAME_BYTES`].
    pub fn new(name: impl Into<String>) -> Result<Self, BoundError> {
        let name = name.into();
        let usable = !name.trim().is_empty()
            && name.len() <= MAX_TOOL_NAME_BYTES
            && !name.chars().any(char::is_control);
        if usable {
            Ok(Self(name))
        } else {
            Err(BoundError::Name)
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for ToolName {
    type Error = BoundError;

    fn try_from(name: String) -> Result<Self, BoundError> {
        Self::new(name)
    }
}

impl From<ToolName> for String {
    fn from(name: ToolName) -> Self {
        name.0
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The arguments of one tool that the host sets itself, as dotted paths: `auth.token`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bindings(Vec<Vec<String>>);

impl Bindings {
    /// The host sets none.
    pub fn none() -> Self {
        Self::default()
    }

    /// The arguments at these paths.
    ///
    /// # Errors
    /// When a path is empty, has an empty part, or is deeper than any input may be.
    pub fn new<P: AsRef<str>>(paths: impl IntoIterator<Item = P>) -> Result<Self, BoundError> {
        let mut bindings = Vec::new();
        for path in paths {
            let path = path.as_ref();
            let parts: Vec<String> = path.split('.').map(str::to_owned).collect();
            if parts.len() > MAX_DEPTH || parts.iter().any(String::is_empty) {
                return Err(BoundError::Path(path.to_owned()));
            }
            bindings.push(parts);
        }
        Ok(Self(bindings))
    }
}

/// A tool's input without what the host sets itself: the only form in which an input is shown to a
/// person, kept with a parked approval, or made into a key. There is no way to it but
/// [`BoundInput::redact`]:
///
/// ```compile_fail,E0308
/// use countersign_core::{BoundInput, ToolName, call_key};
///
/// let raw = serde_json::Map::new();
/// let name = ToolName::new("deploy").unwrap();
/// call_key(&name, &raw); // a raw input is not what keys are made of
/// ```
///
/// ```compile_fail,E0451
/// let input = serde_json::Map::new();
/// let forged = countersign_core::BoundInput { input, canonical: Vec::new() };
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BoundInput {
    input: Map<String, Value>,
    canonical: Vec<u8>,
}

impl BoundInput {
    /// Removes what is bound, and every object on the way to it that is empty then. No input is
    /// the same as an empty one.
    ///
    /// # Errors
    /// When the input has no exact canonical form (numbers that readers round, too deep, too big),
    /// or when a path leads through something that is no object: what would run there cannot be
    /// told, so the call must be refused.
    pub fn redact(
        input: Option<Map<String, Value>>,
        bindings: &Bindings,
    ) -> Result<Self, BoundError> {
        let mut input = input.unwrap_or_default();
        check_value(&input)?;
        for path in &bindings.0 {
            remove(&mut input, path).map_err(|Blocked| BoundError::Blocked(path.join(".")))?;
        }
        let canonical = canonical(&input)?;
        if canonical.len() > MAX_REQUEST_BYTES {
            return Err(BoundError::TooBig(canonical.len()));
        }
        Ok(Self { input, canonical })
    }

    /// What is left of the input.
    pub fn as_map(&self) -> &Map<String, Value> {
        &self.input
    }

    /// Its canonical text.
    pub fn canonical(&self) -> &[u8] {
        &self.canonical
    }

    /// What is left of the input, to be kept as JSON.
    pub fn into_map(self) -> Map<String, Value> {
        self.input
    }
}

/// Something that is no object stands where a bound path leads through.
struct Blocked;

/// Removes one path. It recurses as deep as the host's own path, which is bounded.
fn remove(object: &mut Map<String, Value>, path: &[String]) -> Result<(), Blocked> {
    let Some((first, rest)) = path.split_first() else {
        return Ok(());
    };
    if rest.is_empty() {
        object.remove(first);
        return Ok(());
    }
    let emptied = match object.get_mut(first) {
        None => false,
        Some(Value::Object(inner)) => {
            remove(inner, rest)?;
            inner.is_empty()
        }
        Some(_) => return Err(Blocked),
    };
    if emptied {
        object.remove(first);
    }
    Ok(())
}

/// Names a call by what it does: two calls with the same key do the same, whatever ids the agent
/// gave them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallKey(Digest);

impl CallKey {
    /// The digest that it is.
    pub fn digest(&self) -> &Digest {
        &self.0
    }
}

impl fmt::Display for CallKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The key of a call: its tool and every argument that is the agent's own. A text that looks like
/// JSON is a text.
pub fn call_key(tool: &ToolName, input: &BoundInput) -> CallKey {
    // Canonical JSON holds no NUL, and a name holds none either: nothing can move across.
    let mut bytes = tool.as_str().as_bytes().to_vec();
    bytes.push(0);
    bytes.extend_from_slice(input.canonical());
    CallKey(Digest::of("countersign.call-key.v1", &bytes))
}

/// An input or a name that was refused. The call must not run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BoundError {
    /// The name of a tool is blank, too long, or holds control characters.
    #[error(
        "the name of a tool is blank, longer than {MAX_TOOL_NAME_BYTES} bytes, or holds control characters"
    )]
    Name,
    /// A bound path that names no argument.
    #[error("`{0}` is not a path of argument names with dots between them")]
    Path(String),
    /// The input has no exact form.
    #[error("the input of the tool: {0}")]
    Json(#[from] JsonError),
    /// The input is too long.
    #[error("the input of the tool is {0} bytes long, more than can be judged")]
    TooBig(usize),
    /// Something that is no object stands on a bound path.
    #[error("the host sets `{0}` of the input itself, and something else stands in its way")]
    Blocked(String),
}

impl From<JsonErrorKind> for BoundError {
    fn from(kind: JsonErrorKind) -> Self {
        Self::Json(JsonError {
            kind,
            line: 0,
            column: 0,
        })
    }
}
