//! What the options and operands of a call do, one by one.

use super::arguments::{Arguments, Given};
use super::call::Calling;
use super::placeholder::{PATH_MARKS, fill};
use super::{Analysis, Known, PathEffect, State, Value, context, path_effect};
use crate::knowledge::{Mode, Operand, Opt, Role};
use crate::paths;
use countersign_core::{EffectKind, PathKind, Place, Target};

impl Analysis<'_> {
    /// The effects of options; the kinds that are on the whole command are returned.
    pub(super) fn options(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        mode: Option<&'static Mode>,
        state: &State,
        tags: &mut Vec<&'static str>,
    ) -> Vec<EffectKind> {
        let mut kinds = Vec::new();
        for given in &arguments.options {
            let text = given.value.as_ref().map_or("", |value| &*value.text);
            let known = given
                .value
                .as_ref()
                .is_none_or(|value| value.exact().is_some());
            let excepted =
                known && is_excepted(given.option, text) || self.opens(calling, given, state);
            let plain = mode.is_some_and(|mode| mode.plain.contains(&given.name));
            if !excepted && !plain {
                kinds.extend_from_slice(given.option.effects);
                tags.extend_from_slice(given.option.tags);
                if given.option.tags.contains(&"exec") && given.option.value == Some(Role::Text) {
                    self.execs(calling, text, state);
                }
            }
            let more = given
                .option
                .values
                .iter()
                .filter(|(value, _)| value.eq_ignore_ascii_case(text));
            tags.extend(more.flat_map(|(_, tags)| *tags));
            let meaning =
                mode.and_then(|mode| mode.values.iter().find(|(name, _)| *name == given.name));
            if let Some(role) = meaning.map(|(_, role)| *role).or(given.option.value) {
                self.option_value(calling, arguments, (given, role), state);
            }
        }
        kinds
    }

    /// Whether an option names a repository by its `.git`, whose configuration can be looked at.
    fn opens(&mut self, calling: &Calling<'_, '_>, given: &Given<'_>, state: &State) -> bool {
        let path = given.value.as_ref().and_then(Value::exact);
        let dir = match path.filter(|_| given.name == "--git-dir") {
            Some(".git") => ".",
            Some("/.git") => "/",
            Some(path) => match path.strip_suffix("/.git") {
                Some(dir) => dir,
                None => return false,
            },
            None => return false,
        };
        let mut cwd = state.cwd.clone();
        cwd.change(Some(dir));
        self.repository(calling.index, &cwd.went_well());
        true
    }

    /// What an option runs that takes more than a command line: `exec=command`, a setting, a name.
    fn execs(&mut self, calling: &Calling<'_, '_>, text: &str, state: &State) {
        self.found.opaque(calling.index, "exec-option");
        let source = text.split_once('=').map_or(text, |(_, source)| source);
        if source.contains(' ') {
            let frame = self.frame(calling, "setting", state, Place::Here);
            self.script(source.as_bytes(), &frame);
        }
    }

    pub(super) fn option_value(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        (given, role): (&Given<'_>, Role),
        state: &State,
    ) {
        if matches!(role, Role::Run | Role::RunUntil) {
            for found in found_values(arguments) {
                let words = found_paths(arguments, given.command, &found);
                self.nested(
                    calling,
                    &words,
                    &context::of_each(arguments),
                    state,
                    arguments.node.place,
                    calling.stdin,
                );
            }
            return;
        }
        let Some(value) = &given.value else {
            if role == Role::CodeSh && !given.option.optional {
                self.found.opaque(calling.index, "dynamic-code");
            }
            return;
        };
        let sends = given.option.tags.contains(&"upload")
            || (given.option.value == Some(Role::Text) && arguments.node.names.contains(&"curl"));
        if sends && let Some((_, file)) = value.text.split_once('@') {
            let file = Value {
                text: file.into(),
                source: file.into(),
                ..value.clone()
            };
            let effect = PathEffect {
                kind: EffectKind::Read,
                value: &file,
                tags: &[],
            };
            path_effect(self, calling.index, &effect, &state.cwd);
        }
        self.word(calling, arguments, role, std::slice::from_ref(value), state);
    }

    pub(super) fn operands(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        mode: Option<&'static Mode>,
        state: &mut State,
        tags: &mut Vec<&'static str>,
    ) {
        let slots = mode
            .and_then(|mode| mode.operands)
            .unwrap_or(arguments.node.operands);
        self.inside_directory(calling, arguments, slots, state);
        let count = arguments.operands.len();
        let mut at = 0;
        let mut position = 0;
        while let Some(&word_index) = arguments.operands.get(at) {
            let Some(word) = arguments.word(word_index) else {
                break;
            };
            // `NAME=value` words are taken as long as there are any.
            if slots
                .get(position)
                .is_some_and(|slot| slot.role == Role::Assign && !arguments.takes_assignment(word))
            {
                position = position.saturating_add(1);
                continue;
            }
            let left = count.saturating_sub(at);
            let Some(slot) = slots.get(position) else {
                // An operand that nobody described may be what makes it more than a reader.
                let reads = mode.map_or(arguments.node.reads, |mode| mode.reads);
                if !slots.is_empty() || (reads && arguments.verbs.is_none()) {
                    self.found
                        .add(calling.index, EffectKind::Run, None, &["unknown-operand"]);
                }
                break;
            };
            let starts = |start: &str| match start.strip_prefix('*').filter(|part| !part.is_empty())
            {
                Some(part) => {
                    word.known != Known::Whole || word.text.to_ascii_lowercase().contains(part)
                }
                None => word.text.starts_with(start) || (start == "--" && arguments.separated),
            };
            for (_, tag) in slot.starts.iter().filter(|(start, _)| starts(start)) {
                tags.push(tag);
                if *tag == "exec" {
                    self.execs(calling, &word.text, state);
                }
                let target = Target::Name {
                    name: word.shown().to_owned(),
                };
                self.found
                    .add(calling.index, EffectKind::Run, Some(target), &[]);
            }
            tags.extend_from_slice(slot.tags);
            for &kind in slot.effects {
                let target = Target::Name {
                    name: word.shown().to_owned(),
                };
                self.found.add(calling.index, kind, Some(target), &[]);
            }
            let rest = arguments.rest(word_index);
            let takes_rest = slot.role == Role::Run || (slot.role == Role::CodeSh && slot.many);
            if takes_rest {
                self.word(calling, arguments, slot.role, rest, state);
                break;
            }
            self.word(
                calling,
                arguments,
                slot.role,
                std::slice::from_ref(word),
                state,
            );
            if let (Role::Assign, Some((name, text))) = (slot.role, word.text.split_once('=')) {
                let value = (word.known == Known::Whole).then(|| text.to_owned());
                state.assign_text(name, value);
            }
            at = at.saturating_add(1);
            position = next_slot(slots, position, left);
        }
    }

    /// Files that are copied or moved into a directory get their own names there.
    pub(super) fn inside_directory(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        slots: &[Operand],
        state: &State,
    ) {
        let copied = |slot: &Operand| matches!(slot.role, Role::Read | Role::Move);
        let option = |given: &&Given<'_>| {
            matches!(given.name, "-t" | "--target-directory")
                && given.option.value == Some(Role::Write)
        };
        let given = arguments.options.iter().find(option);
        let given = given.and_then(|given| given.value.as_ref());
        let (from, to) = match (slots, arguments.operands.as_slice(), given) {
            ([source], from, Some(to)) if copied(source) => (from, to),
            ([source, target], [from @ .., to], _)
                if copied(source) && target.role == Role::Write =>
            {
                let Some(to) = arguments.word(*to) else {
                    return;
                };
                (from, to)
            }
            _ => return,
        };
        if to.known != Known::Whole {
            return;
        }
        let remote = arguments.node.tags.contains(&"remote-paths");
        for from in from.iter().filter_map(|&index| arguments.word(index)) {
            // What a search finds is somewhere below: its names are not in sight.
            if from.known != Known::Whole && (from.below || given.is_some()) {
                continue;
            }
            let name = paths::base_name(&from.text);
            let name = match name.rsplit_once(':') {
                Some((_, name)) if remote => name,
                _ => name,
            };
            if all_inside(arguments, &from.text) {
                let effect = PathEffect {
                    kind: EffectKind::Write,
                    value: to,
                    tags: &["whole", "unseen"],
                };
                path_effect(self, calling.index, &effect, &state.cwd);
                continue;
            }
            let text = format!("{}/{name}", to.text.trim_end_matches('/'));
            let value = Value {
                text: text.into(),
                known: from.known,
                glob: from.glob,
                ..to.clone()
            };
            let directory = given.is_some() || matches!(&*to.text, "." | ".." | "~");
            let maybe = !to.text.ends_with('/') && !directory;
            let kind = state
                .cwd
                .only()
                .map(|dir| self.world.kind(&paths::join(dir, &to.text)));
            if !maybe
                || kind == Some(PathKind::Directory)
                || paths::join("/", &to.text) == self.world.facts.home
            {
                let effect = PathEffect {
                    kind: EffectKind::Write,
                    value: &value,
                    tags: &["truncate"],
                };
                path_effect(self, calling.index, &effect, &state.cwd);
            }
        }
    }
}

