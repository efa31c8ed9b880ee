//! What a dollar sign starts.

use super::Scanner;
use super::class::{NAME, is, starts_name};
use crate::DiagnosticKind;
use crate::model::PartData;
use crate::text::{Slice, offset};

impl Scanner {
    /// Reads the expansion at the current position if it is a name alone, as most are.
    pub(super) fn variable_ahead(&mut self, quoted: bool) -> bool {
        let rest = self.out.text.tail(self.pos, self.limit);
        let [_, first, name @ ..] = rest else {
            return false;
        };
        let len = name.iter().position(|&byte| !is(byte, NAME));
        let len = len.unwrap_or(name.len());
        // A name may go on behind a backslash-newline.
        if !starts_name(*first) || name.get(len) == Some(&b'\\') {
            return false;
        }
        let source = Slice::new(self.pos, self.pos + 2 + offset(len));
        let name = Slice::new(source.start + 1, source.end);
        self.pos = source.end;
        self.variable_piece(source, name, true, quoted);
        true
    }

    /// Reads the expansion at the current position, or starts reading it.
    pub(super) fn dollar(&mut self, quoted: bool) {
        if self.zsh() && self.zsh_dollar(quoted) {
            return;
        }
        let start = self.pos;
        let mut cursor = self.cursor();
        cursor.next();
        let Some(byte) = cursor.peek() else {
            self.pos += 1;
            return self.literal(Slice::new(start, self.pos), quoted);
        };
        let next = cursor.pos;
        if starts_name(byte) {
            cursor.name();
            let end = cursor.pos;
            self.pos = next;
            return self.variable(start, end, quoted);
        }
        self.pos = next;
        match byte {
            b'(' => self.dollar_paren(start, quoted),
            b'{' => self.start_param(start, quoted),
            b'[' => self.start_bracket_arith(start, quoted),
            b'\'' if !quoted => self.ansi_quotes(start),
            b'"' if !quoted => {
                self.flag_bashism();
                self.start_double_quotes();
            }
            _ if is_special(byte) => {
                // In quotes bash looks for the end as if the second `$` started an expansion.
                if byte == b'$' && matches!(self.peek_second(), Some(b'(' | b'{' | b'[')) {
                    self.report(DiagnosticKind::AmbiguousParens);
                }
                self.variable(start, next + 1, quoted);
            }
            _ => {
                if matches!(byte, b'+' | b'=' | b'~' | b'^') && self.maybe_zsh() {
                    self.flag_zsh_expansion(start);
                }
                self.pos = start + 1;
                self.literal(Slice::new(start, self.pos), quoted);
            }
        }
    }

    fn variable(&mut self, start: u32, end: u32, quoted: bool) {
        let name = self.joined(Slice::new(self.pos, end));
        self.pos = end;
        let source = Slice::new(start, end);
        self.variable_piece(source, name, true, quoted);
    }

    /// Stages an expansion of a parameter; `simple` is one that takes the value and no more.
    pub(super) fn variable_piece(
        &mut self,
        source: Slice,
        name: Slice,
        simple: bool,
        quoted: bool,
    ) {
        let part = PartData::Variable {
            name,
            simple,
            quoted,
            source,
        };
        self.piece(source, part);
    }

    fn dollar_paren(&mut self, start: u32, quoted: bool) {
        if self.looking_at(b"((") && self.start_dollar_arith(start, quoted) {
            return;
        }
        let end = self.text_end();
        self.bump();
        self.start_command_substitution(start, quoted, end);
    }
}

/// Whether `byte` names a special or positional parameter.
pub(super) fn is_special(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')
}

/// Whether a parameter name continues with `byte`, having started with `first`.
pub(super) fn continues(first: u8, byte: u8) -> bool {
    if first.is_ascii_digit() {
        byte.is_ascii_digit()
    } else {
        is(byte, NAME)
    }
}
