//! The program as agents and people meet it.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

mod audit;
mod audit_shown;
mod audit_trouble;
mod canary;
mod captures;
mod cli;
mod command_files;
mod config;
mod corpora;
mod eval;
mod explain;
mod failures;
mod install;
mod kept;
mod lex;
mod limits;
mod model;
mod modes;
mod own;
mod packs;
mod plugins;
mod seed_settings;
mod session;
mod store;
mod support;
mod tools;
