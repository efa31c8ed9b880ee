//! Compound commands: `{ }`, `( )`, `if`, `while`, `until`, and what may follow any of them.

use super::Scanner;
use super::frame::Frame;
use super::list::List;
use super::place::Place;
use super::reserved::Reserved;
use super::stop::Stop;
use crate::DiagnosticKind;
use crate::arena::Chain;
use crate::model::{Context, KindData, ScopeId};

/// One list of a compound command that has several.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clause {
    pub(super) outer: Place,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    outer: Place,
    close: Close,
}

#[derive(Debug, Clone, Copy)]
enum Close {
    Brace,
    Paren,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct If {
    outer: Place,
    last: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct While {
    outer: Place,
}

/// The redirections after a compound command.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trailer {
    scope: ScopeId,
    redirects: Chain,
}

impl Scanner {
    /// Starts the compound command that comes next, if one does. `reserved` is the reserved word
    /// that comes next.
    pub(super) fn start_compound(&mut self, reserved: Option<(Reserved, u32)>) -> bool {
        let start = self.pos;
        if self.peek() == Some(b'(') {
            if self.zsh() && self.eat(b"()") {
                self.start_anonymous(start);
                return true;
            }
            if !(self.looking_at(b"((") && self.start_arith_command(start)) {
                self.bump();
                let context = self.body_context(Context::Subshell);
                self.start_group(KindData::Subshell, context, start);
            }
            return true;
        }
        let Some((word, end)) = reserved else {
            return false;
        };
        match word {
            Reserved::OpenBrace => {
                self.pos = end;
                let context = self.body_context(Context::Group);
                self.start_group(KindData::Group, context, start);
            }
            Reserved::If if self.zsh() => {
                self.pos = end;
                self.start_zsh_if(start);
            }
            Reserved::While | Reserved::Until if self.zsh() => {
                self.pos = end;
                self.start_zsh_while(start);
            }
            Reserved::Repeat => self.start_repeat(start, end),
            Reserved::For | Reserved::Select | Reserved::Foreach if self.zsh() => {
                self.start_zsh_for(word, start, end);
            }
            Reserved::Case if self.zsh() => self.start_zsh_case(start, end),
            Reserved::If => {
                self.pos = end;
                let outer = self.enter(KindData::Group, Context::Group, start);
                self.push(Frame::If(If { outer, last: false }));
                self.clause(KindData::Condition, Context::Condition, Stop::Then);
            }
            Reserved::While | Reserved::Until => {
                self.pos = end;
                let outer = self.enter(KindData::Group, Context::Group, start);
                self.push(Frame::While(While { outer }));
                self.clause(KindData::Condition, Context::Condition, Stop::Do);
            }
            Reserved::For | Reserved::Select => self.start_for(word, start, end),
            Reserved::Case => self.start_case(start, end),
            Reserved::OpenTest => self.start_cond(start, end),
            _ => return false,
        }
        true
    }

    fn start_group(&mut self, kind: KindData, context: Context, start: u32) {
        let outer = self.enter(kind, context, start);
        let (close, stop) = match kind {
            KindData::Subshell => (Close::Paren, Stop::Paren),
            _ => (Close::Brace, Stop::Brace),
        };
        self.push(Frame::Group(Group { outer, close }));
        self.push(Frame::List(List::new(stop)));
    }

    pub(super) fn end_group(&mut self, group: Group) {
        let closed = match group.close {
            Close::Brace => self.eat_reserved(Reserved::CloseBrace),
            Close::Paren => self.eat(b")"),
        };
        if closed && self.zsh() && matches!(group.close, Close::Brace) && self.always() {
            let start = self.pos;
            self.leave(group.outer);
            self.eat_reserved(Reserved::OpenBrace);
            let context = self.body_context(Context::Group);
            return self.start_group(KindData::Group, context, start);
        }
        self.end_compound(group.outer, closed);
    }

    /// Starts a list in a scope of its own.
    pub(super) fn clause(&mut self, kind: KindData, context: Context, stop: Stop) {
        let outer = self.enter(kind, context, self.pos);
        self.push(Frame::Clause(Clause { outer }));
        self.push(Frame::List(List::new(stop)));
    }

    pub(super) fn if_clause(&mut self, state: If) {
        match self.reserved() {
            Some((Reserved::Then, end)) => {
                self.pos = end;
                self.push(Frame::If(If {
                    last: false,
                    ..state
                }));
                self.clause(KindData::Body, Context::Body, Stop::Branch);
            }
            Some((Reserved::Elif, end)) if !state.last => {
                self.pos = end;
                self.push(Frame::If(If {
                    last: false,
                    ..state
                }));
                self.clause(KindData::Condition, Context::Condition, Stop::Then);
            }
            Some((Reserved::Else, end)) if !state.last => {
                self.pos = end;
                self.push(Frame::If(If {
                    last: true,
                    ..state
                }));
                self.clause(KindData::Body, Context::Body, Stop::Fi);
            }
            _ => {
                let closed = self.eat_reserved(Reserved::Fi);
                self.end_compound(state.outer, closed);
            }
        }
    }

    pub(super) fn while_clause(&mut self, state: While) {
        if self.eat_reserved(Reserved::Do) {
            self.push(Frame::While(state));
            self.clause(KindData::Loop, Context::Loop, Stop::Done);
        } else {
            let closed = self.eat_reserved(Reserved::Done);
            self.end_compound(state.outer, closed);
        }
    }

    /// Closes a compound command, whose redirections may follow.
    pub(super) fn end_compound(&mut self, outer: Place, closed: bool) {
        if !closed {
            self.report(DiagnosticKind::UnterminatedCompound);
        }
        let scope = self.place.scope;
        self.leave(outer);
        let redirects = Chain::default();
        self.push(Frame::Trailer(Trailer { scope, redirects }));
    }

    pub(super) fn trailer(&mut self, mut trailer: Trailer) {
        self.take_redirects(&mut trailer.redirects);
        self.blanks();
        let head = self.peek().and_then(|byte| self.redirect_head(byte));
        if let Some(head) = head {
            self.push(Frame::Trailer(trailer));
            return self.start_redirect(head);
        }
        if let Some(data) = self.scope_mut(trailer.scope) {
            data.redirects = trailer.redirects.first;
        }
    }
}
