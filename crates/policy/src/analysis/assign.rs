//! Assignments, and what is known of a variable after them.

use super::call::Calling;
use super::flow::Output;
use super::held::{Held, Words};
use super::parameter::list_words;
use super::script::Lowered;
use super::state::ARGUMENTS;
use super::value::evaluate;
use super::{Analysis, Known, State, Value};
use countersign_lexer::{Assignment, Command, Context, ScopeId, ScopeKind, Script};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Analysis<'_> {
    /// The assignments of a command: before a program's name they hold for that program alone.
    pub(super) fn assignments(
        &mut self,
        lowered: &Lowered<'_>,
        command: &Command<'_>,
        (index, alone): (u32, bool),
        state: &mut State,
    ) {
        let certain = lowered.is_certain(command);
        for assignment in command.assignments() {
            let name = String::from_utf8_lossy(assignment.name()).into_owned();
            let mut held = assigned(lowered, &assignment, &name, state);
            let text = text_of(&held);
            self.environment(index, &name, text.as_deref(), !alone);
            let calling = Calling::without_words(index, lowered.frame.depth);
            for text in held.values.iter().flatten().filter_map(Value::exact) {
                self.code_in_variable(&calling, &name, Some(text), state);
            }
            if alone && !certain {
                let conditional = is_conditional(lowered.script, command, false);
                held.within = Some(command.scope()).filter(|_| !conditional);
                held.open |= conditional;
            }
            state.assign(&name, held);
        }
    }
}

/// What an assignment gives to its variable.
fn assigned(lowered: &Lowered<'_>, assignment: &Assignment<'_>, name: &str, state: &State) -> Held {
    if let Some(word) = assignment.value() {
        let held = value_of(lowered, &evaluate(&word, state));
        return match (assignment.append(), assignment.has_subscript()) {
            (false, false) => held,
            (true, false) => appended(state.held(name), &held),
            (_, true) => with_element(state.held(name), &held, assignment.source()),
        };
    }
    let source = String::from_utf8_lossy(assignment.source()).into_owned();
    let inside = source
        .split_once('(')
        .and_then(|(_, rest)| rest.strip_suffix(')'));
    let words = inside.and_then(|inside| list_words(inside, state));
    let held = Held::one(words);
    if assignment.append() {
        extended(state.held(name), &held)
    } else {
        held
    }
}

/// What words put together make of one value: nothing splits it.
fn value_of(lowered: &Lowered<'_>, values: &[Value]) -> Held {
    let scopes: Vec<ScopeId> = values.iter().flat_map(|word| word.scopes.clone()).collect();
    let mut data: Option<Rc<Output>> = values.iter().find_map(|word| word.data.clone());
    if !scopes.is_empty() {
        let put_out = lowered.outputs.of_scopes(&scopes);
        let put_out = data.map_or(put_out.clone(), |data| put_out.mixed(&data));
        data = Some(Rc::new(put_out));
    }
    let words = match values {
        [value] if value.known == Known::Whole => Some(vec![Value {
            literal: false,
            ..value.clone()
        }]),
        [value] if value.only_scope => data
            .as_ref()
            .and_then(|data| data.line())
            .map(|line| vec![Value::derived(&line)]),
        [value] if value.known == Known::Start => Some(vec![value.clone()]),
        _ => None,
    };
    Held {
        data: data.filter(|data| data.is_marked()),
        ..Held::one(words)
    }
}

/// The text of a plain variable.
pub(super) fn text_of(held: &Held) -> Option<String> {
    match held.only().map(Vec::as_slice) {
        Some([value]) if value.known == Known::Whole => Some(value.text.to_string()),
        _ => None,
    }
}

/// `name+=text`.
fn appended(before: Option<&Held>, held: &Held) -> Held {
    let Some(before) = before else {
        return Held {
            open: true,
            ..held.clone()
        };
    };
    let texts = |held: &Held| -> Option<Vec<String>> {
        let texts = held.values.iter().map(|words| match words.as_slice() {
            [only] => only.exact().map(str::to_owned),
            _ => None,
        });
        texts.collect()
    };
    let mut after = Held {
        open: before.open || held.open,
        data: held.data.clone().or_else(|| before.data.clone()),
        ..Held::default()
    };
    match (texts(before), texts(held)) {
        (Some(first), Some(second)) => {
            for first in &first {
                for second in &second {
                    after.add(vec![Value::derived(&format!("{first}{second}"))]);
                }
            }
        }
        _ => after.open = true,
    }
    after
}

/// How many words of an array are followed while more are added: each time all are copied.
const MAX_APPENDED: usize = 64;

/// `name+=(words)`.
fn extended(before: Option<&Held>, held: &Held) -> Held {
    let none = Held::one(Some(Words::new()));
    let before = before.unwrap_or(&none);
    let mut after = Held {
        open: before.open || held.open,
        data: held.data.clone().or_else(|| before.data.clone()),
        ..Held::default()
    };
    for first in &before.values {
        if first.len() > MAX_APPENDED {
            return Held::unknown();
        }
        for second in &held.values {
            let mut words = first.clone();
            words.extend(second.iter().cloned());
            after.add(words);
        }
    }
    after
}

