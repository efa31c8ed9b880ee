//! How far the source was understood, and why not further.

use std::fmt;

use crate::Span;

/// How far the source was understood. The worst thing met decides; later variants are worse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Every byte was understood.
    #[default]
    Complete,
    /// Understood, with something that a person should look at.
    Warnings,
    /// Part of the source could do anything; everything else is listed.
    Opaque,
    /// bash rejects the source, but runs the complete lines before the error.
    SyntaxError,
    /// A limit was reached; nothing after that point is listed.
    TooBig,
}

/// One remark about the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is remarkable.
    pub kind: DiagnosticKind,
    /// Where.
    pub span: Span,
}

/// What a [`Diagnostic`] says. `Display` gives the text for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// The input ended inside a here-document; bash warns and uses what it has.
    HeredocEndedByEof,
    /// A substitution ended before the body of a here-document in it; bash warns and takes the
    /// next lines outside.
    HeredocOutlivesSubstitution,
    /// The input ends in a backslash, which bash keeps or drops depending on the caller.
    TrailingBackslash,
    /// Syntax that runs something in zsh and is plain text or an error in bash.
    ZshOnly,
    /// Syntax that bash and a plain POSIX shell read differently.
    ShellDependent,
    /// Syntax that versions of bash read differently.
    VersionDependent,
    /// Aliases are switched on, so a command name may stand for anything.
    Aliases,
    /// Something in an array that cannot be an element. bash drops the line, and no more than
    /// that.
    BadArray,
    /// An option that changes how the rest of the source is read, or one that is not known.
    ReadingOption,
    /// The inside of `${ }` has no meaning in bash.
    BadSubstitution,
    /// Whether this is arithmetic or commands could not be decided cheaply.
    AmbiguousParens,
    /// Braces in nested double quotes, which bash expands as if the quotes were not nested.
    QuotedBraces,
    /// A `;` after a here-document in a substitution, which bash 5.2 loses, so that two commands
    /// become one.
    LostSemicolon,
    /// A coprocess without a name in a substitution, for which bash 5.2 runs the program `COPROC`.
    CoprocName,
    /// A NUL byte, which some ways into a shell drop and others stop at.
    NulByte,
    /// The dialect is not supported.
    UnsupportedDialect,
    /// One brace expansion makes too many words.
    BraceLimit,
    /// A token that cannot stand here.
    UnexpectedToken,
    /// A command is missing.
    MissingCommand,
    /// A word is missing.
    MissingWord,
    /// A quotation is never closed.
    UnterminatedQuote,
    /// An expansion or substitution is never closed.
    UnterminatedExpansion,
    /// A compound command is never closed.
    UnterminatedCompound,
    /// The source is larger than the limit.
    InputLimit,
    /// Constructs are nested more deeply than the limit.
    DepthLimit,
    /// There are more commands than the limit.
    CommandLimit,
    /// There are more words than the limit.
    WordLimit,
    /// The script would take more memory than its source allows.
    MemoryLimit,
    /// Nested here-documents or backquotes would have to be read too often.
    RereadLimit,
}

impl Status {
    /// A short name for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Warnings => "warnings",
            Self::Opaque => "opaque",
            Self::SyntaxError => "syntax-error",
            Self::TooBig => "too-big",
        }
    }

    /// Whether everything that can run is listed.
    pub fn lists_all(self) -> bool {
        matches!(self, Self::Complete | Self::Warnings)
    }
}

