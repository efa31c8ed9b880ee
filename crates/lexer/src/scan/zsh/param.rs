//! `${…}`: flags, nested expansions, modifiers.
//!
//! What an operator does is of no interest here; what is inside is read for the commands in it.

use crate::DiagnosticKind;
use crate::scan::Scanner;
use crate::scan::class::starts_name;
use crate::scan::dollar::continues;
use crate::scan::frame::Frame;
use crate::text::Slice;

#[derive(Debug, Clone, Copy)]
pub(in crate::scan) struct Param {
    start: u32,
    pieces: u32,
    name: Slice,
    simple: bool,
    quoted: bool,
    /// Braces that are open in it. In double quotes they do not count.
    depth: u32,
}

impl Scanner {
    /// Starts the expansion whose brace has been read.
    #[cold]
    pub(in crate::scan) fn start_zsh_param(&mut self, start: u32, quoted: bool) {
        let plain = self.pos;
        let mut evaluates = false;
        if self.peek() == Some(b'(') {
            let rest = self.out.text.tail(self.pos, self.limit);
            let flags = rest
                .iter()
                .take_while(|&&byte| byte != b')' && byte != b'}');
            let (mut len, mut found) = (0, false);
            for byte in flags {
                len += 1;
                found |= matches!(byte, b'e' | b'P' | b'%' | b'~');
            }
            self.reread(len);
            evaluates = found;
            // An expansion in them is read with the rest.
        }
        let mut cursor = self.cursor();
        while let Some(byte @ (b'#' | b'+' | b'^' | b'=' | b'~')) = cursor.peek() {
            evaluates |= byte == b'~';
            cursor.next();
        }
        let at = cursor.pos;
        let named = cursor
            .peek()
            .filter(|&byte| starts_name(byte) || byte.is_ascii_digit());
        if let Some(first) = named {
            while cursor.peek().is_some_and(|byte| continues(first, byte)) {
                cursor.next();
            }
        }
        let name = Slice::new(at, cursor.pos);
        let simple = named.is_some() && at == plain && cursor.peek() == Some(b'}');
        if named.is_some() {
            self.pos = cursor.pos;
        }
        if evaluates {
            self.report_from(DiagnosticKind::ZshOnly, start);
        }
        let name = self.joined(name);
        self.push(Frame::ZshParam(Param {
            start,
            pieces: self.pieces_len(),
            name,
            simple,
            quoted,
            depth: 0,
        }));
    }

    #[cold]
    pub(in crate::scan) fn zsh_param(&mut self, mut param: Param) {
        loop {
            let Some(byte) = self.peek() else {
                self.unterminated(param.start);
                return self.end_zsh_param(&param);
            };
            match byte {
                b'\\' => self.pos = (self.pos + 2).min(self.limit),
                b'\'' if !param.quoted => self.single_quotes(),
                b'"' => {
                    self.push(Frame::ZshParam(param));
                    return self.start_double_quotes();
                }
                b'$' => {
                    self.push(Frame::ZshParam(param));
                    return self.dollar(param.quoted);
                }
                b'`' => {
                    self.push(Frame::ZshParam(param));
                    return self.start_backtick(param.quoted, false);
                }
                b'<' | b'>' if !param.quoted && self.peek_second() == Some(b'(') => {
                    self.push(Frame::ZshParam(param));
                    return self.start_process();
                }
                b'{' if !param.quoted => {
                    param.depth += 1;
                    self.pos += 1;
                }
                b'}' if param.depth > 0 => {
                    param.depth -= 1;
                    self.pos += 1;
                }
                b'}' => {
                    self.bump();
                    return self.end_zsh_param(&param);
                }
                _ => {
                    if byte == b'=' && !param.quoted && self.peek_second() == Some(b'(') {
                        self.report(DiagnosticKind::ZshOnly);
                    }
                    self.pos += 1;
                }
            }
        }
    }

    fn end_zsh_param(&mut self, param: &Param) {
        self.drop_pieces(param.pieces);
        let source = Slice::new(param.start, self.pos);
        self.variable_piece(source, param.name, param.simple, param.quoted);
    }
}
