//! Brace expansion: `{a,b}` and `{1..3}`.
//!
//! It happens before every other expansion, on the text of a word, so it can be done here once
//! and for all. The rules are those of bash, including what it does with braces that do not
//! match.

use super::Scanner;
use super::sequence::sequence;
use super::staged::Piece;
use super::word::{Role, Word};
use crate::model::PartData;
use crate::text::{Slice, Text};
use crate::{DiagnosticKind, Dialect};

/// A byte of unquoted text, or anything else as a whole.
#[derive(Debug, Clone, Copy)]
enum Token {
    Byte { byte: u8, at: u32 },
    Piece(Piece),
}

/// A range of tokens.
type Segment = (usize, usize);

/// A word that is partly expanded.
#[derive(Debug, Clone, Default)]
struct Partial {
    done: Vec<Segment>,
    /// What is still to be expanded, the next one last.
    todo: Vec<Segment>,
}

/// A pair of braces that expands.
struct Braces {
    open: usize,
    close: usize,
    alternatives: Vec<Segment>,
}

struct TooMany;

impl Scanner {
    /// Stages the words a word with a brace becomes; whether it becomes anything but itself.
    pub(super) fn expand_braces(&mut self, word: &Word, slice: Slice) -> bool {
        if self.nul && self.out.text.get(slice).contains(&0) {
            return false;
        }
        let base = (word.pieces as usize).min(self.staged.pieces.len());
        let pieces = self.staged.pieces.get(base..).unwrap_or_default();
        let mut expander =
            Expander::new(&mut self.out.text, self.options.limits.brace_words, pieces);
        let words = match expander.expand() {
            Ok(words) if words.len() == 1 && expander.untouched => return false,
            Ok(words) if self.options.dialect != Dialect::Sh => words,
            result => {
                let kind = match result {
                    Ok(_) => DiagnosticKind::ShellDependent,
                    Err(TooMany) => DiagnosticKind::BraceLimit,
                };
                self.refuse(base, slice);
                self.report_slice(kind, slice);
                return false;
            }
        };
        self.staged.pieces.truncate(base);
        for pieces in words {
            let source: Vec<_> = pieces.iter().map(|piece| piece.source).collect();
            let source = self.out.text.concat(source);
            let data = self.build_word(&pieces, slice, source, word.quoted, Role::Argument.mode());
            self.stage_word(data);
        }
        true
    }

    /// The target of a redirection must stay one word; bash fails when it does not.
    pub(super) fn refuse_braces(&mut self, word: &Word, slice: Slice) {
        let base = (word.pieces as usize).min(self.staged.pieces.len());
        let pieces = self.staged.pieces.get(base..).unwrap_or_default();
        let mut expander =
            Expander::new(&mut self.out.text, self.options.limits.brace_words, pieces);
        let stays = expander.expand().is_ok() && expander.untouched;
        if !stays {
            self.refuse(base, slice);
        }
    }

    /// Reports braces that bash expands although they are quoted.
    ///
    /// For brace expansion, a double quote inside backquotes or `${ }` ends the double quotes
    /// around them.
    pub(super) fn flag_quoted_braces(&mut self, word: &Word, slice: Slice) {
        let base = (word.pieces as usize).min(self.staged.pieces.len());
        let pieces = self.staged.pieces.get(base..).unwrap_or_default();
        let nested = pieces.iter().filter(|piece| match piece.part {
            PartData::CommandSubstitution { quoted, .. } => quoted,
            PartData::Variable { quoted, simple, .. } => quoted && !simple,
            _ => false,
        });
        let sources: Vec<_> = nested.map(|piece| piece.source).collect();
        if let Some(source) = self.find_open_brace(slice.start, &sources) {
            self.report_slice(DiagnosticKind::QuotedBraces, source);
        }
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

    fn refuse(&mut self, base: usize, slice: Slice) {
        self.staged.pieces.truncate(base);
        self.piece(slice, PartData::Opaque(slice));
    }
}

struct Expander<'t> {
    text: &'t mut Text,
    tokens: Vec<Token>,
    most_words: usize,
    /// Steps left; unbalanced braces would otherwise cost the square of their number.
    fuel: usize,
    /// Whether no braces were expanded.
    untouched: bool,
}

impl<'t> Expander<'t> {
    fn new(text: &'t mut Text, most_words: usize, pieces: &[Piece]) -> Self {
        let mut tokens = Vec::new();
        for piece in pieces {
            if let PartData::Literal {
                text: slice,
                quoted: false,
            } = piece.part
            {
                let bytes = text.get(slice).iter();
                tokens.extend(
                    (slice.start..)
                        .zip(bytes)
                        .map(|(at, &byte)| Token::Byte { byte, at }),
                );
            } else {
                tokens.push(Token::Piece(*piece));
            }
        }
        let fuel = tokens.len() * 16 + 4096;
        Self {
            text,
            tokens,
            most_words,
            fuel,
            untouched: true,
        }
    }

