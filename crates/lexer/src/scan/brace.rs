//! Brace expansion: `{a,b}` and `{1..3}`.
//!
//! It happens before every other expansion, on the text of a word, so it can be done here once
//! and for all. The rules are those of bash, including what it does with braces that do not
//! match.

use super::Scanner;
use super::sequence::sequence;
use super::split::unquoted_text;
use super::staged::Piece;
use super::word::{Role, Word};
use crate::model::PartData;
use crate::text::{Slice, Text, offset};
use crate::{DiagnosticKind, Dialect};

/// A byte of unquoted text, or anything else as a whole.
#[derive(Debug, Clone, Copy)]
enum Token {
    Byte {
        byte: u8,
        at: u32,
    },
    /// An index into the pieces.
    Piece(u32),
}

/// A range of tokens.
type Segment = (u32, u32);

/// A word that is partly expanded.
#[derive(Debug, Clone, Default)]
struct Partial {
    done: Vec<Segment>,
    /// What is still to be expanded, the next one last.
    todo: Vec<Segment>,
}

/// A pair of braces that expands.
struct Braces {
    open: u32,
    close: u32,
    alternatives: Vec<Segment>,
}

struct TooMany;

/// Bytes that the elements of sequences may have.
const MOST_MADE: usize = 2048;

impl Scanner {
    /// Stages the words a word with a brace becomes; whether it becomes anything but itself.
    pub(super) fn expand_braces(&mut self, word: &Word, slice: Slice) -> bool {
        if self.nul && self.out.text.get(slice).contains(&0) {
            return false;
        }
        if self.zsh() && self.doubtful_sequence(slice) {
            self.refuse(word, slice, DiagnosticKind::ShellDependent);
            return false;
        }
        let Some(mut expander) = self.expander(word) else {
            self.refuse(word, slice, DiagnosticKind::BraceLimit);
            return false;
        };
        if word.quoted && self.nests_quotes(word) || self.nests_braces(word) {
            self.refuse(word, slice, DiagnosticKind::QuotedBraces);
            return false;
        }
        let words = match expander.expand() {
            Ok(words) if words.len() == 1 && expander.untouched => return false,
            Ok(words) if self.options.dialect != Dialect::Sh => words,
            result => {
                let kind = match result {
                    Ok(_) => DiagnosticKind::ShellDependent,
                    Err(TooMany) => DiagnosticKind::BraceLimit,
                };
                self.refuse(word, slice, kind);
                return false;
            }
        };
        self.push_text(&expander.made);
        self.drop_pieces(word.pieces);
        for segments in words {
            let pieces = expander.collect(&segments);
            // bash drops a word of nothing at all, as any unquoted empty word.
            if !pieces.is_empty() || self.zsh() {
                let source = self.concat(pieces.iter().map(|piece| piece.source));
                let mode = Role::Argument.mode();
                let data = self.build_word(&pieces, slice, source, word.quoted, mode);
                self.stage_word(data);
            }
        }
        true
    }

    /// The expander of a word, unless it would take too much memory.
    fn expander(&mut self, word: &Word) -> Option<Expander> {
        let pieces = self.staged.pieces.get(word.pieces as usize..);
        let pieces = pieces.unwrap_or_default();
        let length = |piece: &Piece| unquoted_text(piece).map_or(1, |it| it.end - it.start);
        let tokens: u32 = pieces.iter().map(length).sum();
        let cost = tokens as usize * size_of::<Token>() + size_of_val(pieces);
        self.budget.allows(cost * 2).then(|| {
            let most_words = self.options.limits.brace_words;
            Expander::new(&self.out.text, most_words, pieces)
        })
    }

    /// The target of a redirection must stay one word; bash fails when it does not.
    pub(super) fn refuse_braces(&mut self, word: &Word, slice: Slice) {
        let expander = self.expander(word);
        let stays = expander.is_some_and(|mut it| it.expand().is_ok() && it.untouched);
        if !stays {
            self.keep_whole(word, slice);
        }
    }

    /// Gives up on the braces of a word.
    fn refuse(&mut self, word: &Word, slice: Slice, kind: DiagnosticKind) {
        self.keep_whole(word, slice);
        self.report_slice(kind, slice);
    }

