//! The broker, through its public items.
#![expect(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod kept;
mod store;
mod support;
mod walk;
