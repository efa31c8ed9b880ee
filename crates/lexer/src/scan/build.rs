//! From the pieces of a word to its parts: patterns, tildes, and the literal.

use super::Scanner;
use super::class::{GLOB, TILDE, is, starts_name};
use super::staged::Piece;
use super::word::Word;
use crate::model::{Cardinality, PartData, Run, WordData, WordKind};
use crate::text::{Slice, Text, offset};

/// What the shell does to a word after quote removal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mode {
    /// Whether an unquoted expansion can become several words, or none.
    pub(super) splits: bool,
    /// Whether the word can match file names.
    pub(super) globs: bool,
    pub(super) tildes: Tildes,
}

/// Where a tilde stands for a home directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tildes {
    None,
    /// At the start.
    Start,
    /// At the start and, if the word has the shape of an assignment, in its value.
    Argument,
    /// At the start and after every colon.
    Value,
}

impl Scanner {
    /// Completes a word from everything staged since it started.
    pub(super) fn build(&mut self, word: &Word, slice: Slice, mode: Mode) -> WordData {
        self.build_pieces(word.pieces, slice, word.quoted, mode)
    }

    pub(super) fn build_pieces(
        &mut self,
        base: u32,
        slice: Slice,
        quoted: bool,
        mode: Mode,
    ) -> WordData {
        if self.nul && self.out.text.get(slice).contains(&0) {
            self.drop_pieces(base);
            let parts = self.commit_parts(&[PartData::Opaque(slice)]);
            return self.assemble(slice, slice, quoted, mode, parts);
        }
        let base = (base as usize).min(self.staged.pieces.len());
        if let Some([only]) = self.staged.pieces.get(base..)
            && self.is_plain(only)
        {
            let part = only.part;
            self.staged.pieces.truncate(base);
            let parts = self.commit_parts(&[part]);
            return self.assemble(slice, slice, quoted, mode, parts);
        }
        let pieces = self.staged.pieces.split_off(base);
        self.build_word(&pieces, slice, slice, quoted, mode)
    }

    /// Whether a piece is a literal that needs no closer look.
    fn is_plain(&self, piece: &Piece) -> bool {
        let PartData::Literal { text, quoted } = piece.part else {
            return false;
        };
        let special = |byte: &u8| is(*byte, GLOB | TILDE);
        quoted || !self.out.text.get(text).iter().any(special)
    }

    /// Completes a word at `slice` whose text is `source`.
    pub(super) fn build_word(
        &mut self,
        pieces: &[Piece],
        slice: Slice,
        source: Slice,
        quoted: bool,
        mode: Mode,
    ) -> WordData {
        let parts = Splitter::new(&self.out.text, pieces, mode).split();
        let parts = self.merge(&parts);
        self.assemble(slice, source, quoted, mode, parts)
    }

    /// Joins neighbouring literals of the same quoting.
    fn merge(&mut self, parts: &[PartData]) -> Run {
        let start = offset(self.out.parts.len());
        let mut rest = parts;
        while let Some((&first, tail)) = rest.split_first() {
            let PartData::Literal { quoted, .. } = first else {
                self.out.parts.push(first);
                rest = tail;
                continue;
            };
            let texts = rest.iter().map_while(|part| match part {
                PartData::Literal { text, quoted: same } if *same == quoted => Some(*text),
                _ => None,
            });
            let count = texts.clone().count();
            let text = match texts.clone().next() {
                Some(text) if count == 1 => text,
                _ => self.out.text.concat(texts.collect::<Vec<_>>()),
            };
            self.out.parts.push(PartData::Literal { text, quoted });
            rest = rest.get(count..).unwrap_or_default();
        }
        Run {
            start,
            end: offset(self.out.parts.len()),
        }
    }

    fn commit_parts(&mut self, parts: &[PartData]) -> Run {
        let start = offset(self.out.parts.len());
        self.out.parts.extend_from_slice(parts);
        Run {
            start,
            end: offset(self.out.parts.len()),
        }
    }

