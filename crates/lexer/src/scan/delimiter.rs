//! The word behind `<<`, which says where a body ends.

use super::Scanner;
use super::class::ends_word;
use super::heredoc::Pending;
use crate::DiagnosticKind;
use crate::arena::{NONE, push};
use crate::model::{HeredocData, RedirectOp};
use crate::text::{Slice, offset};

impl Scanner {
    /// Reads a delimiter. The shell only removes its quotes; nothing in it is expanded.
    pub(super) fn delimiter(&mut self, op: RedirectOp) -> (u32, u32) {
        self.peek();
        let start = self.pos;
        let (text, quoted) = self.delimiter_text();
        if self.pos == start {
            self.report(DiagnosticKind::MissingWord);
        }
        // bash has read past the parentheses for arithmetic, and takes the body from what it put
        // back.
        if self.retried.covers(&self.out.text, start) {
            self.report(DiagnosticKind::AmbiguousParens);
        }
        if text.contains(&b'\n') {
            self.flag_bashism();
        }
        let delimiter = self.push_text(&text);
        let data = HeredocData { quoted, body: NONE };
        let heredoc = push(&mut self.out.heredocs, data, &mut self.budget);
        let strip = op == RedirectOp::HeredocTabs;
        let place = self.place;
        let pending = Pending {
            heredoc,
            delimiter,
            quoted,
            strip,
            early: false,
            place,
        };
        push(&mut self.pending, pending, &mut self.budget);
        let word = self.static_word(Slice::new(start, self.pos), delimiter, quoted);
        (self.add_word(word), heredoc)
    }

    fn delimiter_text(&mut self) -> (Vec<u8>, bool) {
        let mut text = Vec::new();
        let mut quoted = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'\'' | b'"' => {
                    quoted = true;
                    self.delimiter_quotes(byte, &mut text);
                    continue;
                }
                b'\\' => {
                    quoted = true;
                    self.pos += 1;
                    text.extend(self.byte());
                }
                b'$' if matches!(self.peek_second(), Some(b'\'' | b'"')) => {
                    self.flag_bashism();
                    quoted = true;
                }
                b'$' if self.peek_second() == Some(b'(') => {
                    let end = self.closing(self.pos + 1);
                    if end.is_none() {
                        self.report(DiagnosticKind::UnterminatedExpansion);
                    }
                    self.delimiter_through(end.unwrap_or(self.pos), &mut text);
                }
                b'$' if self.peek_second() == Some(b'{') => self.delimiter_to(b'}', &mut text),
                b'$' if self.peek_second() == Some(b'[') => self.delimiter_to(b']', &mut text),
                b'`' => self.delimiter_to(b'`', &mut text),
                b'<' | b'>' if self.peek_second() == Some(b'(') => {
                    self.report(DiagnosticKind::ShellDependent);
                    let end = self.closing(self.pos + 1).unwrap_or(self.pos);
                    self.delimiter_through(end, &mut text);
                }
                _ if ends_word(Some(byte)) => break,
                _ => text.push(byte),
            }
            self.pos = (self.pos + 1).min(self.limit);
        }
        (text, quoted)
    }

    /// Takes an expansion as text, up to its last byte.
    fn delimiter_through(&mut self, end: u32, text: &mut Vec<u8>) {
        text.extend_from_slice(self.out.text.get(Slice::new(self.pos, end + 1)));
        self.pos = end;
    }

    fn delimiter_to(&mut self, close: u8, text: &mut Vec<u8>) {
        // What nests in here would take more than text to tell.
        self.report(DiagnosticKind::ShellDependent);
        let rest = self.out.text.tail(self.pos + 1, self.limit);
        let len = rest.iter().position(|&byte| byte == close);
        let looked = offset(len.unwrap_or(rest.len()));
        self.reread(looked);
        if len.is_none() {
            self.report(DiagnosticKind::UnterminatedExpansion);
        }
        let end = len.map_or(self.pos, |len| self.pos + 1 + offset(len));
        self.delimiter_through(end, text);
    }

    fn delimiter_quotes(&mut self, quote: u8, text: &mut Vec<u8>) {
        let start = self.pos;
        self.pos += 1;
        while let Some(byte) = self.byte() {
            self.pos += 1;
            if byte == quote {
                return;
            }
            let escaped = self.byte();
            let opens = byte == b'`' || byte == b'$' && matches!(escaped, Some(b'(' | b'{' | b'['));
            if quote == b'"' && opens {
                self.report(DiagnosticKind::ShellDependent);
            }
            if quote == b'"' && byte == b'\\' && matches!(escaped, Some(b'"' | b'\\' | b'$' | b'`'))
            {
                text.extend(escaped);
                self.pos += 1;
            } else {
                text.push(byte);
            }
        }
        self.report_from(DiagnosticKind::UnterminatedQuote, start);
    }
}
