//! Matching parentheses by text alone, to tell `$((…))` from `$( (…) … )`.
//!
//! Like bash, this looks at quoting and at nothing else. Every pass remembers all the pairs it
//! saw, so that nested questions cost nothing; text that reads differently from every start could
//! still make it expensive, which is why its work is bounded.

use super::Scanner;
use crate::DiagnosticKind;
use crate::arena::{Budget, NONE, push};
use crate::text::{Slice, Text, offset};

#[derive(Debug, Default)]
pub(super) struct Parens {
    pairs: Pairs,
    work: u64,
    /// A text that was found to be without quotation and brackets.
    pub(super) plain: Slice,
}

/// From each opening parenthesis to the closing one; to itself when there is none.
#[derive(Debug, Default)]
struct Pairs {
    /// Where the first one is.
    base: u32,
    close: Vec<u32>,
}

impl Pairs {
    fn get(&self, open: u32) -> Option<u32> {
        let close = self.close.get(open.checked_sub(self.base)? as usize)?;
        (*close != NONE).then_some(*close)
    }

    /// Makes room for everything from `start` on.
    fn start_at(&mut self, start: u32, budget: &mut Budget) {
        if self.close.is_empty() {
            self.base = start;
        }
        let before = self.base.saturating_sub(start) as usize;
        if before > 0 {
            // Once at most: derived text stands behind the source, where reading goes on.
            budget.grow(&mut self.close, before);
            self.close.splice(0..0, std::iter::repeat_n(NONE, before));
            self.base = start;
        }
    }

    fn set(&mut self, open: u32, close: u32, budget: &mut Budget) {
        let at = open.saturating_sub(self.base) as usize;
        if at >= self.close.capacity() {
            let more = at + 1 - self.close.len();
            budget.grow(&mut self.close, more);
        }
        if at >= self.close.len() {
            self.close.resize(at + 1, NONE);
        }
        if let Some(slot) = self.close.get_mut(at) {
            *slot = close;
        }
    }
}

/// Bytes looked at for every byte of text, at most.
const MOST_WORK: u64 = 16;

impl Scanner {
    /// Where the parenthesis at `open` is closed.
    pub(super) fn closing(&mut self, open: u32) -> Option<u32> {
        let most = MOST_WORK * u64::from(self.out.text.len()) + 4096;
        if self.parens.pairs.get(open).is_none() {
            if self.parens.work > most {
                self.report(DiagnosticKind::AmbiguousParens);
                return None;
            }
            let mut pass = Pass {
                text: &self.out.text,
                pos: open,
                limit: self.limit,
                open: Vec::new(),
            };
            pass.run(&mut self.parens.pairs, &mut self.budget);
            self.parens.work += u64::from(pass.pos.saturating_sub(open));
            self.budget.free(pass.open);
        }
        let close = self.parens.pairs.get(open)?;
        (close > open && close < self.limit).then_some(close)
    }
}

struct Pass<'t> {
    text: &'t Text,
    pos: u32,
    limit: u32,
    open: Vec<Open>,
}

#[derive(Clone, Copy)]
enum Open {
    Paren(u32),
    Brace,
    Quote,
}

impl Pass<'_> {
    fn run(&mut self, pairs: &mut Pairs, budget: &mut Budget) {
        pairs.start_at(self.pos, budget);
        push(&mut self.open, Open::Paren(self.pos), budget);
        self.pos += 1;
        while let Some(&top) = self.open.last() {
            let Some(byte) = self.next().filter(|_| !budget.overdrawn) else {
                break;
            };
            match (byte, top) {
                (b'\\', _) => self.pos += 1,
                (b'`', _) => self.skip(b'`', true),
                (b'$', _) => self.dollar(top, budget),
                (b'"', Open::Quote) | (b'}', Open::Brace) => {
                    self.open.pop();
                }
                (_, Open::Quote) => {}
                (b'"', _) => self.enter(Open::Quote, budget),
                (b'\'', _) => self.skip(b'\'', false),
                (b'(', Open::Paren(_)) => self.enter(Open::Paren(self.pos - 1), budget),
                (b')', Open::Paren(at)) => {
                    pairs.set(at, self.pos - 1, budget);
                    self.open.pop();
                }
                _ => {}
            }
        }
        for open in &self.open {
            if let Open::Paren(at) = *open {
                pairs.set(at, at, budget);
            }
        }
    }

    fn enter(&mut self, open: Open, budget: &mut Budget) {
        push(&mut self.open, open, budget);
    }

    fn dollar(&mut self, top: Open, budget: &mut Budget) {
        match (self.peek(), top) {
            (Some(b'('), _) => {
                self.enter(Open::Paren(self.pos), budget);
                self.pos += 1;
            }
            // Outside quotes bash does not see `${` here.
            (Some(b'{'), Open::Quote | Open::Brace) => {
                self.enter(Open::Brace, budget);
                self.pos += 1;
            }
            (Some(b'\''), Open::Paren(_) | Open::Brace) => {
                self.pos += 1;
                self.skip(b'\'', true);
            }
            _ => {}
        }
    }

    fn skip(&mut self, end: u8, escapes: bool) {
        let rest = self.text.tail(self.pos, self.limit);
        let mut len = 0;
        let mut bytes = rest.iter();
        while let Some(&byte) = bytes.next() {
            len += 1;
            if byte == end {
                break;
            }
            if escapes && byte == b'\\' && bytes.next().is_some() {
                len += 1;
            }
        }
        self.pos += offset(len);
    }

    fn peek(&self) -> Option<u8> {
        (self.pos < self.limit)
            .then(|| self.text.byte(self.pos))
            .flatten()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.pos += 1;
        Some(byte)
    }
}
