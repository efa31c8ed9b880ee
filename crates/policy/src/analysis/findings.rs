use super::Value;
use super::flow::Output;
use crate::paths::Path;
use crate::url;
use countersign_core::{Certainty, CommandView, Effect, EffectKind, Place, Target, Zone};
use countersign_lexer::CommandId;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;

/// What is known of the contents of files, by their paths.
pub(super) type Files = BTreeMap<String, Output>;

/// Among how many of a command's effects a new one is looked for: a command of many words is not to
/// take time by the square of them.
const LATEST: usize = 32;

/// What an analysis found. Commands and calls run in parallel.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) commands: Vec<CommandView>,
    pub(crate) calls: Vec<Called>,
    pub(crate) effects: Vec<Effect>,
    /// What lists are asked of the path of each effect.
    listed: Vec<Listed>,
    /// Which effects are whose, by the commands' indices.
    effects_of: Vec<Vec<usize>>,
    /// What files hold that were written by a command, by their paths.
    pub(crate) files: Files,
    /// A script keeps what a command prints, and calculates: a number may be told as the subscript of an
    /// array, and what stands in that is run.
    pub(crate) calculates: bool,
    /// What would be found if what a command writes were run, by the command's index.
    pub(crate) later: Vec<(u32, Findings)>,
}

/// The path of an effect as lists look at it, once somebody asked: flows and rules do.
#[derive(Debug, Default)]
struct Listed {
    path: OnceCell<Path>,
    secret: Cell<Option<bool>>,
}

/// Where a command was read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Found {
    /// In one of the scripts that are kept.
    Script(usize, CommandId),
    /// Among the words of another command.
    Words,
}

/// What policy knows about one command, beyond what is shown of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Called {
    /// The program's base name, where it is known.
    pub(crate) program: Option<String>,
    /// Its subcommands, joined by blanks.
    pub(crate) subcommand: String,
    /// What it was with other values of its variables: programs and subcommands.
    pub(crate) others: Vec<(Option<String>, String)>,
    /// Its words, as far as they are known.
    pub(crate) words: Vec<Value>,
    /// It only runs another command, which is listed too.
    pub(crate) transparent: bool,
    /// Where it was read, where scripts are kept.
    pub(crate) origin: Option<Found>,
    /// The variables that the command around it sets for it.
    pub(crate) assignments: Vec<String>,
}

impl Called {
    /// Another program is tried, where the name may be one of several.
    pub(super) fn is_now(&mut self, program: &str) {
        let before = (self.program.take(), std::mem::take(&mut self.subcommand));
        if before.0.is_some() && !self.others.contains(&before) {
            self.others.push(before);
        }
        self.program = Some(program.to_owned());
    }
}

impl Findings {
    /// Makes room for so many commands more.
    pub(super) fn expect(&mut self, commands: usize) {
        self.commands.reserve(commands);
        self.effects_of.reserve(commands);
        self.calls.reserve(commands);
    }

    pub(crate) fn add_command(&mut self, view: CommandView, words: Vec<Value>) -> u32 {
        let index = u32::try_from(self.commands.len()).unwrap_or(u32::MAX);
        self.commands.push(view);
        self.effects_of.push(Vec::new());
        self.calls.push(Called {
            words,
            ..Called::default()
        });
        index
    }

    pub(crate) fn call(&mut self, index: u32) -> Option<&mut Called> {
        self.calls.get_mut(usize::try_from(index).ok()?)
    }

    pub(crate) fn view(&mut self, index: u32) -> Option<&mut CommandView> {
        self.commands.get_mut(usize::try_from(index).ok()?)
    }

    pub(crate) fn place(&self, index: u32) -> Place {
        usize::try_from(index)
            .ok()
            .and_then(|index| self.commands.get(index))
            .map_or(Place::Here, |view| view.place)
    }

    pub(crate) fn add(
        &mut self,
        command: u32,
        kind: EffectKind,
        target: Option<Target>,
        tags: &[&'static str],
    ) {
        let mut tags: Vec<Cow<'static, str>> = tags.iter().map(|&tag| Cow::Borrowed(tag)).collect();
        if let Some(Target::Host { host }) = &target
            && url::is_metadata(host)
        {
            tags.push(Cow::Borrowed("metadata"));
        }
        tags.sort();
        tags.dedup();
        let place = self.place(command);
        let effect = Effect {
            kind,
            target,
            command,
            certainty: Certainty::Always,
            place,
            tags,
        };
        if self.said(command, &effect) {
            return;
        }
        let at = self.effects.len();
        if let Some(list) = self
            .effects_of
            .get_mut(usize::try_from(command).unwrap_or(usize::MAX))
        {
            list.push(at);
        }
        self.effects.push(effect);
        self.listed.push(Listed::default());
    }

    /// Whether the same was said of the command a little before.
    fn said(&self, command: u32, effect: &Effect) -> bool {
        let list = usize::try_from(command).ok();
        let list = list.and_then(|at| self.effects_of.get(at));
        let latest = list.into_iter().flatten().rev().take(LATEST);
        let mut known = latest.filter_map(|&at| self.effects.get(at));
        known.any(|known| known == effect)
    }

    /// The path of an effect, as lists look at it.
    pub(crate) fn path(&self, effect: usize, make: impl FnOnce() -> Path) -> Cow<'_, Path> {
        match self.listed.get(effect) {
            Some(listed) => Cow::Borrowed(listed.path.get_or_init(make)),
            None => Cow::Owned(make()),
        }
    }

