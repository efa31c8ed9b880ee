//! Patterns: `<1-9>`, `(a|b)`, and the qualifiers that can run something.

use crate::DiagnosticKind;
use crate::model::PartData;
use crate::scan::Scanner;
use crate::scan::word::{Role, Word};
use crate::text::Slice;

impl Scanner {
    /// Whether `byte`, the next one, starts a word here although it is an operator in bash.
    #[cold]
    pub(in crate::scan) fn pattern_ahead(&self, byte: u8) -> bool {
        match byte {
            b'(' => self.peek_second() != Some(b')'),
            b'<' => self.number_pattern(self.pos).is_some(),
            b'=' => true,
            _ => false,
        }
    }

    /// Where the pattern for a range of numbers at `pos` ends.
    pub(in crate::scan) fn number_pattern(&self, pos: u32) -> Option<u32> {
        let mut cursor = self.cursor_at(pos);
        cursor.eat(b'<').then_some(())?;
        while cursor.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            cursor.next();
        }
        cursor.eat(b'-').then_some(())?;
        while cursor.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            cursor.next();
        }
        cursor.eat(b'>').then_some(cursor.pos)
    }

    /// Reports a pattern of bash that zsh may take for qualifiers.
    pub(in crate::scan) fn flag_group(&mut self, pattern: Slice) {
        let bytes = self.out.text.get(pattern);
        let open = bytes.iter().position(|&byte| byte == b'(');
        let inside = open.and_then(|at| bytes.get(at + 1..)).unwrap_or_default();
        if qualifiers_run(inside) {
            self.report_slice(DiagnosticKind::ZshOnly, pattern);
        }
    }

    /// Adds bytes that belong to a pattern, where there are any.
    pub(super) fn pattern_piece(&mut self, word: &Word, end: u32) {
        let slice = Slice::new(self.pos, end);
        self.pos = end;
        if word.head.is_some() || matches!(word.role, Role::HereString | Role::Subject) {
            self.literal(slice, false);
        } else {
            self.piece(slice, PartData::Glob(slice));
        }
    }

    /// Reports parentheses at the end of a word that may be qualifiers that run something.
    pub(super) fn flag_qualifiers(&mut self, word: &Word) {
        let start = word.nest.group;
        let globs = !matches!(
            word.role,
            Role::Pattern | Role::Operand | Role::Regex | Role::Subject | Role::HereString
        );
        if start == 0 || word.head.is_some() || !globs {
            return;
        }
        let group = self.out.text.get(Slice::new(start, self.pos));
        if qualifiers_run(group) {
            self.report_slice(DiagnosticKind::ZshOnly, Slice::new(word.start, self.pos));
        }
    }
}

/// Whether text between parentheses, all of it after the first one, may be qualifiers that run
/// something: `e`, `+`, or whatever an expansion makes of it.
pub(super) fn qualifiers_run(text: &[u8]) -> bool {
    let Some(inside) = text.strip_suffix(b")") else {
        return false;
    };
    let quoted = |&byte: &u8| matches!(byte, b'\'' | b'"' | b'\\' | b'$' | b'`');
    if inside.starts_with(b"#") || inside.iter().any(quoted) {
        return inside
            .iter()
            .any(|byte| matches!(byte, b'e' | b'+' | b'$' | b'`'));
    }
    if inside.iter().any(|byte| matches!(byte, b'|' | b'(')) {
        return false;
    }
    // Before one that runs something only others can stand.
    let other = |&byte: &u8| {
        !byte.is_ascii_alphabetic() || b"FpbrwxAIERWXsStfdlUGugamcLkKMPTNDnYohwO".contains(&byte)
    };
    let at = inside.iter().position(|byte| matches!(byte, b'e' | b'+'));
    at.is_some_and(|at| inside.iter().take(at).all(other))
}
