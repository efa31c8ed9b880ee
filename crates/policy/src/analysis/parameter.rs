//! `$name`, `${name…}`: what they may stand for.

use super::flow::Output;
use super::held::{Held, Words};
use super::state::ARGUMENTS;
use super::value::evaluate_inside;
use super::{Known, State, Value};
use countersign_lexer::{Context, Options, Status, lex};
use std::rc::Rc;

/// What an expansion may stand for.
#[derive(Debug, Default)]
pub(super) struct Possible {
    pub(super) values: Vec<Words>,
    /// It may stand for something else.
    pub(super) open: bool,
    /// Where what it stands for comes from.
    pub(super) data: Option<Rc<Output>>,
}

/// How deep expansions are followed inside each other.
const MAX_DEPTH: u8 = 4;

impl Possible {
    fn unknown() -> Self {
        Self {
            open: true,
            ..Self::default()
        }
    }

    fn one(words: Words) -> Self {
        Self {
            values: vec![words],
            ..Self::default()
        }
    }

    fn of(held: &Held) -> Self {
        Self {
            values: held.values.clone(),
            open: held.open,
            data: held.data.clone(),
        }
    }

    /// Each text changed; what is no text, or becomes none, is not known.
    fn map(mut self, change: impl Fn(&str) -> Option<String>) -> Self {
        let mut open = self.open;
        self.values.retain_mut(|words| {
            let kept = words.iter_mut().all(|word| {
                let changed = word.exact().and_then(&change);
                changed.map(|text| *word = Value::derived(&text)).is_some()
            });
            open |= !kept;
            kept
        });
        Self { open, ..self }
    }
}

/// What an expansion may stand for: `shown` is its source, `depth` how many others it stands in.
pub(super) fn possible(
    name: &str,
    simple: bool,
    shown: &str,
    state: &State,
    depth: u8,
) -> Possible {
    let key = key(name, simple, shown);
    if let Some((_, pick)) = state.picks.iter().find(|(picked, _)| picked == key) {
        let data = state.held(name).and_then(|held| held.data.clone());
        let mut possible = pick.clone().map_or_else(Possible::unknown, Possible::one);
        possible.data = data;
        return possible;
    }
    if simple {
        return plain(name, state);
    }
    let inside = shown
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'));
    match inside {
        Some(inside) if depth < MAX_DEPTH => with_operator(name, inside, state, depth),
        _ => Possible::unknown(),
    }
}

/// What a choice between values of an expansion is kept under.
pub(super) fn key<'s>(name: &'s str, simple: bool, shown: &'s str) -> &'s str {
    if simple { name } else { shown }
}

/// Whether an expansion stands for as many words as its variable has.
pub(super) fn is_list(name: &str, shown: &str) -> bool {
    matches!(name, "@" | "*") || shown.contains("[@]") || shown.contains("[*]")
}

/// Whether it puts the value of a variable in sight whose name says that it is a secret.
pub(super) fn is_token(name: &str, simple: bool, shown: &str, state: &State) -> bool {
    if state.held(name).is_some() || !names_secret(name) {
        return false;
    }
    let rest = shown
        .strip_prefix("${")
        .and_then(|rest| rest.strip_prefix(name));
    simple || rest.is_some_and(|rest| !rest.starts_with([':', '+']) || rest.starts_with(":-"))
}

/// Whether the name of a variable says that it holds a secret.
pub(super) fn names_secret(name: &str) -> bool {
    const LAST: &[&str] = &[
        "APIKEY",
        "CREDENTIALS",
        "PASSPHRASE",
        "PASSWD",
        "PASSWORD",
        "PAT",
        "SECRET",
        "TOKEN",
    ];
    const BEFORE_KEY: &[&str] = &[
        "ACCESS",
        "API",
        "AUTH",
        "ENCRYPTION",
        "PRIVATE",
        "SECRET",
        "SIGNING",
    ];
    let name = name.to_ascii_uppercase();
    let mut parts = name.rsplit('_');
    let last = parts.next().unwrap_or_default();
    let before = parts.next();
    match last {
        "KEY" => before.is_some_and(|before| BEFORE_KEY.contains(&before)),
        _ => LAST.contains(&last) && name != "PAT",
    }
}

fn plain(name: &str, state: &State) -> Possible {
    if matches!(name, "@" | "*") {
        return state
            .held(ARGUMENTS)
            .map_or_else(Possible::unknown, Possible::of);
    }
    if let Some(number) = name.parse::<usize>().ok().filter(|number| *number > 0) {
        return argument(number, state);
    }
    match state.held(name) {
        // An array stands for its first word.
        Some(held) => {
            let mut possible = Possible::of(held);
            for words in &mut possible.values {
                words.truncate(1);
            }
            possible
        }
        None => match state.inherited(name) {
            Some(text) => Possible::one(vec![Value::derived(&text)]),
            None => Possible::unknown(),
        },
    }
}