    /// Whether the path of an effect is on the list of secrets.
    pub(crate) fn on_secrets(&self, effect: usize, look: impl FnOnce() -> bool) -> bool {
        let Some(Listed { secret, .. }) = self.listed.get(effect) else {
            return look();
        };
        let found = secret.get().unwrap_or_else(look);
        secret.set(Some(found));
        found
    }

    /// Something that cannot be known; `why` is the tag that rules and people see.
    pub(crate) fn opaque(&mut self, command: u32, why: &'static str) {
        self.add(command, EffectKind::Opaque, None, &[why]);
    }

    /// Gives every effect of one command another tag.
    pub(crate) fn tag(&mut self, command: u32, kind: EffectKind, tag: &'static str) {
        self.each_of(command, |effect| {
            if effect.kind == kind && !effect.tags.iter().any(|known| known == tag) {
                effect.tags.push(Cow::Borrowed(tag));
                effect.tags.sort();
            }
        });
    }

    /// Marks everything found since as what may happen, not what will.
    pub(super) fn make_uncertain(&mut self, since: usize) {
        for effect in self.effects.iter_mut().skip(since) {
            effect.certainty = Certainty::Maybe;
            if !effect.tags.iter().any(|tag| tag == "uncertain") {
                effect.tags.push(Cow::Borrowed("uncertain"));
                effect.tags.sort();
            }
        }
    }

    /// Marks what was found since to change a file as what may happen, not what will.
    pub(super) fn doubt_changes(&mut self, since: usize) {
        let changes = |kind| {
            use EffectKind::{Delete, Move, Permission, Write};
            matches!(kind, Delete | Move | Permission | Write)
        };
        for effect in self.effects.iter_mut().skip(since) {
            if changes(effect.kind) && !effect.tags.iter().any(|tag| tag == "uncertain") {
                effect.certainty = Certainty::Maybe;
                effect.tags.push(Cow::Borrowed("uncertain"));
                effect.tags.sort();
            }
        }
    }

    /// A command that names hosts sends to and fetches from those.
    pub(super) fn place_hosts(&mut self, command: u32) {
        let has = |effect: &Effect, tag: &str| effect.tags.iter().any(|known| known == tag);
        let hosts: Vec<(Target, bool, bool)> = self
            .of(command)
            .filter_map(|effect| match &effect.target {
                Some(host @ Target::Host { .. }) => Some((
                    host.clone(),
                    has(effect, "loopback"),
                    has(effect, "uncertain"),
                )),
                _ => None,
            })
            .collect();
        let elsewhere = hosts.iter().find(|(_, loopback, _)| !loopback);
        let Some((host, ..)) = elsewhere.or(hosts.first()) else {
            return;
        };
        let host = host.clone();
        let mut common = Vec::new();
        common.extend(
            hosts
                .iter()
                .all(|(_, loopback, _)| *loopback)
                .then_some("loopback"),
        );
        common.extend(
            hosts
                .iter()
                .all(|(_, _, uncertain)| *uncertain)
                .then_some("uncertain"),
        );
        self.each_of(command, |effect| {
            let on_network = matches!(effect.kind, EffectKind::Send | EffectKind::Receive);
            if on_network && effect.target.is_none() {
                effect.target = Some(host.clone());
            }
            for &tag in &common {
                if !has(effect, tag) {
                    effect.tags.push(Cow::Borrowed(tag));
                    effect.tags.sort();
                }
            }
        });
    }

    /// Remembers what a command wrote where, for commands that run or read it.
    pub(super) fn remember_written(&mut self, command: u32, output: &Output) {
        let mut files = Vec::new();
        for effect in self
            .of(command)
            .filter(|effect| effect.kind == EffectKind::Write)
        {
            if let Some(Target::Path {
                resolved: Some(path),
                zone,
                ..
            }) = &effect.target
                && *zone != Zone::Null
            {
                let whole = effect.tags.iter().any(|tag| tag == "whole");
                let path = if whole {
                    format!("{path}/*")
                } else {
                    path.clone()
                };
                let before = self.files.get(&path);
                let adds = effect.tags.iter().any(|tag| tag == "append");
                let output = match before.filter(|_| adds) {
                    Some(before) => {
                        let mut whole = before.clone();
                        whole.append(output);
                        whole
                    }
                    None => output.clone(),
                };
                files.push((path, output));
            }
        }
        self.files.extend(files);
    }

    /// The effects of one command, each with its place among all.
    pub(super) fn placed(&self, command: u32) -> impl Iterator<Item = (usize, &Effect)> {
        let list = usize::try_from(command)
            .ok()
            .and_then(|at| self.effects_of.get(at));
        list.into_iter()
            .flatten()
            .filter_map(|&at| Some((at, self.effects.get(at)?)))
    }

    /// The effects of one command.
    pub(crate) fn of(&self, command: u32) -> impl Iterator<Item = &Effect> {
        self.placed(command).map(|(_, effect)| effect)
    }

    /// Changes each effect of one command.
    pub(super) fn each_of(&mut self, command: u32, mut change: impl FnMut(&mut Effect)) {
        let list = usize::try_from(command)
            .ok()
            .and_then(|at| self.effects_of.get(at));
        for &at in list.into_iter().flatten() {
            if let Some(effect) = self.effects.get_mut(at) {
                change(effect);
            }
        }
    }
}
