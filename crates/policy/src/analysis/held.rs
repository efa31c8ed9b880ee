//! What a variable holds, as far as it is known.

use super::Value;
use super::flow::Output;
use countersign_lexer::ScopeId;
use std::rc::Rc;

/// The words that a variable may stand for: one, but for arrays and `$@`.
pub(crate) type Words = Vec<Value>;

/// How many values of one variable are followed.
const MAX_VALUES: usize = 32;

/// The longest value that is followed, in bytes: a value that doubles with every assignment must
/// not take memory with it.
const MAX_VALUE: usize = 64 << 10;

/// What a variable holds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Held {
    /// Each of the values that it may have.
    pub(super) values: Vec<Words>,
    /// It may have another value, or none.
    pub(super) open: bool,
    /// It is assigned in places of which nobody knows whether and when they run: an assignment
    /// adds a value and takes none away.
    pub(super) weak: bool,
    /// Where what it holds comes from.
    pub(super) data: Option<Rc<Output>>,
    /// It is another name for this variable.
    pub(super) stands_for: Option<String>,
    /// The scope in which its only assignment surely came before.
    pub(super) within: Option<ScopeId>,
}

impl Held {
    /// Nothing is known of it.
    pub(super) fn unknown() -> Self {
        Self {
            open: true,
            ..Self::default()
        }
    }

    /// One value, if it is known.
    pub(super) fn one(words: Option<Words>) -> Self {
        match words {
            Some(words) => Self {
                values: vec![words],
                ..Self::default()
            },
            None => Self::unknown(),
        }
    }

    /// Any of these values.
    pub(super) fn any(values: Vec<Words>, open: bool) -> Self {
        let mut held = Self {
            open,
            ..Self::default()
        };
        for words in values {
            held.add(words);
        }
        held
    }

    /// The value, where only one comes into question.
    pub(super) fn only(&self) -> Option<&Words> {
        match self.values.as_slice() {
            [only] if !self.open => Some(only),
            _ => None,
        }
    }

    /// One more value that it may have.
    pub(super) fn add(&mut self, words: Words) {
        let length = words
            .iter()
            .fold(0_usize, |sum, word| sum.saturating_add(word.text.len()));
        if self.values.iter().any(|known| same(known, &words)) {
            return;
        }
        if self.values.len() >= MAX_VALUES || length > MAX_VALUE {
            self.open = true;
            return;
        }
        self.values.push(words);
    }

    /// It may be what either says.
    pub(super) fn join(&mut self, other: &Self) {
        for words in &other.values {
            self.add(words.clone());
        }
        self.open |= other.open;
        self.weak |= other.weak;
        if self.data.is_none() {
            self.data.clone_from(&other.data);
        }
    }
}

fn same(left: &Words, right: &Words) -> bool {
    let key = |word: &Value| (word.text.clone(), word.known, word.glob, word.below);
    left.len() == right.len() && left.iter().zip(right).all(|(l, r)| key(l) == key(r))
}
