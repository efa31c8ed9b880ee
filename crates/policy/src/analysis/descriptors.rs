//! Descriptors that hold text which the source itself gives: here-documents and here-strings.

use super::findings::Files;
use super::script::Lowered;
use super::stdin::redirected;
use super::{State, Value};
use crate::analysis::flow::Output;
use countersign_lexer::Command;
use std::rc::Rc;

/// Notes what the redirections of a command give to its descriptors. Where the command may not run,
/// nothing is known of them.
pub(super) fn note(lowered: &Lowered<'_>, command: &Command<'_>, state: &mut State, files: &Files) {
    let certain = lowered.is_certain(command);
    for redirect in command.redirects() {
        let Some(fd) = redirect.fd() else { continue };
        let output = if certain || fd == 0 && !is_exec(command) {
            redirected(lowered, &redirect, state, files)
        } else {
            Output::unknown()
        };
        Rc::make_mut(&mut state.descriptors).insert(fd, output);
    }
}

/// `exec` without a command: its redirections stay.
pub(super) fn is_exec(command: &Command<'_>) -> bool {
    let mut words = command.words();
    words
        .next()
        .is_some_and(|word| word.literal() == Some(b"exec"))
        && words.next().is_none()
}

/// What a path of a descriptor says of its number.
pub(super) enum Named {
    Number(u32),
    Unknown,
}

/// The descriptor that a path names, if it names one.
pub(super) fn named(path: &Value) -> Option<Named> {
    if path.exact() == Some("/dev/stdin") {
        return Some(Named::Number(0));
    }
    let directories = ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"];
    let number = directories
        .iter()
        .find_map(|dir| path.text.strip_prefix(dir))?;
    let number = number.parse().ok().filter(|_| path.exact().is_some());
    Some(number.map_or(Named::Unknown, Named::Number))
}
