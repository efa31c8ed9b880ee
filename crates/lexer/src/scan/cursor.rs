//! Looking ahead without moving.

use super::Scanner;
use super::class::{NAME, is, starts_name};
use crate::DiagnosticKind;
use crate::text::Text;

/// A position that moves on its own. Like the shell, it never sees a backslash-newline.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    text: &'t Text,
    pub(super) pos: u32,
    limit: u32,
}

impl Cursor<'_> {
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = self.at(0)?;
            if byte != b'\\' || self.at(1) != Some(b'\n') {
                return Some(byte);
            }
            self.pos += 2;
        }
    }

    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.pos += 1;
        Some(byte)
    }

    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.pos += 1;
        }
        found
    }

    pub(super) fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.pos += 1;
        }
    }

    /// Moves over a name; whether there was one.
    pub(super) fn name(&mut self) -> bool {
        if !self.peek().is_some_and(starts_name) {
            return false;
        }
        while self.peek().is_some_and(|byte| is(byte, NAME)) {
            self.pos += 1;
        }
        true
    }

    /// Moves over digits; whether there were any.
    pub(super) fn number(&mut self) -> bool {
        let start = self.pos;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.pos += 1;
        }
        self.pos > start
    }

    fn at(&self, ahead: u32) -> Option<u8> {
        let at = self.pos.checked_add(ahead)?;
        (at < self.limit).then(|| self.text.byte(at)).flatten()
    }
}

impl Scanner {
    pub(super) fn cursor(&self) -> Cursor<'_> {
        self.cursor_at(self.pos)
    }

    pub(super) fn cursor_at(&self, pos: u32) -> Cursor<'_> {
        Cursor {
            text: &self.out.text,
            pos,
            limit: self.limit,
        }
    }

    /// The byte at the current position, exactly.
    #[inline]
    pub(super) fn byte(&self) -> Option<u8> {
        if self.pos < self.limit {
            self.out.text.byte(self.pos)
        } else {
            None
        }
    }

    pub(super) fn byte_at(&self, ahead: u32) -> Option<u8> {
        let at = self.pos.checked_add(ahead)?;
        (at < self.limit).then(|| self.out.text.byte(at)).flatten()
    }

    /// The next byte after any backslash-newlines, which are consumed.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = self.byte()?;
            if byte != b'\\' || self.byte_at(1) != Some(b'\n') {
                return Some(byte);
            }
            self.pos += 2;
        }
    }

    /// The byte after the next one.
    pub(super) fn peek_second(&self) -> Option<u8> {
        let mut cursor = self.cursor();
        cursor.next()?;
        cursor.peek()
    }

    /// Consumes the next byte.
    pub(super) fn bump(&mut self) {
        let mut cursor = self.cursor();
        cursor.next();
        self.pos = cursor.pos;
    }

    /// Consumes `text` if it comes next.
    pub(super) fn eat(&mut self, text: &[u8]) -> bool {
        let mut cursor = self.cursor();
        let found = text.iter().all(|&byte| cursor.eat(byte));
        if found {
            self.pos = cursor.pos;
        }
        found
    }

    pub(super) fn looking_at(&self, text: &[u8]) -> bool {
        let mut cursor = self.cursor();
        text.iter().all(|&byte| cursor.eat(byte))
    }

    /// Consumes blanks and a comment, up to the newline that ends it.
    #[inline]
    pub(super) fn blanks(&mut self) {
        loop {
            match self.byte() {
                Some(b' ' | b'\t') => self.pos += 1,
                Some(b'\\') if self.byte_at(1) == Some(b'\n') => self.pos += 2,
                Some(b'#') => return self.comment(),
                _ => return,
            }
        }
    }

    #[cold]
    fn comment(&mut self) {
        // Where bash looks for parentheses by text, comments are no comments to it.
        if self.retried.covers(&self.out.text, self.pos) {
            self.report(DiagnosticKind::AmbiguousParens);
        }
        self.end_of_line();
    }

    /// Moves to the next newline. A comment knows no quoting and no continuation.
    pub(super) fn end_of_line(&mut self) {
        let rest = self.out.text.tail(self.pos, self.limit);
        let len = rest
            .iter()
            .position(|&byte| byte == b'\n')
            .unwrap_or(rest.len());
        self.pos += crate::text::offset(len);
    }
}
