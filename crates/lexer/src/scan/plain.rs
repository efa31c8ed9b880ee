//! Words without anything special in them, which most words are.
//!
//! This only saves time: a word that is not recognised here is read by the general way, with the
//! same result.

use super::Scanner;
use super::class::{BLANK, META, NAME, QUOTE, class, is};
use super::word::Role;
use crate::arena::{Chain, push};
use crate::model::{Shape, WordData};
use crate::text::{Slice, offset};

impl Scanner {
    /// Reads arguments as long as they are plain. They make up most of any script.
    pub(super) fn short_arguments(&mut self, words: &mut Chain) {
        if self.nul || self.zsh() {
            return;
        }
        let room = self.options.limits.words;
        let text = self.out.text.tail(0, self.limit);
        let mut at = self.pos as usize;
        while self.out.words.len() < room && !self.budget.overdrawn {
            while let Some(b' ' | b'\t') = text.get(at) {
                at += 1;
            }
            let Some(rest) = text.get(at..) else { break };
            let Some(len) = plain(rest, Role::Argument).filter(|_| rest.first() != Some(&b'#'))
            else {
                break;
            };
            let slice = Slice::new(offset(at), offset(at + len));
            let word = WordData::new(slice, Shape::PLAIN);
            let index = push(&mut self.out.words, word, &mut self.budget);
            words.append(Chain::of(index), &mut self.out.words);
            at += len;
            self.pos = slice.end;
        }
    }

    /// The word that starts with `byte`, the next one, if it is ordinary bytes alone or one pair
    /// of quotation marks around them.
    pub(super) fn short_word(&mut self, byte: u8, role: Role) -> Option<WordData> {
        if self.nul || self.zsh() {
            return None;
        }
        let rest = self.out.text.tail(self.pos, self.limit);
        let (len, shape) = match byte {
            b'\'' | b'"' => (enclosed(rest, byte)?, Shape::ENCLOSED),
            // Seen already, with those before it.
            _ if role == Role::Argument => return None,
            _ => (plain(rest, role)?, Shape::PLAIN),
        };
        let slice = Slice::new(self.pos, self.pos + offset(len));
        self.pos = slice.end;
        Some(WordData::new(slice, shape))
    }
}

/// The length of a plain word at the start of `rest`.
fn plain(rest: &[u8], role: Role) -> Option<usize> {
    let mut len = ordinary(rest);
    // An argument can have the shape of an assignment, but zsh takes `=name` for a path.
    while role == Role::Argument && len > 0 && rest.get(len) == Some(&b'=') {
        len += 1 + ordinary(rest.get(len + 1..)?);
    }
    let ends = match rest.get(len) {
        None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')') => true,
        // A number before an operator belongs to the operator, and a process substitution to the
        // word.
        Some(b'<' | b'>') => {
            let number = rest.iter().take(len).all(u8::is_ascii_digit);
            !number && !matches!(rest.get(len + 1), Some(b'(' | b'\\'))
        }
        Some(_) => false,
    };
    (ends && len > 0).then_some(len)
}

/// How many bytes at the start of `rest` mean nothing but themselves.
#[inline]
fn ordinary(rest: &[u8]) -> usize {
    let special = |&byte: &u8| class(byte) & !NAME != 0;
    rest.iter().position(special).unwrap_or(rest.len())
}

/// The length of a word at the start of `rest` that is one quotation without escapes or
/// expansions.
fn enclosed(rest: &[u8], quote: u8) -> Option<usize> {
    let inside = rest.get(1..)?;
    let special = |&byte: &u8| is(byte, QUOTE);
    let mut len = inside.iter().position(special)?;
    // The other quotation mark means nothing here.
    while inside.get(len) != Some(&quote) {
        if !matches!((quote, inside.get(len)), (b'\'', _) | (b'"', Some(b'\''))) {
            return None;
        }
        len += 1 + inside.get(len + 1..)?.iter().position(special)?;
    }
    let word_ends = inside
        .get(len + 1)
        .is_none_or(|&byte| is(byte, BLANK | META) && !matches!(byte, b'(' | b'<' | b'>'));
    word_ends.then_some(len + 2)
}
