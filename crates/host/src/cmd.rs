//! One module a command.

pub(crate) mod hook;
