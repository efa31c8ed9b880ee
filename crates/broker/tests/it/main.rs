//! The broker, through its public items.
#![expect(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod answers;
mod faults;
mod grants;
mod guard;
mod intent;
mod kept;
mod park;
mod park_model;
mod races;
mod reference;
mod shuttle_store;
mod stand;
mod store;
mod support;
mod walk;
