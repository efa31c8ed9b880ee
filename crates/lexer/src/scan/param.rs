//! `${…}`.

use super::Scanner;
use super::class::starts_name;
use super::dollar::{continues, is_special};
use super::frame::Frame;
use crate::text::Slice;
use crate::{DiagnosticKind, Dialect};

#[derive(Debug, Clone, Copy)]
pub(super) struct Param {
    start: u32,
    pieces: u32,
    name: Slice,
    simple: bool,
    quoted: bool,
    operand: Operand,
    /// Whether a single quote is open that does not protect what is inside it.
    single: bool,
}

/// What follows the name, as far as it changes what quotes mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operand {
    /// The operator has not been read yet.
    Unknown,
    /// A word to use in place of the value. In double quotes, single quotes are ordinary.
    Word,
    /// A pattern, where single quotes always protect.
    Pattern,
    /// Arithmetic, or nothing known: single quotes never protect.
    Live,
}

impl Param {
    fn single_protects(&self) -> bool {
        match self.operand {
            Operand::Pattern => true,
            Operand::Word => !self.quoted,
            Operand::Unknown | Operand::Live => false,
        }
    }
}

impl Scanner {
    /// Starts the expansion whose brace comes next.
    pub(super) fn start_param(&mut self, start: u32, quoted: bool) {
        self.bump();
        match self.peek() {
            Some(b' ' | b'\t' | b'\n') => return self.start_function_substitution(start, quoted),
            Some(b'|') => {
                self.bump();
                return self.start_function_substitution(start, quoted);
            }
            _ => {}
        }
        if self.zsh() {
            return self.start_zsh_param(start, quoted);
        }
        let (name, prefixed) = self.param_name();
        if name.is_empty() {
            let zsh = matches!(self.options.dialect, Dialect::Unknown | Dialect::Zsh);
            let flags = zsh && matches!(self.peek(), Some(b'(' | b'=' | b'~' | b'^'));
            let kind = if flags {
                DiagnosticKind::ZshOnly
            } else {
                DiagnosticKind::BadSubstitution
            };
            self.report_from(kind, start);
        }
        let name = self.joined(name);
        let subscripted = !name.is_empty() && self.peek() == Some(b'[');
        self.push(Frame::Param(Param {
            start,
            pieces: self.pieces_len(),
            name,
            simple: !prefixed && !subscripted && !name.is_empty(),
            quoted,
            operand: if name.is_empty() {
                Operand::Live
            } else {
                Operand::Unknown
            },
            single: false,
        }));
        if subscripted {
            self.start_param_subscript();
        }
    }

    /// Reads the name, and whether `!` or `#` stands before it.
    fn param_name(&mut self) -> (Slice, bool) {
        let mut prefixed = false;
        if matches!(self.peek(), Some(b'!' | b'#')) {
            let second = self.peek_second();
            prefixed = second.is_some_and(|byte| starts_name(byte) || byte.is_ascii_digit())
                || matches!(second, Some(b'@' | b'*')) && self.third_is(b'}');
            if prefixed {
                self.bump();
            }
        }
        self.peek();
        let start = self.pos;
        let mut cursor = self.cursor();
        match cursor.next() {
            Some(first) if starts_name(first) || first.is_ascii_digit() => {
                while cursor.peek().is_some_and(|byte| continues(first, byte)) {
                    cursor.next();
                }
            }
            Some(first) if is_special(first) => {}
            _ => return (Slice::new(start, start), prefixed),
        }
        self.pos = cursor.pos;
        (Slice::new(start, self.pos), prefixed)
    }

    fn third_is(&self, byte: u8) -> bool {
        let mut cursor = self.cursor();
        cursor.next();
        cursor.next();
        cursor.peek() == Some(byte)
    }

    pub(super) fn param(&mut self, mut param: Param) {
        if param.operand == Operand::Unknown {
            self.param_operator(&mut param);
        }
        loop {
            let Some(byte) = self.peek() else {
                self.unterminated(param.start);
                return self.end_param(&param);
            };
            match byte {
                b'\\' => self.pos = (self.pos + 2).min(self.limit),
                b'\'' if param.single_protects() => {
                    self.single_quotes();
                    if param.quoted && self.maybe_zsh() {
                        self.flag_protected();
                    }
                }
                b'\'' => {
                    param.single = !param.single;
                    self.pos += 1;
                }
                b'"' if !param.single => {
                    self.push(Frame::Param(param));
                    return self.start_double_quotes();
                }
                b'$' => {
                    let quoted = param.quoted && param.operand != Operand::Pattern;
                    self.push(Frame::Param(param));
                    return self.dollar(quoted);
                }
                b'`' => {
                    self.push(Frame::Param(param));
                    return self.start_backtick(param.quoted, false);
                }
                b'<' | b'>' if !param.quoted && self.peek_second() == Some(b'(') => {
                    self.push(Frame::Param(param));
                    return self.start_process();
                }
                b'}' if !param.single => {
                    self.bump();
                    return self.end_param(&param);
                }
                _ => self.pos += 1,
            }
        }
    }

    fn param_operator(&mut self, param: &mut Param) {
        let second = self.peek_second();
        param.operand = match self.peek() {
            Some(b'-' | b'=' | b'?' | b'+') => Operand::Word,
            Some(b':') if matches!(second, Some(b'-' | b'=' | b'?' | b'+')) => Operand::Word,
            Some(b'#' | b'%' | b'/' | b'^' | b',' | b'~') => Operand::Pattern,
            None | Some(b'}' | b':' | b'@' | b'*') => Operand::Live,
            Some(_) => {
                self.report_from(DiagnosticKind::BadSubstitution, param.start);
                Operand::Live
            }
        };
        param.simple &= self.peek() == Some(b'}');
    }

    fn end_param(&mut self, param: &Param) {
        self.drop_pieces(param.pieces);
        let source = Slice::new(param.start, self.pos);
        self.variable_piece(source, param.name, param.simple, param.quoted);
    }
}
