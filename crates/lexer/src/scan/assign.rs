//! Assignments: `name=value`, `name+=value`, `name[subscript]=value`, `name=(array)`.

use super::Scanner;
use super::build::{Mode, Tildes};
use super::frame::Frame;
use super::word::{Role, Word};
use crate::DiagnosticKind;
use crate::arena::NONE;
use crate::model::AssignmentData;
use crate::text::Slice;

/// The left-hand side of an assignment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    start: u32,
    name: Slice,
    append: bool,
    subscript: bool,
    pub(super) array: bool,
}

/// A name with a subscript, which may yet be an ordinary word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subscripted {
    pub(super) name: Slice,
}

impl Scanner {
    /// Starts a word that is an assignment if it has the shape of one.
    pub(super) fn start_assignable(&mut self, mut word: Word) {
        let mut cursor = self.cursor();
        let named = cursor.name() || self.zsh() && cursor.number();
        if !named {
            return self.word(word);
        }
        let name = Slice::new(self.pos, cursor.pos);
        if cursor.peek() == Some(b'[') {
            self.pos = cursor.pos;
            // Behind an assignment and a redirection bash looks for no subscript with blanks in it.
            if let Some(Frame::Simple(simple)) = self.frames.last()
                && simple.mixes()
            {
                self.report(DiagnosticKind::ShellDependent);
            }
            self.literal(name, false);
            word.subscripted = Some(Subscripted { name });
            self.push(Frame::Word(word));
            return self.start_subscript();
        }
        cursor.eat(b'+');
        if cursor.eat(b'=') {
            self.pos = name.end;
            self.assign(word, name, false);
        } else {
            self.word(word);
        }
    }

    /// Whether an assignment operator follows a subscript.
    pub(super) fn assigns_element(&self) -> bool {
        self.looking_at(b"=") || self.looking_at(b"+=")
    }

    /// Reads the operator, and an array if that is the value.
    pub(super) fn assign(&mut self, mut word: Word, name: Slice, subscript: bool) {
        if subscript || self.looking_at(b"+") {
            self.flag_bashism();
        }
        let append = self.eat(b"+");
        self.eat(b"=");
        let array = self.byte() == Some(b'(');
        if word.role == Role::Head {
            let name = self.joined(name);
            word.head = Some(Head {
                start: word.start,
                name,
                append,
                subscript,
                array,
            });
            word.start = self.pos;
            self.drop_pieces(word.pieces);
        } else {
            let written = Slice::new(word.start, self.pos);
            self.drop_pieces(word.pieces);
            self.literal(written, false);
        }
        word.nest.set_equals(self.pos);
        self.push(Frame::Word(word));
        if array {
            self.start_array();
        }
    }

    pub(super) fn end_assignment(&mut self, word: &Word) {
        let Some(head) = word.head else { return };
        let slice = Slice::new(word.start, self.pos);
        let value = if head.array {
            self.drop_pieces(word.pieces);
            NONE
        } else {
            let mode = Mode {
                splits: false,
                globs: false,
                tildes: Tildes::Value,
            };
            let value = self.build(word, slice, mode);
            self.add_word(value)
        };
        if self.maybe_zsh() {
            let whole = Slice::new(head.start, self.pos);
            self.flag_zsh_variable(head.name, head.subscript || head.array, whole);
        }
        let changes = match self.out.text.get(head.name) {
            b"POSIXLY_CORRECT" => Some(DiagnosticKind::ReadingOption),
            b"BASH_ALIASES" => Some(DiagnosticKind::Aliases),
            _ => None,
        };
        if let Some(kind) = changes {
            self.report_slice(kind, Slice::new(head.start, self.pos));
        }
        self.stage_assignment(AssignmentData {
            slice: Slice::new(head.start, self.pos),
            name: head.name,
            append: head.append,
            array: head.array,
            subscript: head.subscript,
            value,
            next: NONE,
        });
    }

    /// The text of a slice without its backslash-newlines.
    pub(super) fn joined(&mut self, slice: Slice) -> Slice {
        let bytes = self.out.text.get(slice);
        if !bytes.contains(&b'\\') {
            return slice;
        }
        let mut joined = Vec::with_capacity(bytes.len());
        let mut rest = bytes;
        while let Some((&byte, tail)) = rest.split_first() {
            rest = rest.strip_prefix(b"\\\n").unwrap_or_else(|| {
                joined.push(byte);
                tail
            });
        }
        self.push_text(&joined)
    }
}
