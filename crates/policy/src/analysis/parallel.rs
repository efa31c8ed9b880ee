//! The source that `parallel` makes of its words and the arguments after `:::`.

use super::Value;
use super::flow::Output;
use super::placeholder::{PATH_MARKS, fill};
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
        let quoted = quoted(argument);
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

/// How many jobs of `parallel` are looked at one by one.
const MAX_JOBS: usize = 32;

/// The words of the jobs of `parallel`: what follows `:::`, or what it reads, is filled into marks,
/// or added where there is none.
pub(super) fn jobs(words: &[Value], stdin: Option<&Output>) -> Vec<Vec<Value>> {
    let ends = |word: &Value| word.exact().is_some_and(|text| text.starts_with(":::"));
    let end = words.iter().position(ends).unwrap_or(words.len());
    let given = words.get(end.saturating_add(1)..).unwrap_or_default();
    let text = stdin.and_then(|stdin| stdin.text.as_deref());
    let lines: Vec<Value> = text
        .into_iter()
        .flat_map(|text| text.lines().map(Value::derived))
        .collect();
    let single = words.get(end).and_then(Value::exact) == Some(":::") && !given.iter().any(ends);
    let values: Vec<Option<&Value>> = match (single, end == words.len() && !lines.is_empty()) {
        (true, _) if given.len() <= MAX_JOBS => given.iter().map(Some).collect(),
        (_, true) if lines.len() <= MAX_JOBS => lines.iter().map(Some).collect(),
        _ => vec![None],
    };
    let numbers: Vec<String> = (1..=9)
        .flat_map(|at| ["", ".", "/", "//", "/."].map(|how| format!("{{{at}{how}}}")))
        .collect();
    let mut marks = PATH_MARKS.to_vec();
    marks.extend(numbers.iter().map(String::as_str));
    marks.extend(["{#}", "{%}"]);
    let job = |value: Option<&Value>| {
        let mut filled: Vec<Value> = words.get(..end).unwrap_or_default().to_vec();
        let plain = |word: &Value| !word.code.contains('{') || word.code.contains("{}");
        let value = value.filter(|_| filled.iter().all(plain));
        // A shell reads it, so it is quoted; alone it is the command line itself.
        let quoted = value.filter(|_| end > 0).map(|value| Value {
            code: quoted(&value.text).into(),
            ..value.clone()
        });
        let value = quoted.as_ref().or(value);
        for word in &mut filled {
            fill(word, &marks, value);
        }
        let unmarked = filled
            .iter()
            .zip(words)
            .all(|(after, before)| after.code == before.code);
        if unmarked {
            filled.push(value.cloned().unwrap_or_else(|| Value::unknown("$_")));
        }
        filled
    };
    values.into_iter().map(job).collect()
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
