//! Gate envelopes: how an agent's own gate asks about one of its tools through a dialog that was
//! made for something else.
//!
//! The dialog comes under an id that was made up for it, and its input is the envelope. Whoever
//! read those would judge, show and key the wrong call. So a [`Dialog`] cannot be read at all: it
//! is opened, and what comes out holds the real id and the real input, or nothing to read.

use crate::json::{JsonError, parse_strict};
use crate::{Bindings, BoundError, BoundInput, CallKey, MAX_REQUEST_BYTES, ToolName, call_key};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

/// The version of the envelope.
const VERSION: u64 = 1;

/// The longest id of a call, in bytes.
const MAX_ID_BYTES: usize = 1024;

/// Who runs a tool that is behind a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// The agent itself.
    Builtin,
    /// The host, which is asked to by the agent and must guard itself.
    Custom,
}

impl Gate {
    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Custom => "custom",
        }
    }
}

/// The words of the envelopes of one agent. The defaults are ours; another system has its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateWords {
    /// The title of the dialog.
    pub title: String,
    /// The kind in the envelope.
    pub kind: String,
    /// The gate of tools that the agent runs itself.
    pub builtin: String,
    /// The gate of tools that the host runs.
    pub custom: String,
}

impl Default for GateWords {
    fn default() -> Self {
        Self {
            title: "countersign-approval".to_owned(),
            kind: "countersign.gate".to_owned(),
            builtin: "builtin".to_owned(),
            custom: "custom-tool".to_owned(),
        }
    }
}

impl GateWords {
    fn gate(&self, word: &str) -> Option<Gate> {
        if word == self.builtin {
            Some(Gate::Builtin)
        } else if word == self.custom {
            Some(Gate::Custom)
        } else {
            None
        }
    }

    fn word(&self, gate: Gate) -> &str {
        match gate {
            Gate::Builtin => &self.builtin,
            Gate::Custom => &self.custom,
        }
    }
}

/// What a gate says: which call it is about. Never what may become of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope {
    /// Which gate.
    pub gate: Gate,
    /// The agent's name for the tool.
    pub tool_name: String,
    /// The agent's real id for the call.
    pub tool_call_id: String,
    /// The input of the tool.
    pub input: Map<String, Value>,
}

impl Envelope {
    /// The message of the dialog.
    pub fn to_message(&self, words: &GateWords) -> String {
        serde_json::json!({
            "v": VERSION,
            "kind": words.kind,
            "gate": words.word(self.gate),
            "toolName": self.tool_name,
            "toolCallId": self.tool_call_id,
            "input": self.input,
        })
        .to_string()
    }

    /// Reads the message of a dialog that has the title of a gate.
    ///
    /// # Errors
    /// When it is not exactly an envelope. The dialog must be rejected then.
    pub fn parse(message: Option<&Value>, words: &GateWords) -> Result<Self, EnvelopeError> {
        let text = message
            .and_then(Value::as_str)
            .ok_or(EnvelopeError::NoText)?;
        if text.len() > MAX_REQUEST_BYTES {
            return Err(EnvelopeError::TooBig(text.len()));
        }
        let Value::Object(mut fields) = parse_strict(text.as_bytes())? else {
            return Err(EnvelopeError::NoObject);
        };
        if fields.remove("v").and_then(|value| value.as_u64()) != Some(VERSION) {
            return Err(EnvelopeError::Version);
        }
        if text_field(&mut fields, "kind")? != words.kind {
            return Err(EnvelopeError::Kind);
        }
        let gate = words
            .gate(&text_field(&mut fields, "gate")?)
            .ok_or(EnvelopeError::Gate)?;
        let tool_name = text_field(&mut fields, "toolName")?;
        let tool_call_id = text_field(&mut fields, "toolCallId")?;
        let input = match fields.remove("input") {
            Some(Value::Object(input)) => input,
            Some(Value::Null) => Map::new(),
            _ => return Err(EnvelopeError::Input),
        };
        // A key that is not known could be meant as policy.
        if !fields.is_empty() {
            return Err(EnvelopeError::Surplus);
        }
        Ok(Self {
            gate,
            tool_name,
            tool_call_id,
            input,
        })
    }
}

fn text_field(
    fields: &mut Map<String, Value>,
    name: &'static str,
) -> Result<String, EnvelopeError> {
    match fields.remove(name) {
        Some(Value::String(text))
            if !text.trim().is_empty() && text.len() <= MAX_ID_BYTES && !text.contains('\0') =>
        {
            Ok(text)
        }
        _ => Err(EnvelopeError::Field(name)),
    }
}

/// A tool as the adapter's own table knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownTool {
    /// Its name as the table spells it.
    pub name: ToolName,
    /// The arguments that the host sets itself.
    pub bindings: Bindings,
}

/// The adapter's own table of tools. What an envelope says of a tool is looked up here and not
/// believed.
pub trait ToolTable {
    /// The tool behind that gate with that name, if there is one.
    fn find(&self, gate: Gate, name: &str) -> Option<KnownTool>;
}

/// How the agent of a dialog speaks, where it has gates of its own.
#[derive(Clone, Copy)]
pub struct Gates<'a> {
    /// Its words.
    pub words: &'a GateWords,
    /// Its tools.
    pub tools: &'a dyn ToolTable,
}

