//! What can be open.

use super::Scanner;
use super::arith::Arith;
use super::array::Array;
use super::backtick::Backtick;
use super::case::Case;
use super::compound::{Clause, Group, If, Trailer, While};
use super::cond::Cond;
use super::extglob::Extglob;
use super::r#for::For;
use super::heredoc::BodyEnd;
use super::list::List;
use super::param::Param;
use super::quote::Quoted;
use super::redirect::Redirecting;
use super::simple::Simple;
use super::subst::Subst;
use super::word::Word;
use super::zsh;

/// One open construct and how far it has been read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Frame {
    List(List),
    Simple(Simple),
    Redirect(Redirecting),
    Trailer(Trailer),
    Word(Word),
    Array(Array),
    Quoted(Quoted),
    Extglob(Extglob),
    Param(Param),
    Arith(Arith),
    Subst(Subst),
    Backtick(Backtick),
    /// Here-document bodies that wait to be read, down to this many.
    Bodies(u32),
    BodyEnd(BodyEnd),
    Clause(Clause),
    Group(Group),
    If(If),
    While(While),
    For(For),
    Case(Case),
    Cond(Cond),
    /// A definition whose name has been read.
    FunctionBody,
    ZshParam(zsh::Param),
    ZshIf(zsh::If),
    ZshLoop(zsh::Loop),
    ZshFor(zsh::For),
    ZshRepeat(zsh::Repeat),
    ZshCase(zsh::Case),
    ZshFunction(zsh::Function),
    ZshAnonymous(zsh::Anonymous),
    /// As [`Frame::FunctionBody`], and whether `function` stands before it.
    ZshBody(bool),
}

impl Scanner {
    pub(super) fn step(&mut self, frame: Frame) {
        match frame {
            Frame::List(list) => self.list(list),
            Frame::Simple(simple) => self.simple(simple),
            Frame::Redirect(redirect) => self.end_redirect(redirect),
            Frame::Trailer(trailer) => self.trailer(trailer),
            Frame::Word(word) => self.word(word),
            Frame::Array(array) => self.array(array),
            Frame::Quoted(quoted) => self.quoted(quoted),
            Frame::Extglob(extglob) => self.extglob(extglob),
            Frame::Param(param) => self.param(param),
            Frame::Arith(arith) => self.arith(arith),
            Frame::Subst(subst) => self.end_subst(subst),
            Frame::Backtick(backtick) => self.end_backtick(backtick),
            Frame::Bodies(until) => self.bodies(until),
            Frame::BodyEnd(end) => self.end_body(end),
            Frame::Clause(clause) => self.leave(clause.outer),
            Frame::Group(group) => self.end_group(group),
            Frame::If(state) => self.if_clause(state),
            Frame::While(state) => self.while_clause(state),
            Frame::For(state) => self.for_clause(state),
            Frame::Case(state) => self.case_clause(state),
            Frame::Cond(cond) => self.cond(cond),
            Frame::FunctionBody => self.function_body(),
            Frame::ZshParam(param) => self.zsh_param(param),
            Frame::ZshIf(state) => self.zsh_if(state),
            Frame::ZshLoop(state) => self.zsh_loop(state),
            Frame::ZshFor(state) => self.zsh_for(state),
            Frame::ZshRepeat(repeat) => self.zsh_repeat(repeat),
            Frame::ZshCase(state) => self.zsh_case(state),
            Frame::ZshFunction(function) => self.zsh_function(function),
            Frame::ZshAnonymous(function) => self.zsh_anonymous(function),
            Frame::ZshBody(keyword) => self.zsh_body(keyword),
        }
    }
}
