//! Patterns and tildes in the unquoted text of a word.

use super::build::{Mode, Tildes};
use super::class::{GLOB, is, starts_name};
use super::staged::Piece;
use crate::arena::{Budget, push};
use crate::model::PartData;
use crate::text::{Slice, Text, offset};

/// One byte of unquoted text: the piece it is in, and where it is.
type Place = (usize, u32);

/// Takes patterns and tildes out of the unquoted text of a word.
pub(super) struct Splitter<'t> {
    text: &'t Text,
    pieces: &'t [Piece],
    mode: Mode,
    /// The equals sign, if the word has the shape of an assignment.
    equals: Option<Place>,
    /// The last piece that has an unquoted closing bracket.
    last_bracket: Option<usize>,
    /// The last closing bracket of the piece being split.
    closing: Option<u32>,
}

impl<'t> Splitter<'t> {
    pub(super) fn new(text: &'t Text, pieces: &'t [Piece], mode: Mode) -> Self {
        let has_bracket = |piece: &Piece| match piece.part {
            PartData::Literal {
                text: slice,
                quoted: false,
            } => text.get(slice).contains(&b']'),
            _ => false,
        };
        let mut splitter = Self {
            text,
            pieces,
            mode,
            equals: None,
            last_bracket: pieces.iter().rposition(has_bracket),
            closing: None,
        };
        splitter.equals = splitter.find_equals();
        splitter
    }

    pub(super) fn split(mut self, parts: &mut Vec<PartData>, budget: &mut Budget) {
        for (index, piece) in self.pieces.iter().enumerate() {
            match piece.part {
                PartData::Literal {
                    text,
                    quoted: false,
                } => self.unquoted(index, text, |part| {
                    push(parts, part, budget);
                    !budget.overdrawn
                }),
                part => {
                    push(parts, part, budget);
                }
            }
        }
    }

    fn find_equals(&self) -> Option<Place> {
        if self.mode.tildes != Tildes::Argument {
            return None;
        }
        let mut first = true;
        for (index, piece) in self.pieces.iter().enumerate() {
            let text = unquoted_text(piece)?;
            let bytes = self.text.get(text);
            if std::mem::take(&mut first) && !bytes.first().is_some_and(|&byte| starts_name(byte)) {
                return None;
            }
            if let Some(at) = bytes.iter().position(|&byte| byte == b'=') {
                return Some((index, text.start + offset(at)));
            }
        }
        None
    }

    fn unquoted(&mut self, index: usize, slice: Slice, mut add: impl FnMut(PartData) -> bool) {
        let closing = self.text.get(slice).iter().rposition(|&byte| byte == b']');
        self.closing = closing.map(|at| slice.start + offset(at));
        let plain = |start, end| PartData::Literal {
            text: Slice::new(start, end),
            quoted: false,
        };
        let mut from = slice.start;
        let mut at = slice.start;
        while at < slice.end {
            let special = match self.text.byte(at) {
                Some(b'~') => self.tilde(index, slice, at),
                Some(byte) if self.mode.globs && is(byte, GLOB) => self.glob(index, slice, at),
                _ => None,
            };
            let Some((part, end)) = special else {
                at += 1;
                continue;
            };
            if from < at {
                add(plain(from, at));
            }
            if !add(part) {
                return;
            }
            from = end;
            at = end;
        }
        if from < slice.end {
            add(plain(from, slice.end));
        }
    }

    /// The tilde prefix at `at`, if the shell would look for one there.
    fn tilde(&self, index: usize, slice: Slice, at: u32) -> Option<(PartData, u32)> {
        let starts = index == 0 && at == slice.start && self.mode.tildes != Tildes::None;
        let before = self.before(index, slice, at);
        let after_equals = before.is_some() && before == self.equals;
        let colon = self.mode.tildes == Tildes::Value || self.equals.is_some();
        let after_colon = colon
            && before.is_some_and(|place| {
                Some(place) > self.equals && self.text.byte(place.1) == Some(b':')
            });
        if !starts && !after_equals && !after_colon {
            return None;
        }
        let rest = self.text.tail(at + 1, slice.end);
        let ends = |byte: &u8| *byte == b'/' || colon && *byte == b':';
        let len = rest.iter().position(ends);
        // A quoted or expanded byte in the prefix makes it ordinary text.
        if len.is_none()
            && self
                .pieces
                .get(index + 1)
                .is_some_and(|next| unquoted_text(next).is_none())
        {
            return None;
        }
        let end = at + 1 + offset(len.unwrap_or(rest.len()));
        Some((PartData::Tilde(Slice::new(at + 1, end)), end))
    }

    /// The unquoted byte before the one at `at`.
    fn before(&self, index: usize, slice: Slice, at: u32) -> Option<Place> {
        if at > slice.start {
            return Some((index, at - 1));
        }
        let index = index.checked_sub(1)?;
        let text = unquoted_text(self.pieces.get(index)?)?;
        Some((index, text.end.checked_sub(1)?))
    }

    /// The pattern character, or the whole bracket expression, at `at`.
    fn glob(&self, index: usize, slice: Slice, at: u32) -> Option<(PartData, u32)> {
        let opens = self.text.byte(at) == Some(b'[');
        let end = if opens && self.closing > Some(at + 1) {
            let rest = self.text.tail(at + 2, slice.end).iter();
            at + 3 + offset(rest.take_while(|&&byte| byte != b']').count())
        } else if opens && self.closing <= Some(at) && self.last_bracket <= Some(index) {
            return None;
        } else {
            at + 1
        };
        Some((PartData::Glob(Slice::new(at, end)), end))
    }
}

/// The text of a piece, if it is a literal without quotes.
pub(super) fn unquoted_text(piece: &Piece) -> Option<Slice> {
    match piece.part {
        PartData::Literal {
            text,
            quoted: false,
        } => Some(text),
        _ => None,
    }
}
