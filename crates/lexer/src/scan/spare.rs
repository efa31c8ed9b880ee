//! The memory of the last run on this thread, which the next one fills again.
//!
//! A short command costs hardly more than the memory it is read into, so this is worth having.

use super::Scanner;
use super::frame::Frame;
use super::staged::Piece;
use crate::Script;
use crate::model::{CommandData, DetailData, PartData, RedirectData, ScopeData, WordData};
use std::cell::RefCell;
use std::mem::swap;

/// Lists that are empty and have room.
#[derive(Debug, Default)]
struct Spare {
    frames: Vec<Frame>,
    pieces: Vec<Piece>,
    bytes: Vec<u8>,
    commands: Vec<CommandData>,
    scopes: Vec<ScopeData>,
    words: Vec<WordData>,
    details: Vec<DetailData>,
    parts: Vec<PartData>,
    redirects: Vec<RedirectData>,
}

/// A list with more elements than this is given back to the system; so is text of more bytes than
/// 32 times as many.
const MOST: usize = 64;

thread_local! {
    static SPARE: RefCell<Spare> = RefCell::default();
}

/// Gives access to what there is. A thread that ends has none.
fn spare(act: impl FnOnce(&mut Spare)) {
    let _ended = SPARE.try_with(|spare| {
        if let Ok(mut spare) = spare.try_borrow_mut() {
            act(&mut spare);
        }
    });
}

/// Keeps a list that is no longer needed, if it is worth it.
fn keep<T>(spare: &mut Vec<T>, items: &mut Vec<T>, most: usize) {
    if items.capacity() > spare.capacity() && items.capacity() <= most {
        items.clear();
        swap(spare, items);
    }
}

impl Scanner {
    /// Takes the memory of the last run.
    pub(super) fn recycle(&mut self) {
        spare(|spare| {
            swap(&mut self.frames, &mut spare.frames);
            swap(&mut self.staged.pieces, &mut spare.pieces);
            swap(self.out.text.bytes_mut(), &mut spare.bytes);
            swap(&mut self.out.commands, &mut spare.commands);
            swap(&mut self.out.scopes, &mut spare.scopes);
            swap(&mut self.out.words, &mut spare.words);
            swap(&mut self.out.details, &mut spare.details);
            swap(&mut self.out.parts, &mut spare.parts);
            swap(&mut self.out.redirects, &mut spare.redirects);
        });
    }

    /// Keeps the stacks of a run that is over.
    pub(super) fn keep_stacks(&mut self) {
        spare(|spare| {
            keep(&mut spare.frames, &mut self.frames, MOST);
            keep(&mut spare.pieces, &mut self.staged.pieces, MOST);
        });
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        let bytes = self.text.bytes_mut();
        if bytes.capacity() == 0 {
            return;
        }
        spare(|spare| {
            keep(&mut spare.bytes, bytes, MOST * 32);
            keep(&mut spare.commands, &mut self.commands, MOST);
            keep(&mut spare.scopes, &mut self.scopes, MOST);
            keep(&mut spare.words, &mut self.words, MOST);
            if self.details.capacity() > 0 {
                keep(&mut spare.details, &mut self.details, MOST);
                keep(&mut spare.parts, &mut self.parts, MOST);
            }
            if self.redirects.capacity() > 0 {
                keep(&mut spare.redirects, &mut self.redirects, MOST);
            }
        });
    }
}