    fn expand(&mut self) -> Result<Vec<Vec<Piece>>, TooMany> {
        let mut words = Vec::new();
        let mut stack = vec![Partial {
            done: Vec::new(),
            todo: vec![(0, self.tokens.len())],
        }];
        while let Some(mut partial) = stack.pop() {
            let Some(segment) = partial.todo.pop() else {
                let word = self.collect(&partial.done);
                // A word of nothing at all is dropped, as any unquoted empty word.
                if !word.is_empty() {
                    words.push(word);
                }
                continue;
            };
            let Some(braces) = self.find(segment)? else {
                partial.done.push(segment);
                stack.push(partial);
                continue;
            };
            self.untouched = false;
            if words.len() + stack.len() + braces.alternatives.len() > self.most_words {
                return Err(TooMany);
            }
            partial.done.push((segment.0, braces.open));
            partial.todo.push((braces.close + 1, segment.1));
            for &alternative in braces.alternatives.iter().rev() {
                self.spend(partial.done.len() + partial.todo.len())?;
                let mut next = partial.clone();
                next.todo.push(alternative);
                stack.push(next);
            }
        }
        Ok(words)
    }

    fn spend(&mut self, steps: usize) -> Result<(), TooMany> {
        self.fuel = self.fuel.checked_sub(steps).ok_or(TooMany)?;
        Ok(())
    }

    fn byte(&self, index: usize) -> Option<u8> {
        match self.tokens.get(index) {
            Some(Token::Byte { byte, .. }) => Some(*byte),
            _ => None,
        }
    }

    /// The first braces of a segment that expand.
    fn find(&mut self, (start, end): Segment) -> Result<Option<Braces>, TooMany> {
        let mut at = start;
        while at < end {
            if self.byte(at) == Some(b'{')
                && let Some(close) = self.close(at + 1, end)?
            {
                if let Some(alternatives) = self.alternatives(at + 1, close)? {
                    return Ok(Some(Braces {
                        open: at,
                        close,
                        alternatives,
                    }));
                }
                // Braces around what is no sequence stay, and so does all they contain.
                at = close;
            }
            at += 1;
        }
        Ok(None)
    }

    /// Where braces that open before `start` close. Only after a comma or two dots can they.
    fn close(&mut self, start: usize, end: usize) -> Result<Option<usize>, TooMany> {
        let mut level = 0usize;
        let mut separated = false;
        for at in start..end {
            self.spend(1)?;
            match self.byte(at) {
                Some(b'{') => level += 1,
                Some(b'}') if level > 0 => level -= 1,
                Some(b'}') if separated => return Ok(Some(at)),
                Some(b',') if level == 0 => separated = true,
                Some(b'.') if level == 0 && self.byte(at + 1) == Some(b'.') => {
                    separated |= self.byte(at + 2) != Some(b'}');
                }
                _ => {}
            }
        }
        Ok(None)
    }

    fn alternatives(&mut self, start: usize, end: usize) -> Result<Option<Vec<Segment>>, TooMany> {
        self.spend(end - start)?;
        if !(start..end).any(|at| self.byte(at) == Some(b',')) {
            return self.sequence(start, end);
        }
        let mut alternatives = Vec::new();
        let mut level = 0usize;
        let mut from = start;
        for at in start..end {
            match self.byte(at) {
                Some(b'{') => level += 1,
                Some(b'}') => level = level.saturating_sub(1),
                Some(b',') if level == 0 => {
                    alternatives.push((from, at));
                    from = at + 1;
                }
                _ => {}
            }
        }
        alternatives.push((from, end));
        Ok(Some(alternatives))
    }

    fn sequence(&mut self, start: usize, end: usize) -> Result<Option<Vec<Segment>>, TooMany> {
        let bytes: Option<Vec<u8>> = (start..end).map(|at| self.byte(at)).collect();
        let Some(found) = bytes.and_then(|bytes| sequence(&bytes, self.most_words)) else {
            return Ok(None);
        };
        let mut alternatives = Vec::new();
        for element in found.map_err(|_| TooMany)? {
            let text = self.text.push(&element);
            let part = PartData::Literal {
                text,
                quoted: false,
            };
            let index = self.tokens.len();
            self.tokens.push(Token::Piece(Piece { source: text, part }));
            alternatives.push((index, index + 1));
        }
        Ok(Some(alternatives))
    }

    /// The pieces of a finished word, with neighbouring bytes joined again.
    fn collect(&self, segments: &[Segment]) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        let tokens = segments
            .iter()
            .filter_map(|&(start, end)| self.tokens.get(start..end));
        for token in tokens.flatten() {
            match *token {
                Token::Piece(piece) => pieces.push(piece),
                Token::Byte { at, .. } => match pieces.last_mut() {
                    Some(Piece {
                        source,
                        part:
                            PartData::Literal {
                                text,
                                quoted: false,
                            },
                    }) if text.end == at => {
                        text.end = at + 1;
                        source.end = at + 1;
                    }
                    _ => {
                        let text = Slice::new(at, at + 1);
                        let part = PartData::Literal {
                            text,
                            quoted: false,
                        };
                        pieces.push(Piece { source: text, part });
                    }
                },
            }
        }
        pieces
    }
}
