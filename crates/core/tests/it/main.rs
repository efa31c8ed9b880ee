//! The JSON forms, which are part of the API, and the digests.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod bound;
mod canonical;
mod digests;
mod envelope;
mod forms;
mod requests;
