//! The functions that a script defines, and which calls surely mean them.

use super::assign::is_straight;
use super::builtins::derived;
use super::flow::Output;
use super::held::Held;
use super::script::Lowered;
use super::state::ARGUMENTS;
use super::{Analysis, State, Value};
use crate::knowledge::Commands;
use countersign_core::{EffectKind, Target};
use countersign_lexer::{Command, CommandId, Scope, ScopeId, ScopeKind, Script};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How many functions deep calls are followed.
const MAX_CALLS: usize = 8;

/// How many commands are followed in the functions that one script calls.
const MAX_FOLLOWED: usize = 2_000;

/// The functions that a script defines. What they run is listed by itself.
#[derive(Default)]
pub(super) struct Functions {
    /// The definitions of each.
    bodies: BTreeMap<String, Vec<Body>>,
    /// Something takes definitions back.
    unset: bool,
    /// Those that call themselves, directly or by way of others.
    recursive: BTreeSet<String>,
    /// Those whose commands are called when the function is, rather than where they stand.
    deferred: BTreeSet<String>,
    /// Those whose name stands elsewhere too: something may call them that is not seen.
    named: BTreeSet<String>,
    /// Those that a call was followed into.
    followed: BTreeSet<String>,
    /// The calls that are being followed.
    calls: Vec<Call>,
    /// How many commands were followed.
    count: usize,
}

/// One definition.
#[derive(Clone)]
struct Body {
    scope: ScopeId,
    /// The scope around it.
    around: Option<ScopeId>,
    /// Where it begins in the source.
    start: usize,
    /// Its commands, in the order in which they are called.
    commands: Vec<CommandId>,
    /// Every scope in it.
    inside: BTreeSet<ScopeId>,
    /// Variables of its own.
    locals: BTreeSet<String>,
    /// It shifts its arguments nobody knows how often.
    shifts: bool,
}

/// A call of a function.
struct Call {
    scope: ScopeId,
    stdin: Option<Output>,
    /// Where the outermost call stands.
    start: usize,
}

