//! The memory of the last run on this thread, which the next one fills again.
//!
//! A short command costs hardly more than the memory it is read into, so this is worth having.

use super::frame::Frame;
use super::staged::Piece;
use crate::Script;
use crate::model::{CommandData, DetailData, PartData, RedirectData, ScopeData, WordData};
use std::cell::RefCell;
use std::mem::swap;

/// Lists that are empty and have room.
#[derive(Debug, Default)]
pub(super) struct Spare {
    pub(super) frames: Vec<Frame>,
    pub(super) pieces: Vec<Piece>,
    pub(super) bytes: Vec<u8>,
    pub(super) commands: Vec<CommandData>,
    pub(super) scopes: Vec<ScopeData>,
    pub(super) words: Vec<WordData>,
    pub(super) details: Vec<DetailData>,
    pub(super) parts: Vec<PartData>,
    pub(super) redirects: Vec<RedirectData>,
}

/// A list with more elements than this is given back to the system; so is text of more bytes than
/// 32 times as many.
pub(super) const MOST: usize = 64;

thread_local! {
    static SPARE: RefCell<Spare> = RefCell::default();
}

/// Gives access to what there is. A thread that ends has none.
pub(super) fn spare(act: impl FnOnce(&mut Spare)) {
    let _ended = SPARE.try_with(|spare| {
        if let Ok(mut spare) = spare.try_borrow_mut() {
            act(&mut spare);
        }
    });
}

/// Keeps a list that is no longer needed, if it is worth it.
pub(super) fn keep<T>(spare: &mut Vec<T>, items: &mut Vec<T>, most: usize) {
    if items.capacity() > spare.capacity() && items.capacity() <= most {
        items.clear();
        swap(spare, items);
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
