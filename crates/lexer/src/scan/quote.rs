//! Quotations: `'…'`, `"…"`, and the bodies of here-documents, which are quoted too.

use super::Scanner;
use super::frame::Frame;
use crate::DiagnosticKind;
use crate::model::PartData;
use crate::text::{Slice, offset};

#[derive(Debug, Clone, Copy)]
pub(super) struct Quoted {
    start: u32,
    pieces: u32,
    /// Whether a `"` ends it, and not the end of a here-document.
    double: bool,
}

impl Scanner {
    pub(super) fn single_quotes(&mut self) {
        let start = self.pos;
        let rest = self.out.text.tail(start + 1, self.limit);
        let len = rest.iter().position(|&byte| byte == b'\'');
        let text_len = offset(len.unwrap_or(rest.len()));
        let text = Slice::new(start + 1, start + 1 + text_len);
        if len.is_none() {
            self.pos = self.limit;
            self.report_from(DiagnosticKind::UnterminatedQuote, start);
        } else {
            self.pos = text.end + 1;
        }
        let source = Slice::new(start, self.pos);
        self.piece(source, PartData::Literal { text, quoted: true });
    }

    /// Reads a backslash and what it quotes.
    pub(super) fn escape(&mut self) {
        let source = Slice::new(self.pos, (self.pos + 2).min(self.limit));
        self.pos = source.end;
        if source.end - source.start == 2 {
            let text = Slice::new(source.start + 1, source.end);
            self.piece(source, PartData::Literal { text, quoted: true });
        } else {
            self.report_slice(DiagnosticKind::TrailingBackslash, source);
            self.piece(source, PartData::Opaque(source));
        }
    }

    pub(super) fn start_double_quotes(&mut self) {
        let start = self.pos;
        self.bump();
        self.quoted(Quoted {
            start,
            pieces: self.pieces_len(),
            double: true,
        });
    }

    /// Starts reading everything up to the limit as if it stood in double quotes.
    pub(super) fn start_body_text(&mut self) {
        let (start, pieces) = (self.pos, self.pieces_len());
        self.push(Frame::Quoted(Quoted {
            start,
            pieces,
            double: false,
        }));
    }

    pub(super) fn quoted(&mut self, quoted: Quoted) {
        loop {
            self.quoted_run(quoted.double);
            match self.byte() {
                Some(b'"') => {
                    self.bump();
                    return self.end_quoted(quoted);
                }
                Some(b'\\') => self.quoted_escape(quoted.double),
                Some(b'$') if self.variable_ahead(true) => {}
                Some(b'$') => {
                    self.push(Frame::Quoted(quoted));
                    return self.dollar(true);
                }
                Some(b'`') => {
                    self.push(Frame::Quoted(quoted));
                    return self.start_backtick(true, quoted.double);
                }
                _ => {
                    if quoted.double {
                        self.report_from(DiagnosticKind::UnterminatedQuote, quoted.start);
                    }
                    return self.end_quoted(quoted);
                }
            }
        }
    }

    fn quoted_run(&mut self, double: bool) {
        while self.peek().is_some() {
            let rest = self.out.text.tail(self.pos, self.limit);
            let special =
                |byte: &u8| matches!(byte, b'\\' | b'$' | b'`') || double && *byte == b'"';
            let len = rest.iter().position(special).unwrap_or(rest.len());
            if len == 0 {
                return;
            }
            let start = self.pos;
            self.pos += offset(len);
            self.literal(Slice::new(start, self.pos), true);
        }
    }

    /// In double quotes a backslash is an ordinary byte before most others.
    fn quoted_escape(&mut self, double: bool) {
        let escapes = match self.byte_at(1) {
            Some(b'$' | b'`' | b'\\') => true,
            Some(b'"') => double,
            None if double => return self.escape(),
            _ => false,
        };
        let source = Slice::new(self.pos, self.pos + 1 + u32::from(escapes));
        self.pos = source.end;
        let text = Slice::new(source.start + u32::from(escapes), source.end);
        self.piece(source, PartData::Literal { text, quoted: true });
    }

    /// Lets the sources of the pieces inside cover the quotation marks.
    fn end_quoted(&mut self, quoted: Quoted) {
        let end = self.pos;
        if self.pieces_len() == quoted.pieces {
            let source = Slice::new(quoted.start, end);
            let text = Slice::new(end, end);
            return self.piece(source, PartData::Literal { text, quoted: true });
        }
        if let Some(first) = self.staged.pieces.get_mut(quoted.pieces as usize) {
            first.source.start = quoted.start;
        }
        if let Some(last) = self.staged.pieces.last_mut() {
            last.source.end = end;
        }
    }
}