/// `name[index]=text`. Where it goes is known for the element after the last one alone.
fn with_element(before: Option<&Held>, held: &Held, source: &[u8]) -> Held {
    let source = String::from_utf8_lossy(source);
    let index = source.split_once('[').and_then(|(_, rest)| {
        let (index, _) = rest.split_once(']')?;
        index.parse::<usize>().ok()
    });
    let next = match before {
        Some(before) if before.open => None,
        Some(before) => before.only().map(Vec::len),
        None => Some(0),
    };
    let mut after = extended(before, held);
    after.open |= index.is_none() || index != next;
    after
}

/// The state before the first command. What is assigned in several places, not all of which surely
/// run, may hold any of the values: loops run upwards, and a trap runs whenever it likes.
pub(super) fn first_state(script: &Script, state: &State) -> State {
    let mut state = state.clone();
    let mut places: BTreeMap<String, (u32, bool)> = BTreeMap::new();
    let mut trapped = false;
    for (name, certain) in assigned_names(script, &mut trapped) {
        let Some(name) = name else {
            state.forget();
            continue;
        };
        let (count, all) = places.entry(name).or_insert((0, true));
        *count = count.saturating_add(1);
        *all &= certain;
    }
    for (name, (count, all)) in places {
        if (count > 1 || name == ARGUMENTS) && (!all || trapped) {
            state.weaken(&name);
        }
    }
    state
}

/// Builtins whose arguments are assigned to.
const ASSIGNING: &[&str] = &[
    "declare",
    "export",
    "getopts",
    "let",
    "local",
    "mapfile",
    "printf",
    "read",
    "readarray",
    "readonly",
    "typeset",
    "unset",
];

/// The names that a script assigns to, one for each place, and whether it surely runs; `None` for a
/// name that is not known.
fn assigned_names(script: &Script, trapped: &mut bool) -> Vec<(Option<String>, bool)> {
    let text = |bytes: &[u8]| Some(String::from_utf8_lossy(bytes).into_owned());
    let mut names = Vec::new();
    for scope in script.scopes() {
        if let ScopeKind::For { name } | ScopeKind::Select { name } = scope.kind() {
            names.push((text(name), is_straight(script, scope.parent(), None)));
        }
    }
    for command in script.commands() {
        let descriptors = command
            .redirects()
            .filter_map(|redirect| redirect.fd_variable());
        names.extend(descriptors.flat_map(|name| [(text(name), false), (text(name), false)]));
        let through = [Some(&b"command"[..]), Some(&b"builtin"[..])];
        let mut words = command
            .words()
            .skip_while(|word| through.contains(&word.literal()));
        let first = words.next().map(|word| word.literal());
        if command.assignments().next().is_none() && first.is_none() {
            continue;
        }
        let straight = is_straight(script, Some(command.scope()), None)
            && !is_conditional(script, &command, true);
        match first {
            None => names.extend(
                command
                    .assignments()
                    .map(|assignment| (text(assignment.name()), straight)),
            ),
            Some(Some(b"shift" | b"set")) => names.push((Some(ARGUMENTS.to_owned()), straight)),
            Some(first) => {
                *trapped |= first == Some(b"trap");
                let assigns = ASSIGNING.iter().any(|name| Some(name.as_bytes()) == first);
                names.extend(words.filter(|_| assigns).filter_map(|word| {
                    let literal = match word.literal() {
                        Some(literal) => literal,
                        None if starts_with_name(word.source()) => word.source(),
                        None => return Some((None, straight)),
                    };
                    let declares = !matches!(
                        first,
                        Some(
                            b"read" | b"mapfile" | b"readarray" | b"printf" | b"getopts" | b"unset"
                        )
                    );
                    if declares && !literal.contains(&b'=') {
                        // No value is assigned.
                        return None;
                    }
                    let name = literal
                        .split(|byte| matches!(byte, b'=' | b'[' | b'+'))
                        .next()?;
                    Some((text(name), straight))
                }));
            }
        }
    }
    names
}

/// `name=`, whatever follows.
fn starts_with_name(source: &[u8]) -> bool {
    let named = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let end = source.iter().position(|byte| !named(byte));
    end.is_some_and(|end| end > 0 && source.get(end) == Some(&b'='))
}

/// Whether it depends on what ran before whether a command runs, or it is left to run by itself;
/// `and`: also where only what went well comes before. The context of an assignment does not say so.
pub(super) fn is_conditional(script: &Script, command: &Command<'_>, and: bool) -> bool {
    if command.words().next().is_some() {
        return match command.context() {
            Context::Or | Context::Background => true,
            Context::And => and,
            _ => false,
        };
    }
    let span = command.span();
    let before = script.source().get(..span.start).unwrap_or_default();
    let after = script.source().get(span.end..).unwrap_or_default();
    let (before, after) = (before.trim_ascii_end(), after.trim_ascii_start());
    (and && before.ends_with(b"&&"))
        || before.ends_with(b"||")
        || (after.starts_with(b"&") && !after.starts_with(b"&&"))
}

/// Whether what stands in a scope runs once, whenever its process does, or the scope that is the whole
/// of it.
pub(super) fn is_straight(script: &Script, scope: Option<ScopeId>, whole: Option<ScopeId>) -> bool {
    let mut at = scope;
    while let Some(scope) = at
        .filter(|id| whole != Some(*id))
        .and_then(|id| script.scope(id))
    {
        match scope.kind() {
            ScopeKind::Script | ScopeKind::CommandSubstitution | ScopeKind::Backtick => break,
            ScopeKind::Group | ScopeKind::Subshell | ScopeKind::PipelineStage { .. } => {}
            _ => return false,
        }
        at = scope.parent();
    }
    true
}