impl DiagnosticKind {
    /// A short name for programs; `Display` gives a text for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HeredocEndedByEof => "heredoc-ended-by-eof",
            Self::HeredocOutlivesSubstitution => "heredoc-outlives-substitution",
            Self::TrailingBackslash => "trailing-backslash",
            Self::ZshOnly => "zsh-only",
            Self::ShellDependent => "shell-dependent",
            Self::VersionDependent => "version-dependent",
            Self::Aliases => "aliases",
            Self::BadArray => "bad-array",
            Self::ReadingOption => "reading-option",
            Self::BadSubstitution => "bad-substitution",
            Self::AmbiguousParens => "ambiguous-parens",
            Self::QuotedBraces => "quoted-braces",
            Self::LostSemicolon => "lost-semicolon",
            Self::CoprocName => "coproc-name",
            Self::NulByte => "nul-byte",
            Self::UnsupportedDialect => "unsupported-dialect",
            Self::BraceLimit => "brace-limit",
            Self::UnexpectedToken => "unexpected-token",
            Self::MissingCommand => "missing-command",
            Self::MissingWord => "missing-word",
            Self::UnterminatedQuote => "unterminated-quote",
            Self::UnterminatedExpansion => "unterminated-expansion",
            Self::UnterminatedCompound => "unterminated-compound",
            Self::InputLimit => "input-limit",
            Self::DepthLimit => "depth-limit",
            Self::CommandLimit => "command-limit",
            Self::WordLimit => "word-limit",
            Self::MemoryLimit => "memory-limit",
            Self::RereadLimit => "reread-limit",
        }
    }

    /// The status a remark of this kind stands for.
    pub(crate) fn status(self) -> Status {
        match self {
            Self::HeredocEndedByEof
            | Self::HeredocOutlivesSubstitution
            | Self::TrailingBackslash => Status::Warnings,
            Self::ZshOnly
            | Self::ShellDependent
            | Self::VersionDependent
            | Self::Aliases
            | Self::ReadingOption
            | Self::BadSubstitution
            | Self::AmbiguousParens
            | Self::QuotedBraces
            | Self::LostSemicolon
            | Self::CoprocName
            | Self::NulByte
            | Self::UnsupportedDialect
            | Self::BraceLimit => Status::Opaque,
            Self::BadArray
            | Self::UnexpectedToken
            | Self::MissingCommand
            | Self::MissingWord
            | Self::UnterminatedQuote
            | Self::UnterminatedExpansion
            | Self::UnterminatedCompound => Status::SyntaxError,
            Self::InputLimit
            | Self::DepthLimit
            | Self::CommandLimit
            | Self::WordLimit
            | Self::MemoryLimit
            | Self::RereadLimit => Status::TooBig,
        }
    }
}

impl fmt::Display for DiagnosticKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HeredocEndedByEof => "here-document ended by the end of the input",
            Self::HeredocOutlivesSubstitution => "here-document without a body in its substitution",
            Self::TrailingBackslash => "the input ends in a backslash",
            Self::ZshOnly => "syntax that runs something in zsh only",
            Self::ShellDependent => "syntax that shells read differently",
            Self::VersionDependent => "syntax that versions of bash read differently",
            Self::Aliases => "aliases are on, so command names are not certain",
            Self::BadArray => "unexpected token in an array",
            Self::ReadingOption => "an option that changes how the rest is read",
            Self::BadSubstitution => "bad substitution",
            Self::AmbiguousParens => "arithmetic or commands, not decided",
            Self::QuotedBraces => "braces in nested quotes",
            Self::LostSemicolon => "commands that bash may join after a here-document",
            Self::CoprocName => "coprocess in a substitution",
            Self::NulByte => "NUL byte",
            Self::UnsupportedDialect => "unsupported shell language",
            Self::BraceLimit => "brace expansion makes too many words",
            Self::UnexpectedToken => "unexpected token",
            Self::MissingCommand => "missing command",
            Self::MissingWord => "missing word",
            Self::UnterminatedQuote => "unterminated quotation",
            Self::UnterminatedExpansion => "unterminated expansion",
            Self::UnterminatedCompound => "unterminated compound command",
            Self::InputLimit => "the source is too big",
            Self::DepthLimit => "nested too deeply",
            Self::CommandLimit => "too many commands",
            Self::WordLimit => "too many words",
            Self::MemoryLimit => "too much in too little source",
            Self::RereadLimit => "nested texts would be read too often",
        })
    }
}
