//! The program as agents and people meet it.

mod audit;
mod captures;
mod cli;
mod config;
mod corpora;
mod explain;
mod failures;
mod install;
mod modes;
mod support;
