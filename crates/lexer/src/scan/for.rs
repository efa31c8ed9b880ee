//! `for`, `select` and the arithmetic `for`.

use super::Scanner;
use super::frame::Frame;
use super::list::List;
use super::place::Place;
use super::reserved::Reserved;
use super::stop::Stop;
use super::word::Role;
use crate::DiagnosticKind;
use crate::arena::Chain;
use crate::model::{Context, KindData};

#[derive(Debug, Clone, Copy)]
pub(super) struct For {
    outer: Place,
    state: State,
    words: Chain,
    arithmetic: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The name, or the arithmetic, has been read.
    Named,
    Words,
    /// `do` or `{` must follow.
    Ready,
    Do,
    Brace,
}

impl Scanner {
    pub(super) fn start_for(&mut self, word: Reserved, start: u32, end: u32) {
        self.pos = end;
        self.blanks();
        if word == Reserved::For && self.looking_at(b"((") {
            let outer = self.enter(KindData::Group, Context::Loop, start);
            self.push(Frame::For(For {
                outer,
                state: State::Named,
                words: Chain::default(),
                arithmetic: true,
            }));
            self.start_for_arith();
            return;
        }
        let name = self.plain_word();
        if name.is_empty() {
            self.report(DiagnosticKind::MissingWord);
        }
        let kind = if word == Reserved::For {
            KindData::For(name)
        } else {
            self.flag_bashism();
            KindData::Select(name)
        };
        let outer = self.enter(kind, Context::Loop, start);
        self.push(Frame::For(For {
            outer,
            state: State::Named,
            words: Chain::default(),
            arithmetic: false,
        }));
    }

    pub(super) fn for_clause(&mut self, mut state: For) {
        self.take_words(&mut state.words);
        self.blanks();
        match state.state {
            State::Named => self.for_named(state),
            State::Words => self.for_words(state),
            State::Ready => self.for_ready(state),
            State::Do => {
                let closed = self.eat_reserved(Reserved::Done);
                self.end_compound(state.outer, closed);
            }
            State::Brace => {
                state.state = State::Do;
                let closed = self.eat_reserved(Reserved::CloseBrace);
                self.end_compound(state.outer, closed);
            }
        }
    }

    fn for_named(&mut self, mut state: For) {
        match self.peek() {
            Some(b'\n') => {
                self.push(Frame::For(state));
                return self.newline();
            }
            Some(b';') => {
                self.bump();
                state.state = State::Ready;
            }
            _ if !state.arithmetic && self.eat_reserved(Reserved::In) => {
                state.state = State::Words;
            }
            _ => state.state = State::Ready,
        }
        self.push(Frame::For(state));
    }

    fn for_words(&mut self, mut state: For) {
        match self.peek() {
            Some(b';' | b'\n') => {
                if self.byte() == Some(b';') {
                    self.bump();
                }
                let scope = self.place.scope;
                if let Some(data) = self.scope_mut(scope) {
                    data.words = state.words.first;
                }
                state.state = State::Ready;
                self.push(Frame::For(state));
            }
            Some(byte) if self.word_ahead(byte) => {
                self.push(Frame::For(state));
                self.start_word(Role::Item);
            }
            Some(_) => {
                self.report(DiagnosticKind::UnexpectedToken);
                self.bump();
                self.push(Frame::For(state));
            }
            None => self.end_compound(state.outer, false),
        }
    }

    fn for_ready(&mut self, mut state: For) {
        if self.peek() == Some(b'\n') {
            self.push(Frame::For(state));
            return self.newline();
        }
        let stop = if self.eat_reserved(Reserved::Do) {
            state.state = State::Do;
            Stop::Done
        } else if self.eat_reserved(Reserved::OpenBrace) {
            state.state = State::Brace;
            Stop::Brace
        } else {
            // At the end of the input the compound command is what is incomplete.
            let more = self.peek().is_some();
            if more {
                self.report(DiagnosticKind::UnexpectedToken);
            }
            return self.end_compound(state.outer, more);
        };
        self.push(Frame::For(state));
        if state.arithmetic {
            self.clause(KindData::Loop, Context::Loop, stop);
        } else {
            self.push(Frame::List(List::new(stop)));
        }
    }
}
