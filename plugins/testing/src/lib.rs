//! What the tests of plugins and of their loader share.

pub mod chat;
pub mod frozen;
pub mod library;
