//! Simple commands.

use super::Scanner;
use super::frame::Frame;
use super::word::Role;
use crate::arena::{Chain, NONE, push};
use crate::model::{CommandData, CommandId, Context};
use crate::text::Slice;
use crate::{DiagnosticKind, Dialect};

#[derive(Debug, Clone, Copy)]
pub(super) struct Simple {
    id: CommandId,
    outer_owner: Option<CommandId>,
    start: u32,
    words: Chain,
    redirects: Chain,
    assignments: Chain,
    /// Whether arguments may be assignments of arrays, because the command declares variables.
    declares: bool,
}

impl Simple {
    /// What the next word is.
    fn role(&self) -> Role {
        if self.words.is_empty() {
            Role::Head
        } else if self.declares {
            Role::Declaration
        } else {
            Role::Argument
        }
    }
}

impl Scanner {
    /// Starts a command. It takes its place among the commands now, so that those inside its
    /// words come after it.
    pub(super) fn start_simple(&mut self, context: Context) -> (CommandId, Simple) {
        if self.out.commands.len() >= self.options.limits.commands {
            self.halt(DiagnosticKind::CommandLimit);
        }
        let command = CommandData {
            scope: self.place.stage.unwrap_or(self.place.scope),
            context,
            slice: Slice::new(self.pos, self.pos),
            words: NONE,
            assignments: NONE,
            redirects: NONE,
        };
        let id = CommandId(push(&mut self.out.commands, command, &mut self.budget));
        let outer_owner = self.place.owner.replace(id);
        (
            id,
            Simple {
                id,
                outer_owner,
                start: self.pos,
                words: Chain::default(),
                redirects: Chain::default(),
                assignments: Chain::default(),
                declares: false,
            },
        )
    }

    pub(super) fn command_mut(&mut self, id: CommandId) -> Option<&mut CommandData> {
        self.out.commands.get_mut(id.0 as usize)
    }

    pub(super) fn simple(&mut self, mut simple: Simple) {
        self.take_words(&mut simple.words);
        self.take_redirects(&mut simple.redirects);
        self.take_assignments(&mut simple.assignments);
        loop {
            if simple.words.is_single() && !simple.declares {
                simple.declares = self.declares(simple.words.first);
            }
            if simple.role() == Role::Argument {
                self.short_arguments(&mut simple.words);
            }
            let end = self.pos;
            self.blanks();
            let Some(byte) = self.byte() else {
                return self.end_simple(simple, end);
            };
            let role = simple.role();
            if let Some(word) = self.short_word(byte, role) {
                let word = Chain::of(self.add_word(word));
                simple.words.append(word, &mut self.out.words);
                continue;
            }
            if let Some(head) = self.redirect_head(byte) {
                self.push(Frame::Simple(simple));
                return self.start_redirect(head);
            }
            return match byte {
                b'(' if self.is_definition(&simple) => {
                    self.end_simple(simple, end);
                    self.define(simple.id, simple.start);
                }
                b'\n' | b';' | b'&' | b'|' | b'(' | b')' => self.end_simple(simple, end),
                _ => {
                    self.push(Frame::Simple(simple));
                    self.start_long_word(role);
                }
            };
        }
    }

    /// Whether `()` follows one word alone.
    fn is_definition(&self, simple: &Simple) -> bool {
        let mut cursor = self.cursor();
        cursor.next();
        cursor.blanks();
        cursor.peek() == Some(b')')
            && simple.words.is_single()
            && simple.redirects.is_empty()
            && simple.assignments.is_empty()
    }

    fn declares(&self, word: u32) -> bool {
        let Some(name) = self.unquoted_literal_of(word) else {
            return false;
        };
        matches!(
            name,
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
        if let Some(data) = self.command_mut(simple.id) {
            data.slice = Slice::new(simple.start, end.max(simple.start));
            data.words = simple.words.first;
            data.redirects = simple.redirects.first;
            data.assignments = simple.assignments.first;
            if simple.words.is_empty() {
                data.context = if simple.assignments.is_empty() {
                    Context::RedirectOnly
                } else {
                    Context::Assign
                };
            }
        }
        self.place.owner = simple.outer_owner;
        if !simple.words.is_single() {
            self.note_options(simple.id);
        }
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
