//! One module a command.

pub(crate) mod audit;
pub(crate) mod breaker;
pub(crate) mod check;
pub(crate) mod config;
pub(crate) mod denials;
pub(crate) mod doctor;
pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod hook;
pub(crate) mod install;
pub(crate) mod lex;
pub(crate) mod pending;
pub(crate) mod plugin;
pub(crate) mod reviewer;
pub(crate) mod subject;
pub(crate) mod switch;
