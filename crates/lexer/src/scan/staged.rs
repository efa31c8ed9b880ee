//! What is complete, but whose owner is not.
//!
//! The pieces of words that are being read stand on a stack: a word that is complete takes what
//! lies above the height it started at. Words, redirections and assignments go straight to their
//! lists, and wait here for the construct they belong to, which always reads on next.

use super::Scanner;
use crate::DiagnosticKind;
use crate::arena::{Chain, push};
use crate::model::{AssignmentData, PartData, RedirectData, WordData};
use crate::text::{Slice, offset};

#[derive(Debug, Default)]
pub(super) struct Staged {
    pub(super) pieces: Vec<Piece>,
    pub(super) words: Chain,
    pub(super) redirects: Chain,
    pub(super) assignments: Chain,
}

/// One part of a word that is still being read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub(super) source: Slice,
    pub(super) part: PartData,
}

impl Scanner {
    pub(super) fn piece(&mut self, source: Slice, part: PartData) {
        let piece = Piece { source, part };
        push(&mut self.staged.pieces, piece, &mut self.budget);
        if self.budget.overdrawn {
            self.halt(DiagnosticKind::MemoryLimit);
        }
    }

    pub(super) fn literal(&mut self, text: Slice, quoted: bool) {
        self.piece(text, PartData::Literal { text, quoted });
    }

    pub(super) fn pieces_len(&self) -> u32 {
        offset(self.staged.pieces.len())
    }

    pub(super) fn drop_pieces(&mut self, base: u32) {
        self.staged.pieces.truncate(base as usize);
    }

    /// Adds a word to the list and to no owner.
    pub(super) fn add_word(&mut self, word: WordData) -> u32 {
        if self.out.words.len() >= self.options.limits.words {
            self.halt(DiagnosticKind::WordLimit);
        }
        push(&mut self.out.words, word, &mut self.budget)
    }

    pub(super) fn stage_word(&mut self, word: WordData) {
        let chain = Chain::of(self.add_word(word));
        self.staged.words.append(chain, &mut self.out.words);
    }

    pub(super) fn stage_redirect(&mut self, redirect: RedirectData) {
        let chain = Chain::of(push(&mut self.out.redirects, redirect, &mut self.budget));
        self.staged.redirects.append(chain, &mut self.out.redirects);
    }

    pub(super) fn stage_assignment(&mut self, assignment: AssignmentData) {
        let chain = Chain::of(push(
            &mut self.out.assignments,
            assignment,
            &mut self.budget,
        ));
        self.staged
            .assignments
            .append(chain, &mut self.out.assignments);
    }

    /// Hands the words that are complete to their owner.
    pub(super) fn take_words(&mut self, owned: &mut Chain) {
        let words = std::mem::take(&mut self.staged.words);
        owned.append(words, &mut self.out.words);
    }

    pub(super) fn take_redirects(&mut self, owned: &mut Chain) {
        let redirects = std::mem::take(&mut self.staged.redirects);
        owned.append(redirects, &mut self.out.redirects);
    }

    pub(super) fn take_assignments(&mut self, owned: &mut Chain) {
        let assignments = std::mem::take(&mut self.staged.assignments);
        owned.append(assignments, &mut self.out.assignments);
    }
}
