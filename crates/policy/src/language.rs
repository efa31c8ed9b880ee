//! What small programs inside arguments do.

mod awk;
mod sed;
mod sql;

pub(crate) use awk::only_reads as awk;
pub(crate) use sed::{SedAction, actions as sed};
pub(crate) use sql::only_reads as sql;
