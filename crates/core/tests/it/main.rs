//! The JSON forms, which are part of the API, and the digests.

mod digests;
mod forms;
mod requests;
