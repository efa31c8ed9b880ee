//! The budgets as other crates see them.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod evidence;
mod evidence_properties;
#[cfg(feature = "serde")]
mod json;
mod revise;
mod revise_model;
mod revise_talks;
mod spend;
mod spend_model;
mod support;
