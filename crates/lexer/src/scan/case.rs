//! `case word in pattern) list ;; esac`.

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
pub(super) struct Case {
    outer: Place,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Subject,
    In,
    /// A pattern or `esac` may follow.
    Arm,
    /// A pattern has been read.
    Pattern,
    List,
}

impl Scanner {
    pub(super) fn start_case(&mut self, start: u32, end: u32) {
        // bash prints a substitution in arithmetic without the `(` of patterns, counts what is left,
        // and may take all of it for commands.
        if self.arithmetic.covers(&self.out.text, start) {
            self.report(DiagnosticKind::AmbiguousParens);
        }
        self.pos = end;
        let outer = self.enter(KindData::Case, Context::Case, start);
        self.blanks();
        self.push(Frame::Case(Case {
            outer,
            state: State::Subject,
        }));
        self.case_word(Role::Subject);
    }

    pub(super) fn case_clause(&mut self, mut case: Case) {
        match case.state {
            State::Subject => {
                self.take_subject();
                case.state = State::In;
                self.push(Frame::Case(case));
            }
            State::In => self.case_in(case),
            State::Arm => self.case_arm(case),
            State::Pattern => self.case_pattern(case),
            State::List => {
                // Three marks end a list; they differ only in what is tested next.
                if self.looking_at(b";;&") || self.looking_at(b";&") {
                    self.flag_bashism();
                }
                let ended = self.eat(b";;&") || self.eat(b";;") || self.eat(b";&");
                if ended || self.reserved().is_some() {
                    case.state = State::Arm;
                    self.push(Frame::Case(case));
                } else {
                    self.end_compound(case.outer, false);
                }
            }
        }
    }

    fn case_in(&mut self, mut case: Case) {
        self.blanks();
        if self.peek() == Some(b'\n') {
            self.push(Frame::Case(case));
            return self.newline();
        }
        if !self.eat_reserved(Reserved::In) && self.peek().is_some() {
            self.report(DiagnosticKind::UnexpectedToken);
        }
        case.state = State::Arm;
        self.push(Frame::Case(case));
    }

    fn case_arm(&mut self, mut case: Case) {
        self.blanks();
        match self.peek() {
            None => return self.end_compound(case.outer, false),
            Some(b'\n') => {
                self.push(Frame::Case(case));
                return self.newline();
            }
            // After the parenthesis `esac` is a pattern.
            Some(b'(') => {
                self.bump();
                self.blanks();
            }
            Some(_) if self.eat_reserved(Reserved::Esac) => {
                return self.end_compound(case.outer, true);
            }
            Some(_) => {}
        }
        case.state = State::Pattern;
        self.push(Frame::Case(case));
        self.case_word(Role::Pattern);
    }

    /// Starts the subject or a pattern, which must be there.
    pub(super) fn case_word(&mut self, role: Role) {
        match self.peek() {
            Some(byte) if self.word_ahead(byte) => self.start_word(role),
            _ => self.report(DiagnosticKind::MissingWord),
        }
    }

    /// Gives the scope the subject, which has been read.
    pub(super) fn take_subject(&mut self) {
        let mut subject = Chain::default();
        self.take_words(&mut subject);
        let scope = self.place.scope;
        if let Some(data) = self.scope_mut(scope) {
            data.words = subject.first;
        }
    }

    fn case_pattern(&mut self, mut case: Case) {
        self.blanks();
        match self.peek() {
            Some(b'|') => {
                self.bump();
                self.blanks();
                self.push(Frame::Case(case));
                self.case_word(Role::Pattern);
            }
            Some(b')') => {
                self.bump();
                case.state = State::List;
                self.push(Frame::Case(case));
                self.push(Frame::List(List::new(Stop::Arm)));
            }
            Some(_) => {
                self.report(DiagnosticKind::UnexpectedToken);
                // What follows is read as a list, the reading that can run something.
                case.state = State::List;
                self.push(Frame::Case(case));
                self.push(Frame::List(List::new(Stop::Arm)));
            }
            None => self.end_compound(case.outer, false),
        }
    }
}
