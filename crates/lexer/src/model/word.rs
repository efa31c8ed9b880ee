//! Words and what they are made of.

use super::{ScopeId, Script};
use crate::Span;
use crate::arena::{Linked, NONE, Run, elements};
use crate::text::{Slice, Text};

/// A word. Most are nothing but their own text, and need no more than this.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WordData {
    /// Where it stands.
    pub(crate) slice: Slice,
    pub(crate) shape: Shape,
    pub(crate) next: u32,
}

/// What a word is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape(u32);

impl Shape {
    /// Its own text, without any quoting.
    pub(crate) const PLAIN: Self = Self(NONE);
    /// The text between its first byte and its last, which are quotation marks.
    pub(crate) const ENCLOSED: Self = Self(NONE - 1);

    pub(crate) fn detailed(index: u32) -> Self {
        Self(index)
    }

    /// Where the details are, if it has any.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Linked for WordData {
    fn next(&self) -> u32 {
        self.next
    }

    fn set_next(&mut self, next: u32) {
        self.next = next;
    }
}

impl WordData {
    /// Stands for a word that is not there.
    pub(crate) const MISSING: Self = Self {
        slice: Slice { start: 0, end: 0 },
        shape: Shape::PLAIN,
        next: NONE,
    };

    pub(crate) fn new(slice: Slice, shape: Shape) -> Self {
        Self {
            slice,
            shape,
            next: NONE,
        }
    }

    /// The text that is certain, for a word without details.
    pub(crate) fn simple_literal(&self) -> Option<Slice> {
        match self.shape {
            Shape::PLAIN => Some(self.slice),
            Shape::ENCLOSED => Some(Slice::new(self.slice.start + 1, self.slice.end - 1)),
            _ => None,
        }
    }
}

/// Everything about a word that is more than its own text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DetailData {
    /// Its text, which differs from where it stands for an alternative of a brace expansion.
    pub(crate) source: Slice,
    /// All of a static word; what a dynamic one starts with.
    pub(crate) prefix: Slice,
    /// What a dynamic word ends with.
    pub(crate) suffix: Slice,
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
    /// Several of these, `${ ; }`, or something that is not understood.
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
    /// Any number, none included, so that the words after it may move forward.
    ZeroOrMore,
    /// One or more: a word that was given up and cannot vanish, such as braces not expanded.
    Many,
}

/// What is known of the bytes of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value<'a> {
    /// Exactly these bytes.
    Static(&'a [u8]),
    /// How it starts and how it ends. Where the word becomes several, the first of them starts
    /// like this and the last ends like this.
    Partial {
        /// The first bytes, perhaps none.
        prefix: &'a [u8],
        /// The last bytes, perhaps none.
        suffix: &'a [u8],
    },
    /// Nothing.
    Dynamic,
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

    fn detail(&self) -> Option<&'a DetailData> {
        self.script.details.get(self.data.shape.index())
    }

    /// Its text with all quoting; for a brace expansion the text of this alternative.
    pub fn source(&self) -> &'a [u8] {
        let source = self.detail().map_or(self.data.slice, |it| it.source);
        self.script.text.get(source)
    }

    /// The bytes bash passes on, when they are certain.
    pub fn literal(&self) -> Option<&'a [u8]> {
        let slice = self.data.simple_literal().or_else(|| {
            self.detail()
                .filter(|it| it.kind == WordKind::Static)
                .map(|it| it.prefix)
        });
        slice.map(|slice| self.script.text.get(slice))
    }

    /// What is known of its bytes.
    pub fn value(&self) -> Value<'a> {
        if let Some(bytes) = self.literal() {
            return Value::Static(bytes);
        }
        let text = |slice| self.script.text.get(slice);
        match self.detail().map(|it| (text(it.prefix), text(it.suffix))) {
            None | Some(([], [])) => Value::Dynamic,
            Some((prefix, suffix)) => Value::Partial { prefix, suffix },
        }
    }

    /// What makes it dynamic.
    pub fn kind(&self) -> WordKind {
        self.detail().map_or(WordKind::Static, |it| it.kind)
    }

    /// Whether its bytes are not certain.
    pub fn is_dynamic(&self) -> bool {
        self.kind() != WordKind::Static
    }

    /// How many arguments it becomes.
    pub fn cardinality(&self) -> Cardinality {
        self.detail().map_or(Cardinality::One, |it| it.cardinality)
    }

    /// What it is made of.
    pub fn parts(&self) -> impl Iterator<Item = Part<'a>> + Clone + use<'a> {
        let text = &self.script.text;
        let run = self.detail().map(|it| it.parts).unwrap_or_default();
        let parts: &'a [PartData] = elements(&self.script.parts, run);
        let only = self.data.simple_literal().map(|slice| Part::Literal {
            text: text.get(slice),
            quoted: self.is_quoted(),
        });
        only.into_iter()
            .chain(parts.iter().map(move |part| part.view(text)))
    }

    /// Whether any quoting character stands in it.
    pub fn is_quoted(&self) -> bool {
        match self.detail() {
            Some(detail) => detail.quoted,
            None => self.data.shape == Shape::ENCLOSED,
        }
    }
}
