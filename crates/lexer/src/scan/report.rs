//! Remarks and errors.

use super::Scanner;
use super::place::Site;
use crate::text::Slice;
use crate::{Diagnostic, DiagnosticKind, Status};

/// Nobody reads more, and hostile input could cause one for every byte.
const MOST_DIAGNOSTICS: usize = 64;

/// How often the whole source may be read again.
const REREADS: u64 = 16;

impl Scanner {
    /// Reports something about the byte at the current position.
    pub(super) fn report(&mut self, kind: DiagnosticKind) {
        let end = self.pos.saturating_add(1).min(self.limit).max(self.pos);
        self.report_slice(kind, Slice::new(self.pos, end));
    }

    /// Reports something about everything from `start` to the current position.
    pub(super) fn report_from(&mut self, kind: DiagnosticKind, start: u32) {
        self.report_slice(kind, Slice::new(start, self.pos));
    }

    /// Reports an expansion that has no end.
    pub(super) fn unterminated(&mut self, start: u32) {
        // The shell has found the end of arithmetic by text, and fails only when it evaluates it.
        let kind = match self.place.site {
            Site::Arithmetic => DiagnosticKind::BadSubstitution,
            _ => DiagnosticKind::UnterminatedExpansion,
        };
        self.report_from(kind, start);
    }

    pub(super) fn report_slice(&mut self, kind: DiagnosticKind, slice: Slice) {
        if self.halted {
            return;
        }
        let status = match kind.status() {
            Status::SyntaxError if self.place.deferred => Status::Opaque,
            status => status,
        };
        if status == Status::SyntaxError && kind != DiagnosticKind::BadArray {
            self.out.before_error.get_or_insert(self.complete);
        }
        self.out.status = self.out.status.max(status);
        if self.out.diagnostics.len() < MOST_DIAGNOSTICS || status == Status::TooBig {
            let span = self.out.text.span(slice);
            self.out.diagnostics.push(Diagnostic { kind, span });
        }
    }

    /// Gives up at a limit: nothing more is read, and every open construct closes.
    pub(super) fn halt(&mut self, kind: DiagnosticKind) {
        if self.halted {
            return;
        }
        self.report_slice(kind, Slice::new(self.pos, self.limit));
        self.halted = true;
        self.limit = self.pos;
    }

    /// Accounts for text that is read once to find its end and again for what is in it. Nesting
    /// could make that happen once a level, so there is a bound.
    pub(super) fn reread(&mut self, bytes: u32) {
        self.reread += u64::from(bytes);
        if self.reread > REREADS * self.out.source().len() as u64 + (64 << 10) {
            self.halt(DiagnosticKind::RereadLimit);
        }
    }

    /// Continues at `pos` of a text that ends at `limit`.
    pub(super) fn resume(&mut self, pos: u32, limit: u32) {
        self.pos = pos;
        self.limit = if self.halted { pos } else { limit };
    }
}
