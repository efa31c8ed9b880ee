//! What commands are nested in.

use super::{CommandId, Context, Redirect, RedirectData, Script, Word, WordData};
use crate::Span;
use crate::arena::links;
use crate::text::Slice;

/// Names one scope of a [`Script`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeId(pub(crate) u32);

impl ScopeId {
    /// Its place among the scopes of its script, from 0; some places are left out: for tables beside the script.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct ScopeData {
    pub(crate) kind: KindData,
    pub(crate) parent: Option<ScopeId>,
    pub(crate) owner: Option<CommandId>,
    /// The context of a command that stands directly in this scope.
    pub(crate) context: Context,
    pub(crate) slice: Slice,
    /// The first of each.
    pub(crate) redirects: u32,
    pub(crate) words: u32,
}

/// [`ScopeKind`] with arena offsets in place of borrows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KindData {
    Script,
    /// A stage that turned out to be a whole pipeline; views look through it.
    Transparent,
    PipelineStage {
        pipeline: u32,
        index: u32,
    },
    Group,
    Subshell,
    Condition,
    Body,
    Loop,
    For(Slice),
    Select(Slice),
    Case,
    Function(Slice),
    CommandSubstitution,
    Backtick,
    FunctionSubstitution,
    ProcessSubstitution {
        write: bool,
    },
    Heredoc,
    Arithmetic,
    TestExpression,
    Coproc,
}

/// What a scope is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeKind<'a> {
    /// The whole source.
    Script,
    /// One stage of a pipeline that has at least two.
    PipelineStage {
        /// Which pipeline; the number is unique in the script.
        pipeline: u32,
        /// Which stage of it. Stage `index - 1` feeds the standard input of this one.
        index: u32,
    },
    /// `{ }`, and any compound command of several lists: `if`, `while`, `until`.
    Group,
    /// `( )`.
    Subshell,
    /// The list after `if`, `elif`, `while` or `until`.
    Condition,
    /// The list after `then` or `else`.
    Body,
    /// The body of `while`, `until` or the arithmetic `for`.
    Loop,
    /// `for` over words; the body is directly in it.
    For {
        /// The loop variable; in zsh there may be several, with what stands between them.
        name: &'a [u8],
    },
    /// `select`; the body is directly in it.
    Select {
        /// The loop variable.
        name: &'a [u8],
    },
    /// `case`; the lists of all arms are directly in it.
    Case,
    /// A function definition; its body is a scope of its own. In zsh one of several names is a
    /// scope in a scope.
    Function {
        /// The name it can be called by.
        name: &'a [u8],
    },
    /// `$( )`.
    CommandSubstitution,
    /// Backquotes.
    Backtick,
    /// `${ ; }` or `${| ; }`.
    FunctionSubstitution,
    /// `<( )`, or `>( )` when `write`.
    ProcessSubstitution {
        /// Whether the surrounding command writes to it.
        write: bool,
    },
    /// The body of a here-document that contains substitutions.
    Heredoc,
    /// `(( ))`, also the one of `for`.
    Arithmetic,
    /// `[[ ]]`.
    TestExpression,
    /// `coproc`.
    Coproc,
}

/// What commands, or other scopes, are nested in.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    script: &'a Script,
    id: ScopeId,
    data: &'a ScopeData,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(script: &'a Script, id: ScopeId, data: &'a ScopeData) -> Self {
        Self { script, id, data }
    }

    /// Its identifier.
    pub fn id(&self) -> ScopeId {
        self.id
    }

    /// What it is.
    pub fn kind(&self) -> ScopeKind<'a> {
        let text = &self.script.text;
        match self.data.kind {
            KindData::Script | KindData::Transparent => ScopeKind::Script,
            KindData::PipelineStage { pipeline, index } => {
                ScopeKind::PipelineStage { pipeline, index }
            }
            KindData::Group => ScopeKind::Group,
            KindData::Subshell => ScopeKind::Subshell,
            KindData::Condition => ScopeKind::Condition,
            KindData::Body => ScopeKind::Body,
            KindData::Loop => ScopeKind::Loop,
            KindData::For(name) => ScopeKind::For {
                name: text.get(name),
            },
            KindData::Select(name) => ScopeKind::Select {
                name: text.get(name),
            },
            KindData::Case => ScopeKind::Case,
            KindData::Function(name) => ScopeKind::Function {
                name: text.get(name),
            },
            KindData::CommandSubstitution => ScopeKind::CommandSubstitution,
            KindData::Backtick => ScopeKind::Backtick,
            KindData::FunctionSubstitution => ScopeKind::FunctionSubstitution,
            KindData::ProcessSubstitution { write } => ScopeKind::ProcessSubstitution { write },
            KindData::Heredoc => ScopeKind::Heredoc,
            KindData::Arithmetic => ScopeKind::Arithmetic,
            KindData::TestExpression => ScopeKind::TestExpression,
            KindData::Coproc => ScopeKind::Coproc,
        }
    }

    /// The scope around it; `None` for the script.
    pub fn parent(&self) -> Option<ScopeId> {
        let parent = self.data.parent?;
        match self.script.scopes.get(parent.0 as usize) {
            // A transparent stage is always directly inside a list, so one hop is enough.
            Some(data) if data.kind == KindData::Transparent => data.parent,
            _ => Some(parent),
        }
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.script.text.span(self.data.slice)
    }

    /// The redirections attached to a compound command.
    pub fn redirects(&self) -> impl Iterator<Item = Redirect<'a>> + Clone + use<'a> {
        let script = self.script;
        links::<RedirectData>(&script.redirects, self.data.redirects)
            .map(move |data| Redirect::new(script, data))
    }

    /// The words after `in` of `for` and `select`; the subject of `case`; in zsh the count of
    /// `repeat` and the arguments of a function without a name; otherwise nothing.
    pub fn words(&self) -> impl Iterator<Item = Word<'a>> + Clone + use<'a> {
        let script = self.script;
        links::<WordData>(&script.words, self.data.words).map(move |data| Word::new(script, data))
    }

    /// The command whose word, assignment, redirection or here-document contains it; `None` for
    /// everything else, such as a substitution in the words of a loop.
    pub fn owner(&self) -> Option<CommandId> {
        self.data.owner
    }
}
