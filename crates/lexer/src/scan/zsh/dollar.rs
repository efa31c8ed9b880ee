//! `$#x`, `$+x`, `$=x`, `$~x`, `$^x`, and the dollar sign that zsh leaves alone.

use crate::DiagnosticKind;
use crate::model::PartData;
use crate::scan::Scanner;
use crate::scan::class::{NAME, is, starts_name};
use crate::scan::dollar::is_special;
use crate::text::Slice;

impl Scanner {
    /// Reads the expansion at the current position, if it is none of bash.
    #[cold]
    pub(in crate::scan) fn zsh_dollar(&mut self, quoted: bool) -> bool {
        let start = self.pos;
        let mut cursor = self.cursor();
        cursor.next();
        let mut end = cursor.pos;
        match cursor.peek() {
            // There is no translation.
            Some(b'"') if !quoted => {
                self.literal(Slice::new(start, end), false);
                self.pos = end;
                return true;
            }
            Some(b'#' | b'+' | b'=' | b'~' | b'^') => {}
            _ => return false,
        }
        let mut name = Slice::new(end, end);
        let mut patterns = false;
        while let Some(byte @ (b'#' | b'+' | b'=' | b'~' | b'^')) = cursor.peek() {
            patterns |= byte == b'~';
            cursor.next();
        }
        let at = cursor.pos;
        match cursor.peek() {
            Some(byte) if starts_name(byte) || byte.is_ascii_digit() => {
                while cursor.peek().is_some_and(|byte| is(byte, NAME)) {
                    cursor.next();
                }
                end = cursor.pos;
                name = Slice::new(at, end);
            }
            Some(byte) if is_special(byte) => {
                cursor.next();
                end = cursor.pos;
                name = Slice::new(at, end);
            }
            // The number of arguments is an expansion of bash too.
            _ if self.out.text.byte(end) == Some(b'#') => return false,
            // An expansion with braces is read on its own, and nothing is nothing.
            _ => end = at,
        }
        if patterns {
            self.report_slice(DiagnosticKind::ZshOnly, Slice::new(start, end));
        }
        let name = self.joined(name);
        let source = Slice::new(start, end);
        self.pos = end;
        let part = PartData::Variable {
            name,
            simple: false,
            quoted,
            source,
        };
        self.piece(source, part);
        true
    }
}