    fn keep_whole(&mut self, word: &Word, slice: Slice) {
        self.drop_pieces(word.pieces);
        self.piece(slice, PartData::Opaque(slice));
    }
}

struct Expander {
    tokens: Vec<Token>,
    pieces: Vec<Piece>,
    /// The elements of sequences, and where in the text they will stand.
    made: Vec<u8>,
    made_at: u32,
    most_words: usize,
    /// Segments that may be copied.
    copies: usize,
    /// Bytes that the words may have in all.
    output: usize,
    /// Steps left; unbalanced braces would otherwise cost the square of their number.
    fuel: usize,
    /// Whether no braces were expanded.
    untouched: bool,
}

impl Expander {
    fn new(text: &Text, most_words: usize, pieces: &[Piece]) -> Self {
        let mut tokens = Vec::new();
        let mut whole = Vec::new();
        for piece in pieces {
            if let Some(slice) = unquoted_text(piece) {
                let bytes = text.get(slice).iter();
                tokens.extend(
                    (slice.start..)
                        .zip(bytes)
                        .map(|(at, &byte)| Token::Byte { byte, at }),
                );
            } else {
                tokens.push(Token::Piece(offset(whole.len())));
                whole.push(*piece);
            }
        }
        Self {
            made: Vec::new(),
            made_at: text.len(),
            most_words,
            copies: tokens.len() / 4 + 2048,
            output: tokens.len() * 4 + 8192,
            fuel: tokens.len() * 16 + 4096,
            untouched: true,
            tokens,
            pieces: whole,
        }
    }

    /// The words, each as the tokens it consists of.
    fn expand(&mut self) -> Result<Vec<Vec<Segment>>, TooMany> {
        let mut words = Vec::new();
        let mut stack = vec![Partial {
            done: Vec::new(),
            todo: vec![(0, offset(self.tokens.len()))],
        }];
        while let Some(mut partial) = stack.pop() {
            let Some(segment) = partial.todo.pop() else {
                let len = partial.done.iter().map(|it| (it.1 - it.0) as usize);
                self.output = self.output.checked_sub(len.sum()).ok_or(TooMany)?;
                words.push(partial.done);
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
                let copied = partial.done.len() + partial.todo.len() + 1;
                self.copies = self.copies.checked_sub(copied).ok_or(TooMany)?;
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

    fn byte(&self, index: u32) -> Option<u8> {
        match self.tokens.get(index as usize) {
            Some(Token::Byte { byte, .. }) => Some(*byte),
            _ => None,
        }
    }

    /// The first braces of a segment that expand.
    fn find(&mut self, (start, end): Segment) -> Result<Option<Braces>, TooMany> {
        let mut at = start;
        while at < end {
            // bash takes these two for text where a text starts.
            let empty = at == start && self.byte(at + 1) == Some(b'}');
            if self.byte(at) == Some(b'{')
                && !empty
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
    fn close(&mut self, start: u32, end: u32) -> Result<Option<u32>, TooMany> {
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

    fn alternatives(&mut self, start: u32, end: u32) -> Result<Option<Vec<Segment>>, TooMany> {
        self.spend((end - start) as usize)?;
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

    fn sequence(&mut self, start: u32, end: u32) -> Result<Option<Vec<Segment>>, TooMany> {
        let bytes: Option<Vec<u8>> = (start..end).map(|at| self.byte(at)).collect();
        let Some(found) = bytes.and_then(|bytes| sequence(&bytes, self.most_words)) else {
            return Ok(None);
        };
        let mut alternatives = Vec::new();
        for element in found.map_err(|_| TooMany)? {
            let start = offset(self.tokens.len());
            for byte in element {
                let at = self.made_at + offset(self.made.len());
                self.made.push(byte);
                self.tokens.push(Token::Byte { byte, at });
            }
            alternatives.push((start, offset(self.tokens.len())));
            if self.made.len() > MOST_MADE {
                return Err(TooMany);
            }
        }
        Ok(Some(alternatives))
    }

    /// The pieces of a finished word, with neighbouring bytes joined again.
    fn collect(&self, segments: &[Segment]) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        let tokens = segments
            .iter()
            .filter_map(|&(start, end)| self.tokens.get(start as usize..end as usize));
        for token in tokens.flatten() {
            match *token {
                Token::Piece(index) => pieces.extend(self.pieces.get(index as usize)),
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
