//! Assignments before a command, or without one.

use super::{Script, Word};
use crate::Span;
use crate::arena::Linked;
use crate::text::Slice;

#[derive(Debug, Clone, Copy)]
pub(crate) struct AssignmentData {
    pub(crate) slice: Slice,
    pub(crate) name: Slice,
    pub(crate) append: bool,
    pub(crate) array: bool,
    pub(crate) subscript: bool,
    /// The word that is the value; none for an array.
    pub(crate) value: u32,
    pub(crate) next: u32,
}

impl Linked for AssignmentData {
    fn next(&self) -> u32 {
        self.next
    }

    fn set_next(&mut self, next: u32) {
        self.next = next;
    }
}

/// One assignment.
#[derive(Debug, Clone, Copy)]
pub struct Assignment<'a> {
    script: &'a Script,
    data: &'a AssignmentData,
}

impl<'a> Assignment<'a> {
    pub(crate) fn new(script: &'a Script, data: &'a AssignmentData) -> Self {
        Self { script, data }
    }

    /// The variable, without a subscript.
    pub fn name(&self) -> &'a [u8] {
        self.script.text.get(self.data.name)
    }

    /// Whether it is `+=`.
    pub fn append(&self) -> bool {
        self.data.append
    }

    /// Whether the value is a list in parentheses.
    pub fn is_array(&self) -> bool {
        self.data.array
    }

    /// Whether it assigns to one element.
    pub fn has_subscript(&self) -> bool {
        self.data.subscript
    }

    /// The value; `None` for an array.
    pub fn value(&self) -> Option<Word<'a>> {
        let value = self.script.words.get(self.data.value as usize)?;
        Some(Word::new(self.script, value))
    }

    /// Its text.
    pub fn source(&self) -> &'a [u8] {
        self.script.text.get(self.data.slice)
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.script.text.span(self.data.slice)
    }
}
