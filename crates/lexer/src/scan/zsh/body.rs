//! What loops repeat: `do … done`, `{ … }`, `… end`, or one pipeline.

use crate::model::{Context, KindData};
use crate::scan::Scanner;
use crate::scan::frame::Frame;
use crate::scan::list::List;
use crate::scan::place::Place;
use crate::scan::reserved::Reserved;
use crate::scan::stop::Stop;

/// A loop whose head has been read.
#[derive(Debug, Clone, Copy)]
pub(in crate::scan) struct Loop {
    outer: Place,
    /// What ends the body, once it has begun.
    end: Option<End>,
    /// Whether `end` may.
    foreach: bool,
    /// Whether the body has a scope of its own.
    clause: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Word(Reserved),
    /// Nothing: it is one pipeline.
    Short,
}

impl Loop {
    pub(super) fn new(outer: Place, foreach: bool, clause: bool) -> Self {
        Self {
            outer,
            end: None,
            foreach,
            clause,
        }
    }
}

impl Scanner {
    /// Starts `while` or `until`.
    pub(in crate::scan) fn start_zsh_while(&mut self, start: u32) {
        let outer = self.enter(KindData::Group, Context::Group, start);
        self.push(Frame::ZshLoop(Loop::new(outer, false, true)));
        self.clause(KindData::Condition, Context::Condition, Stop::Do);
    }

    #[cold]
    pub(in crate::scan) fn zsh_loop(&mut self, mut state: Loop) {
        self.blanks();
        match state.end {
            Some(End::Word(word)) => {
                let closed = self.eat_reserved(word);
                return self.end_compound(state.outer, closed);
            }
            Some(End::Short) => return self.end_compound(state.outer, true),
            None => {}
        }
        match self.peek() {
            Some(b'\n') => {
                self.push(Frame::ZshLoop(state));
                return self.newline();
            }
            Some(b';') if !self.ends_arm() => {
                self.bump();
                return self.push(Frame::ZshLoop(state));
            }
            _ => {}
        }
        let (end, stop) = if self.eat_reserved(Reserved::Do) {
            (End::Word(Reserved::Done), Stop::Done)
        } else if self.eat_reserved(Reserved::OpenBrace) {
            (End::Word(Reserved::CloseBrace), Stop::Brace)
        } else if state.foreach {
            (End::Word(Reserved::End), Stop::Foreach)
        } else {
            (End::Short, Stop::Short)
        };
        state.end = Some(end);
        self.push(Frame::ZshLoop(state));
        if state.clause {
            self.clause(KindData::Loop, Context::Loop, stop);
        } else {
            self.push(Frame::List(List::new(stop)));
        }
    }
}
