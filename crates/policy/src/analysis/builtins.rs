//! Builtins that give values to variables.

use super::arguments::Arguments;
use super::call::Calling;
use super::flow::Output;
use super::held::{Held, Words};
use super::output::printed;
use super::state::ARGUMENTS;
use super::{Analysis, Known, State, Value};
use std::rc::Rc;

impl Analysis<'_> {
    /// Notes what a builtin assigns, where it can be told.
    pub(super) fn assigns(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        state: &mut State,
    ) {
        let name = arguments.node.names.first().copied().unwrap_or_default();
        let first = calling.words.first().and_then(Value::exact);
        match name {
            "set" => {
                if let Some(words) = positional(calling.words) {
                    state.assign(ARGUMENTS, Held::one(Some(words)));
                }
            }
            "break" if first == Some("shift") => shift(arguments, state),
            "read" | "mapfile" => self.reads_into(calling, arguments, name, state),
            "printf" => {
                let into = arguments.options.iter().find(|given| given.name == "-v");
                if let Some(into) = into {
                    let name = into.value.as_ref().and_then(Value::exact);
                    let words: Vec<&Value> = operands(arguments).collect();
                    let held = Held {
                        data: marks(&calling.substituted),
                        ..Held::one(printed(&words).map(|text| vec![Value::derived(&text)]))
                    };
                    assign_named(name, held, state);
                }
            }
            "unset" | "let" | "getopts" => {
                for word in operands(arguments) {
                    let name = word.exact().and_then(|text| text.split(['=', '[']).next());
                    assign_named(name, Held::unknown(), state);
                }
            }
            _ => {}
        }
    }

    fn reads_into(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        name: &str,
        state: &mut State,
    ) {
        let stdin = calling.stdin.cloned().unwrap_or_default();
        let stdin = Output {
            secret: stdin.secret || self.reads_secret(calling.index),
            ..stdin
        };
        let array = arguments.options.iter().find(|given| given.name == "-a");
        let array = array.and_then(|given| given.value.as_ref());
        let names: Vec<Option<&str>> = operands(arguments).map(Value::exact).collect();
        // `read` takes backslashes away where it is not told to leave them.
        let raw = name == "mapfile" || arguments.has(&["-r"]);
        let text = stdin.text.as_deref();
        let text = text.filter(|text| raw || !text.contains('\\'));
        let lines: Option<Vec<&str>> = text.map(|text| text.lines().collect());
        let held = |values: Option<Vec<Words>>| Held {
            data: marks(&stdin),
            ..values.map_or_else(Held::unknown, |values| Held::any(values, false))
        };
        let mut assigned: Vec<(Option<&str>, Held)> = Vec::new();
        if name == "mapfile" || array.is_some() {
            let name = match array {
                Some(name) => name.exact(),
                None => names.first().copied().unwrap_or(Some("MAPFILE")),
            };
            let words = lines.as_ref().map(|lines| match array {
                Some(_) => lines
                    .iter()
                    .flat_map(|line| line.split_ascii_whitespace())
                    .map(Value::derived)
                    .collect(),
                None => lines.iter().map(|line| Value::derived(line)).collect(),
            });
            assigned.push((name, held(words.map(|words| vec![words]))));
        } else {
            let names = if names.is_empty() {
                vec![Some("REPLY")]
            } else {
                names
            };
            for (at, name) in names.iter().enumerate() {
                let last = at.saturating_add(1) == names.len();
                let values = match (&lines, &stdin.names) {
                    (Some(lines), _) => Some(
                        lines
                            .iter()
                            .map(|line| vec![Value::derived(field(line, at, last))])
                            .collect(),
                    ),
                    (None, Some(listed)) if names.len() == 1 => {
                        Some(vec![vec![(**listed).clone()]])
                    }
                    _ => None,
                };
                assigned.push((*name, held(values)));
            }
        }
        for (name, held) in assigned {
            self.sums
                .reads(name.unwrap_or_default(), &stdin, calling.index);
            for text in held.values.iter().flatten().filter_map(Value::exact) {
                self.code_in_variable(calling, name.unwrap_or_default(), Some(text), state);
            }
            assign_named(name, held, state);
        }
    }
}