impl std::fmt::Debug for Gates<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gates")
            .field("words", &self.words)
            .finish_non_exhaustive()
    }
}

/// What a dialog holds when it is no gate's: nothing in it was replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct PlainDialog<H> {
    /// What its answer is sent to.
    pub handle: H,
    /// Its title.
    pub title: String,
    /// The id that it came under.
    pub tool_call_id: String,
    /// Its message.
    pub message: Option<Value>,
    /// Its input.
    pub input: Option<Map<String, Value>>,
}

/// A dialog as an agent sent it, which nobody can read before it is opened: `H` is whatever its
/// answer is sent to.
///
/// ```compile_fail,E0609
/// use countersign_core::{Dialog, PlainDialog};
///
/// fn judge(dialog: &Dialog<u64>) -> &str {
///     &dialog.tool_call_id // the made-up id: there is no such way to it
/// }
/// ```
///
/// ```compile_fail,E0382
/// use countersign_core::{Dialog, Gates, Opened};
///
/// fn twice(dialog: Dialog<u64>, gates: &Gates<'_>) {
///     let opened = dialog.open(Some(gates));
///     let again = dialog.open(None); // it was opened before
/// }
/// ```
#[derive(Debug, PartialEq)]
pub struct Dialog<H>(PlainDialog<H>);

impl<H> Dialog<H> {
    /// Seals a dialog as it came.
    pub fn new(dialog: PlainDialog<H>) -> Self {
        Self(dialog)
    }

    /// Finds out what it is. Where the agent has no gates of its own, a title says nothing.
    pub fn open(self, gates: Option<&Gates<'_>>) -> Opened<H> {
        let dialog = self.0;
        let Some(gates) = gates.filter(|gates| gates.words.title == dialog.title) else {
            return Opened::Plain(dialog);
        };
        match normalised(dialog.message.as_ref(), gates) {
            Ok((gate, tool, tool_call_id, input)) => Opened::Gate(GateCall {
                handle: dialog.handle,
                gate,
                tool,
                tool_call_id,
                input,
            }),
            Err(why) => Opened::Rejected {
                handle: dialog.handle,
                why,
            },
        }
    }
}

fn normalised(
    message: Option<&Value>,
    gates: &Gates<'_>,
) -> Result<(Gate, ToolName, String, BoundInput), EnvelopeError> {
    let envelope = Envelope::parse(message, gates.words)?;
    let tool = gates
        .tools
        .find(envelope.gate, &envelope.tool_name)
        .ok_or(EnvelopeError::UnknownTool)?;
    let input = BoundInput::redact(Some(envelope.input), &tool.bindings)?;
    Ok((envelope.gate, tool.name, envelope.tool_call_id, input))
}

/// What a dialog turned out to be.
#[derive(Debug, PartialEq)]
#[must_use = "a dialog that nobody answers keeps the agent waiting"]
pub enum Opened<H> {
    /// Not a gate's.
    Plain(PlainDialog<H>),
    /// A gate's, about this call.
    Gate(GateCall<H>),
    /// It has the title of a gate's and is none. It must be rejected, and nobody is asked: what it
    /// says cannot be believed, so nothing of it is here but where the answer goes.
    Rejected {
        /// What the answer is sent to.
        handle: H,
        /// What was wrong with it, for a log.
        why: EnvelopeError,
    },
}

/// A call that a gate asks about: the real id, the name of our own table, and the input without
/// what the host sets itself.
#[derive(Debug, PartialEq)]
pub struct GateCall<H> {
    /// What the answer is sent to.
    pub handle: H,
    /// Which gate.
    pub gate: Gate,
    /// The tool.
    pub tool: ToolName,
    /// The agent's real id for the call.
    pub tool_call_id: String,
    /// The input.
    pub input: BoundInput,
}

impl<H> GateCall<H> {
    /// The call's key.
    pub fn key(&self) -> CallKey {
        call_key(&self.tool, &self.input)
    }
}

/// Why a dialog with the title of a gate is none. Nothing in these texts comes from the agent but
/// the name of a key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EnvelopeError {
    /// There is no message, or it is no text.
    #[error("the message of the gate's dialog is not a text")]
    NoText,
    /// It is too long.
    #[error("the message of the gate's dialog is {0} bytes long, more than can be judged")]
    TooBig(usize),
    /// It is not strict JSON.
    #[error("the envelope of the gate: {0}")]
    Json(#[from] JsonError),
    /// It is JSON, and no object.
    #[error("the envelope of the gate is not an object")]
    NoObject,
    /// Another version.
    #[error("the envelope of the gate is not of version {VERSION}")]
    Version,
    /// Another kind.
    #[error("the envelope of the gate is of another kind")]
    Kind,
    /// A gate that is not known.
    #[error("the envelope comes from a gate that is not known")]
    Gate,
    /// A field is missing, blank, too long or no text.
    #[error("`{0}` of the gate's envelope is missing, blank, too long or not a text")]
    Field(&'static str),
    /// The input is missing or no object.
    #[error("`input` of the gate's envelope is missing or not an object")]
    Input,
    /// It says more than which call it is about.
    #[error("the envelope of the gate says more than which call it is about")]
    Surplus,
    /// The table of tools has none like it.
    #[error("the envelope is about a tool that this gate does not have")]
    UnknownTool,
    /// The input cannot be told from what the host sets.
    #[error(transparent)]
    Bound(#[from] BoundError),
}
