//! Words and what they are made of.

use super::{Run, ScopeId, Script, elements};
use crate::Span;
use crate::text::{Slice, Text};

#[derive(Debug, Clone, Copy)]
pub(crate) struct WordData {
    /// Where it stands.
    pub(crate) slice: Slice,
    /// Its text, which differs from `slice` for an alternative of a brace expansion.
    pub(crate) source: Slice,
    pub(crate) literal: Option<Slice>,
    pub(crate) parts: Run,
    pub(crate) kind: WordKind,
    pub(crate) cardinality: Cardinality,
    pub(crate) quoted: bool,
}

/// [`Part`] with arena offsets in place of borrows.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PartData {
    Literal {
        text: Slice,
        quoted: bool,
    },
    Variable {
        name: Slice,
        simple: bool,
        quoted: bool,
        source: Slice,
    },
    CommandSubstitution {
        scope: Option<ScopeId>,
        function: bool,
        quoted: bool,
    },
    Arithmetic {
        quoted: bool,
    },
    Glob(Slice),
    Tilde(Slice),
    ProcessSubstitution {
        scope: Option<ScopeId>,
        write: bool,
    },
    Opaque(Slice),
}

impl PartData {
    /// What the part makes of a word that has no other dynamic part.
    pub(crate) fn kind(self) -> WordKind {
        match self {
            Self::Literal { .. } => WordKind::Static,
            Self::Variable { .. } => WordKind::Var,
            Self::CommandSubstitution {
                function: false, ..
            } => WordKind::CmdSubst,
            Self::Arithmetic { .. } => WordKind::Arith,
            Self::Glob(_) => WordKind::Glob,
            Self::Tilde(_) => WordKind::Tilde,
            Self::ProcessSubstitution { .. } => WordKind::ProcSubst,
            Self::CommandSubstitution { function: true, .. } | Self::Opaque(_) => WordKind::Mixed,
        }
    }

    fn view(self, text: &Text) -> Part<'_> {
        match self {
            Self::Literal {
                text: slice,
                quoted,
            } => Part::Literal {
                text: text.get(slice),
                quoted,
            },
            Self::Variable {
                name,
                simple,
                quoted,
                source,
            } => Part::Variable {
                name: text.get(name),
                simple,
                quoted,
                source: text.get(source),
            },
            Self::CommandSubstitution { scope, quoted, .. } => {
                Part::CommandSubstitution { scope, quoted }
            }
            Self::Arithmetic { quoted } => Part::Arithmetic { quoted },
            Self::Glob(slice) => Part::Glob {
                text: text.get(slice),
            },
            Self::Tilde(slice) => Part::Tilde {
                user: text.get(slice),
            },
            Self::ProcessSubstitution { scope, write } => {
                Part::ProcessSubstitution { scope, write }
            }
            Self::Opaque(slice) => Part::Opaque {
                source: text.get(slice),
            },
        }
    }
}

/// What makes a word dynamic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WordKind {
    /// Nothing: bash passes exactly these bytes.
    Static,
    /// A parameter.
    Var,
    /// A command substitution.
    CmdSubst,
    /// Arithmetic.
    Arith,
    /// A pattern for file names.
    Glob,
    /// A home directory.
    Tilde,
    /// A process substitution.
    ProcSubst,
    /// Several of these, or something that is not understood.
    Mixed,
}

impl WordKind {
    /// A short name for tables and snapshots.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Var => "var",
            Self::CmdSubst => "cmdsubst",
            Self::Arith => "arith",
            Self::Glob => "glob",
            Self::Tilde => "tilde",
            Self::ProcSubst => "procsubst",
            Self::Mixed => "mixed",
        }
    }
}

/// How many arguments one word becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cardinality {
    /// Exactly one.
    One,
    /// Any number, so that the words after it may move forward.
    ZeroOrMore,
}

/// One piece of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// Bytes that are passed on as they are.
    Literal {
        /// The bytes after quote removal.
        text: &'a [u8],
        /// Whether they were quoted.
        quoted: bool,
    },
    /// `$name` or `${name…}`.
    Variable {
        /// The parameter; empty when the inside of `${ }` is not understood.
        name: &'a [u8],
        /// Whether nothing but the value is taken: no operator, no subscript.
        simple: bool,
        /// Whether the value is one word whatever it contains.
        quoted: bool,
        /// The text of the expansion.
        source: &'a [u8],
    },
    /// `$( )`, backquotes or `${ ; }`.
    CommandSubstitution {
        /// What is inside.
        scope: Option<ScopeId>,
        /// Whether the output is one word whatever it contains.
        quoted: bool,
    },
    /// `$(( ))` or `$[ ]`.
    Arithmetic {
        /// Whether it stands in double quotes.
        quoted: bool,
    },
    /// Pattern characters that match file names.
    Glob {
        /// The characters.
        text: &'a [u8],
    },
    /// `~` or `~user`.
    Tilde {
        /// The user; empty for the own home directory, `+` and `-` for working directories.
        user: &'a [u8],
    },
    /// `<( )` or `>( )`.
    ProcessSubstitution {
        /// What is inside.
        scope: Option<ScopeId>,
        /// Whether it is `>( )`.
        write: bool,
    },
    /// Text that could become anything.
    Opaque {
        /// The text.
        source: &'a [u8],
    },
}

/// One word of a command, a redirection or an assignment.
#[derive(Debug, Clone, Copy)]
pub struct Word<'a> {
    script: &'a Script,
    data: &'a WordData,
}

impl<'a> Word<'a> {
    pub(crate) fn new(script: &'a Script, data: &'a WordData) -> Self {
        Self { script, data }
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.script.text.span(self.data.slice)
    }

    /// Its text with all quoting; for a brace expansion the text of this alternative.
    pub fn source(&self) -> &'a [u8] {
        self.script.text.get(self.data.source)
    }

    /// The bytes bash passes on, when they are certain.
    pub fn literal(&self) -> Option<&'a [u8]> {
        self.data.literal.map(|slice| self.script.text.get(slice))
    }

    /// What makes it dynamic.
    pub fn kind(&self) -> WordKind {
        self.data.kind
    }

    /// Whether its bytes are not certain.
    pub fn is_dynamic(&self) -> bool {
        self.data.literal.is_none()
    }

    /// How many arguments it becomes.
    pub fn cardinality(&self) -> Cardinality {
        self.data.cardinality
    }

    /// What it is made of.
    pub fn parts(&self) -> impl Iterator<Item = Part<'a>> + Clone + use<'a> {
        let text = &self.script.text;
        let parts: &'a [PartData] = elements(&self.script.parts, self.data.parts);
        parts.iter().map(move |part| part.view(text))
    }

    /// Whether any quoting character stands in it.
    pub fn is_quoted(&self) -> bool {
        self.data.quoted
    }
}
