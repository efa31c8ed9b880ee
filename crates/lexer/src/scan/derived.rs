//! Text that is made from the source, and texts of words.

use super::Scanner;
use crate::model::{Shape, WordKind};
use crate::text::Slice;

impl Scanner {
    /// Appends derived text, unless there is already too much.
    pub(super) fn derive(&mut self, slices: &[Slice]) -> Slice {
        let len = slices.iter().map(|slice| slice.end - slice.start).sum();
        self.reread(len);
        if self.halted {
            return Slice::new(self.pos, self.pos);
        }
        self.out.text.reserve(len as usize + 1, &mut self.budget);
        self.out
            .text
            .derive(slices.iter().copied(), &mut self.budget)
    }

    /// Appends bytes that never need a span.
    pub(super) fn push_text(&mut self, bytes: &[u8]) -> Slice {
        self.out.text.reserve(bytes.len(), &mut self.budget);
        self.out.text.push(bytes)
    }

    /// Appends the concatenation of `slices`.
    pub(super) fn concat(&mut self, slices: impl IntoIterator<Item = Slice> + Clone) -> Slice {
        let len = |slice: Slice| slice.end.saturating_sub(slice.start) as usize;
        let more = slices.clone().into_iter().map(len).sum();
        self.out.text.reserve(more, &mut self.budget);
        self.out.text.concat(slices)
    }

    /// Where the bytes of a word of the list are, if they are certain.
    pub(super) fn literal_slice(&self, word: u32) -> Option<Slice> {
        let data = self.out.words.get(word as usize)?;
        data.simple_literal().or_else(|| {
            let detail = self.out.details.get(data.shape.index())?;
            (detail.kind == WordKind::Static).then_some(detail.prefix)
        })
    }

    pub(super) fn literal_of(&self, word: u32) -> Option<&[u8]> {
        self.literal_slice(word)
            .map(|slice| self.out.text.get(slice))
    }

    /// The same, if no byte of it is quoted.
    pub(super) fn unquoted_literal_of(&self, word: u32) -> Option<&[u8]> {
        let data = self.out.words.get(word as usize)?;
        let quoted = match data.shape {
            Shape::PLAIN => false,
            Shape::ENCLOSED => true,
            shape => self.out.details.get(shape.index())?.quoted,
        };
        if quoted { None } else { self.literal_of(word) }
    }
}
