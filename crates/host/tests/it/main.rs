//! The program as agents and people meet it.

mod audit;
mod captures;
mod cli;
mod config;
mod corpora;
mod explain;
mod failures;
mod modes;
mod support;
