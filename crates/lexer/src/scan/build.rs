//! From the pieces of a word to its parts: patterns, tildes, and the literal.

use super::Scanner;
use super::class::{GLOB, TILDE, is};
use super::split::Splitter;
use super::staged::Piece;
use super::word::Word;
use crate::arena::{Run, elements, push};
use crate::model::{Cardinality, DetailData, PartData, Shape, WordData, WordKind};
use crate::text::{Slice, offset};
use std::ops::Range;

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
        if self.zsh() {
            self.loosen(base, false);
        }
        let start = self.out.parts.len();
        if self.nul && self.out.text.get(slice).contains(&0) {
            self.drop_pieces(base);
            push(
                &mut self.out.parts,
                PartData::Opaque(slice),
                &mut self.budget,
            );
            return self.assemble(slice, slice, quoted, mode, start);
        }
        let pieces = self.staged.pieces.get(base as usize..).unwrap_or_default();
        if let [only] = pieces
            && let Some(shape) = self.shape(only, slice, quoted)
        {
            self.drop_pieces(base);
            return WordData::new(slice, shape);
        }
        let cost = size_of::<PartData>() * pieces.len() + 2 * (slice.end - slice.start) as usize;
        if self.budget.allows(cost) {
            let splitter = Splitter::new(&self.out.text, pieces, mode);
            splitter.split(&mut self.out.parts, &mut self.budget);
        } else {
            self.budget.overdrawn = true;
        }
        self.drop_pieces(base);
        if self.budget.overdrawn {
            // The script ends here, and so does what can be known of this word.
            self.out.parts.truncate(start);
            push(
                &mut self.out.parts,
                PartData::Opaque(slice),
                &mut self.budget,
            );
        }
        self.assemble(slice, slice, quoted, mode, start)
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
        let start = self.out.parts.len();
        Splitter::new(&self.out.text, pieces, mode).split(&mut self.out.parts, &mut self.budget);
        self.assemble(slice, source, quoted, mode, start)
    }

    /// The shape of a word of one piece that needs no details.
    fn shape(&self, piece: &Piece, slice: Slice, word_quoted: bool) -> Option<Shape> {
        let PartData::Literal { text, quoted } = piece.part else {
            return None;
        };
        let special = |byte: &u8| is(*byte, GLOB | TILDE);
        if !quoted && !word_quoted && text == slice {
            let bytes = self.out.text.get(text);
            return (!bytes.iter().any(special)).then_some(Shape::PLAIN);
        }
        let quotes = matches!(self.out.text.byte(slice.start), Some(b'\'' | b'"'));
        let inside = text.start == slice.start + 1 && text.end + 1 == slice.end;
        (quoted && word_quoted && quotes && inside).then_some(Shape::ENCLOSED)
    }

    /// Joins neighbouring literals of the same quoting.
    fn merge(&mut self, start: usize) {
        let mut kept = start;
        for at in start..self.out.parts.len() {
            let Some(&part) = self.out.parts.get(at) else {
                break;
            };
            let before = self.out.parts.get(start..kept).and_then(<[_]>::last);
            let joined = match (before, part) {
                (
                    Some(&PartData::Literal { text, quoted }),
                    PartData::Literal {
                        text: next,
                        quoted: same,
                    },
                ) if quoted == same => Some((text, next, quoted)),
                _ => None,
            };
            let (at, part) = match joined {
                Some((text, next, quoted)) => {
                    let text = self.join(text, next);
                    (kept - 1, PartData::Literal { text, quoted })
                }
                None => (kept, part),
            };
            if let Some(slot) = self.out.parts.get_mut(at) {
                *slot = part;
            }
            kept = at + 1;
        }
        self.out.parts.truncate(kept);
    }

    /// One text that follows another, as one.
    fn join(&mut self, first: Slice, second: Slice) -> Slice {
        if first.is_empty() {
            return second;
        }
        if second.is_empty() {
            return first;
        }
        if first.end == second.start {
            return Slice::new(first.start, second.end);
        }
        if first.end == self.out.text.len() {
            return Slice::new(first.start, self.concat([second]).end);
        }
        self.concat([first, second])
    }

    /// Completes a word whose parts were added last.
    fn assemble(
        &mut self,
        slice: Slice,
        source: Slice,
        quoted: bool,
        mode: Mode,
        start: usize,
    ) -> WordData {
        self.merge(start);
        let parts = Run {
            start: offset(start),
            end: offset(self.out.parts.len()),
        };
        let kind = kind(elements(&self.out.parts, parts));
        let prefix = self.join_literals(start..self.out.parts.len());
        let suffix = match kind {
            WordKind::Static => prefix,
            _ => self.join_suffix(start),
        };
        let detail = DetailData {
            source,
            prefix,
            suffix,
            parts,
            kind,
            cardinality: self.cardinality(parts, mode),
            quoted,
        };
        let index = push(&mut self.out.details, detail, &mut self.budget);
        WordData::new(slice, Shape::detailed(index))
    }

    /// The text of all literals from the start of a range on.
    fn join_literals(&mut self, range: Range<usize>) -> Slice {
        let mut joined = Slice::default();
        for at in range {
            let Some(&PartData::Literal { text, .. }) = self.out.parts.get(at) else {
                break;
            };
            joined = self.join(joined, text);
        }
        joined
    }

    fn join_suffix(&mut self, start: usize) -> Slice {
        let parts = self.out.parts.get(start..).unwrap_or_default();
        let is_literal = |part: &PartData| matches!(part, PartData::Literal { .. });
        let last = parts.iter().rposition(|part| !is_literal(part));
        let after = last.map_or(start, |at| start + at + 1);
        self.join_literals(after..self.out.parts.len())
    }

    fn cardinality(&self, parts: Run, mode: Mode) -> Cardinality {
        if !mode.splits {
            return Cardinality::One;
        }
        let parts = elements(&self.out.parts, parts);
        match parts {
            // What stands before its first brace is in every word of a brace expansion.
            [PartData::Opaque(slice)] if !self.nul => match self.out.text.byte(slice.start) {
                Some(b'{' | b'<' | b'>') => Cardinality::ZeroOrMore,
                _ => Cardinality::Many,
            },
            _ if parts.iter().any(|part| self.varies(*part)) => Cardinality::ZeroOrMore,
            _ => Cardinality::One,
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
