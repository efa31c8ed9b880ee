//! Braces that bash expands although they are quoted.
//!
//! For brace expansion, a double quote inside backquotes or `${ }` ends the double quotes around
//! them.

use super::Scanner;
use super::staged::Piece;
use super::word::Word;
use crate::DiagnosticKind;
use crate::model::PartData;
use crate::text::{Slice, Text, offset};

/// The last brace or backslash in the part of the source that was looked at last, so that words in
/// words are not looked at for each word around them.
#[derive(Debug, Default)]
pub(super) struct Watch {
    from: u32,
    to: u32,
    /// Where the byte behind it is.
    after: u32,
}

impl Watch {
    /// Whether a part of the source has one in it, and how many bytes were looked at for that.
    fn finds(&mut self, text: &Text, part: Slice) -> (bool, u32) {
        let known = self.from <= part.end && part.start <= self.to;
        if !known {
            *self = Self {
                from: part.start,
                to: part.start,
                after: 0,
            };
        }
        let before = Slice::new(part.start, self.from.max(part.start));
        let behind = Slice::new(self.to.min(part.end), part.end);
        for gap in [before, behind] {
            if let Some(after) = last_brace(text, gap) {
                self.after = self.after.max(after);
            }
        }
        self.from = self.from.min(part.start);
        self.to = self.to.max(part.end);
        let looked = before.end - before.start + behind.end - behind.start;
        (self.after > part.start, looked)
    }
}

/// Where the byte behind the last brace or backslash is. The brace of `${` does not count.
fn last_brace(text: &Text, part: Slice) -> Option<u32> {
    let bytes = text.get(part);
    if !bytes.contains(&b'{') && !bytes.contains(&b'\\') {
        return None;
    }
    let counts = |at: usize| match bytes.get(at) {
        Some(b'\\') => true,
        Some(b'{') => at.checked_sub(1).and_then(|at| bytes.get(at)) != Some(&b'$'),
        _ => false,
    };
    let at = (0..bytes.len()).rev().find(|&at| counts(at))?;
    Some(part.start + offset(at) + 1)
}

/// Whether a piece stands in double quotes and has text of its own in it.
fn nests(piece: &Piece) -> bool {
    match piece.part {
        PartData::CommandSubstitution { quoted, .. } => quoted,
        PartData::Variable { quoted, simple, .. } => quoted && !simple,
        _ => false,
    }
}

impl Scanner {
    /// Reports the braces of a quoted word that expand.
    pub(super) fn flag_quoted_braces(&mut self, word: &Word, slice: Slice) {
        let Some(all) = self.nested_part(word) else {
            return;
        };
        // Hardly any word gets further than this.
        if self.out.text.is_source(all) {
            let (found, looked) = self.watch.finds(&self.out.text, all);
            self.reread(looked / 16);
            if !found {
                return;
            }
        }
        let pieces = self.staged.pieces.get(word.pieces as usize..);
        let nested = pieces.unwrap_or_default().iter().filter(|it| nests(it));
        let sources: Vec<_> = nested.map(|piece| piece.source).collect();
        if let Some(source) = self.find_open_brace(slice.start, &sources) {
            self.report_slice(DiagnosticKind::QuotedBraces, source);
        }
    }

    /// From the first to the last piece with text of its own in double quotes.
    fn nested_part(&self, word: &Word) -> Option<Slice> {
        let pieces = self.staged.pieces.get(word.pieces as usize..)?;
        let first = pieces.iter().find(|piece| nests(piece))?;
        let last = pieces.iter().rfind(|piece| nests(piece))?;
        Some(Slice::new(first.source.start, last.source.end))
    }

    /// Whether quotes of a word have quotes in them, which hides braces and commas from bash.
    pub(super) fn nests_quotes(&self, word: &Word) -> bool {
        let pieces = self.staged.pieces.get(word.pieces as usize..);
        let quotes = |byte: &u8| matches!(byte, b'"' | b'\'' | b'\\');
        pieces.unwrap_or_default().iter().any(|piece| {
            let source = self.out.text.get(piece.source);
            // The quotes around it count as its own if it stands first or last between them.
            let source = source.strip_prefix(b"\"").unwrap_or(source);
            let source = source.strip_suffix(b"\"").unwrap_or(source);
            // bash skips `$( )` as a whole.
            !source.starts_with(b"$(") && nests(piece) && source.iter().any(quotes)
        })
    }

    /// Whether an expansion of a word has braces in it, which count for braces around it.
    pub(super) fn nests_braces(&self, word: &Word) -> bool {
        let pieces = self.staged.pieces.get(word.pieces as usize..);
        pieces.unwrap_or_default().iter().any(|piece| {
            let (PartData::Variable { .. } | PartData::Arithmetic { .. }) = piece.part else {
                return false;
            };
            let source = self.out.text.get(piece.source);
            let source = source.strip_prefix(b"\"").unwrap_or(source);
            let inside = source.strip_prefix(b"${").or(source.strip_prefix(b"$["));
            let braces = inside.unwrap_or_default().iter();
            braces.filter(|byte| matches!(byte, b'{' | b'}')).count() > 1
        })
    }

    /// The first of `sources` with a brace outside what brace expansion takes for quotes, reading
    /// from `start`.
    fn find_open_brace(&mut self, start: u32, mut sources: &[Slice]) -> Option<Slice> {
        self.reread(sources.last()?.end.saturating_sub(start));
        let mut quote = None;
        let mut at = start;
        while let Some((&source, rest)) = sources.split_first() {
            if at >= source.end {
                sources = rest;
                continue;
            }
            let byte = self.out.text.byte(at);
            let next = self.out.text.byte(at + 1);
            match byte {
                Some(b'\\') => at += 1,
                Some(b'$') if next == Some(b'(') => at = self.closing(at + 1)?,
                Some(b'$') if next == Some(b'{') => at += 1,
                _ if quote.is_some() && byte == quote => quote = None,
                Some(b'{') if quote.is_none() && at > source.start => return Some(source),
                Some(b'"' | b'\'' | b'`') if quote.is_none() => quote = byte,
                _ => {}
            }
            at += 1;
        }
        None
    }
}
