//! A strict reader in front of the canonical form. The canonical form alone (RFC 8785) lets
//! requests that mean different things share one text: duplicate keys vanish before it, and
//! integers beyond 2^53 are rounded.

mod strict;
#[cfg(test)]
mod tests;

pub(crate) use strict::check_value;
pub use strict::{MAX_DEPTH, parse_strict};

use serde::Serialize;
use std::fmt;
use thiserror::Error;

/// JSON that was refused, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind}{}", Place(*.line, *.column))]
pub struct JsonError {
    /// What is wrong.
    pub kind: JsonErrorKind,
    /// One-based line; 0 when it is not known.
    pub line: usize,
    /// One-based column in bytes; 0 when it is not known.
    pub column: usize,
}

impl JsonError {
    /// What is wrong.
    pub fn kind(&self) -> &JsonErrorKind {
        &self.kind
    }
}

struct Place(usize, usize);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            Ok(())
        } else {
            write!(f, " at line {} column {}", self.0, self.1)
        }
    }
}

/// What is wrong with a JSON text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// It is not JSON, or stops in the middle.
    #[error("not valid JSON: {0}")]
    Syntax(String),
    /// An object has a key twice.
    #[error("duplicate key `{0}`")]
    DuplicateKey(String),
    /// A number that other readers would round differently.
    #[error("number {0} is beyond the integers that JSON readers agree on")]
    Number(String),
    /// Nested too deep.
    #[error("nested deeper than {MAX_DEPTH} levels")]
    Depth,
}

/// The canonical text of a value (RFC 8785).
///
/// # Errors
/// When the value has no JSON form, such as a map whose keys are not strings.
pub fn canonical<T: Serialize>(value: &T) -> Result<Vec<u8>, JsonError> {
    serde_json_canonicalizer::to_vec(value).map_err(|error| JsonError {
        kind: JsonErrorKind::Syntax(error.to_string()),
        line: 0,
        column: 0,
    })
}
