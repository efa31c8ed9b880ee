//! The bytes everything points into, and the way back to the source.

use crate::arena::{Budget, push};

/// A range of byte offsets into the source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset just after the last byte.
    pub end: usize,
}

/// A range of the text arena.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Slice {
    pub(crate) fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

/// The source, followed by every text that had to be made from it.
///
/// Code is lexed out of this arena alone. A backquote body without its backslashes or a
/// here-document without its tabs is appended as *derived* text, whose runs remember where in
/// the source they came from; dequoted words are appended without that memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text {
    bytes: Vec<u8>,
    source_len: u32,
    runs: Vec<DerivedRun>,
}

/// From `at` on, derived text continues the source at `origin`.
#[derive(Debug, Clone, Copy)]
struct DerivedRun {
    at: u32,
    origin: u32,
}

impl Text {
    /// Copies the source into a text that is empty.
    pub(crate) fn set_source(&mut self, source: &[u8]) {
        self.bytes.reserve_exact(source.len() + 1);
        self.bytes.extend_from_slice(source);
        // A byte that belongs to nobody keeps the end of the source apart from derived text.
        self.bytes.push(b'\n');
        self.source_len = offset(source.len());
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    pub(crate) fn source(&self) -> &[u8] {
        self.get(Slice::new(0, self.source_len))
    }

    /// Whether a slice is no derived text.
    pub(crate) fn is_source(&self, slice: Slice) -> bool {
        slice.end <= self.source_len
    }

    pub(crate) fn len(&self) -> u32 {
        offset(self.bytes.len())
    }

    pub(crate) fn get(&self, slice: Slice) -> &[u8] {
        self.bytes
            .get(slice.start as usize..slice.end as usize)
            .unwrap_or_default()
    }

    pub(crate) fn byte(&self, at: u32) -> Option<u8> {
        self.bytes.get(at as usize).copied()
    }

    /// The bytes from `start` to `end`, clamped, for searching ahead.
    pub(crate) fn tail(&self, start: u32, end: u32) -> &[u8] {
        self.get(Slice::new(start.min(end), end))
    }

    /// Makes room for `more` bytes.
    pub(crate) fn reserve(&mut self, more: usize, budget: &mut Budget) {
        if self.bytes.capacity() - self.bytes.len() < more {
            budget.grow(&mut self.bytes, more);
        }
    }

    /// Appends bytes that never need a span.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Slice {
        let start = self.len();
        self.bytes.extend_from_slice(bytes);
        Slice::new(start, self.len())
    }

    /// Appends the concatenation of `slices`.
    pub(crate) fn concat(&mut self, slices: impl IntoIterator<Item = Slice>) -> Slice {
        let start = self.len();
        for slice in slices {
            self.copy(slice);
        }
        Slice::new(start, self.len())
    }

    /// Appends the concatenation of `slices` as code that maps back to the source.
    pub(crate) fn derive(
        &mut self,
        slices: impl IntoIterator<Item = Slice>,
        budget: &mut Budget,
    ) -> Slice {
        let start = self.len();
        let mut last = start;
        for slice in slices {
            let origin = self.origin(slice.start);
            let at = self.len();
            push(&mut self.runs, DerivedRun { at, origin }, budget);
            self.copy(slice);
            last = slice.end;
        }
        let end = self.len();
        // One byte that is no part of the slice gives its end an origin of its own.
        let origin = self.origin(last);
        push(&mut self.runs, DerivedRun { at: end, origin }, budget);
        self.bytes.push(b'\n');
        Slice::new(start, end)
    }

    pub(crate) fn span(&self, slice: Slice) -> Span {
        let start = self.origin(slice.start) as usize;
        if slice.is_empty() {
            return Span { start, end: start };
        }
        let end = self.origin(slice.end.saturating_sub(1)) as usize + 1;
        Span {
            start,
            end: end.max(start),
        }
    }

    fn origin(&self, at: u32) -> u32 {
        if at <= self.source_len {
            return at;
        }
        let after = self.runs.partition_point(|run| run.at <= at);
        let origin = after
            .checked_sub(1)
            .and_then(|index| self.runs.get(index))
            .map_or(self.source_len, |run| {
                run.origin.saturating_add(at.saturating_sub(run.at))
            });
        origin.min(self.source_len)
    }

    fn copy(&mut self, slice: Slice) {
        let end = (slice.end as usize).min(self.bytes.len());
        let start = (slice.start as usize).min(end);
        self.bytes.extend_from_within(start..end);
    }
}

/// Arena offsets are 32 bits wide; the limits keep every arena far below that.
pub(crate) fn offset(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
