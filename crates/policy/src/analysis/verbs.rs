//! Tools with a verb for each thing that their service can do: `aws ec2 describe-vpcs`.

use super::arguments::Arguments;
use super::call::Calling;
use super::{Analysis, Known, PathEffect, State, Value, path_effect};
use crate::knowledge::Verbs;
use crate::paths;
use countersign_core::{EffectKind, Target};

/// What a verb does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Asks,
    Deletes,
    Deploys,
    Changes,
    Unknown,
}

impl Analysis<'_> {
    /// What the verb of a call does; the kinds that are on the whole command are returned.
    pub(super) fn verb(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &mut Arguments<'_>,
        state: &State,
        tags: &mut Vec<&'static str>,
    ) -> Vec<EffectKind> {
        let Some(verbs) = arguments.verbs else {
            return Vec::new();
        };
        self.files_of_values(calling, verbs, state);
        let Some((path, at)) = named(verbs, arguments) else {
            return Vec::new();
        };
        let ends = |list: &[&str]| {
            let path = path.as_deref().unwrap_or_default();
            list.iter().any(|pattern| ends_in(path, pattern))
        };
        let meaning = meaning(verbs, ends);
        let tells = ends(verbs.secret);
        tags.extend(tells.then_some("secret"));
        if let (Some(path), Some(called)) = (path, self.found.call(calling.index)) {
            called.subcommand = path.join(" ");
        }
        match meaning {
            Meaning::Unknown if tells => {}
            Meaning::Asks => tags.push("remote-read"),
            Meaning::Deletes => tags.extend(["remote-write", "delete"]),
            Meaning::Deploys => tags.extend(["remote-write", "deploy"]),
            Meaning::Changes => tags.push("remote-write"),
            Meaning::Unknown => {
                let word = arguments.word(at).map_or("", Value::shown);
                let target = Target::Name {
                    name: word.to_owned(),
                };
                let tag = &["unknown-operand"];
                self.found
                    .add(calling.index, EffectKind::Run, Some(target), tag);
                return Vec::new();
            }
        }
        arguments.take_parameters(at);
        if matches!(meaning, Meaning::Unknown | Meaning::Asks) {
            vec![EffectKind::Receive]
        } else {
            vec![EffectKind::Send]
        }
    }

    /// Files that values name, wherever a value may stand.
    fn files_of_values(&mut self, calling: &Calling<'_, '_>, verbs: &Verbs, state: &State) {
        for word in calling.words.iter().skip(1) {
            let value = |text: &str| {
                let path = verbs
                    .files
                    .iter()
                    .find_map(|start| text.strip_prefix(start));
                path.map(str::to_owned)
            };
            let behind = |(_, text): (&str, &str)| value(text);
            let path = value(&word.text).or_else(|| word.text.split_once('=').and_then(behind));
            if let Some(path) = path.filter(|path| !path.is_empty()) {
                let path = Value {
                    text: path.into(),
                    ..word.clone()
                };
                let effect = PathEffect {
                    kind: EffectKind::Read,
                    value: &path,
                    tags: &[],
                };
                path_effect(self, calling.index, &effect, &state.cwd);
            }
        }
    }
}

/// The words of a call up to and with its verb, where all of them are known, and the place of the
/// last of them; nothing where the call has no operands. A group may be a verb to another group, so
/// that a call with nothing but groups is none that is known, and words that name a secret end it.
fn named<'v>(verbs: &Verbs, arguments: &Arguments<'v>) -> Option<(Option<Vec<&'v str>>, usize)> {
    let mut path: Vec<&str> = arguments.path.clone();
    for &at in &arguments.operands {
        let Some(word) = arguments.word(at).and_then(Value::exact) else {
            return Some((None, at));
        };
        path.push(word);
        let tells = verbs.secret.iter().any(|pattern| ends_in(&path, pattern));
        if tells || !verbs.groups.contains(&word) {
            return Some((Some(path), at));
        }
    }
    arguments.operands.last().map(|&at| (None, at))
}

fn meaning(verbs: &Verbs, ends: impl Fn(&[&str]) -> bool) -> Meaning {
    let lists = [
        (verbs.except, Meaning::Unknown),
        (verbs.reads, Meaning::Asks),
        (verbs.deletes, Meaning::Deletes),
        (verbs.deploys, Meaning::Deploys),
        (verbs.changes, Meaning::Changes),
    ];
    let found = lists.into_iter().find(|(list, _)| ends(list));
    found.map_or(Meaning::Unknown, |(_, meaning)| meaning)
}

/// Whether the last words of a path are those of a pattern.
fn ends_in(path: &[&str], pattern: &str) -> bool {
    let mut words = path.iter().rev();
    let mut parts = pattern.rsplit(' ');
    parts.all(|part| words.next().is_some_and(|word| paths::matches(part, word)))
}

impl Arguments<'_> {
    /// Long options behind the verb that are not listed are parameters, unless only a part of their
    /// name is known or it may be short for one that is listed.
    fn take_parameters(&mut self, verb: usize) {
        let words = self.words();
        let options = self.program.options.iter().chain(self.node.options);
        let listed: Vec<&str> = options.flat_map(|option| option.names).copied().collect();
        let is_listed = |unknown: &Value| {
            let name = unknown.text.split('=').next().unwrap_or_default();
            listed.iter().any(|known| known.starts_with(name))
        };
        let is_parameter = |unknown: &Value| {
            let at = words.iter().position(|word| std::ptr::eq(word, unknown));
            let named = unknown.known == Known::Whole || unknown.text.contains('=');
            at > Some(verb) && named && unknown.text.starts_with("--") && !is_listed(unknown)
        };
        self.unknown.retain(|unknown| !is_parameter(unknown));
    }
}