fn argument(number: usize, state: &State) -> Possible {
    let Some(held) = state.held(ARGUMENTS) else {
        return Possible::unknown();
    };
    let mut possible = Held {
        open: held.open,
        data: held.data.clone(),
        ..Held::default()
    };
    for words in &held.values {
        if held.weak {
            // `shift` ran nobody knows how often.
            for word in words {
                possible.add(vec![word.clone()]);
            }
        } else if words.iter().any(|word| word.many) {
            possible.open = true;
        } else {
            possible.add(
                words
                    .get(number.saturating_sub(1))
                    .cloned()
                    .into_iter()
                    .collect(),
            );
        }
    }
    Possible::of(&possible)
}

fn with_operator(name: &str, inside: &str, state: &State, depth: u8) -> Possible {
    if let Some(other) = inside.strip_prefix('!') {
        let pointer = plain(other, state);
        return match pointer.values.as_slice() {
            [words] if !pointer.open => match words.as_slice() {
                [word] => word
                    .exact()
                    .map_or_else(Possible::unknown, |name| plain(name, state)),
                _ => Possible::unknown(),
            },
            _ => Possible::unknown(),
        };
    }
    let Some(rest) = inside.strip_prefix(name).filter(|_| !name.is_empty()) else {
        return Possible::unknown();
    };
    if let Some(index) = rest
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        return element(name, index, state);
    }
    let listed = rest.strip_prefix("[@]:").or(rest.strip_prefix("[*]:"));
    if let Some(range) = listed.filter(|range| range.starts_with(|c: char| c.is_ascii_digit())) {
        return sublist(element(name, "@", state), range);
    }
    let base = plain(name, state);
    if rest.is_empty() {
        return base;
    }
    let positional = rest.strip_prefix(':').filter(|_| matches!(name, "@" | "*"));
    if let Some((range, first)) = positional.and_then(|range| Some((range, range.chars().next()?)))
        && (first.is_ascii_digit() || matches!(first, ' ' | '$' | '('))
    {
        // `$@` counts from one: what is at zero is the shell.
        return match range
            .split_once(':')
            .unwrap_or((range, ""))
            .0
            .parse::<usize>()
        {
            Ok(0) | Err(_) => Possible::unknown(),
            Ok(start) => {
                let length = range
                    .split_once(':')
                    .map(|(_, length)| format!(":{length}"));
                let start = start.saturating_sub(1);
                sublist(base, &format!("{start}{}", length.unwrap_or_default()))
            }
        };
    }
    let colon = rest.starts_with(':');
    let (operator, word) = rest
        .trim_start_matches(':')
        .split_at_checked(1)
        .unwrap_or_default();
    match operator {
        "?" => base,
        "-" | "=" => otherwise(base, word, state, depth),
        "+" => default_words(word, state, depth).map_or_else(Possible::unknown, Possible::one),
        _ if colon => base.map(|text| slice(text, rest.trim_start_matches(':'))),
        "/" => base.map(|text| replaced(text, word)),
        "%" => base.map(|text| cut(text, word, false)),
        "#" => base.map(|text| cut(text, word, true)),
        "^" if matches!(word, "" | "^") => {
            base.map(|text| (word == "^").then(|| text.to_uppercase()))
        }
        "," if matches!(word, "" | ",") => {
            base.map(|text| (word == ",").then(|| text.to_lowercase()))
        }
        _ => Possible::unknown(),
    }
}

fn element(name: &str, index: &str, state: &State) -> Possible {
    let Some(held) = state.held(name) else {
        return Possible::unknown();
    };
    if matches!(index, "@" | "*") {
        return Possible::of(held);
    }
    if held.open {
        // Which of its words is where is not known.
        let words = held.values.iter().flatten();
        let any = Held::any(words.map(|word| vec![word.clone()]).collect(), true);
        return Possible {
            data: held.data.clone(),
            ..Possible::of(&any)
        };
    }
    let Ok(index) = index.parse::<usize>() else {
        return Possible::unknown();
    };
    // bash counts from 0, zsh from 1, and which of them reads it is not known.
    let counts = [Some(index), index.checked_sub(1)];
    let values: Vec<Vec<Value>> = held
        .values
        .iter()
        .flat_map(|words| counts.iter().flatten().filter_map(|&at| words.get(at)))
        .map(|word| vec![word.clone()])
        .collect();
    if values.is_empty() {
        return Possible::unknown();
    }
    Possible {
        values,
        ..Possible::of(held)
    }
}

