//! The functions that a script defines, and which calls surely mean them.

use super::Value;
use countersign_lexer::{Command, ScopeId, ScopeKind, Script};
use std::collections::{BTreeMap, BTreeSet};

/// The functions that a script defines. What they run is listed by itself.
pub(super) struct Functions {
    names: BTreeSet<String>,
    /// Where each is defined: the scope around the definition, and its place in the source.
    defined: BTreeMap<String, (Option<ScopeId>, usize)>,
    /// Something takes definitions back.
    unset: bool,
    /// Those that call themselves, directly or by way of others.
    pub(super) recursive: BTreeSet<String>,
}

impl Functions {
    pub(super) fn of(script: &Script) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let names: BTreeSet<String> = script
            .scopes()
            .filter_map(|scope| match scope.kind() {
                ScopeKind::Function { name } => Some(text(name)),
                _ => None,
            })
            .collect();
        let mut calls: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for command in script.commands().filter(|_| !names.is_empty()) {
            let called = command
                .words()
                .next()
                .and_then(|word| word.literal())
                .map(text);
            let Some(called) = called.filter(|name| names.contains(name)) else {
                continue;
            };
            let mut at = Some(command.scope());
            while let Some(scope) = at.and_then(|id| script.scope(id)) {
                if let ScopeKind::Function { name } = scope.kind() {
                    calls.entry(text(name)).or_default().insert(called.clone());
                }
                at = scope.parent();
            }
        }
        let defined = script
            .scopes()
            .filter_map(|scope| match scope.kind() {
                ScopeKind::Function { name } => {
                    Some((text(name), (scope.parent(), scope.span().start)))
                }
                _ => None,
            })
            .collect();
        let unset = script
            .commands()
            .any(|command| command.words().any(|word| word.literal() == Some(b"unset")));
        let recursive = names
            .iter()
            .filter(|name| reaches_itself(name, &calls))
            .cloned()
            .collect();
        Self {
            names,
            defined,
            unset,
            recursive,
        }
    }

    /// Whether a command can only be the function: it is defined before, in a scope around it, and
    /// no program that is known has its name.
    pub(super) fn is_surely(&self, name: &str, command: &Command<'_>, script: &Script) -> bool {
        let Some((around, start)) = self.defined.get(name) else {
            return false;
        };
        let mut at = Some(command.scope());
        let mut encloses = false;
        while let Some(scope) = at.and_then(|id| script.scope(id)) {
            encloses |=
                Some(scope.id()) == *around || matches!(scope.kind(), ScopeKind::Function { .. });
            at = scope.parent();
        }
        encloses
            && !self.unset
            && *start < command.span().start
            && crate::knowledge::program(name).is_none()
    }

    /// The function that a command calls.
    pub(super) fn called<'w>(&self, words: &'w [Value]) -> Option<&'w str> {
        words
            .first()
            .and_then(Value::exact)
            .filter(|name| self.names.contains(*name))
    }
}

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
