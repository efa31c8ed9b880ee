//! `[[ expression ]]`.

use super::Scanner;
use super::frame::Frame;
use super::place::{Place, Site};
use super::reserved::Reserved;
use super::word::Role;
use crate::DiagnosticKind;
use crate::model::{Context, KindData};

#[derive(Debug, Clone, Copy)]
pub(super) struct Cond {
    outer: Place,
    expect: Expect,
    /// Open parentheses.
    depth: u32,
    /// Whether extended patterns were on outside; inside they always are.
    extglob: bool,
}

/// What may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expect {
    Term,
    /// A binary operator, or the end of a term of one word.
    Operator,
    Operand,
    /// The right-hand side of `=~`.
    Regex,
    /// The end of a term.
    End,
}

impl Scanner {
    pub(super) fn start_cond(&mut self, start: u32, end: u32) {
        self.flag_bashism();
        self.pos = end;
        let outer = self.enter(
            KindData::TestExpression,
            Context::ConditionSubstitution,
            start,
        );
        self.place.site = Site::Test;
        let extglob = std::mem::replace(&mut self.extglob, true);
        self.push(Frame::Cond(Cond {
            outer,
            expect: Expect::Term,
            depth: 0,
            extglob,
        }));
    }

    /// Reads one token of the expression.
    pub(super) fn cond(&mut self, mut cond: Cond) {
        let word = std::mem::take(&mut self.staged.words);
        if !word.is_empty() {
            self.cond_word(&mut cond, word.first);
        }
        self.blanks();
        match self.peek() {
            None => self.end_cond(cond, false),
            Some(b'\n') => {
                let goes_on = self.zsh() && cond.expect == Expect::Operator;
                if !goes_on
                    && matches!(
                        cond.expect,
                        Expect::Operator | Expect::Operand | Expect::Regex
                    )
                {
                    self.report(DiagnosticKind::UnexpectedToken);
                }
                self.push(Frame::Cond(cond));
                self.newline();
            }
            Some(b'(') if cond.expect == Expect::Regex => {
                self.push(Frame::Cond(cond));
                self.start_long_word(Role::Regex);
            }
            Some(byte @ (b'(' | b'<')) if self.zsh() && cond.expect != Expect::Operand => {
                self.cond_operator(cond, byte);
            }
            Some(byte) if self.word_ahead(byte) => {
                if self.eat_reserved(Reserved::CloseTest) {
                    return self.end_cond(cond, true);
                }
                let regex = cond.expect == Expect::Regex;
                self.push(Frame::Cond(cond));
                if regex {
                    self.start_long_word(Role::Regex);
                } else {
                    self.start_word(Role::Operand);
                }
            }
            Some(byte) => self.cond_operator(cond, byte),
        }
    }

    fn cond_operator(&mut self, mut cond: Cond, byte: u8) {
        let term_ends = matches!(cond.expect, Expect::Operator | Expect::End);
        let (expected, next) = match byte {
            b'(' => {
                cond.depth += 1;
                (cond.expect == Expect::Term, Expect::Term)
            }
            b')' => {
                let open = cond.depth > 0;
                cond.depth = cond.depth.saturating_sub(1);
                (term_ends && open, Expect::End)
            }
            b'<' | b'>' => (cond.expect == Expect::Operator, Expect::Operand),
            _ if self.looking_at(b"&&") || self.looking_at(b"||") => {
                self.bump();
                (term_ends, Expect::Term)
            }
            _ => return self.end_cond(cond, false),
        };
        if !expected {
            self.report(DiagnosticKind::UnexpectedToken);
        }
        self.bump();
        cond.expect = next;
        self.push(Frame::Cond(cond));
    }

    /// Accounts for the word that was read last, which is needed no longer than this.
    fn cond_word(&mut self, cond: &mut Cond, word: u32) {
        let text = self.unquoted_literal_of(word).unwrap_or_default();
        cond.expect = match cond.expect {
            Expect::Term if text == b"!" => Expect::Term,
            Expect::Term | Expect::Operator if self.zsh() && is_zsh_test(text) => Expect::Operand,
            Expect::Term if is_unary(text) => Expect::Operand,
            Expect::Term => Expect::Operator,
            Expect::Operator if text == b"=~" => Expect::Regex,
            Expect::Operator if is_binary(text) => Expect::Operand,
            Expect::Operand | Expect::Regex => Expect::End,
            Expect::Operator | Expect::End => {
                self.report(DiagnosticKind::UnexpectedToken);
                Expect::End
            }
        };
        self.out.words.truncate(word as usize);
    }

    fn end_cond(&mut self, cond: Cond, closed: bool) {
        self.extglob = cond.extglob;
        let complete = matches!(cond.expect, Expect::Operator | Expect::End) && cond.depth == 0;
        if closed && !complete {
            self.report(DiagnosticKind::UnexpectedToken);
        }
        self.end_compound(cond.outer, closed);
    }
}

/// Modules of zsh can define others than those of bash.
fn is_zsh_test(text: &[u8]) -> bool {
    matches!(text, [b'-', first, ..] if first.is_ascii_alphabetic())
}

fn is_unary(text: &[u8]) -> bool {
    matches!(text, [b'-', letter] if b"abcdefghknoprstuvwxzGLNORS".contains(letter))
}

fn is_binary(text: &[u8]) -> bool {
    match text {
        b"=" | b"==" | b"!=" => true,
        [b'-', letters @ ..] => {
            matches!(
                letters,
                b"eq" | b"ne" | b"lt" | b"le" | b"gt" | b"ge" | b"nt" | b"ot" | b"ef"
            )
        }
        _ => false,
    }
}
