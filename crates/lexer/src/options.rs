//! What a caller can choose about one run.

/// How to lex one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The shell that will read the source.
    pub dialect: Dialect,
    /// Whether bash may be version 3.2, as it is on macOS: what that version reads differently is
    /// opaque. True on macOS alone, unless the caller says otherwise.
    pub bash3: bool,
    /// Where the lexer gives up.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dialect: Dialect::default(),
            bash3: on_macos(),
            limits: Limits::default(),
        }
    }
}

const fn on_macos() -> bool {
    cfg!(target_os = "macos")
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
    /// zsh, with the options it starts with.
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
