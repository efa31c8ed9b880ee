//! The words that say how a command was found inside another. They are part of the API.

use super::arguments::Arguments;
use super::call::Calling;
use super::env;
use super::flow::Feed;
use countersign_core::Place;

/// A command that another program runs once: `sudo`, `env`, `ssh`, `docker run`, …
pub(super) fn of_wrapped(calling: &Calling<'_, '_>, arguments: &Arguments<'_>) -> String {
    match program(arguments) {
        "xargs" => "xargs".to_owned(),
        "env" if env::split_string(calling.words).is_some() => "wrapper:env-S".to_owned(),
        _ => placed(arguments, "wrapper"),
    }
}

/// A command that another program runs for each thing it finds: `find -exec`, `fd -x`.
pub(super) fn of_each(arguments: &Arguments<'_>) -> String {
    placed(arguments, "exec")
}

/// Shell source in an argument.
pub(super) fn of_code(arguments: &Arguments<'_>) -> String {
    match program(arguments) {
        "bash" => "bash-c".to_owned(),
        name @ ("eval" | "trap") => name.to_owned(),
        "env" => "wrapper:env-S".to_owned(),
        _ => placed(arguments, "shell"),
    }
}

/// Shell source on the standard input of a shell.
pub(super) fn of_stdin(feed: Feed) -> &'static str {
    match feed {
        Feed::Stream => "stdin-shell",
        Feed::HereDocument => "heredoc-shell",
        Feed::HereString => "herestring-shell",
    }
}

/// Where it takes place says more than how it is run.
fn placed(arguments: &Arguments<'_>, how: &str) -> String {
    let how = match arguments.node.place {
        Place::Here => how,
        Place::Remote => "remote",
        Place::Container => "container",
    };
    format!("{how}:{}", program(arguments))
}

/// The program by its first name, also where a subcommand of it runs something.
fn program(arguments: &Arguments<'_>) -> &'static str {
    arguments.program.names.first().copied().unwrap_or_default()
}
