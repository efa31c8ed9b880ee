//! Simple commands.

use super::Scanner;
use super::frame::Frame;
use super::reserved::Reserved;
use super::word::Role;
use super::zsh::may_be_special;
use crate::DiagnosticKind;
use crate::arena::{Chain, NONE, push};
use crate::model::{CommandData, CommandId, Context};
use crate::text::Slice;

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
    /// Whether its redirections are those of a compound command, before which zsh takes them.
    redirects_compound: bool,
}

impl Simple {
    /// Whether it has both assignments and redirections.
    pub(super) fn mixes(&self) -> bool {
        !self.assignments.is_empty() && !self.redirects.is_empty()
    }

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
                redirects_compound: false,
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
            if self.budget.overdrawn {
                self.halt(DiagnosticKind::MemoryLimit);
            }
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
            if self.zsh() && simple.words.is_empty() {
                if let Some((Reserved::Nocorrect, end)) = self.reserved() {
                    self.pos = end;
                    continue;
                }
                simple.redirects_compound = self.redirects_compound(&simple, byte);
                if simple.redirects_compound {
                    return self.end_simple(simple, end);
                }
            }
            let role = simple.role();
            if let Some(word) = self.short_word(byte, role) {
                let word = Chain::of(self.add_word(word));
                simple.words.append(word, &mut self.out.words);
                continue;
            }
            if let Some(head) = self.redirect_head(byte) {
                if simple.words.is_empty() && head.is_wide() {
                    self.flag_wide_number();
                }
                if self.short_redirect(&head) {
                    self.take_redirects(&mut simple.redirects);
                    continue;
                }
                self.push(Frame::Simple(simple));
                return self.start_redirect(head);
            }
            return match byte {
                b'(' if self.is_definition(&simple) => {
                    self.end_simple(simple, end);
                    self.define(simple.id, simple.start);
                }
                b'(' if self.zsh() && !simple.words.is_empty() && self.pattern_ahead(byte) => {
                    self.push(Frame::Simple(simple));
                    self.start_long_word(role);
                }
                b'}' if self.zsh() && self.at_closing_brace() => self.end_simple(simple, end),
                b'<' if self.zsh() => {
                    self.push(Frame::Simple(simple));
                    self.start_long_word(role);
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
        if self.zsh() {
            let named = !simple.words.is_empty() && simple.assignments.is_empty();
            return named && self.looking_at(b"()");
        }
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
        if self.zsh() {
            return declares_in_zsh(name);
        }
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
        if self.maybe_zsh() {
            self.flag_in_zsh(&simple, end);
        }
        if !simple.words.is_single() {
            self.note_options(simple.id, simple.words.first);
        }
    }

    #[inline]
    fn flag_in_zsh(&mut self, simple: &Simple, end: u32) {
        if let Some(word) = self.out.words.get(simple.words.first as usize) {
            let len = word.slice.end - word.slice.start;
            let first = self.out.text.byte(word.slice.start);
            if first.is_some_and(|byte| may_be_special(byte, len)) {
                self.flag_zsh_command(simple.id);
            }
        } else if simple.assignments.is_empty() && !simple.redirects_compound {
            let slice = Slice::new(simple.start, end.max(simple.start));
            self.flag_null_command(simple.redirects.first, slice);
        }
    }

    /// Whether zsh redirects a compound command by what has been read of a simple one.
    fn redirects_compound(&mut self, simple: &Simple, byte: u8) -> bool {
        let compound = byte == b'(' && !self.looking_at(b"()")
            || self.reserved().is_some_and(|(word, _)| word.starts());
        if !compound || simple.redirects.is_empty() || !simple.assignments.is_empty() {
            return false;
        }
        if let Some(Frame::List(list)) = self.frames.last_mut() {
            list.restart();
        }
        true
    }
}

fn declares_in_zsh(name: &[u8]) -> bool {
    matches!(
        name,
        b"declare" | b"export" | b"float" | b"integer" | b"local" | b"readonly" | b"typeset"
    )
}
