//! Other shell parsers behind one interface, to compare the lexer with.

pub mod literal;
pub mod ours;
pub mod peer;
