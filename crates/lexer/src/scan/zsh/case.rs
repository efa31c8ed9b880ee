//! `case`, whose patterns may be in parentheses and whose arms may be in braces.

use crate::DiagnosticKind;
use crate::model::{Context, KindData};
use crate::scan::Scanner;
use crate::scan::frame::Frame;
use crate::scan::list::List;
use crate::scan::place::Place;
use crate::scan::reserved::Reserved;
use crate::scan::stop::Stop;
use crate::scan::word::Role;

#[derive(Debug, Clone, Copy)]
pub(in crate::scan) struct Case {
    outer: Place,
    state: State,
    braces: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Subject,
    In,
    /// A pattern or the end may follow.
    Arm,
    /// A pattern has been read. One that starts with a parenthesis may be complete.
    Pattern {
        whole: bool,
    },
    List,
}

impl Scanner {
    pub(in crate::scan) fn start_zsh_case(&mut self, start: u32, end: u32) {
        self.pos = end;
        let outer = self.enter(KindData::Case, Context::Case, start);
        self.blanks();
        self.push(Frame::ZshCase(Case {
            outer,
            state: State::Subject,
            braces: false,
        }));
        self.case_word(Role::Subject);
    }

    #[cold]
    pub(in crate::scan) fn zsh_case(&mut self, mut case: Case) {
        self.blanks();
        match case.state {
            State::Subject => {
                self.take_subject();
                case.state = State::In;
                self.push(Frame::ZshCase(case));
            }
            State::In | State::Arm if self.peek() == Some(b'\n') => {
                self.push(Frame::ZshCase(case));
                self.newline();
            }
            State::In | State::Arm if self.peek() == Some(b';') && !self.ends_arm() => {
                self.bump();
                self.push(Frame::ZshCase(case));
            }
            State::In => {
                case.braces = self.eat_reserved(Reserved::OpenBrace);
                if !case.braces && !self.eat_reserved(Reserved::In) && self.peek().is_some() {
                    self.report(DiagnosticKind::UnexpectedToken);
                }
                case.state = State::Arm;
                self.push(Frame::ZshCase(case));
            }
            State::Arm => self.zsh_arm(case),
            State::Pattern { whole } => self.zsh_pattern(case, whole),
            State::List => {
                if self.ends_arm() {
                    self.bump();
                    self.bump();
                    case.state = State::Arm;
                    self.push(Frame::ZshCase(case));
                } else {
                    let closed = self.eat_reserved(end_word(case));
                    self.end_compound(case.outer, closed);
                }
            }
        }
    }

    fn zsh_arm(&mut self, mut case: Case) {
        let whole = match self.peek() {
            None => return self.end_compound(case.outer, false),
            Some(b'|') => {
                self.bump();
                self.blanks();
                false
            }
            Some(byte) => {
                if self.eat_reserved(end_word(case)) {
                    return self.end_compound(case.outer, true);
                }
                byte == b'('
            }
        };
        case.state = State::Pattern { whole };
        self.push(Frame::ZshCase(case));
        self.case_word(Role::Pattern);
    }

    fn zsh_pattern(&mut self, mut case: Case, whole: bool) {
        match self.peek() {
            None => return self.end_compound(case.outer, false),
            Some(b'|') => {
                self.bump();
                self.blanks();
                case.state = State::Pattern { whole: false };
                self.push(Frame::ZshCase(case));
                return self.case_word(Role::Pattern);
            }
            Some(b')') => self.bump(),
            Some(_) if whole => {}
            // What follows is read as a list, the reading that can run something.
            Some(_) => self.report(DiagnosticKind::UnexpectedToken),
        }
        case.state = State::List;
        self.push(Frame::ZshCase(case));
        let stop = if case.braces {
            Stop::BraceArm
        } else {
            Stop::Arm
        };
        self.push(Frame::List(List::new(stop)));
    }
}

fn end_word(case: Case) -> Reserved {
    if case.braces {
        Reserved::CloseBrace
    } else {
        Reserved::Esac
    }
}
