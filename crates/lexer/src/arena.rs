//! Where everything about a script is kept: lists that only grow, whose memory is counted.

use crate::text::offset;

/// An index that points at nothing.
pub(crate) const NONE: u32 = u32::MAX;

/// The memory one run may take, in bytes.
///
/// The promise to callers is 16 bytes for every byte of source and 64 KiB. What is kept back
/// closes the constructs that are open when the rest is gone.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Budget {
    left: usize,
    /// Whether more was taken than there was.
    pub(crate) overdrawn: bool,
}

const FOR_EACH_BYTE: usize = 14;
const FOR_ANY_SOURCE: usize = 44 << 10;

impl Budget {
    pub(crate) fn for_source(len: usize) -> Self {
        Self {
            left: len * FOR_EACH_BYTE + FOR_ANY_SOURCE,
            overdrawn: false,
        }
    }

    /// Whether `bytes` can be taken.
    pub(crate) fn allows(&self, bytes: usize) -> bool {
        bytes <= self.left
    }

    pub(crate) fn take(&mut self, bytes: usize) {
        self.overdrawn |= bytes > self.left;
        self.left = self.left.saturating_sub(bytes);
    }

    /// Makes room for `wanted` elements in an empty list, if it has less.
    pub(crate) fn grow_to<T>(&mut self, items: &mut Vec<T>, wanted: usize) {
        if items.capacity() < wanted {
            self.grow(items, wanted);
        }
    }

    /// Gives back what a list took.
    pub(crate) fn free<T>(&mut self, items: Vec<T>) {
        self.left += items.capacity() * size_of::<T>();
        drop(items);
    }

    /// Makes room for `more` elements: twice what there is while memory is plenty, less later.
    #[cold]
    pub(crate) fn grow<T>(&mut self, items: &mut Vec<T>, more: usize) {
        let capacity = items.capacity();
        let affordable = self.left / size_of::<T>().max(1) / 4;
        let extra = capacity.min(affordable).max(more.max(4));
        // Many small steps could cost the square of the length.
        self.overdrawn |= extra < capacity / 8;
        items.reserve_exact(extra);
        self.take((items.capacity() - capacity) * size_of::<T>());
    }
}

/// Appends an element and returns its index.
#[inline]
pub(crate) fn push<T>(items: &mut Vec<T>, item: T, budget: &mut Budget) -> u32 {
    if items.len() == items.capacity() {
        budget.grow(items, 1);
    }
    let index = offset(items.len());
    items.push(item);
    index
}

/// An element that knows the next one of the same owner.
pub(crate) trait Linked {
    fn next(&self) -> u32;
    fn set_next(&mut self, next: u32);
}

/// The elements of one owner, while there may be more to come. The owner keeps the first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chain {
    pub(crate) first: u32,
    pub(crate) last: u32,
}

impl Default for Chain {
    fn default() -> Self {
        Self {
            first: NONE,
            last: NONE,
        }
    }
}

impl Chain {
    pub(crate) fn of(index: u32) -> Self {
        Self {
            first: index,
            last: index,
        }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.first == NONE
    }

    /// Whether there is exactly one element.
    pub(crate) fn is_single(self) -> bool {
        !self.is_empty() && self.first == self.last
    }

    /// Adds another chain behind this one.
    #[inline]
    pub(crate) fn append<T: Linked>(&mut self, other: Self, items: &mut [T]) {
        if other.is_empty() {
            return;
        }
        if self.is_empty() {
            *self = other;
            return;
        }
        if let Some(last) = items.get_mut(self.last as usize) {
            last.set_next(other.first);
        }
        self.last = other.last;
    }
}

/// Walks the elements of one owner.
#[derive(Debug)]
pub(crate) struct Links<'a, T> {
    items: &'a [T],
    at: u32,
}

impl<T> Clone for Links<'_, T> {
    fn clone(&self) -> Self {
        Self {
            items: self.items,
            at: self.at,
        }
    }
}

pub(crate) fn links<T>(items: &[T], first: u32) -> Links<'_, T> {
    Links { items, at: first }
}

impl<'a, T: Linked> Iterator for Links<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        let item = self.items.get(self.at as usize)?;
        self.at = item.next();
        Some(item)
    }
}

/// A range of one list.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Run {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// The elements that a run covers.
pub(crate) fn elements<T>(items: &[T], run: Run) -> &[T] {
    items
        .get(run.start as usize..run.end as usize)
        .unwrap_or_default()
}
