//! What policy says about commands, tools and settings, through the public interface.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod attacks;
mod breaches;
mod certain;
mod command_examples;
mod command_files;
mod command_promises;
mod data_flows;
mod executing;
mod expansion;
mod facts;
mod flows;
mod interpreters;
mod invariance;
mod linear;
mod ordinary;
mod peer_bugs;
mod reading;
mod remote_reads;
mod rule_examples;
mod seed_rows;
mod settings;
mod spellings;
mod sums;
mod support;
mod tool_attacks;
mod tool_calls;
mod tools;
mod touch;
