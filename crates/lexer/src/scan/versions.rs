//! Where shells, or versions of one shell, read the same text differently.

use super::Scanner;
use crate::text::Slice;
use crate::{DiagnosticKind, Dialect};

impl Scanner {
    /// Reports a construct of bash that `sh` may not have, because `sh` is dash on many systems.
    /// What dash makes of it is another command, another word or an error.
    pub(super) fn flag_bashism(&mut self) {
        if self.options.dialect == Dialect::Sh {
            self.report(DiagnosticKind::ShellDependent);
        }
    }

    /// Reports a descriptor of two digits before a command, which dash and zsh take for the command.
    pub(super) fn flag_wide_number(&mut self) {
        if matches!(self.options.dialect, Dialect::Unknown | Dialect::Sh) {
            self.report(DiagnosticKind::ShellDependent);
        }
    }

    /// Reports escapes in `$'…'` that zsh reads differently.
    pub(super) fn flag_zsh_escapes(&mut self, text: Slice) {
        let differs = |pair: &[u8]| matches!(pair, [b'\\', b'c' | b'C' | b'M']);
        let bytes = self.out.text.get(text);
        if self.options.dialect == Dialect::Unknown && bytes.windows(2).any(differs) {
            self.report_slice(DiagnosticKind::ZshOnly, text);
        }
    }

    /// Reports a substitution with a here-document that bash 3.2 ends elsewhere.
    ///
    /// Up to that version the end is found by text, and what looks like a parenthesis in the body
    /// counts. Where it finds no end there is an error, and nothing runs.
    pub(super) fn flag_old_end(&mut self, start: u32, end: u32) {
        let open = start + 1;
        if !self.options.bash3 || self.out.text.byte(open) != Some(b'(') {
            return;
        }
        if self.closing(open).is_some_and(|found| found != end) {
            let slice = Slice::new(start, end + 1);
            self.report_slice(DiagnosticKind::VersionDependent, slice);
        }
    }
}
