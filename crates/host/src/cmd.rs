//! One module a command.

pub(crate) mod check;
pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod hook;
pub(crate) mod subject;
