//! Array values: `name=(a b [c]=d)`.

use super::Scanner;
use super::frame::Frame;
use super::word::Role;
use crate::DiagnosticKind;
use crate::model::PartData;
use crate::text::{Slice, offset};

#[derive(Debug, Clone, Copy)]
pub(super) struct Array {
    start: u32,
    pieces: u32,
    /// How many commands there were before it.
    commands: u32,
}

impl Scanner {
    pub(super) fn start_array(&mut self) {
        self.flag_bashism();
        let array = Array {
            start: self.pos,
            pieces: self.pieces_len(),
            commands: offset(self.out.commands.len()),
        };
        self.bump();
        self.push(Frame::Array(array));
    }

    pub(super) fn array(&mut self, array: Array) {
        self.blanks();
        match self.peek() {
            Some(b'\n') => {
                self.push(Frame::Array(array));
                self.newline();
            }
            Some(b';') if self.zsh() => {
                self.bump();
                self.push(Frame::Array(array));
            }
            Some(b')') => {
                self.bump();
                self.end_array(array);
            }
            Some(byte) if self.word_ahead(byte) => {
                self.push(Frame::Array(array));
                self.start_long_word(Role::Element);
            }
            // bash complains, drops the rest of the line, and goes on behind it.
            Some(_) => {
                self.report(DiagnosticKind::BadArray);
                self.end_of_line();
                self.end_array(array);
            }
            None => {
                self.report(DiagnosticKind::UnterminatedExpansion);
                self.end_array(array);
            }
        }
    }

    fn end_array(&mut self, array: Array) {
        let source = Slice::new(array.start, self.pos);
        // bash 5.2 marks quoted bytes in an array with two control bytes, and loses such bytes in the
        // substitutions of one.
        let text = self.out.text.get(source);
        let marks = |pair: &[u8]| matches!(pair, [b'$', b'\''] | [1 | 0x7f, _] | [_, 1 | 0x7f]);
        if self.out.commands.len() > array.commands as usize && text.windows(2).any(marks) {
            self.report_slice(DiagnosticKind::ShellDependent, source);
        }
        self.drop_pieces(array.pieces);
        self.piece(source, PartData::Opaque(source));
    }
}
