//! What small programs inside arguments do.

mod awk;
mod fzf;
mod jq;
mod sed;
mod sql;
mod yq;

pub(crate) use awk::only_reads as awk;
pub(crate) use fzf::fzf;
pub(crate) use jq::only_reads as jq;
pub(crate) use sed::{SedAction, actions as sed};
pub(crate) use sql::only_reads as sql;
pub(crate) use yq::only_reads as yq;
