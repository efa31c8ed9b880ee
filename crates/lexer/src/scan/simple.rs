//! Simple commands.

use super::Scanner;
use super::frame::Frame;
use super::word::Role;
use crate::model::{CommandData, CommandId, Context, Run};
use crate::text::{Slice, offset};
use crate::{DiagnosticKind, Dialect};

#[derive(Debug, Clone, Copy)]
pub(super) struct Simple {
    id: CommandId,
    outer_owner: Option<CommandId>,
    start: u32,
    words: u32,
    redirects: u32,
    assignments: u32,
    /// Whether arguments may be assignments of arrays, because the command declares variables.
    declares: bool,
}

impl Scanner {
    /// Starts a command. It takes its place among the commands now, so that those inside its
    /// words come after it.
    pub(super) fn start_simple(&mut self, context: Context) -> CommandId {
        if self.out.commands.len() >= self.options.limits.commands {
            self.halt(DiagnosticKind::CommandLimit);
        }
        let id = CommandId(offset(self.out.commands.len()));
        self.out.commands.push(CommandData {
            scope: self.place.stage.unwrap_or(self.place.scope),
            context,
            slice: Slice::new(self.pos, self.pos),
            words: Run::default(),
            assignments: Run::default(),
            redirects: Run::default(),
        });
        let outer_owner = self.place.owner.replace(id);
        self.push(Frame::Simple(Simple {
            id,
            outer_owner,
            start: self.pos,
            words: self.words_len(),
            redirects: self.redirects_len(),
            assignments: offset(self.staged.assignments.len()),
            declares: false,
        }));
        id
    }

    pub(super) fn command_mut(&mut self, id: CommandId) -> Option<&mut CommandData> {
        self.out.commands.get_mut(id.0 as usize)
    }

    pub(super) fn simple(&mut self, mut simple: Simple) {
        let end = self.pos;
        let words = self.words_len() - simple.words.min(self.words_len());
        if words == 1 && !simple.declares {
            simple.declares = self.declares(simple.words);
        }
        self.blanks();
        let Some(byte) = self.peek() else {
            return self.end_simple(simple, end);
        };
        if let Some(head) = self.redirect_head(byte) {
            self.push(Frame::Simple(simple));
            return self.start_redirect(head);
        }
        match byte {
            b'(' if words == 1 && self.is_definition(&simple) => {
                self.end_simple(simple, end);
                self.define(simple.id, simple.start);
            }
            b'\n' | b';' | b'&' | b'|' | b'(' | b')' => self.end_simple(simple, end),
            _ => self.argument(simple, words),
        }
    }

    fn argument(&mut self, simple: Simple, words: u32) {
        let role = if words == 0 {
            Role::Head
        } else if simple.declares {
            Role::Declaration
        } else {
            Role::Argument
        };
        self.push(Frame::Simple(simple));
        self.start_word(role);
    }

    fn is_definition(&self, simple: &Simple) -> bool {
        let mut cursor = self.cursor();
        cursor.next();
        cursor.blanks();
        cursor.peek() == Some(b')')
            && self.redirects_len() == simple.redirects
            && offset(self.staged.assignments.len()) == simple.assignments
    }

    fn declares(&self, at: u32) -> bool {
        let Some(word) = self.staged.words.get(at as usize) else {
            return false;
        };
        let Some(name) = word.literal.filter(|_| !word.quoted) else {
            return false;
        };
        matches!(
            self.out.text.get(name),
            b"alias"
                | b"declare"
                | b"eval"
                | b"export"
                | b"let"
                | b"local"
                | b"readonly"
                | b"typeset"
        )
    }

    fn end_simple(&mut self, simple: Simple, end: u32) {
        let words = self.commit_words(simple.words);
        let redirects = self.commit_redirects(simple.redirects);
        let assignments = self.commit_assignments(simple.assignments);
        if let Some(data) = self.command_mut(simple.id) {
            data.slice = Slice::new(simple.start, end.max(simple.start));
            data.words = words;
            data.redirects = redirects;
            data.assignments = assignments;
            if words.start == words.end {
                let assigns = assignments.start != assignments.end;
                data.context = if assigns {
                    Context::Assign
                } else {
                    Context::RedirectOnly
                };
            }
        }
        self.place.owner = simple.outer_owner;
        self.note_options(simple.id);
    }

    /// Watches for commands that change how later lines are read.
    fn note_options(&mut self, id: CommandId) {
        let (extglob, aliases) = self.options_named(id);
        self.extglob_next |= extglob;
        let slice = self.command_mut(id).map(|data| data.slice);
        if let Some(slice) = slice.filter(|_| aliases) {
            self.report_slice(DiagnosticKind::Aliases, slice);
        }
    }

    /// Whether a command may switch on extended patterns, and whether aliases.
    fn options_named(&self, id: CommandId) -> (bool, bool) {
        let Some(command) = self.out.command(id) else {
            return (false, false);
        };
        let literals = command.words().map(|word| word.literal());
        let mut words = literals.map(Option::unwrap_or_default);
        match words.find(|word| !is_prefix(word)) {
            Some(b"shopt") => (
                words.clone().any(|word| word == b"extglob"),
                words.any(|word| word == b"expand_aliases"),
            ),
            Some(b"alias") => (false, self.options.dialect == Dialect::Sh),
            _ => (false, false),
        }
    }
}

/// Whether a word before the name of a builtin leaves it that builtin.
fn is_prefix(word: &[u8]) -> bool {
    matches!(word, b"builtin" | b"command")
}