/// Whether a value, or each of a list with commas between, is one that does nothing.
fn is_excepted(option: &Opt, text: &str) -> bool {
    let one = |text: &str| option.except.iter().any(|known| stands_for(known, text));
    one(text) || (text.contains(',') && text.split(',').all(|text| !text.is_empty() && one(text)))
}

/// Whether a value is one that an option makes an exception of.
fn stands_for(known: &str, value: &str) -> bool {
    if known == "@name" {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        return !value.is_empty() && value.chars().all(plain);
    }
    let Some(start) = known.strip_suffix('*') else {
        return known.eq_ignore_ascii_case(value);
    };
    let begins = value.get(..start.len());
    begins.is_some_and(|begins| begins.eq_ignore_ascii_case(start))
}

/// Whether a source stands for whatever lies in a directory: `dir/.`, `dir/*`, and `dir/` to rsync.
fn all_inside(arguments: &Arguments<'_>, source: &str) -> bool {
    let rsync = arguments.node.names.contains(&"rsync");
    let ends = |end: &str| source == end.trim_start_matches('/') || source.ends_with(end);
    (rsync && source.ends_with('/')) || ["/.", "/..", "/*", "/.*"].into_iter().any(ends)
}

/// The slot of the operand after one that took `position`, with `left` operands not yet taken.
fn next_slot(slots: &[Operand], position: usize, left: usize) -> usize {
    let next = position.saturating_add(1);
    let after = slots.len().saturating_sub(next);
    match slots.get(position) {
        Some(slot) if slot.many && left.saturating_sub(1) > after => position,
        Some(slot) if slot.many && after == 0 => position,
        _ => next,
    }
}

