//! Two parentheses, which zsh reads as arithmetic by rules of its own.

use crate::DiagnosticKind;
use crate::scan::Scanner;
use crate::text::Slice;

impl Scanner {
    /// Reports `((` at the current position if zsh may decide otherwise than bash what it is.
    /// Between the parentheses zsh counts those in quotes too, and takes nothing for arithmetic
    /// in which the brackets do not match. Whether it may be commands for that reason.
    #[cold]
    pub(in crate::scan) fn doubtful_arith(&mut self) -> bool {
        let start = self.pos;
        let Some(end) = self.closing(start) else {
            return false;
        };
        let known = self.parens.plain;
        if known.start <= start && end <= known.end {
            return false;
        }
        self.reread(end.saturating_sub(start));
        let bytes = self.out.text.get(Slice::new(start, end));
        let special = |byte: &u8| matches!(byte, b'\'' | b'"' | b'\\' | b'[' | b']');
        if !bytes.iter().any(special) {
            self.parens.plain = Slice::new(start, end);
            return false;
        }
        let (hidden, unmatched) = look(bytes);
        if hidden || unmatched {
            self.report(DiagnosticKind::AmbiguousParens);
        }
        unmatched
    }
}

/// Whether there are parentheses in quotes, and whether the brackets do not match.
fn look(bytes: &[u8]) -> (bool, bool) {
    let mut quote = None;
    let mut hidden = false;
    let mut depth = 0_i64;
    let mut unmatched = false;
    let mut before = 0;
    for &byte in bytes {
        match byte {
            b'\'' | b'"' if quote == Some(byte) => quote = None,
            b'\'' | b'"' if quote.is_none() => quote = Some(byte),
            b'(' | b')' => hidden |= quote.is_some() || before == b'\\',
            b'[' => depth += 1,
            b']' => {
                depth -= 1;
                unmatched |= depth < 0;
            }
            _ => {}
        }
        before = byte;
    }
    (hidden, unmatched || depth != 0)
}