impl Functions {
    /// The functions of a script whose commands are called in this order.
    pub(super) fn of(script: &Script, order: &[CommandId]) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut bodies: BTreeMap<String, Vec<Body>> = BTreeMap::new();
        for scope in script.scopes() {
            if let ScopeKind::Function { name } = scope.kind() {
                bodies.entry(text(name)).or_default().push(Body {
                    scope: scope.id(),
                    around: scope.parent(),
                    start: scope.span().start,
                    commands: Vec::new(),
                    inside: BTreeSet::new(),
                    locals: BTreeSet::new(),
                    shifts: false,
                });
            }
        }
        if bodies.is_empty() {
            return Self::default();
        }
        for command in order.iter().filter_map(|&id| script.command(id)) {
            let Some((name, scope)) = innermost(script, &command) else {
                continue;
            };
            let body = bodies.get_mut(&name).into_iter().flatten();
            if let Some(body) = body.into_iter().find(|body| body.scope == scope) {
                body.commands.push(command.id());
                body.locals.extend(declared(&command));
                let first = command.words().next().and_then(|word| word.literal());
                body.shifts |= matches!(first, Some(b"shift" | b"set"))
                    && !is_straight(script, Some(command.scope()), Some(scope));
            }
        }
        for inner in script.scopes() {
            let mut at = Some(inner);
            while let Some(scope) = at {
                if let ScopeKind::Function { name } = scope.kind() {
                    let body = bodies.get_mut(&text(name)).into_iter().flatten();
                    if let Some(body) = body.into_iter().find(|body| body.scope == scope.id()) {
                        body.inside.insert(inner.id());
                    }
                }
                at = scope.parent().and_then(|id| script.scope(id));
            }
        }
        let mut calls: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut called = BTreeSet::new();
        let mut named = BTreeSet::new();
        let mut unset = false;
        for command in script.commands() {
            for (at, word) in command.words().enumerate() {
                unset |= word.literal() == Some(b"unset");
                let shown = text(word.literal().unwrap_or(word.source()));
                if at > 0 || word.is_dynamic() {
                    let tokens = shown.split(|c: char| !c.is_alphanumeric() && c != '_');
                    named.extend(
                        tokens
                            .filter(|token| bodies.contains_key(*token))
                            .map(str::to_owned),
                    );
                } else if bodies.contains_key(&shown) {
                    let mut at = Some(command.scope());
                    while let Some(scope) = at.and_then(|id| script.scope(id)) {
                        if let ScopeKind::Function { name } = scope.kind() {
                            calls.entry(text(name)).or_default().insert(shown.clone());
                        }
                        at = scope.parent();
                    }
                    called.insert(shown);
                }
            }
        }
        let recursive: BTreeSet<String> = bodies
            .keys()
            .filter(|name| bodies.len() > MOST_FUNCTIONS || reaches_itself(name, &calls))
            .cloned()
            .collect();
        Self {
            deferred: called.difference(&recursive).cloned().collect(),
            bodies,
            unset,
            recursive,
            named,
            ..Self::default()
        }
    }

    /// Whether a command stands in a function and is called when that is.
    pub(super) fn defers(&self, script: &Script, command: &Command<'_>) -> bool {
        !self.deferred.is_empty()
            && innermost(script, command).is_some_and(|(name, _)| self.deferred.contains(&name))
    }

    /// The commands of functions that something may call which was not seen.
    pub(super) fn left(&self) -> Vec<CommandId> {
        let left = |name: &&String| !self.followed.contains(*name) || self.named.contains(*name);
        let bodies = self.deferred.iter().filter(left);
        let bodies = bodies.filter_map(|name| self.bodies.get(name)).flatten();
        bodies.flat_map(|body| body.commands.clone()).collect()
    }

    /// What a function reads from standard input that is being called; `None` within one of which
    /// no call is followed.
    pub(super) fn stdin(&self, scope: &Scope<'_>) -> Option<Output> {
        let call = self.calls.last()?;
        call.stdin.clone().filter(|_| call.scope == scope.id())
    }

    /// Whether a command can only be the function: it is defined before, in a scope around it, and
    /// no program that is known has its name.
    fn is_surely(
        &self,
        name: &str,
        command: &Command<'_>,
        script: &Script,
        commands: &Commands,
    ) -> bool {
        let Some([body]) = self.bodies.get(name).map(Vec::as_slice) else {
            return false;
        };
        let mut at = Some(command.scope());
        let mut encloses = false;
        while let Some(scope) = at.and_then(|id| script.scope(id)) {
            encloses |= Some(scope.id()) == body.around
                || matches!(scope.kind(), ScopeKind::Function { .. });
            at = scope.parent();
        }
        let start = command.span().start;
        let called = self.calls.first().map_or(start, |call| call.start);
        encloses && !self.unset && body.start < called && commands.program(name).is_none()
    }

    /// Whether the script defines a function of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.bodies.contains_key(name)
    }

    /// The function that a command calls.
    pub(super) fn called<'w>(&self, words: &'w [Value]) -> Option<&'w str> {
        words
            .first()
            .and_then(Value::exact)
            .filter(|name| self.bodies.contains_key(*name))
    }
}

