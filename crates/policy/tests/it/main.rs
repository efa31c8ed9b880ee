//! What policy says about commands, tools and settings, through the public interface.

mod command_examples;
mod rule_examples;
mod support;