/// The words of `find -exec` with `{}` standing for what it finds: whatever lies below the paths
/// searched or, where it looks for a name, a path with that name.
fn found_paths(arguments: &Arguments<'_>, words: &[Value], found: &Value) -> Vec<Value> {
    // `find` runs the words as they are, `fd` adds what it found.
    let takes_pattern = arguments
        .node
        .operands
        .iter()
        .any(|slot| slot.role == Role::Text);
    let marks = if takes_pattern { PATH_MARKS } else { &["{}"] };
    let mut filled = words.to_vec();
    for word in &mut filled {
        fill(word, marks, Some(found));
    }
    let marked = |word: &Value| marks.iter().any(|mark| word.code.contains(mark));
    if takes_pattern && !words.iter().any(marked) {
        filled.push(found.clone());
    }
    filled
}

/// What a search puts out: see [`found_paths`]. Where one of several names is enough, each of them.
pub(super) fn found_values(arguments: &Arguments<'_>) -> Vec<Value> {
    let names: Vec<&str> = arguments
        .options
        .iter()
        .filter(|given| matches!(given.name, "-name" | "-iname"))
        .filter_map(|given| given.value.as_ref()?.exact())
        .collect();
    let Some((either, negated)) = arguments.joins() else {
        return vec![found_path(arguments, None)];
    };
    match names.as_slice() {
        [name] if either == 0 && !negated => vec![found_path(arguments, Some(name))],
        names => {
            let named = !negated && either.saturating_add(1) == names.len();
            let rest = (!named).then(|| found_path(arguments, None));
            let names = names.iter().filter(|_| !negated).take(MAX_NAMES);
            let names = names.map(|name| found_path(arguments, Some(name)));
            names.chain(rest).collect()
        }
    }
}

/// How many names of one search are looked at.
const MAX_NAMES: usize = 16;

fn found_path(arguments: &Arguments<'_>, name: Option<&str>) -> Value {
    // Some take a pattern before the paths.
    let pattern = arguments
        .node
        .operands
        .first()
        .is_some_and(|slot| slot.role == Role::Text);
    let base = arguments
        .operands
        .get(usize::from(pattern))
        .and_then(|&index| arguments.word(index))
        .filter(|word| word.known == Known::Whole && arguments.node.default_path);
    let base = match base {
        // Of what a pattern matches the directory is known.
        Some(word) if word.glob => match paths::whole_directory(&word.text) {
            "" => ".",
            directory => directory,
        },
        Some(word) => &*word.text,
        None => ".",
    };
    let below = format!("{}/", base.trim_end_matches('/'));
    // Without a condition all of it is found, and with `find` the place itself.
    let all = arguments.options.iter().all(|given| {
        !given.command.is_empty()
            || matches!(
                given.name,
                "-H" | "-L"
                    | "-P"
                    | "-depth"
                    | "-maxdepth"
                    | "-mindepth"
                    | "-print"
                    | "-print0"
                    | "-xdev"
                    | "--exec"
                    | "--exec-batch"
                    | "--hidden"
                    | "--max-depth"
                    | "-I"
                    | "-u"
            )
    });
    let every = |word: &Value| matches!(word.exact(), Some("." | "" | "*" | ".*"));
    let first = arguments.operands.first();
    let first = first.and_then(|&index| arguments.word(index));
    let all = all && (!pattern || first.is_none_or(every));
    let (text, known) = match name {
        Some(name) => (format!("{below}{name}"), Known::Whole),
        None => (below.clone(), Known::Start),
    };
    Value {
        glob: known == Known::Whole,
        known,
        literal: false,
        below: true,
        all: all && known == Known::Start,
        source: format!("{below}{{}}").into(),
        ..Value::whole(&text)
    }
}