impl Analysis<'_> {
    /// A call of a function that the script defines. Whether it is defined by then is another
    /// matter, so a program of that name is judged too.
    pub(super) fn function(
        &mut self,
        lowered: &mut Lowered<'_>,
        command: &Command<'_>,
        (index, name): (u32, &str),
        words: &[Value],
        state: &mut State,
        stdin: Option<&Output>,
    ) -> Output {
        if lowered.functions.recursive.contains(name) {
            let target = Target::Name {
                name: name.to_owned(),
            };
            self.found
                .add(index, EffectKind::Process, Some(target), &["recursion"]);
        }
        let surely = lowered
            .functions
            .is_surely(name, command, lowered.script, self.commands);
        let mut output = Output::unknown();
        if lowered.functions.deferred.contains(name) {
            output = self.follow(
                lowered,
                (index, name),
                command.span().start,
                words,
                state,
                stdin,
            );
        }
        if surely {
            if let Some(called) = self.found.call(index) {
                called.transparent = true;
            }
            self.found.remember_written(index, &output);
            return output;
        }
        let before = self.found.effects.len();
        let other = self.call(lowered, index, words, state, stdin);
        self.found.make_uncertain(before);
        Output {
            text: None,
            ..output.mixed(&other)
        }
    }

    /// Calls the commands of a function, as the call has them run.
    fn follow(
        &mut self,
        lowered: &mut Lowered<'_>,
        (index, name): (u32, &str),
        start: usize,
        words: &[Value],
        state: &mut State,
        stdin: Option<&Output>,
    ) -> Output {
        let bodies = lowered.functions.bodies.get(name).cloned();
        let bodies = bodies.unwrap_or_default();
        let more = bodies.iter().fold(0_usize, |sum, body| {
            sum.saturating_add(body.commands.len()).saturating_add(1)
        });
        lowered.functions.count = lowered.functions.count.saturating_add(more);
        let too_much = lowered.functions.count > MAX_FOLLOWED;
        if too_much || lowered.functions.calls.len() >= MAX_CALLS {
            self.found.opaque(index, "too-deep");
            return Output::unknown();
        }
        lowered.functions.followed.insert(name.to_owned());
        let outer = state.held(ARGUMENTS).cloned();
        let locals = bodies.iter().flat_map(|body| &body.locals);
        let locals: Vec<(&String, Option<Held>)> = locals
            .map(|name| (name, state.held(name).cloned()))
            .collect();
        let mut given = derived(words.get(1..).unwrap_or_default());
        for (word, given) in words.iter().skip(1).zip(&mut given) {
            let put_out = lowered.outputs.of_scopes(&word.scopes);
            if !word.scopes.is_empty() && put_out.is_marked() {
                given.data = Some(Rc::new(put_out));
            }
        }
        let mut after: Option<State> = None;
        let mut output: Option<Output> = None;
        for body in &bodies {
            lowered.begin_again(&body.inside);
            let process = body.around.and_then(|around| lowered.process_of(around));
            let kept = lowered.swap_state(process, None);
            let mut inside = state.clone();
            inside.picks.clear();
            inside.set_arguments(Held {
                weak: body.shifts,
                ..Held::one(Some(given.clone()))
            });
            lowered.put_state(process, inside);
            let first = lowered
                .functions
                .calls
                .first()
                .map_or(start, |call| call.start);
            lowered.functions.calls.push(Call {
                scope: body.scope,
                stdin: stdin.cloned(),
                start: first,
            });
            for command in body
                .commands
                .iter()
                .filter_map(|&id| lowered.script.command(id))
            {
                self.command(lowered, &command);
            }
            lowered.functions.calls.pop();
            let left = lowered.swap_state(process, kept);
            if let Some(left) = left {
                match &mut after {
                    Some(after) => after.join(&left),
                    None => after = Some(left),
                }
            }
            let put_out = lowered.outputs.of_scopes(&[body.scope]);
            output = Some(match output {
                Some(before) => before.mixed(&put_out),
                None => put_out,
            });
        }
        if let Some(mut after) = after {
            after.picks = std::mem::take(&mut state.picks);
            *state = after;
        }
        for (name, held) in locals {
            state.restore(name, held);
        }
        state.set_arguments(outer.unwrap_or_else(Held::unknown));
        output.unwrap_or_default()
    }
}

/// The names that a command makes variables of the function it stands in.
fn declared(command: &Command<'_>) -> Vec<String> {
    let mut words = command
        .words()
        .map(|word| String::from_utf8_lossy(word.source()));
    let declares = matches!(
        words.next().as_deref(),
        Some("local" | "declare" | "typeset")
    );
    let words: Vec<_> = words.filter(|_| declares).collect();
    if words
        .iter()
        .any(|word| word.starts_with('-') && word.contains('g'))
    {
        return Vec::new();
    }
    let names = words.iter().filter(|word| !word.starts_with('-'));
    let names = names.filter_map(|word| word.split(['=', '+', '[']).next());
    names.map(str::to_owned).collect()
}

/// The innermost function that a command stands in.
fn innermost(script: &Script, command: &Command<'_>) -> Option<(String, ScopeId)> {
    let mut at = Some(command.scope());
    while let Some(scope) = at.and_then(|id| script.scope(id)) {
        if let ScopeKind::Function { name } = scope.kind() {
            return Some((String::from_utf8_lossy(name).into_owned(), scope.id()));
        }
        at = scope.parent();
    }
    None
}

/// Of more functions than this, every one is taken to call itself: finding out takes longer than
/// the script.
const MOST_FUNCTIONS: usize = 256;

fn reaches_itself(name: &str, calls: &BTreeMap<String, BTreeSet<String>>) -> bool {
    let mut reached: BTreeSet<&String> = BTreeSet::new();
    let mut stack: Vec<&String> = calls.get(name).into_iter().flatten().collect();
    while let Some(next) = stack.pop() {
        if next == name {
            return true;
        }
        if reached.insert(next) {
            stack.extend(calls.get(next).into_iter().flatten());
        }
    }
    false
}
