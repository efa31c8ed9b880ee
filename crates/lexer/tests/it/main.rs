//! The lexer as other crates see it.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod coverage;
mod hostile;
mod probes;
mod render;
mod scopes;
mod soup;
mod status;
mod tree;
mod tricky;
mod words;
mod zsh;
