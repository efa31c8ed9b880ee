//! The contract, from outside.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod chain;
mod guidance;
#[cfg(feature = "load")]
mod load;
mod reply;
