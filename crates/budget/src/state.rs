//! What a kept state can have wrong with it.

use std::fmt;

/// The version of every state of this crate, its field `v`.
pub const STATE_VERSION: u32 = 1;

/// A kept state that cannot be used. It stands for "unknown", never for an empty budget: a caller
/// denies, or asks a person.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateError {
    /// It was written in another version of its form.
    Version {
        /// The version that it names.
        found: u32,
    },
    /// It does not add up: no calls lead to it.
    Damaged {
        /// What is wrong, as a fragment of a sentence.
        what: &'static str,
    },
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version { found } => write!(
                f,
                "the budget was kept in version {found}, and only version {STATE_VERSION} is \
                 known; use the program that wrote it, or let a person remove it"
            ),
            Self::Damaged { what } => write!(
                f,
                "the kept budget is damaged: {what}; let a person look at it and remove it"
            ),
        }
    }
}

impl std::error::Error for StateError {}

/// Says whether a state is of the version that this crate writes.
pub(crate) fn known_version(found: u32) -> Result<(), StateError> {
    if found == STATE_VERSION {
        Ok(())
    } else {
        Err(StateError::Version { found })
    }
}
