//! `for`, `foreach`, `select` and `repeat`.

use super::Loop;
use crate::DiagnosticKind;
use crate::arena::Chain;
use crate::model::{Context, KindData};
use crate::scan::Scanner;
use crate::scan::frame::Frame;
use crate::scan::place::Place;
use crate::scan::reserved::Reserved;
use crate::scan::word::Role;
use crate::text::Slice;

#[derive(Debug, Clone, Copy)]
pub(in crate::scan) struct For {
    outer: Place,
    state: State,
    foreach: bool,
    words: Chain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Named,
    /// After `in`.
    Words,
    /// Between parentheses.
    Parens,
}

/// `repeat`, whose count is being read.
#[derive(Debug, Clone, Copy)]
pub(in crate::scan) struct Repeat {
    outer: Place,
}

impl Scanner {
    pub(in crate::scan) fn start_zsh_for(&mut self, word: Reserved, start: u32, end: u32) {
        self.pos = end;
        self.blanks();
        if word == Reserved::For && self.looking_at(b"((") {
            let outer = self.enter(KindData::Group, Context::Loop, start);
            self.push(Frame::ZshLoop(Loop::new(outer, false, true)));
            return self.start_for_arith();
        }
        let names = self.loop_names(word == Reserved::Select);
        if names.is_empty() {
            self.report(DiagnosticKind::MissingWord);
        }
        let kind = if word == Reserved::Select {
            KindData::Select(names)
        } else {
            KindData::For(names)
        };
        let outer = self.enter(kind, Context::Loop, start);
        self.push(Frame::ZshFor(For {
            outer,
            state: State::Named,
            foreach: word == Reserved::Foreach,
            words: Chain::default(),
        }));
    }

    /// Reads the variables, of which there may be several.
    fn loop_names(&mut self, one: bool) -> Slice {
        let mut names = self.plain_word();
        loop {
            self.blanks();
            let word = self.peek().is_some_and(|byte| self.word_ahead(byte));
            if one || names.is_empty() || !word || self.reserved().is_some() {
                return names;
            }
            let name = self.plain_word();
            if name.is_empty() {
                return names;
            }
            names.end = name.end;
        }
    }

    #[cold]
    pub(in crate::scan) fn zsh_for(&mut self, mut state: For) {
        self.take_words(&mut state.words);
        self.blanks();
        match (state.state, self.peek()) {
            (State::Named | State::Parens, Some(b'\n')) => {
                self.push(Frame::ZshFor(state));
                self.newline();
            }
            (State::Named, Some(b'(')) => {
                self.bump();
                state.state = State::Parens;
                self.push(Frame::ZshFor(state));
            }
            (State::Named, _) if self.eat_reserved(Reserved::In) => {
                state.state = State::Words;
                self.push(Frame::ZshFor(state));
            }
            (State::Named, _) | (State::Words, Some(b'\n' | b';')) => self.zsh_for_body(state),
            (State::Parens, Some(b')')) => {
                self.bump();
                self.zsh_for_body(state);
            }
            (_, Some(byte)) if self.word_ahead(byte) => {
                self.push(Frame::ZshFor(state));
                self.start_word(Role::Item);
            }
            (_, Some(byte)) => {
                if byte != b';' {
                    self.report(DiagnosticKind::UnexpectedToken);
                }
                self.bump();
                self.push(Frame::ZshFor(state));
            }
            (_, None) => self.end_compound(state.outer, false),
        }
    }

    fn zsh_for_body(&mut self, state: For) {
        let scope = self.place.scope;
        if let Some(data) = self.scope_mut(scope) {
            data.words = state.words.first;
        }
        self.push(Frame::ZshLoop(Loop::new(state.outer, state.foreach, false)));
    }

    pub(in crate::scan) fn start_repeat(&mut self, start: u32, end: u32) {
        self.pos = end;
        let outer = self.enter(KindData::Group, Context::Loop, start);
        self.push(Frame::ZshRepeat(Repeat { outer }));
        self.blanks();
        match self.peek() {
            Some(byte) if self.word_ahead(byte) => self.start_word(Role::Subject),
            _ => self.report(DiagnosticKind::MissingWord),
        }
    }

    #[cold]
    pub(in crate::scan) fn zsh_repeat(&mut self, repeat: Repeat) {
        let mut count = Chain::default();
        self.take_words(&mut count);
        let scope = self.place.scope;
        if let Some(data) = self.scope_mut(scope) {
            data.words = count.first;
        }
        self.push(Frame::ZshLoop(Loop::new(repeat.outer, false, true)));
    }
}
