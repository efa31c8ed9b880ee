use thiserror::Error;

/// Settings that cannot be edited safely.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {kind}")]
pub(crate) struct SettingsError {
    /// From 1.
    pub(crate) line: usize,
    /// From 1, in characters.
    pub(crate) column: usize,
    /// What is wrong there.
    pub(crate) kind: SettingsErrorKind,
}

/// What is wrong with the settings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum SettingsErrorKind {
    /// There is nothing in the file.
    #[error("the file is empty; delete it or write `{{}}` into it")]
    Empty,
    /// It is not JSON.
    #[error("this is not JSON: {0}")]
    Syntax(String),
    /// The agent reads plain JSON.
    #[error(
        "this is a comment, and Claude Code drops a settings file with comments whole, so no hook in it is in force; take the comments out"
    )]
    Comment,
    /// A value has another type than the agent's settings have there.
    #[error("{what} is {found}, not {expected}")]
    Shape {
        /// The value.
        what: String,
        /// The type it has.
        found: &'static str,
        /// The type it should have.
        expected: &'static str,
    },
    /// Which of two equal keys counts depends on the reader.
    #[error("{0} occurs twice; keep one of them")]
    Twice(String),
    /// Editing came to no end, which is a defect.
    #[error("editing came to no end; please report this file")]
    Endless,
}
