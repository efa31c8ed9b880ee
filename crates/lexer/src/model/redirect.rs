//! Redirections.

use super::{Script, Word, WordData};
use crate::Span;
use crate::text::Slice;

#[derive(Debug, Clone, Copy)]
pub(crate) struct RedirectData {
    pub(crate) op: RedirectOp,
    pub(crate) fd: Option<u32>,
    pub(crate) fd_variable: Option<Slice>,
    pub(crate) target: WordData,
    pub(crate) slice: Slice,
    /// An index into the here-documents, whose bodies arrive after the redirection is complete.
    pub(crate) heredoc: Option<u32>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct HeredocData {
    pub(crate) quoted: bool,
    pub(crate) body: Option<WordData>,
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

    /// The descriptor it acts on, the default filled in. `None` when it acts on both standard
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
        Word::new(self.script, &self.data.target)
    }

    /// Where it stands, without the body of a here-document.
    pub fn span(&self) -> Span {
        self.script.text.span(self.data.slice)
    }

    /// Whether the delimiter of a here-document is quoted, which makes the body literal.
    pub fn heredoc_quoted(&self) -> bool {
        self.heredoc().is_some_and(|heredoc| heredoc.quoted)
    }

    /// The body of a here-document.
    pub fn body(&self) -> Option<Word<'a>> {
        let body = self.heredoc()?.body.as_ref()?;
        Some(Word::new(self.script, body))
    }

    fn heredoc(&self) -> Option<&'a HeredocData> {
        self.script.heredocs.get(self.data.heredoc? as usize)
    }
}
