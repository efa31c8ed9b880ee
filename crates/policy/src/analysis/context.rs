//! The words that say how a command was found inside another. They are part of the API.

use super::arguments::Arguments;
use super::call::Calling;
use super::env;
use super::flow::Feed;
use crate::{knowledge, paths};
use countersign_core::Place;

/// A command that another program runs once: `sudo`, `env`, `ssh`, `docker run`, …
pub(super) fn of_wrapped(calling: &Calling<'_, '_>, arguments: &Arguments<'_>) -> String {
    match program(calling) {
        "xargs" => "xargs".to_owned(),
        "env" if env::split_string(calling.words).is_some() => "wrapper:env-S".to_owned(),
        _ => placed(calling, arguments, "wrapper"),
    }
}

/// A command that another program runs for each thing it finds: `find -exec`, `fd -x`.
pub(super) fn of_each(calling: &Calling<'_, '_>, arguments: &Arguments<'_>) -> String {
    placed(calling, arguments, "exec")
}

/// Shell source in an argument.
pub(super) fn of_code(calling: &Calling<'_, '_>, arguments: &Arguments<'_>) -> String {
    match program(calling) {
        "bash" => "bash-c".to_owned(),
        name @ ("eval" | "trap") => name.to_owned(),
        "env" => "wrapper:env-S".to_owned(),
        _ => placed(calling, arguments, "shell"),
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
fn placed(calling: &Calling<'_, '_>, arguments: &Arguments<'_>, how: &str) -> String {
    let how = match arguments.node.place {
        Place::Here => how,
        Place::Remote => "remote",
        Place::Container => "container",
    };
    format!("{how}:{}", program(calling))
}

/// The program by its first name, also where a subcommand of it runs something.
fn program<'v>(calling: &Calling<'_, 'v>) -> &'v str {
    let typed = calling.words.first().map_or("", |word| &*word.text);
    let known = knowledge::program(paths::base_name(typed));
    let first = known.and_then(|node| node.names.first());
    first.copied().unwrap_or(typed)
}
