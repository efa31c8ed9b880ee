//! What zsh makes of the text beside an expansion: `$x[1]`, `$x:h`, `~$x`, `x==ls`.

use crate::DiagnosticKind;
use crate::model::PartData;
use crate::scan::Scanner;
use crate::scan::class::{NAME, is};
use crate::scan::staged::Piece;
use crate::text::{Slice, Text};

impl Scanner {
    /// Makes opaque what is text in bash and is not passed on as it stands here. In a `value` of
    /// an assignment, every colon starts anew.
    #[cold]
    pub(in crate::scan) fn loosen(&mut self, base: u32, value: bool) {
        let mut loose = false;
        let mut evaluated = None;
        let text = &self.out.text;
        let pieces = self
            .staged
            .pieces
            .get_mut(base as usize..)
            .unwrap_or_default();
        let count = pieces.len();
        for (index, piece) in pieces.iter_mut().enumerate() {
            let PartData::Literal {
                text: slice,
                quoted,
            } = piece.part
            else {
                loose |= has_tail(text, piece);
                continue;
            };
            let bytes = text.get(slice);
            let more = index + 1 < count;
            let tilde = !quoted && more && (index == 0 || value) && ends_in_tilde(bytes, value);
            let path = !quoted && value && starts_path(bytes, index == 0);
            if loose && quoted && bytes.iter().any(|byte| matches!(byte, b'$' | b'`')) {
                evaluated = Some(piece.source);
            }
            if loose || tilde || path {
                piece.part = PartData::Opaque(piece.source);
            }
        }
        if let Some(source) = evaluated {
            self.report_slice(DiagnosticKind::ZshOnly, source);
        }
    }

    /// Reports an expansion that bash takes for text: `$~x`.
    #[cold]
    pub(in crate::scan) fn flag_zsh_expansion(&mut self, start: u32) {
        let mut cursor = self.cursor_at(start);
        cursor.next();
        while matches!(cursor.peek(), Some(b'+' | b'=' | b'~' | b'^')) {
            cursor.next();
        }
        if cursor
            .peek()
            .is_some_and(|byte| is(byte, NAME) || byte == b'{')
        {
            let slice = Slice::new(start, cursor.pos);
            self.report_slice(DiagnosticKind::ZshOnly, slice);
        }
    }

    /// Reports the single quotes that were read last, which protect nothing in zsh, if they do.
    #[cold]
    pub(in crate::scan) fn flag_protected(&mut self) {
        let live = |byte: &u8| matches!(byte, b'$' | b'`');
        let last = self.staged.pieces.last().map(|piece| piece.source);
        if let Some(source) = last.filter(|it| self.out.text.get(*it).iter().any(live)) {
            self.report_slice(DiagnosticKind::ZshOnly, source);
        }
    }

    /// Whether the sequences in a word are others than those that zsh and bash expand alike.
    pub(in crate::scan) fn doubtful_sequence(&self, slice: Slice) -> bool {
        let bytes = self.out.text.get(slice);
        let mut rest = bytes;
        while let Some(at) = rest.windows(2).position(|pair| pair == b"..") {
            let (before, after) = rest.split_at_checked(at).unwrap_or_default();
            let after = after.get(2..).unwrap_or_default();
            let len = after.iter().position(|&byte| byte == b'}');
            let last = after.get(..len.unwrap_or(after.len())).unwrap_or_default();
            let first = before
                .rsplit(|&byte| byte == b'{')
                .next()
                .unwrap_or_default();
            let number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
            let letter = |text: &[u8]| matches!(text, [byte] if byte.is_ascii_lowercase());
            if !(number(first) && number(last) || letter(first) && letter(last)) {
                return true;
            }
            rest = after;
        }
        false
    }

    /// Reports a quoted text in the subscript of an expansion, which zsh expands all the same.
    #[cold]
    pub(in crate::scan) fn flag_quoted_subscript(&mut self, base: u32) {
        let text = &self.out.text;
        let pieces = self.staged.pieces.get(base as usize..).unwrap_or_default();
        let Some((last, before)) = pieces.split_last() else {
            return;
        };
        let live = text
            .get(last.source)
            .iter()
            .any(|byte| matches!(byte, b'$' | b'`'));
        if live && before.iter().any(|piece| has_tail(text, piece)) {
            let source = last.source;
            self.report_slice(DiagnosticKind::ZshOnly, source);
        }
    }
}

/// Whether a subscript or a modifier may follow an expansion without braces.
fn has_tail(text: &Text, piece: &Piece) -> bool {
    let PartData::Variable { source, .. } = piece.part else {
        return false;
    };
    if text.byte(source.start + 1) == Some(b'{') {
        return false;
    }
    match text.byte(source.end) {
        Some(b'[') => true,
        Some(b':') => text
            .byte(source.end + 1)
            .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'&'),
        _ => false,
    }
}

/// Whether the name of a home directory goes on in the next piece.
fn ends_in_tilde(bytes: &[u8], value: bool) -> bool {
    let last = bytes.rsplit(|&byte| value && byte == b':').next();
    last.is_some_and(|last| last.first() == Some(&b'~') && !last.contains(&b'/'))
}

/// Whether `=name` stands where it is a path.
fn starts_path(bytes: &[u8], first: bool) -> bool {
    let mut parts = bytes.split(|&byte| byte == b':');
    let start = parts.next().unwrap_or_default();
    first && start.first() == Some(&b'=') || parts.any(|part| part.first() == Some(&b'='))
}
