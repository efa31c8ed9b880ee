//! What bash says about one command, and the question.

use crate::bytes::Bytes;
use serde::{Deserialize, Serialize};

/// A command to ask bash about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Where it comes from.
    pub id: String,
    /// The source text.
    pub command: Bytes,
}

/// What of bash's knowledge is asked for, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// Run it with the recorder.
    pub runs: bool,
    /// Print it anew by `--pretty-print`.
    pub pretty: bool,
    /// Start a new bash for each question in place of a fork of one.
    pub fresh: bool,
}

/// Everything bash said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The question's.
    pub id: String,
    /// The question's.
    pub command: Bytes,
    /// What `bash -n` said.
    pub check: Check,
    /// What happened when it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<Runs>,
    /// What `bash --pretty-print` made of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pretty: Option<Bytes>,
}

/// The answer of `bash -n`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// The exit status; 128 and the signal when it was killed.
    pub status: i32,
    /// What it printed, cut short.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

impl Check {
    /// Whether bash would run all of it. After an error inside `[[ ]]` it ends with 0 all the same;
    /// a warning is no error.
    pub fn accepts(&self) -> bool {
        let first = self.message.lines().next().unwrap_or_default();
        let warned = first.is_empty() || first.contains("warning: ");
        self.status == 0 && warned && !self.message.contains("syntax error")
    }
}

/// What was seen in all runs together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runs {
    /// Every distinct command that ran.
    pub ran: Vec<Ran>,
    /// Assignments, as the trace prints them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assigned: Vec<Bytes>,
    /// Every distinct file that was opened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opened: Vec<Opened>,
    /// A run was stopped: there may be more.
    #[serde(default, skip_serializing_if = "is_false")]
    pub truncated: bool,
    /// What bash printed on standard error, cut short.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

/// A command that ran.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Ran {
    /// Its words.
    pub argv: Vec<Bytes>,
    /// The name of its program, where the first word is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Bytes>,
    /// How many real programs are between it and the bash that was asked.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub depth: u32,
    /// It is a builtin or a function, known from the trace; otherwise a program that was started.
    #[serde(default, skip_serializing_if = "is_false")]
    pub traced: bool,
}

/// A file that was opened.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Opened {
    /// Its name, as bash used it.
    pub path: Bytes,
    /// `r`, `w` or `rw`, then `a` for appending and `t` for emptying.
    pub how: String,
    /// It could not be opened.
    #[serde(default, skip_serializing_if = "is_false")]
    pub failed: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}
