//! The JSON forms, which are part of the API, and the digests.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod canonical;
mod bound;
mod digests;
mod envelope;
mod forms;
mod requests;
