//! What `env` makes of its own words.

use super::arguments::Arguments;
use super::{Known, Value};

/// The words with the text of `-S` split into words in its place, as `env` reads them again. Text
/// with quotes, escapes or variables is left to be read as shell source.
pub(super) fn split_string(words: &[Value]) -> Option<Vec<Value>> {
    let mut at = 1_usize;
    loop {
        let text = words.get(at)?.exact()?;
        at = at.saturating_add(1);
        let option = text.strip_prefix('-').filter(|rest| !rest.is_empty())?;
        let long = option.strip_prefix("-split-string");
        let letters = option.trim_start_matches(['i', 'v', '0']);
        let attached = if let Some(rest) = long {
            rest.strip_prefix('=').or(rest.is_empty().then_some(""))?
        } else if let Some(rest) = letters.strip_prefix('S') {
            rest
        } else {
            let apart = matches!(letters, "u" | "C" | "a" | "P")
                || matches!(option, "-unset" | "-chdir" | "-argv0");
            at = at.saturating_add(usize::from(apart));
            continue;
        };
        let own = attached.is_empty() && !option.ends_with('=');
        let text = if own {
            words.get(at)?.exact()?
        } else {
            attached
        };
        let rest = words.get(at.saturating_add(usize::from(own))..)?;
        if text.contains(['\'', '"', '\\', '$', '#']) {
            return None;
        }
        let program = words.first()?.clone();
        let split = text.split_ascii_whitespace().map(Value::whole);
        return Some(
            std::iter::once(program)
                .chain(split)
                .chain(rest.iter().cloned())
                .collect(),
        );
    }
}

/// Whether the command starts with an empty environment.
pub(super) fn clears(arguments: &Arguments<'_>) -> bool {
    arguments.node.names.first() == Some(&"env") && arguments.has(&["-i", "--ignore-environment"])
}

/// `NAME=value`, with any name at all: `env` looks for nothing but the `=`.
pub(super) fn is_assignment(word: &Value) -> bool {
    word.known != Known::Nothing && word.text.contains('=') && !word.text.starts_with('=')
}
