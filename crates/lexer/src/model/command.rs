//! Simple commands.

use super::{
    Assignment, AssignmentData, Cardinality, KindData, Redirect, RedirectData, ScopeId, Script,
    Word, WordData,
};
use crate::Span;
use crate::arena::links;
use crate::text::Slice;

/// Names one command of a [`Script`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub(crate) u32);

impl CommandId {
    /// Its place among the commands of its script, from 0: for tables beside the script.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct CommandData {
    pub(crate) scope: ScopeId,
    pub(crate) context: Context,
    pub(crate) slice: Slice,
    /// The first of each.
    pub(crate) words: u32,
    pub(crate) assignments: u32,
    pub(crate) redirects: u32,
}

/// Why a command would run.
///
/// A substitution wins over the operators and compound commands inside it; those are in the
/// scopes. A list of assignments without a command, and redirections without one, are told apart
/// everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// It stands in the list of the script itself.
    Top,
    /// It is a stage of a pipeline.
    Pipe,
    /// It is joined to another command by `&&`.
    And,
    /// It is joined to another command by `||`.
    Or,
    /// It is started in the background by `&`.
    Background,
    /// It is the condition of `if`, `while` or `until`.
    Condition,
    /// It stands after `then` or `else`.
    Body,
    /// It stands in the body of a loop.
    Loop,
    /// It stands in an arm of `case`.
    Case,
    /// It stands between `{` and `}`.
    Group,
    /// It stands between `(` and `)`.
    Subshell,
    /// It runs when a function is called.
    FunctionBody,
    /// `$( )`.
    Substitution,
    /// Backquotes.
    Backtick,
    /// `${ ; }` of bash 5.3.
    FunctionSubstitution,
    /// `<( )` or `>( )`.
    ProcessSubstitution,
    /// `$( )` in the body of a here-document.
    HeredocSubstitution,
    /// `$( )` in arithmetic.
    ArithmeticSubstitution,
    /// `$( )` in `[[ ]]`.
    ConditionSubstitution,
    /// `$( )` in the target of a redirection.
    RedirectSubstitution,
    /// It is started by `coproc`.
    Coproc,
    /// Assignments without a command.
    Assign,
    /// Redirections without a command.
    RedirectOnly,
}

impl Context {
    /// A short name for tables and snapshots.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Top => "top",
            Self::Pipe => "pipe",
            Self::And => "and",
            Self::Or => "or",
            Self::Background => "background",
            Self::Condition => "cond",
            Self::Body => "body",
            Self::Loop => "loop",
            Self::Case => "case",
            Self::Group => "group",
            Self::Subshell => "subshell",
            Self::FunctionBody => "function-body",
            Self::Substitution => "subst",
            Self::Backtick => "backtick",
            Self::FunctionSubstitution => "funsubst",
            Self::ProcessSubstitution => "procsubst",
            Self::HeredocSubstitution => "heredoc-subst",
            Self::ArithmeticSubstitution => "arith-subst",
            Self::ConditionSubstitution => "cond-subst",
            Self::RedirectSubstitution => "redirect-subst",
            Self::Coproc => "coproc",
            Self::Assign => "assign",
            Self::RedirectOnly => "redirect-only",
        }
    }

    /// Whether an operator next to the command says less than this does.
    pub(crate) fn outranks_operators(self) -> bool {
        self.is_substitution() || matches!(self, Self::Assign | Self::RedirectOnly)
    }

    pub(crate) fn is_substitution(self) -> bool {
        matches!(
            self,
            Self::Substitution
                | Self::Backtick
                | Self::FunctionSubstitution
                | Self::ProcessSubstitution
                | Self::HeredocSubstitution
                | Self::ArithmeticSubstitution
                | Self::ConditionSubstitution
                | Self::RedirectSubstitution
        )
    }
}

/// One simple command: words, assignments and redirections, any of which may be missing.
#[derive(Debug, Clone, Copy)]
pub struct Command<'a> {
    script: &'a Script,
    id: CommandId,
    data: &'a CommandData,
}

impl<'a> Command<'a> {
    pub(crate) fn new(script: &'a Script, id: CommandId, data: &'a CommandData) -> Self {
        Self { script, id, data }
    }

    /// Its identifier.
    pub fn id(&self) -> CommandId {
        self.id
    }

    /// The innermost scope it stands in.
    pub fn scope(&self) -> ScopeId {
        match self.script.scopes.get(self.data.scope.0 as usize) {
            // A stage that is a whole pipeline is looked through, as in the parents of scopes.
            Some(data) if data.kind == KindData::Transparent => {
                data.parent.unwrap_or(self.data.scope)
            }
            _ => self.data.scope,
        }
    }

    /// Why it would run.
    pub fn context(&self) -> Context {
        self.data.context
    }

    /// Where it stands, from its first token to its last.
    pub fn span(&self) -> Span {
        self.script.text.span(self.data.slice)
    }

    /// Its text, as the shell reads it.
    pub fn source(&self) -> &'a [u8] {
        self.script.text.get(self.data.slice)
    }

    /// Whether the shell gets to run it. After a syntax error only what stands on earlier complete
    /// lines of the script runs, unless the shell reads the source differently than it was read
    /// here. A bad array costs its own line alone, and nothing here tells which that is.
    pub fn runs(&self) -> bool {
        self.script
            .before_error
            .is_none_or(|before| self.id.0 < before)
    }

    /// Its name and arguments. Each alternative of a brace expansion is a word.
    pub fn words(&self) -> impl Iterator<Item = Word<'a>> + Clone + use<'a> {
        let script = self.script;
        links::<WordData>(&script.words, self.data.words).map(move |data| Word::new(script, data))
    }

    /// The words of which one is the name of the program: the first, and after each that can
    /// vanish the next.
    pub fn names(&self) -> impl Iterator<Item = Word<'a>> + Clone + use<'a> {
        let mut vanishes = true;
        self.words().take_while(move |word| {
            let here = vanishes;
            vanishes = word.cardinality() == Cardinality::ZeroOrMore;
            here
        })
    }

    /// What is known of the name of the program.
    pub fn argv0(&self) -> Argv0<'a> {
        let mut names = self.names();
        let Some(first) = names.next() else {
            return Argv0::Nothing;
        };
        match first.literal() {
            Some(name) => Argv0::Known(name),
            None if names.any(|word| !word.is_dynamic()) => Argv0::OneOf,
            None => Argv0::Unknown,
        }
    }

    /// The assignments before its name.
    pub fn assignments(&self) -> impl Iterator<Item = Assignment<'a>> + Clone + use<'a> {
        let script = self.script;
        links::<AssignmentData>(&script.assignments, self.data.assignments)
            .map(move |data| Assignment::new(script, data))
    }

    /// Its redirections, in order.
    pub fn redirects(&self) -> impl Iterator<Item = Redirect<'a>> + Clone + use<'a> {
        let script = self.script;
        links::<RedirectData>(&script.redirects, self.data.redirects)
            .map(move |data| Redirect::new(script, data))
    }
}

/// What is known of the name of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Argv0<'a> {
    /// There is none: assignments or redirections alone.
    Nothing,
    /// This name.
    Known(&'a [u8]),
    /// Words before it may vanish, or be the name themselves; see [`Command::names`].
    OneOf,
    /// No word that may be the name is certain; [`Word::value`] of [`Command::names`] may still tell
    /// how one starts or ends.
    Unknown,
}
