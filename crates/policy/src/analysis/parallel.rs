//! The source that `parallel` makes of its words and the arguments after `:::`.

use super::Value;
use std::fmt::Write as _;

/// More arguments than this are not written out one by one.
const MAX_ARGUMENTS: usize = 64;

/// The commands that it runs, one a line, where all of them stand in its words.
pub(super) fn source(words: &[Value]) -> Option<String> {
    let texts: Vec<&str> = words.iter().map(Value::exact).collect::<Option<_>>()?;
    let at = texts.iter().position(|text| text.starts_with(":::"))?;
    let (command, arguments) = texts.split_at(at);
    let (mark, arguments) = arguments.split_first()?;
    let plain = *mark == ":::" && !arguments.iter().any(|text| text.starts_with(":::"));
    if !plain || arguments.len() > MAX_ARGUMENTS {
        return None;
    }
    let command = command.join(" ");
    let marked = command.replace("{}", "");
    if marked.contains('{') {
        return None;
    }
    let mut source = String::new();
    for argument in arguments {
        let quoted = format!("'{}'", argument.replace('\'', r"'\''"));
        let _infallible = if command.is_empty() {
            writeln!(source, "{argument}")
        } else if marked == command {
            writeln!(source, "{command} {quoted}")
        } else {
            writeln!(source, "{}", command.replace("{}", &quoted))
        };
    }
    Some(source)
}
