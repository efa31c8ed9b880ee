//! Claude Code's hooks.
//!
//! Facts measured on version 2.1.332: empty output with exit 0 means the hook has no opinion;
//! `ask` overrides every automatic allow and is a denial where nobody answers; a plain-text or
//! truncated reply counts as no opinion even with `onFailure: "block"`; exit 2 blocks with the
//! text of standard error.

mod input;
mod reply;
#[cfg(test)]
mod tests;
mod tools;
mod transcript;

pub use input::{ConfigChange, Event, InputError, PreToolUse, SessionStart, UserPromptSubmit};
pub use reply::Reply;
pub(crate) use tools::of_tool;
pub use tools::request;
pub use transcript::evidence;
