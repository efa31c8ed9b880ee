//! What a caller can choose about one run.

/// How to lex one source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// The shell that will read the source.
    pub dialect: Dialect,
    /// Where the lexer gives up.
    pub limits: Limits,
}

/// The shell that will read the source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Not known: read as bash, and syntax that runs something only in zsh is opaque.
    #[default]
    Unknown,
    /// GNU bash.
    Bash,
    /// `sh`, which may be dash or bash: where the two differ, the word is opaque.
    Sh,
    /// zsh, at present read as [`Dialect::Unknown`].
    Zsh,
    /// fish: not understood, the whole source is one opaque span.
    Fish,
    /// PowerShell: not understood, the whole source is one opaque span.
    PowerShell,
}

/// Bounds on the work and memory one source may cost.
///
/// Reaching one of them ends the run with [`Status::TooBig`](crate::Status::TooBig); only
/// [`Limits::brace_words`] makes a single word opaque instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of source.
    pub input_bytes: usize,
    /// Constructs open at one place.
    pub depth: usize,
    /// Commands in the whole script.
    pub commands: usize,
    /// Words in the whole script.
    pub words: usize,
    /// Words that one brace expansion may become.
    pub brace_words: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            input_bytes: 1 << 20,
            depth: 256,
            commands: 65_536,
            words: 262_144,
            brace_words: 256,
        }
    }
}