/// What a builtin sets whose name is not known can be any of them.
fn assign_named(name: Option<&str>, held: Held, state: &mut State) {
    match name {
        Some(name) => state.assign(name, held),
        None => state.forget(),
    }
}

fn operands<'a, 'v>(arguments: &'a Arguments<'v>) -> impl Iterator<Item = &'v Value> + use<'a, 'v> {
    let indices = arguments.operands.iter();
    indices.filter_map(|&index| arguments.word(index))
}

fn marks(output: &Output) -> Option<Rc<Output>> {
    output.is_marked().then(|| Rc::new(output.clone()))
}

/// The field of a line that the variable at a place gets; the last gets the rest.
fn field(line: &str, at: usize, last: bool) -> &str {
    let mut rest = line.trim();
    for _ in 0..at {
        rest = rest
            .split_once(|c: char| c.is_ascii_whitespace())
            .map_or("", |(_, rest)| rest.trim_start());
    }
    if last {
        return rest;
    }
    rest.split_ascii_whitespace().next().unwrap_or_default()
}

/// The positional parameters that `set` sets; `None` where it only sets options.
fn positional(words: &[Value]) -> Option<Words> {
    let mut at = 1_usize;
    loop {
        let word = words.get(at)?;
        let text = word.exact();
        at = at.saturating_add(1);
        match text {
            Some("--" | "-") => break,
            Some(text) if text.starts_with(['-', '+']) && text.len() > 1 => {
                at = at.saturating_add(usize::from(text.ends_with('o')));
            }
            _ => {
                at = at.saturating_sub(1);
                break;
            }
        }
    }
    Some(derived(words.get(at..).unwrap_or_default()))
}

/// Words as values: they stand for what they are, not for how they were typed.
pub(super) fn derived(words: &[Value]) -> Words {
    let derived = |word: &Value| Value {
        literal: false,
        scopes: Vec::new(),
        only_scope: false,
        ..word.clone()
    };
    words.iter().map(derived).collect()
}

/// How many arguments `shift` is followed through.
const MAX_SHIFTED: usize = 128;

fn shift(arguments: &Arguments<'_>, state: &mut State) {
    let by = match operands(arguments).next() {
        None => Some(1),
        Some(word) => word.exact().and_then(|text| text.parse::<usize>().ok()),
    };
    let Some(held) = state.held(ARGUMENTS).filter(|held| !held.weak).cloned() else {
        return;
    };
    let values = held.values.iter().map(|words| {
        // So many words are no options to be told apart, and to move them takes time.
        let sure = words.len() <= MAX_SHIFTED && !words.iter().any(|word| word.many);
        by.filter(|_| sure)
            .map(|by| words.get(by..).unwrap_or_default().to_vec())
    });
    let values: Option<Vec<Words>> = values.collect();
    let shifted = match values {
        Some(values) => Held { values, ..held },
        None => Held::unknown(),
    };
    state.assign(ARGUMENTS, shifted);
}

/// The value of a word `name=value` that a builtin declares.
pub(super) fn declared(calling: &Calling<'_, '_>, word: &Value, name: &str) -> Held {
    let text = word
        .text
        .get(name.len().saturating_add(1)..)
        .unwrap_or_default();
    let words = match word.known {
        Known::Whole if !word.glob => Some(vec![Value::derived(text)]),
        Known::Start if text.is_empty() && word.scopes.len() == 1 => {
            let line = calling.substituted.line();
            line.map(|line| vec![Value::derived(&line)])
        }
        Known::Start if !word.many => Some(vec![Value {
            text: text.into(),
            literal: false,
            known: if text.is_empty() {
                Known::Nothing
            } else {
                Known::Start
            },
            ..word.clone()
        }]),
        _ => None,
    };
    Held {
        data: marks(&calling.substituted),
        ..Held::one(words.filter(|words| words.iter().all(|word| word.known != Known::Nothing)))
    }
}
