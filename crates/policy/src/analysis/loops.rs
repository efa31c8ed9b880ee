//! The variable of `for`: each of the words in turn.

use super::choices;
use super::held::Held;
use super::script::Lowered;
use super::state::ARGUMENTS;
use super::value::evaluate;
use super::{Known, State, Value};
use countersign_lexer::{Command, Scope, ScopeId, ScopeKind};
use std::rc::Rc;

/// Gives the loops that a command is the first of their variables.
pub(super) fn enter(lowered: &mut Lowered<'_>, command: &Command<'_>) {
    if !lowered.has_loops {
        return;
    }
    for id in loops_around(lowered, command) {
        let Some(scope) = lowered.script.scope(id) else {
            continue;
        };
        let (ScopeKind::For { name } | ScopeKind::Select { name }) = scope.kind() else {
            continue;
        };
        lowered.entered.insert(id);
        let name = String::from_utf8_lossy(name).into_owned();
        let process = scope.parent().and_then(|around| lowered.process_of(around));
        let mut state = lowered.take_state(process);
        let held = words(lowered, &scope, &state);
        state.assign_in_loop(&name, held);
        lowered.put_state(process, state);
    }
}

/// The loops around a command that nothing in the body of was called before, outermost first.
fn loops_around(lowered: &Lowered<'_>, command: &Command<'_>) -> Vec<ScopeId> {
    let mut around = Vec::new();
    let mut at = Some(command.scope());
    while let Some(scope) = at.and_then(|id| lowered.script.scope(id)) {
        at = scope.parent();
        let loops = matches!(
            scope.kind(),
            ScopeKind::For { .. } | ScopeKind::Select { .. }
        );
        if !loops || lowered.entered.contains(&scope.id()) {
            continue;
        }
        // A substitution in the words runs before there is a value.
        let last = scope.words().last().map(|word| word.span().end);
        if last.is_none_or(|end| command.span().start >= end) {
            around.push(scope.id());
        }
    }
    around.reverse();
    around
}

fn words(lowered: &Lowered<'_>, scope: &Scope<'_>, state: &State) -> Held {
    let mut held = Held::default();
    if scope.words().next().is_none() {
        // `for name; do`: the arguments.
        let Some(arguments) = state.held(ARGUMENTS) else {
            return Held::unknown();
        };
        held.open = arguments.open;
        for word in arguments.values.iter().flatten() {
            add(&mut held, lowered, word.clone());
        }
        return held;
    }
    let tries = choices::of_words(scope.words(), state);
    let tries = if tries.is_empty() {
        vec![Vec::new()]
    } else {
        tries
    };
    for picks in tries {
        let state = state.with(picks);
        for value in scope.words().flat_map(|word| evaluate(&word, &state)) {
            add(&mut held, lowered, value);
        }
    }
    held
}

fn add(held: &mut Held, lowered: &Lowered<'_>, value: Value) {
    if value.only_scope {
        let output = lowered.outputs.of_scopes(&value.scopes);
        match output.text.as_deref() {
            Some(text) => {
                for piece in text.split_ascii_whitespace() {
                    held.add(vec![Value::derived(piece)]);
                }
            }
            None => match &output.names {
                Some(name) => held.add(vec![(**name).clone()]),
                None => held.open = true,
            },
        }
        if held.data.is_none() && output.is_marked() {
            held.data = Some(Rc::new(output));
        }
        return;
    }
    let known = value.known == Known::Whole || (value.known == Known::Start && !value.many);
    if known {
        held.add(vec![Value {
            literal: false,
            ..value
        }]);
    } else {
        held.open = true;
        if held.data.is_none() {
            held.data = value.data;
        }
    }
}
