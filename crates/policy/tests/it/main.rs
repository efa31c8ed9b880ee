//! What policy says about commands, tools and settings, through the public interface.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

mod attacks;
mod certain;
mod command_examples;
mod expansion;
mod facts;
mod invariance;
mod rule_examples;
mod settings;
mod support;
mod tool_attacks;
mod tool_calls;
mod tools;
mod touch;
