//! The words that `xargs` gives to its command.

use super::arguments::Arguments;
use super::flow::Output;
use super::placeholder::fill;
use super::{Known, Value};

/// `xargs` adds words from standard input to its command, or puts them in marked places.
pub(super) fn append_stdin(
    words: &mut Vec<Value>,
    arguments: &Arguments<'_>,
    stdin: Option<&Output>,
) {
    let marker = arguments
        .options
        .iter()
        .rfind(|given| matches!(given.name, "-I" | "-i" | "--replace"))
        .map(|given| {
            given
                .value
                .as_ref()
                .map_or("{}", |value| &*value.text)
                .to_owned()
        });
    let read = read_words(arguments, stdin);
    let Some(marker) = marker else {
        words.extend(read);
        return;
    };
    let only = match read.as_slice() {
        [value] => Some(value),
        _ => None,
    };
    for word in words.iter_mut() {
        let source = word.shown().to_owned();
        fill(word, &[marker.as_str()], only);
        if !word.literal {
            word.source = source.into();
        }
    }
}

/// With `-r`, no words mean no command.
pub(super) fn runs_nothing(arguments: &Arguments<'_>, stdin: Option<&Output>) -> bool {
    let text = stdin.and_then(|stdin| stdin.text.as_deref());
    let from_stdin = !reads_a_file(arguments);
    arguments.node.names.contains(&"xargs")
        && from_stdin
        && arguments.has(&["-r", "--no-run-if-empty"])
        && text.is_some_and(str::is_empty)
}

/// Whether it reads its words from a file, not from its standard input.
fn reads_a_file(arguments: &Arguments<'_>) -> bool {
    let file = |name: &str| matches!(name, "-a" | "--arg-file");
    let mut given = arguments.options.iter().filter(|given| file(given.name));
    given.any(|given| given.value.as_ref().and_then(Value::exact) != Some("/dev/stdin"))
}

/// The words that `xargs` reads, as far as they are known.
fn read_words(arguments: &Arguments<'_>, stdin: Option<&Output>) -> Vec<Value> {
    if reads_a_file(arguments) {
        return vec![Value::unknown("…")];
    }
    let Some(stdin) = stdin else {
        // Nothing is read, so nothing is added.
        return vec![Value {
            known: Known::Start,
            below: true,
            literal: false,
            source: "…".into(),
            ..Value::whole("./")
        }];
    };
    let delimiter = arguments
        .options
        .iter()
        .rfind(|given| matches!(given.name, "-d" | "--delimiter"));
    let newline = |value: &Value| matches!(value.exact(), Some("\\n" | "\n"));
    let by_line = match delimiter {
        Some(given) if given.value.as_ref().is_some_and(newline) => true,
        Some(_) => return vec![Value::unknown("…")],
        // What ends with a null byte is kept with a newline for it.
        None => arguments.has(&["-0", "--null"]),
    };
    match (&stdin.text, &stdin.names) {
        (Some(text), _) if by_line => text.lines().map(Value::derived).collect(),
        // Quotes and backslashes mean something of their own to it.
        (Some(text), _) if !text.contains(['"', '\'', '\\']) => text
            .split_ascii_whitespace()
            .map(|piece| Value {
                literal: false,
                ..Value::whole(piece)
            })
            .collect(),
        (None, Some(name)) => vec![Value {
            source: "…".into(),
            ..(**name).clone()
        }],
        _ => vec![Value::unknown("…")],
    }
}
