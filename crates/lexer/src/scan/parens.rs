//! Matching parentheses by text alone, to tell `$((…))` from `$( (…) … )`.
//!
//! Like bash, this looks at quoting and at nothing else. Every pass remembers all the pairs it
//! saw, so that nested questions cost nothing; text that reads differently from every start could
//! still make it expensive, which is why its work is bounded.

use std::collections::HashMap;

use super::Scanner;
use crate::DiagnosticKind;
use crate::text::{Text, offset};

#[derive(Debug, Default)]
pub(super) struct Parens {
    /// From each opening parenthesis to the closing one; to itself when there is none.
    pairs: HashMap<u32, u32>,
    work: u64,
}

/// Bytes looked at for every byte of text, at most.
const MOST_WORK: u64 = 16;

impl Scanner {
    /// Where the parenthesis at `open` is closed.
    pub(super) fn closing(&mut self, open: u32) -> Option<u32> {
        let most = MOST_WORK * u64::from(self.out.text.len()) + 4096;
        if !self.parens.pairs.contains_key(&open) {
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
            pass.run(&mut self.parens.pairs);
            self.parens.work += u64::from(pass.pos.saturating_sub(open));
        }
        let close = self.parens.pairs.get(&open).copied()?;
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
    fn run(&mut self, pairs: &mut HashMap<u32, u32>) {
        self.open.push(Open::Paren(self.pos));
        self.pos += 1;
        while let Some(&top) = self.open.last() {
            let Some(byte) = self.next() else { break };
            match (byte, top) {
                (b'\\', _) => self.pos += 1,
                (b'`', _) => self.skip(b'`', true),
                (b'$', _) => self.dollar(top),
                (b'"', Open::Quote) | (b'}', Open::Brace) => {
                    self.open.pop();
                }
                (_, Open::Quote) => {}
                (b'"', _) => self.open.push(Open::Quote),
                (b'\'', _) => self.skip(b'\'', false),
                (b'(', Open::Paren(_)) => self.open.push(Open::Paren(self.pos - 1)),
                (b')', Open::Paren(at)) => {
                    pairs.insert(at, self.pos - 1);
                    self.open.pop();
                }
                _ => {}
            }
        }
        for open in &self.open {
            if let Open::Paren(at) = *open {
                pairs.insert(at, at);
            }
        }
    }

    fn dollar(&mut self, top: Open) {
        match (self.peek(), top) {
            (Some(b'('), _) => {
                self.open.push(Open::Paren(self.pos));
                self.pos += 1;
            }
            // Outside quotes bash does not see `${` here.
            (Some(b'{'), Open::Quote | Open::Brace) => {
                self.open.push(Open::Brace);
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
