//! The script and its arenas.

use super::{
    AssignmentData, Command, CommandData, CommandId, DetailData, HeredocData, KindData, PartData,
    RedirectData, Scope, ScopeData, ScopeId, WordData,
};
use crate::text::Text;
use crate::{Diagnostic, Status};

/// A lexed source: every simple command in it, and how far it was understood.
///
/// Dropping one leaves its memory to the next run on this thread.
#[derive(Debug, Clone, Default)]
pub struct Script {
    pub(crate) text: Text,
    pub(crate) status: Status,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// How many commands stand on the complete lines before the first error that ends a run.
    pub(crate) before_error: Option<u32>,
    pub(crate) commands: Vec<CommandData>,
    pub(crate) scopes: Vec<ScopeData>,
    pub(crate) words: Vec<WordData>,
    pub(crate) details: Vec<DetailData>,
    pub(crate) parts: Vec<PartData>,
    pub(crate) redirects: Vec<RedirectData>,
    pub(crate) assignments: Vec<AssignmentData>,
    pub(crate) heredocs: Vec<HeredocData>,
}

impl Script {
    /// The bytes that were lexed.
    pub fn source(&self) -> &[u8] {
        self.text.source()
    }

    /// How far the source was understood: the worst of all diagnostics.
    pub fn status(&self) -> Status {
        self.status
    }

    /// What is remarkable about the source, in the order it was met.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Every simple command that could run, in the order of where they start.
    pub fn commands(&self) -> impl Iterator<Item = Command<'_>> {
        (0u32..)
            .zip(&self.commands)
            .map(|(id, data)| Command::new(self, CommandId(id), data))
    }

    /// The command with this identifier.
    pub fn command(&self, id: CommandId) -> Option<Command<'_>> {
        self.commands
            .get(id.0 as usize)
            .map(|data| Command::new(self, id, data))
    }

    /// Every scope; a parent comes before what it contains.
    pub fn scopes(&self) -> impl Iterator<Item = Scope<'_>> {
        (0u32..)
            .zip(&self.scopes)
            .filter(|(_, data)| data.kind != KindData::Transparent)
            .map(|(id, data)| Scope::new(self, ScopeId(id), data))
    }

    /// The scope with this identifier.
    pub fn scope(&self, id: ScopeId) -> Option<Scope<'_>> {
        let data = self.scopes.get(id.0 as usize)?;
        (data.kind != KindData::Transparent).then(|| Scope::new(self, id, data))
    }
}