/// `${name[@]:start}` and `${name[@]:start:length}`: words of a list, counted from the front.
fn sublist(mut base: Possible, range: &str) -> Possible {
    let (start, length) = match range.split_once(':') {
        Some((start, length)) => (start, length.trim().parse().ok()),
        None => (range, Some(usize::MAX)),
    };
    let (Ok(start), Some(length)) = (start.trim().parse::<usize>(), length) else {
        return Possible::unknown();
    };
    for words in &mut base.values {
        if words.iter().any(|word| word.many) {
            return Possible::unknown();
        }
        *words = words.drain(..).skip(start).take(length).collect();
    }
    base
}

/// `${name:-word}`: the value, and the word where there may be none.
fn otherwise(base: Possible, word: &str, state: &State, depth: u8) -> Possible {
    let empty = |words: &Words| words.iter().all(|word| word.exact() == Some(""));
    let mut held = Held::any(base.values, base.open);
    let sure = !held.open && !held.values.is_empty() && !held.values.iter().any(empty);
    if sure {
        return Possible::of(&held);
    }
    held.values.retain(|words| !empty(words));
    match default_words(word, state, depth) {
        Some(words) => held.add(words),
        None => held.open = true,
    }
    Possible {
        data: base.data,
        ..Possible::of(&held)
    }
}

/// The words of a default. What is in a substitution there is judged, but not followed.
fn default_words(word: &str, state: &State, depth: u8) -> Option<Words> {
    let source = format!(": {word}");
    let script = lex(source.as_bytes(), &Options::default());
    let mut commands = script.commands();
    let command = commands.next().filter(|_| commands.next().is_none())?;
    let alone = command.redirects().next().is_none() && command.context() == Context::Top;
    if !alone || script.status() != Status::Complete {
        return None;
    }
    let inside = depth.saturating_add(1);
    let words = command.words().skip(1);
    let words: Words = words
        .flat_map(|word| evaluate_inside(&word, state, inside))
        .map(|word| Value {
            literal: false,
            ..word
        })
        .collect();
    words
        .iter()
        .all(|word| word.known == Known::Whole && word.scopes.is_empty())
        .then_some(words)
}

/// `${name:start}` and `${name:start:length}`, counted from the front.
fn slice(text: &str, range: &str) -> Option<String> {
    let (start, length) = match range.split_once(':') {
        Some((start, length)) => (start, length.parse().ok()?),
        None => (range, usize::MAX),
    };
    let rest = text.chars().skip(start.trim().parse().ok()?);
    Some(rest.take(length).collect())
}

/// `${name/old/new}` and `${name//old/new}`, without wildcards.
fn replaced(text: &str, change: &str) -> Option<String> {
    let (all, change) = match change.strip_prefix('/') {
        Some(change) => (true, change),
        None => (false, change),
    };
    let (old, new) = change.split_once('/').unwrap_or((change, ""));
    let odd = |c: char| "*?[]\\\"'$`#%&".contains(c);
    if old.is_empty() || old.contains(odd) || new.contains(odd) {
        return None;
    }
    Some(text.replacen(old, new, if all { usize::MAX } else { 1 }))
}

/// The words between the parentheses of an array.
pub(super) fn list_words(inside: &str, state: &State) -> Option<Words> {
    // A comment ends with its line.
    if inside.contains('#') && inside.contains('\n') {
        return None;
    }
    let words = default_words(&inside.replace('\n', " "), state, 0)?;
    // `[3]=word` says where it goes.
    let placed = |word: &Value| word.source.starts_with('[') && word.source.contains("]=");
    (!words.iter().any(placed)).then_some(words)
}

/// `${name%pattern}` and its like, for a pattern without wildcards or with one `*` beside a `/`.
fn cut(text: &str, pattern: &str, front: bool) -> Option<String> {
    let (longest, pattern) = match pattern.strip_prefix(if front { '#' } else { '%' }) {
        Some(pattern) => (true, pattern),
        None => (false, pattern),
    };
    if pattern.contains(['$', '`', '"', '\'', '\\', '?', '[']) {
        return None;
    }
    let cut = match (pattern.split_once('*'), front) {
        (None, true) => text.strip_prefix(pattern),
        (None, false) => text.strip_suffix(pattern),
        (Some(("", fixed)), true) if !fixed.contains('*') => {
            let at = if longest {
                text.rfind(fixed)
            } else {
                text.find(fixed)
            };
            at.and_then(|at| text.get(at.saturating_add(fixed.len())..))
        }
        (Some((fixed, "")), false) => {
            let at = if longest {
                text.find(fixed)
            } else {
                text.rfind(fixed)
            };
            at.and_then(|at| text.get(..at))
        }
        _ => return None,
    };
    Some(cut.unwrap_or(text).to_owned())
}
