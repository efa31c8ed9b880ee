//! `if` with bodies in braces or of one pipeline.

use crate::DiagnosticKind;
use crate::model::{Context, KindData};
use crate::scan::Scanner;
use crate::scan::frame::Frame;
use crate::scan::place::Place;
use crate::scan::reserved::Reserved;
use crate::scan::stop::Stop;

#[derive(Debug, Clone, Copy)]
pub(in crate::scan) struct If {
    outer: Place,
    state: State,
}

/// What has been read last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Condition,
    /// A body after `then`.
    Then,
    /// A body in braces.
    Braces,
    /// A body of one pipeline.
    Short,
    Else,
    /// A body in braces after `else`.
    ElseBraces,
}

impl Scanner {
    pub(in crate::scan) fn start_zsh_if(&mut self, start: u32) {
        let outer = self.enter(KindData::Group, Context::Group, start);
        self.zsh_condition(outer);
    }

    fn zsh_condition(&mut self, outer: Place) {
        let state = State::Condition;
        self.push(Frame::ZshIf(If { outer, state }));
        self.clause(KindData::Condition, Context::Condition, Stop::Then);
    }

    fn zsh_branch(&mut self, outer: Place, state: State, stop: Stop) {
        self.push(Frame::ZshIf(If { outer, state }));
        self.clause(KindData::Body, Context::Body, stop);
    }

    #[cold]
    pub(in crate::scan) fn zsh_if(&mut self, clause: If) {
        self.blanks();
        let If { outer, state } = clause;
        match state {
            State::Condition if self.eat_reserved(Reserved::Then) => {
                self.zsh_branch(outer, State::Then, Stop::Branch);
            }
            State::Condition if self.eat_reserved(Reserved::OpenBrace) => {
                self.zsh_branch(outer, State::Braces, Stop::Brace);
            }
            State::Condition if matches!(self.peek(), None | Some(b')')) => {
                self.end_compound(outer, false);
            }
            State::Condition => self.zsh_branch(outer, State::Short, Stop::Short),
            State::Then => self.after_branch(outer, false),
            State::Braces => {
                let closed = self.eat_reserved(Reserved::CloseBrace);
                self.blanks();
                if !closed {
                    self.report(DiagnosticKind::UnterminatedCompound);
                }
                self.after_branch(outer, true);
            }
            State::Short => self.end_compound(outer, true),
            State::Else => {
                let closed = self.eat_reserved(Reserved::Fi);
                self.end_compound(outer, closed);
            }
            State::ElseBraces => {
                let closed = self.eat_reserved(Reserved::CloseBrace);
                self.end_compound(outer, closed);
            }
        }
    }

    /// Goes on after a body that another one may follow. In braces it may be the last, if
    /// something separates it from what follows.
    fn after_branch(&mut self, outer: Place, braces: bool) {
        if self.eat_reserved(Reserved::Elif) {
            self.zsh_condition(outer);
        } else if self.eat_reserved(Reserved::Else) {
            while let Some(byte @ (b' ' | b'\t' | b'\n' | b';')) = self.peek() {
                if byte == b'\n' && self.pending_len() > 0 {
                    break;
                }
                self.bump();
            }
            if braces && self.eat_reserved(Reserved::OpenBrace) {
                self.zsh_branch(outer, State::ElseBraces, Stop::Brace);
            } else {
                self.zsh_branch(outer, State::Else, Stop::Fi);
            }
        } else {
            let closed = self.eat_reserved(Reserved::Fi)
                || braces && matches!(self.peek(), Some(b'\n' | b';')) && !self.ends_arm();
            self.end_compound(outer, closed);
        }
    }
}
