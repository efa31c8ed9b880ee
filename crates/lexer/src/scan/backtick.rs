//! Backquotes: `` `…` ``.

use super::Scanner;
use super::frame::Frame;
use super::list::List;
use super::place::{Place, Site};
use super::stop::Stop;
use crate::DiagnosticKind;
use crate::arena::push;
use crate::model::{Context, KindData, PartData};
use crate::text::{Slice, offset};

#[derive(Debug, Clone, Copy)]
pub(super) struct Backtick {
    start: u32,
    quoted: bool,
    outer: Place,
    /// Where the text around it goes on, and where that ends.
    pos: u32,
    limit: u32,
}

impl Scanner {
    /// Starts reading the commands between two backquotes. Directly inside `double` quotes a
    /// backslash quotes one byte more.
    pub(super) fn start_backtick(&mut self, quoted: bool, double: bool) {
        let start = self.pos;
        let rest = self.out.text.tail(start + 1, self.limit);
        let (len, closed) = body_len(rest);
        let body = Slice::new(start + 1, start + 1 + len);
        let after = body.end + u32::from(closed);
        if !closed {
            self.pos = after;
            self.report_from(DiagnosticKind::UnterminatedExpansion, start);
        }
        let body = self.unescape(body, double);
        let outer = self.enter(KindData::Backtick, Context::Backtick, body.start);
        self.place.site = Site::Word;
        self.place.deferred = true;
        self.place.terminator = None;
        self.place.pending = self.pending_len();
        self.push(Frame::Backtick(Backtick {
            start,
            quoted,
            outer,
            pos: after,
            limit: self.limit,
        }));
        self.resume(body.start, body.end);
        self.push(Frame::List(List::new(Stop::End)));
    }

    pub(super) fn end_backtick(&mut self, backtick: Backtick) {
        self.abandon_heredocs();
        let scope = Some(self.place.scope);
        self.leave(backtick.outer);
        self.resume(backtick.pos, backtick.limit);
        let source = Slice::new(backtick.start, backtick.pos);
        let quoted = backtick.quoted;
        self.piece(
            source,
            PartData::CommandSubstitution {
                scope,
                function: false,
                quoted,
            },
        );
    }

    /// The commands as the shell reads them: without one level of backslashes, and without any
    /// backslash-newline, even in single quotes.
    fn unescape(&mut self, body: Slice, double: bool) -> Slice {
        let bytes = self.out.text.get(body);
        let mut kept = Vec::new();
        let mut from = 0;
        let mut at = 0;
        while let Some(&byte) = bytes.get(at)
            && !self.budget.overdrawn
        {
            let after = match (byte, bytes.get(at + 1)) {
                (b'\\', Some(b'\n')) => at + 2,
                (b'\\', Some(b'\\' | b'`' | b'$')) => at + 1,
                (b'\\', Some(b'"')) if double => at + 1,
                (b'\\', _) => {
                    at += 2;
                    continue;
                }
                _ => {
                    at += 1;
                    continue;
                }
            };
            let slice = Slice::new(body.start + offset(from), body.start + offset(at));
            push(&mut kept, slice, &mut self.budget);
            from = after;
            at += 2;
        }
        if kept.is_empty() {
            return body;
        }
        kept.push(Slice::new(body.start + offset(from), body.end));
        let derived = self.derive(&kept);
        self.budget.free(kept);
        derived
    }
}

/// The length of the body that starts `rest`, and whether a backquote ends it.
fn body_len(rest: &[u8]) -> (u32, bool) {
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'`' => return (offset(at), true),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    (offset(rest.len()), false)
}
