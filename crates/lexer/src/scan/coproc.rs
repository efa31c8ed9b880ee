//! `coproc [name] command`.

use super::Scanner;
use super::compound::Clause;
use super::frame::Frame;
use super::reserved::Reserved;
use crate::DiagnosticKind;
use crate::model::{Context, KindData};

impl Scanner {
    pub(super) fn start_coproc(&mut self, start: u32) {
        self.flag_bashism();
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
        match self.peek() {
            Some(b'&') if self.redirects_both() => self.coproc_command(reserved),
            None | Some(b'\n' | b';' | b'&' | b'|' | b')') => {
                if !self.zsh() {
                    self.report(DiagnosticKind::MissingCommand);
                }
            }
            Some(_) => self.coproc_command(reserved),
        }
    }

    fn coproc_command(&mut self, reserved: Option<(Reserved, u32)>) {
        // `time` is an ordinary word here.
        if reserved.is_some_and(|(word, _)| word != Reserved::Time) {
            self.report(DiagnosticKind::UnexpectedToken);
        }
        // bash 5.2 prints a substitution and reads that, and prints a name for the coprocess, which
        // it then reads as the command.
        if self.place.terminator.is_some() {
            self.report(DiagnosticKind::CoprocName);
        }
        let (_, simple) = self.start_simple(Context::Coproc);
        self.push(Frame::Simple(simple));
    }

    /// Where the name ends. A word is a name only before a compound command.
    fn coproc_name(&self) -> Option<u32> {
        if self.zsh() || self.reserved().is_some() {
            return None;
        }
        let mut cursor = self.cursor();
        if !cursor.name() {
            return None;
        }
        let end = cursor.pos;
        cursor.blanks();
        let compound = cursor.peek() == Some(b'(')
            || cursor.pos > end
                && self.reserved_at(cursor.pos).is_some_and(|(word, _)| {
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
        compound.then_some(end)
    }
}
