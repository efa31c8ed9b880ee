//! The broker, through its public items.
#![expect(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod faults;
mod grants;
mod intent;
mod kept;
mod reference;
mod store;
mod support;
mod walk;
