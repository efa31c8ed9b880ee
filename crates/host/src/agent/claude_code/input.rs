use countersign_core::{AgentMode, JsonError, parse_strict};
use serde_json::{Map, Value};
use thiserror::Error;

/// One call of a hook.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A tool is about to run.
    PreToolUse(Box<PreToolUse>),
    /// A settings file changed while the session runs.
    ConfigChange(ConfigChange),
    /// A session begins or goes on.
    SessionStart(SessionStart),
    /// A prompt came.
    UserPromptSubmit(UserPromptSubmit),
}

/// A tool is about to run.
#[derive(Debug, Clone, PartialEq)]
pub struct PreToolUse {
    /// The session; a subagent's calls carry its parent's.
    pub session_id: String,
    /// The user's prompt that the call belongs to; absent before the first.
    pub prompt_id: Option<String>,
    /// The session's working directory.
    pub cwd: String,
    /// The permission mode.
    pub mode: AgentMode,
    /// The tool's name, aliases already mapped by the agent.
    pub tool_name: String,
    /// The tool's input; file paths are absolute.
    pub tool_input: Map<String, Value>,
    /// The id of the call.
    pub tool_use_id: Option<String>,
    /// The subagent that calls, if one does.
    pub agent_type: Option<String>,
    /// The file of what was said and done in the session.
    pub transcript: Option<String>,
}

/// A settings file changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigChange {
    /// The session.
    pub session_id: String,
    /// `user_settings`, `project_settings` or `local_settings`.
    pub source: String,
    /// The file.
    pub file_path: String,
}

/// A session begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionStart {
    /// The session.
    pub session_id: String,
    /// `startup`, `resume`, `clear`, `compact` or `fork`.
    pub source: String,
    /// The session's working directory.
    pub cwd: String,
}

/// A prompt came, of a person or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserPromptSubmit {
    /// The session.
    pub session_id: String,
    /// Who made it: `user`, `sdk`, or a word for something that is no person, such as `system`,
    /// `loop_wakeup` or `schedule_wakeup`; older versions say nothing and send people's alone.
    pub source: Option<String>,
}

impl UserPromptSubmit {
    /// A person wrote it.
    pub fn is_human(&self) -> bool {
        matches!(self.source.as_deref(), None | Some("user" | "sdk"))
    }
}

/// Input that could not be understood. The tool must not run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InputError {
    /// It is not strict JSON.
    #[error("the hook input cannot be used: {0}")]
    Json(JsonError),
    /// It is JSON, but no object.
    #[error("the hook input is not a JSON object")]
    NoObject,
    /// A field is missing or has another type.
    #[error("the hook input has no {expected} `{field}`")]
    Field {
        /// The field.
        field: &'static str,
        /// The type it should have.
        expected: &'static str,
    },
    /// An event that this program is not registered for.
    #[error(
        "the hook event `{0}` is not one that countersign answers; run `countersign install claude-code` again"
    )]
    Event(String),
}

impl Event {
    /// Reads the input of a hook call. Unknown fields are ignored: every release of the agent adds
    /// some.
    ///
    /// # Errors
    /// See [`InputError`].
    pub fn parse(text: &[u8]) -> Result<Self, InputError> {
        let value = parse_strict(text).map_err(InputError::Json)?;
        let Value::Object(mut fields) = value else {
            return Err(InputError::NoObject);
        };
        let event = string(&fields, "hook_event_name")?;
        match event.as_str() {
            "PreToolUse" => Ok(Self::PreToolUse(Box::new(pre_tool_use(&mut fields)?))),
            "ConfigChange" => Ok(Self::ConfigChange(ConfigChange {
                session_id: string(&fields, "session_id")?,
                source: optional(&fields, "source")?.unwrap_or_default(),
                file_path: optional(&fields, "file_path")?.unwrap_or_default(),
            })),
            "SessionStart" => Ok(Self::SessionStart(SessionStart {
                session_id: string(&fields, "session_id")?,
                source: optional(&fields, "source")?.unwrap_or_default(),
                cwd: string(&fields, "cwd")?,
            })),
            "UserPromptSubmit" => Ok(Self::UserPromptSubmit(UserPromptSubmit {
                session_id: string(&fields, "session_id")?,
                source: optional(&fields, "source")?,
            })),
            _ => Err(InputError::Event(event)),
        }
    }
}

fn pre_tool_use(fields: &mut Map<String, Value>) -> Result<PreToolUse, InputError> {
    let Some(Value::Object(tool_input)) = fields.remove("tool_input") else {
        return Err(InputError::Field {
            field: "tool_input",
            expected: "object",
        });
    };
    Ok(PreToolUse {
        session_id: string(fields, "session_id")?,
        prompt_id: optional(fields, "prompt_id")?,
        cwd: string(fields, "cwd")?,
        mode: AgentMode::from(optional(fields, "permission_mode")?.unwrap_or_default()),
        tool_name: string(fields, "tool_name")?,
        tool_input,
        tool_use_id: optional(fields, "tool_use_id")?,
        agent_type: optional(fields, "agent_type")?,
        transcript: optional(fields, "transcript_path")?,
    })
}

fn string(fields: &Map<String, Value>, field: &'static str) -> Result<String, InputError> {
    optional(fields, field)?
        .filter(|text| !text.trim().is_empty())
        .ok_or(InputError::Field {
            field,
            expected: "string",
        })
}

fn optional(
    fields: &Map<String, Value>,
    field: &'static str,
) -> Result<Option<String>, InputError> {
    match fields.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(InputError::Field {
            field,
            expected: "string",
        }),
    }
}
