//! The other parsers. Each has a bare parse, and a walk over everything that nests.

pub mod brush;
pub mod rable;
pub mod shuck;
pub mod tree_sitter;

use std::hint::black_box;

/// The words of one command; `None` where the word is not certain.
pub type Argv = Vec<Option<String>>;

/// Why there is no list that claims to be complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The source is called wrong.
    Rejected,
    /// The parser warns that it did not understand all; with what it did understand.
    Flagged(Vec<Argv>),
}

/// What a parser makes of a source.
pub type Result<T> = std::result::Result<T, Refusal>;

/// Parses and lists every command.
pub type Extract = fn(&str) -> Result<Vec<Argv>>;

/// One parser.
#[derive(Debug, Clone, Copy)]
pub struct Peer {
    /// Its name.
    pub name: &'static str,
    /// Parses and says whether the parser was content.
    pub parse: fn(&str) -> bool,
    /// Parses and lists every command.
    pub extract: Extract,
}

/// All parsers but ours.
pub const PEERS: [Peer; 4] = [
    Peer {
        name: "rable",
        parse: |source| black_box(rable::parse(source)).is_ok(),
        extract: rable::extract,
    },
    Peer {
        name: "shuck",
        parse: |source| black_box(shuck::parse(source)).is_ok(),
        extract: shuck::extract,
    },
    Peer {
        name: "brush",
        parse: |source| black_box(brush::parse(source)).is_ok(),
        extract: brush::extract,
    },
    Peer {
        name: "tree-sitter",
        parse: |source| black_box(tree_sitter::parse(source)).is_ok(),
        extract: tree_sitter::extract,
    },
];

/// Whether text that a parser left alone may hold a command.
fn may_hold_commands(text: &str) -> bool {
    text.contains('`') || text.contains("$(") || text.contains("<(") || text.contains(">(")
}
