//! `coproc [name] command`.

use super::Scanner;
use super::compound::Clause;
use super::frame::Frame;
use super::reserved::Reserved;
use crate::DiagnosticKind;
use crate::model::{Context, KindData};

impl Scanner {
    pub(super) fn start_coproc(&mut self, start: u32) {
        let outer = self.enter(KindData::Coproc, Context::Coproc, start);
        self.push(Frame::Clause(Clause { outer }));
        self.blanks();
        if let Some(end) = self.coproc_name() {
            self.pos = end;
            self.blanks();
        }
        let reserved = self.reserved();
        if self.start_compound(reserved) {
            return;
        }
        if matches!(self.peek(), None | Some(b'\n' | b';' | b'&' | b'|' | b')')) {
            self.report(DiagnosticKind::MissingCommand);
        } else {
            let (_, simple) = self.start_simple(Context::Coproc);
            self.push(Frame::Simple(simple));
        }
    }

    /// Where the name ends. A word is a name only before a compound command.
    fn coproc_name(&self) -> Option<u32> {
        if self.reserved().is_some() {
            return None;
        }
        let mut cursor = self.cursor();
        if !cursor.name() {
            return None;
        }
        let end = cursor.pos;
        cursor.blanks();
        let compound = cursor.peek() == Some(b'(')
            || self.reserved_at(cursor.pos).is_some_and(|(word, _)| {
                matches!(
                    word,
                    Reserved::OpenBrace
                        | Reserved::OpenTest
                        | Reserved::If
                        | Reserved::While
                        | Reserved::Until
                        | Reserved::For
                        | Reserved::Select
                        | Reserved::Case
                )
            });
        (compound && cursor.pos > end).then_some(end)
    }
}
