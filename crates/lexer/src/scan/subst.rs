//! Substitutions that contain a list: `$( )`, `${ ; }`, `<( )`, `>( )`.

use super::Scanner;
use super::frame::Frame;
use super::list::List;
use super::place::{Place, Site};
use super::reserved::Reserved;
use super::stop::Stop;
use crate::model::{Context, KindData, PartData};
use crate::text::{Slice, offset};

#[derive(Debug, Clone, Copy)]
pub(super) struct Subst {
    start: u32,
    quoted: bool,
    outer: Place,
    kind: Kind,
    /// Where the text around it ends.
    limit: u32,
    /// How many commands there were before it.
    commands: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Command,
    Function,
    Process { write: bool },
}

impl Scanner {
    /// Starts the list of a `$( )`, whose parenthesis has been read. `end` is where it closes, if
    /// the shell decides that by text.
    pub(super) fn start_command_substitution(
        &mut self,
        start: u32,
        quoted: bool,
        end: Option<u32>,
    ) {
        let context = match self.place.site {
            Site::Word => Context::Substitution,
            Site::Heredoc => Context::HeredocSubstitution,
            Site::Arithmetic => Context::ArithmeticSubstitution,
            Site::Test => Context::ConditionSubstitution,
            Site::Redirect => Context::RedirectSubstitution,
        };
        let outer = self.enter(KindData::CommandSubstitution, context, start);
        self.start_subst(start, quoted, outer, Kind::Command, end);
    }

    /// Starts a `${ ; }` or `${| ; }`, behind its opening. Before bash 5.3 it is no command at
    /// all, so an error in it does not reject the script.
    pub(super) fn start_function_substitution(&mut self, start: u32, quoted: bool) {
        self.flag_bashism();
        let context = Context::FunctionSubstitution;
        let outer = self.enter(KindData::FunctionSubstitution, context, start);
        self.place.deferred = true;
        self.start_subst(start, quoted, outer, Kind::Function, None);
    }

    /// Starts a `<( )` or `>( )`.
    pub(super) fn start_process(&mut self) {
        self.flag_bashism();
        let start = self.pos;
        let write = self.byte() == Some(b'>');
        self.bump();
        let end = self.text_end();
        self.bump();
        let kind = KindData::ProcessSubstitution { write };
        let outer = self.enter(kind, Context::ProcessSubstitution, start);
        let kind = Kind::Process { write };
        self.start_subst(start, false, outer, kind, end);
    }

    /// Starts the list. `end` is where it closes, if the shell decides that by text.
    fn start_subst(
        &mut self,
        start: u32,
        quoted: bool,
        outer: Place,
        kind: Kind,
        end: Option<u32>,
    ) {
        let function = kind == Kind::Function;
        self.place.terminator = Some(if function { b'}' } else { b')' });
        self.place.pending = self.pending_len();
        self.place.bodies = self.bodies_found;
        self.push(Frame::Subst(Subst {
            start,
            quoted,
            outer,
            kind,
            limit: self.limit,
            commands: offset(self.out.commands.len()),
        }));
        let stop = match end {
            Some(end) => {
                self.place.deferred = true;
                self.limit = self.limit.min(end);
                Stop::End
            }
            None if function => Stop::SubstBrace,
            None => Stop::Subst,
        };
        self.push(Frame::List(List::new(stop)));
    }

    pub(super) fn end_subst(&mut self, subst: Subst) {
        self.resume(self.pos, subst.limit);
        let closed = match subst.kind {
            Kind::Function => self.eat_reserved(Reserved::CloseBrace) || self.eat(b"}"),
            Kind::Command | Kind::Process { .. } => self.eat(b")"),
        };
        if closed && self.bodies_found > self.place.bodies {
            self.flag_old_end(subst.start, self.pos - 1);
        }
        let commands = self.out.commands.len() - subst.commands as usize;
        self.outlive(self.place.pending, commands);
        let scope = Some(self.place.scope);
        self.leave(subst.outer);
        if !closed {
            self.unterminated(subst.start);
        }
        let quoted = subst.quoted;
        let source = Slice::new(subst.start, self.pos);
        let part = match subst.kind {
            // bash 5.2 drops one that is empty.
            Kind::Process { .. } if self.out.commands.len() == subst.commands as usize => {
                PartData::Opaque(source)
            }
            Kind::Process { write } => PartData::ProcessSubstitution { scope, write },
            kind => PartData::CommandSubstitution {
                scope,
                function: kind == Kind::Function,
                quoted,
            },
        };
        self.piece(source, part);
    }
}
