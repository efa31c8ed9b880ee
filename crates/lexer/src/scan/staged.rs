//! What is complete, but whose owner is not.
//!
//! The words of a command stand next to each other in the arena, yet the commands of a
//! substitution inside one of them are complete first. So everything is staged on stacks, and an
//! owner that is complete takes what lies above the height it started at.

use super::Scanner;
use crate::DiagnosticKind;
use crate::model::{AssignmentData, PartData, RedirectData, Run, WordData};
use crate::text::{Slice, offset};

#[derive(Debug, Default)]
pub(super) struct Staged {
    pub(super) pieces: Vec<Piece>,
    pub(super) words: Vec<WordData>,
    pub(super) redirects: Vec<RedirectData>,
    pub(super) assignments: Vec<AssignmentData>,
}

/// One part of a word that is still being read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub(super) source: Slice,
    pub(super) part: PartData,
}

/// Moves what lies above `base` into an arena.
fn commit<T>(staged: &mut Vec<T>, base: u32, arena: &mut Vec<T>) -> Run {
    let start = offset(arena.len());
    let base = (base as usize).min(staged.len());
    arena.extend(staged.drain(base..));
    Run {
        start,
        end: offset(arena.len()),
    }
}

impl Scanner {
    pub(super) fn piece(&mut self, source: Slice, part: PartData) {
        self.staged.pieces.push(Piece { source, part });
    }

    pub(super) fn literal(&mut self, text: Slice, quoted: bool) {
        self.piece(text, PartData::Literal { text, quoted });
    }

    pub(super) fn pieces_len(&self) -> u32 {
        offset(self.staged.pieces.len())
    }

    pub(super) fn words_len(&self) -> u32 {
        offset(self.staged.words.len())
    }

    pub(super) fn redirects_len(&self) -> u32 {
        offset(self.staged.redirects.len())
    }

    pub(super) fn drop_pieces(&mut self, base: u32) {
        self.staged.pieces.truncate(base as usize);
    }

    pub(super) fn stage_word(&mut self, word: WordData) {
        if self.staged.words.len() + self.out.words.len() >= self.options.limits.words {
            self.halt(DiagnosticKind::WordLimit);
        }
        self.staged.words.push(word);
    }

    pub(super) fn commit_words(&mut self, base: u32) -> Run {
        commit(&mut self.staged.words, base, &mut self.out.words)
    }

    pub(super) fn commit_redirects(&mut self, base: u32) -> Run {
        commit(&mut self.staged.redirects, base, &mut self.out.redirects)
    }

    pub(super) fn commit_assignments(&mut self, base: u32) -> Run {
        commit(
            &mut self.staged.assignments,
            base,
            &mut self.out.assignments,
        )
    }
}