    fn assemble(
        &mut self,
        slice: Slice,
        source: Slice,
        quoted: bool,
        mode: Mode,
        run: Run,
    ) -> WordData {
        let parts = crate::model::elements(&self.out.parts, run);
        let kind = kind(parts);
        let many = mode.splits && parts.iter().any(|part| self.varies(*part));
        let texts = parts.iter().filter_map(|part| match part {
            PartData::Literal { text, .. } => Some(*text),
            _ => None,
        });
        let literal = match (kind, parts) {
            (WordKind::Static, []) => Some(Slice::new(slice.end, slice.end)),
            (WordKind::Static, [PartData::Literal { text, .. }]) => Some(*text),
            (WordKind::Static, _) => {
                let texts: Vec<_> = texts.collect();
                Some(self.out.text.concat(texts))
            }
            _ => None,
        };
        let cardinality = if many {
            Cardinality::ZeroOrMore
        } else {
            Cardinality::One
        };
        WordData {
            slice,
            source,
            literal,
            parts: run,
            kind,
            cardinality,
            quoted,
        }
    }

    /// Whether a part can become any number of words.
    fn varies(&self, part: PartData) -> bool {
        match part {
            PartData::Literal { .. }
            | PartData::Tilde(_)
            | PartData::ProcessSubstitution { .. } => false,
            // "$@" and its relatives are lists even in quotes.
            PartData::Variable { quoted, source, .. } => {
                !quoted || self.out.text.get(source).contains(&b'@')
            }
            PartData::CommandSubstitution { quoted, .. } | PartData::Arithmetic { quoted } => {
                !quoted
            }
            PartData::Glob(_) | PartData::Opaque(_) => true,
        }
    }
}

fn kind(parts: &[PartData]) -> WordKind {
    let mut kind = WordKind::Static;
    for part in parts {
        match part.kind() {
            WordKind::Static => {}
            found if kind == WordKind::Static => kind = found,
            found if kind != found => return WordKind::Mixed,
            _ => {}
        }
    }
    kind
}

/// One byte of unquoted text: the piece it is in, and where it is.
type Place = (usize, u32);

/// Takes patterns and tildes out of the unquoted text of a word.
struct Splitter<'t> {
    text: &'t Text,
    pieces: &'t [Piece],
    mode: Mode,
    /// The equals sign, if the word has the shape of an assignment.
    equals: Option<Place>,
    /// The last piece that has an unquoted closing bracket.
    last_bracket: Option<usize>,
    /// The last closing bracket of the piece being split.
    closing: Option<u32>,
    parts: Vec<PartData>,
}

impl<'t> Splitter<'t> {
    fn new(text: &'t Text, pieces: &'t [Piece], mode: Mode) -> Self {
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
            parts: Vec::with_capacity(pieces.len()),
        };
        splitter.equals = splitter.find_equals();
        splitter
    }

    fn split(mut self) -> Vec<PartData> {
        for (index, piece) in self.pieces.iter().enumerate() {
            match piece.part {
                PartData::Literal {
                    text,
                    quoted: false,
                } => self.unquoted(index, text),
                part => self.parts.push(part),
            }
        }
        self.parts
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

    fn unquoted(&mut self, index: usize, slice: Slice) {
        let closing = self.text.get(slice).iter().rposition(|&byte| byte == b']');
        self.closing = closing.map(|at| slice.start + offset(at));
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
            self.plain(from, at);
            self.parts.push(part);
            from = end;
            at = end;
        }
        self.plain(from, slice.end);
    }

    fn plain(&mut self, start: u32, end: u32) {
        if start < end {
            self.parts.push(PartData::Literal {
                text: Slice::new(start, end),
                quoted: false,
            });
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
fn unquoted_text(piece: &Piece) -> Option<Slice> {
    match piece.part {
        PartData::Literal {
            text,
            quoted: false,
        } => Some(text),
        _ => None,
    }
}
