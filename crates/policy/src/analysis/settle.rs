//! What a call does as a whole, once its parts are known.

use super::arguments::Arguments;
use super::call::Calling;
use super::state::Cwd;
use super::{Analysis, Known, PathEffect, State, Value, path_effect};
use crate::knowledge::{Mode, Role};
use countersign_core::{Effect, EffectKind, Target, Zone};
use std::borrow::Cow;

/// Whether an option that begins so writes or runs something.
fn may_act(arguments: &Arguments<'_>, start: &str) -> bool {
    let acts = |role: Role| !matches!(role, Role::Text | Role::Read | Role::Dir);
    arguments.node.options.iter().any(|option| {
        let acts = option.value.is_some_and(acts) || !option.effects.is_empty();
        acts && option.names.iter().any(|name| name.starts_with(start))
    })
}

impl Analysis<'_> {
    /// Effects on the whole command, which name no word of it.
    pub(super) fn whole_command(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        mode: Option<&'static Mode>,
        kinds: &[EffectKind],
        state: &State,
    ) {
        let node = arguments.node;
        let kinds = kinds
            .iter()
            .chain(mode.map_or(node.effects, |mode| mode.effects));
        let on_path = |kind: &EffectKind| {
            matches!(
                kind,
                EffectKind::Write | EffectKind::Delete | EffectKind::Read
            )
        };
        let operands = arguments.operands.iter();
        let operands = operands.filter(|_| node.default_path);
        let paths = || operands.clone().filter_map(|&index| arguments.word(index));
        let names_none = node.default_path || kinds.clone().any(on_path);
        let names_none = names_none && paths().next().is_none();
        let here = names_none.then(|| Value::whole("."));
        for &kind in kinds {
            if on_path(&kind) {
                for value in paths().chain(&here) {
                    path_effect(
                        self,
                        calling.index,
                        &PathEffect {
                            kind,
                            value,
                            tags: &["whole"],
                        },
                        &state.cwd,
                    );
                }
            } else {
                self.found.add(calling.index, kind, None, &[]);
            }
        }
        if let Some(value) = here.as_ref().filter(|_| node.default_path) {
            let effect = PathEffect {
                kind: EffectKind::Read,
                value,
                tags: &[],
            };
            path_effect(self, calling.index, &effect, &state.cwd);
        }
        if node.repository {
            self.repository(calling.index, &state.cwd);
        }
    }

    /// A repository's configuration can run programs when the repository is merely read.
    pub(super) fn repository(&mut self, index: u32, cwd: &Cwd) {
        for dir in cwd.all() {
            match self.world.repository(dir) {
                Some(fact) => {
                    for key in fact.executes {
                        let target = Target::Name { name: key };
                        self.found.add(
                            index,
                            EffectKind::WorkspaceCode,
                            Some(target),
                            &["configuration"],
                        );
                    }
                }
                None => self
                    .found
                    .add(index, EffectKind::WorkspaceCode, None, &["configuration"]),
            }
        }
        if cwd.all().is_empty() {
            self.found
                .add(index, EffectKind::WorkspaceCode, None, &["configuration"]);
        }
    }

    /// Gives the command's tags to its effects, and says so where not all of them are known.
    pub(super) fn settle(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        mode: Option<&'static Mode>,
        first_effect: usize,
        tags: &[&'static str],
    ) {
        let index = calling.index;
        let name = |word: &Value| {
            Some(Target::Name {
                name: word.shown().to_owned(),
            })
        };
        for word in &arguments.unknown {
            self.found
                .add(index, EffectKind::Run, name(word), &["unknown-option"]);
            if word.known == Known::Start && may_act(arguments, &word.text) {
                self.found.opaque(index, "dynamic-command");
            }
        }
        let first = arguments.operands.first();
        let first = first.and_then(|&operand| arguments.word(operand));
        let subcommands = !arguments.node.subcommands.is_empty() && arguments.path.is_empty();
        if subcommands && first.is_some_and(|word| word.known == Known::Nothing) {
            self.found.opaque(index, "dynamic-command");
        }
        let effects = self.found.effects.get(first_effect..).unwrap_or_default();
        let explained = effects
            .iter()
            .any(|effect| effect.command == index && !is_harmless(effect));
        let reads = mode.map_or(arguments.node.reads, |mode| mode.reads);
        let runs = arguments
            .options
            .iter()
            .any(|given| !given.command.is_empty())
            || self
                .found
                .call(index)
                .is_some_and(|called| called.transparent);
        if !reads && !explained && (!runs || !tags.is_empty()) {
            let target = calling.words.first().and_then(name);
            self.found.add(index, EffectKind::Run, target, &[]);
        }
        let wraps = |role: Role| matches!(role, Role::Run | Role::CodeSh);
        let alone = if arguments.node.operands.iter().any(|slot| wraps(slot.role)) {
            // With no command to run.
            arguments
                .operands
                .iter()
                .filter_map(|&operand| arguments.word(operand))
                .all(|word| arguments.takes_assignment(word))
                && !arguments
                    .options
                    .iter()
                    .any(|given| given.option.value.is_some_and(wraps))
        } else {
            // Without operands, and with no option but those that ask for all of it.
            arguments.operands.is_empty()
                && arguments
                    .options
                    .iter()
                    .all(|given| matches!(given.name, "-p" | "-0" | "--null"))
        };
        let only_alone = arguments.node.tags.contains(&"environment-dump");
        if tags.contains(&"environment-dump") && (!only_alone || alone) {
            let target = Target::Name {
                name: "environment".to_owned(),
            };
            self.found.add(index, EffectKind::Read, Some(target), &[]);
        }
        if tags.contains(&"secret") && !explained {
            let target = calling.words.first().and_then(name);
            self.found.add(index, EffectKind::Read, target, &[]);
        }
        self.found.place_hosts(index);
        for effect in self.found.effects.iter_mut().skip(first_effect) {
            if effect.command == index && !tags.is_empty() {
                effect
                    .tags
                    .extend(tags.iter().map(|&tag| Cow::Borrowed(tag)));
                effect.tags.sort();
                effect.tags.dedup();
            }
        }
    }
}

/// An effect that says nothing about what else its command may do.
fn is_harmless(effect: &Effect) -> bool {
    let nowhere = matches!(
        effect.target,
        Some(Target::Path {
            zone: Zone::Null,
            ..
        })
    );
    let loopback = effect.tags.iter().any(|tag| tag == "loopback");
    match effect.kind {
        EffectKind::Read => true,
        EffectKind::Write => nowhere,
        EffectKind::Receive => loopback,
        _ => false,
    }
}

/// Whether a zone's files are the workspace's own code.
pub(super) fn is_workspace(zone: Zone) -> bool {
    matches!(zone, Zone::Workspace | Zone::WorkspaceRoot | Zone::Build)
}
