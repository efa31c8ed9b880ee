//! Redirections.

use super::{Script, Word, WordData};
use crate::Span;
use crate::arena::Linked;
use crate::text::Slice;

#[derive(Debug, Clone, Copy)]
pub(crate) struct RedirectData {
    pub(crate) op: RedirectOp,
    pub(crate) fd: Option<u32>,
    pub(crate) fd_variable: Option<Slice>,
    /// A word.
    pub(crate) target: u32,
    /// Where it starts. It ends where the target does.
    pub(crate) start: u32,
    /// An index into the here-documents, whose bodies arrive after the redirection is complete.
    pub(crate) heredoc: u32,
    pub(crate) next: u32,
}

impl Linked for RedirectData {
    fn next(&self) -> u32 {
        self.next
    }

    fn set_next(&mut self, next: u32) {
        self.next = next;
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct HeredocData {
    pub(crate) quoted: bool,
    /// A word.
    pub(crate) body: u32,
}

/// What a redirection does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RedirectOp {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>>`
    Append,
    /// `>|`
    Clobber,
    /// `<>`
    ReadWrite,
    /// `<&`
    DupIn,
    /// `>&`, which with a word that is no number means `&>`
    DupOut,
    /// `&>`
    WriteAll,
    /// `&>>`
    AppendAll,
    /// `<<`
    Heredoc,
    /// `<<-`
    HeredocTabs,
    /// `<<<`
    HereString,
}

impl RedirectOp {
    /// The operator as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "<",
            Self::Write => ">",
            Self::Append => ">>",
            Self::Clobber => ">|",
            Self::ReadWrite => "<>",
            Self::DupIn => "<&",
            Self::DupOut => ">&",
            Self::WriteAll => "&>",
            Self::AppendAll => "&>>",
            Self::Heredoc => "<<",
            Self::HeredocTabs => "<<-",
            Self::HereString => "<<<",
        }
    }

    pub(crate) fn is_heredoc(self) -> bool {
        matches!(self, Self::Heredoc | Self::HeredocTabs)
    }

    /// The descriptor meant when none is written.
    pub(crate) fn default_fd(self) -> Option<u32> {
        match self {
            Self::Read
            | Self::ReadWrite
            | Self::DupIn
            | Self::Heredoc
            | Self::HeredocTabs
            | Self::HereString => Some(0),
            Self::Write | Self::Append | Self::Clobber | Self::DupOut => Some(1),
            Self::WriteAll | Self::AppendAll => None,
        }
    }
}

/// One redirection.
#[derive(Debug, Clone, Copy)]
pub struct Redirect<'a> {
    script: &'a Script,
    data: &'a RedirectData,
}

impl<'a> Redirect<'a> {
    pub(crate) fn new(script: &'a Script, data: &'a RedirectData) -> Self {
        Self { script, data }
    }

    /// What it does.
    pub fn op(&self) -> RedirectOp {
        self.data.op
    }

    /// The descriptor it acts on, the default filled in. `None` when it acts, or may act, on both standard
    /// output and standard error, and when a variable holds the number.
    pub fn fd(&self) -> Option<u32> {
        self.data.fd
    }

    /// The variable of `{name}>file`.
    pub fn fd_variable(&self) -> Option<&'a [u8]> {
        self.data
            .fd_variable
            .map(|slice| self.script.text.get(slice))
    }

    /// The word after the operator; for a here-document the delimiter.
    pub fn target(&self) -> Word<'a> {
        Word::new(self.script, self.target_data())
    }

    /// Where it stands, without the body of a here-document.
    pub fn span(&self) -> Span {
        let end = self.target_data().slice.end;
        self.script.text.span(Slice::new(self.data.start, end))
    }

    /// Whether the delimiter of a here-document is quoted, which makes the body literal.
    pub fn heredoc_quoted(&self) -> bool {
        self.heredoc().is_some_and(|heredoc| heredoc.quoted)
    }

    /// The body of a here-document.
    pub fn body(&self) -> Option<Word<'a>> {
        let body = self.heredoc()?.body;
        let data = self.script.words.get(body as usize)?;
        Some(Word::new(self.script, data))
    }

    fn heredoc(&self) -> Option<&'a HeredocData> {
        self.script.heredocs.get(self.data.heredoc as usize)
    }

    fn target_data(&self) -> &'a WordData {
        static MISSING: WordData = WordData::MISSING;
        let words = &self.script.words;
        words.get(self.data.target as usize).unwrap_or(&MISSING)
    }
}
