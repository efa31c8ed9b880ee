use super::arguments::{self, Arguments, Given};
use super::flow::Output;
use super::script::Lowered;
use super::state::Cwd;
use super::{Analysis, Frame, Known, PathEffect, State, Value, path_effect};
use crate::knowledge::{self, Mode, Node, Operand, Role};
use crate::paths;
use countersign_core::{CommandView, Effect, EffectKind, PathKind, Place, Target, Zone};

/// Directories whose programs are what their names say.
const PROGRAM_DIRS: &[&str] = &[
    "/bin",
    "/opt/homebrew/bin",
    "/sbin",
    "/usr/bin",
    "/usr/local/bin",
    "/usr/sbin",
];

/// One command as it is being called.
pub(super) struct Calling<'c, 'v> {
    pub(super) index: u32,
    pub(super) words: &'v [Value],
    pub(super) stdin: Option<&'c Output>,
    /// What the substitutions in its words put out.
    pub(super) substituted: Output,
    /// How deep it was found inside other commands.
    pub(super) depth: u32,
}

impl Analysis<'_> {
    /// Calls a command of a script.
    pub(super) fn call(
        &mut self,
        lowered: &Lowered<'_>,
        index: u32,
        words: &[Value],
        state: &mut State,
        stdin: Option<&Output>,
    ) -> Output {
        let scopes: Vec<_> = words.iter().flat_map(|word| word.scopes.clone()).collect();
        let substituted = if scopes.is_empty() {
            Output::default()
        } else {
            lowered.outputs.of_scopes(&scopes)
        };
        let filled: Vec<Value>;
        let words = if words.iter().any(|word| word.only_scope) {
            filled = words
                .iter()
                .flat_map(|word| self::filled(lowered, word))
                .collect();
            filled.as_slice()
        } else {
            words
        };
        let calling = Calling {
            index,
            words,
            stdin,
            substituted,
            depth: lowered.frame.depth,
        };
        self.dispatch(&calling, state)
    }

    pub(super) fn dispatch(&mut self, calling: &Calling<'_, '_>, state: &mut State) -> Output {
        let Some(first) = calling.words.first() else {
            return Output::nothing();
        };
        let Some(name) = first.exact() else {
            return self.unnamed(calling, state);
        };
        let base = paths::base_name(name).to_owned();
        if let Some(called) = self.found.call(calling.index) {
            called.program = Some(base.clone());
        }
        let before = self.found.effects.len();
        let installed = !name.contains('/') || is_installed(name);
        if !installed {
            self.script_file(calling, first, state);
        } else if knowledge::program(&base).is_none() {
            let target = Target::Name { name: base.clone() };
            self.found.add(
                calling.index,
                EffectKind::Run,
                Some(target),
                &["unknown-program"],
            );
        }
        let output = if let Some(node) = knowledge::program(&base) {
            self.known(calling, node, state)
        } else {
            self.forwarded(calling, state);
            Output::unknown()
        };
        if !installed {
            // It has the name of a program that is known, but may be another.
            self.found.make_uncertain(before);
        }
        self.note_flows(calling, &output);
        output
    }

    /// A command whose name is not known: it may run anything. If the name can vanish, what follows
    /// it is the command.
    fn unnamed(&mut self, calling: &Calling<'_, '_>, state: &mut State) -> Output {
        let why = calling.substituted.danger().unwrap_or("dynamic-command");
        self.found.opaque(calling.index, why);
        self.forwarded(calling, state);
        Output::unknown()
    }

    /// An unknown program may run what it is given: a known one among its words is judged too.
    fn forwarded(&mut self, calling: &Calling<'_, '_>, state: &State) {
        let known = |word: &Value| {
            word.exact()
                .and_then(|name| knowledge::program(paths::base_name(name)))
        };
        let words = || calling.words.iter().skip(1).take(8).map(known);
        let acts = |node: &Node| !node.reads || !node.subcommands.is_empty();
        let at = words()
            .position(|node| node.is_some_and(acts))
            .or_else(|| words().position(|node| node.is_some()));
        if let Some(at) = at {
            let rest = calling
                .words
                .get(at.saturating_add(1)..)
                .unwrap_or_default();
            let before = self.found.effects.len();
            self.nested(calling, rest, "forwarded", state, Place::Here, None);
            self.found.make_uncertain(before);
        }
    }

    fn known(
        &mut self,
        calling: &Calling<'_, '_>,
        node: &'static Node,
        state: &mut State,
    ) -> Output {
        let dashed = with_dash(node, calling.words);
        let words = dashed.as_deref().unwrap_or(calling.words);
        let arguments = arguments::split(node, words);
        self.note_call(calling.index, &arguments);
        if asks_for_help(&arguments, words) {
            return Output::unknown();
        }
        let first_effect = self.found.effects.len();
        let node = arguments.node;
        let mode = node.modes.iter().find(|mode| arguments.has(mode.options));
        let mut tags: Vec<&str> = node.tags.to_vec();
        tags.extend(mode.into_iter().flat_map(|mode| mode.tags));

        let mut local = state.clone();
        for given in arguments
            .options
            .iter()
            .filter(|given| given.option.value == Some(Role::Dir))
        {
            local
                .cwd
                .change(given.value.as_ref().and_then(Value::exact));
            local.cwd = local.cwd.went_well();
        }
        let kinds = self.options(calling, &arguments, mode, &local, &mut tags);
        self.operands(calling, &arguments, mode, &mut local, &mut tags);
        self.whole_command(calling, &arguments, mode, kinds, &local);
        if let Some(role) = node
            .stdin
            .filter(|role| reads_code_from_stdin(&arguments, *role))
        {
            self.code_from_stdin(calling, role, state);
        }
        self.settle(calling, &arguments, mode, first_effect, &tags);
        self.subscripts(calling, node, state);
        changes_directory(&arguments, words, state);
        self.declares(calling.index, &arguments, state);
        if runs_in_this_shell(&arguments) {
            state.forget();
        }
        self.output(calling, &arguments)
    }

    fn note_call(&mut self, index: u32, arguments: &Arguments<'_>) {
        if let Some(view) = self.found.view(index) {
            view.known = true;
        }
        if let Some(called) = self.found.call(index) {
            called.subcommand = arguments.path.join(" ");
        }
    }

    /// The effects of options; the kinds that are on the whole command are returned.
    fn options(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        mode: Option<&'static Mode>,
        state: &State,
        tags: &mut Vec<&str>,
    ) -> Vec<EffectKind> {
        let mut kinds = Vec::new();
        for given in &arguments.options {
            let text = given.value.as_ref().map_or("", |value| value.text.as_str());
            let excepted = given
                .option
                .except
                .iter()
                .any(|value| value.eq_ignore_ascii_case(text));
            if !excepted {
                kinds.extend_from_slice(given.option.effects);
                tags.extend_from_slice(given.option.tags);
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

    fn option_value(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        (given, role): (&Given<'_>, Role),
        state: &State,
    ) {
        if matches!(role, Role::Run | Role::RunUntil) {
            let words = found_paths(arguments, given.command);
            self.nested(
                calling,
                &words,
                "exec",
                state,
                arguments.node.place,
                calling.stdin,
            );
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
                text: file.to_owned(),
                source: file.to_owned(),
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

    fn operands(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        mode: Option<&'static Mode>,
        state: &mut State,
        tags: &mut Vec<&str>,
    ) {
        let slots = mode
            .and_then(|mode| mode.operands)
            .unwrap_or(arguments.node.operands);
        self.into_directory(calling, arguments, slots, state);
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
                .is_some_and(|slot| slot.role == Role::Assign && !arguments::is_assignment(word))
            {
                position = position.saturating_add(1);
                continue;
            }
            let left = count.saturating_sub(at);
            let Some(slot) = slots.get(position) else {
                if !slots.is_empty() {
                    self.found
                        .add(calling.index, EffectKind::Run, None, &["unknown-operand"]);
                }
                break;
            };
            let starts = |start: &str| {
                word.text.starts_with(start) || (start == "--" && arguments.separated)
            };
            for (_, tag) in slot.starts.iter().filter(|(start, _)| starts(start)) {
                tags.push(tag);
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
            at = at.saturating_add(1);
            position = next_slot(slots, position, left);
        }
    }

    /// Files that are copied or moved into a directory get their own names there.
    fn into_directory(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        slots: &[Operand],
        state: &State,
    ) {
        let [source, target] = slots else { return };
        let copies = matches!(source.role, Role::Read | Role::Move) && target.role == Role::Write;
        let [from @ .., to] = arguments.operands.as_slice() else {
            return;
        };
        let Some(to) = arguments
            .word(*to)
            .filter(|to| copies && to.known == Known::Whole)
        else {
            return;
        };
        for from in from.iter().filter_map(|&index| arguments.word(index)) {
            let text = format!(
                "{}/{}",
                to.text.trim_end_matches('/'),
                paths::base_name(&from.text)
            );
            let value = Value {
                text,
                known: from.known,
                glob: from.glob,
                ..to.clone()
            };
            let maybe = !to.text.ends_with('/') && !matches!(to.text.as_str(), "." | ".." | "~");
            let kind = state
                .cwd
                .only()
                .map(|dir| self.world.path(&paths::join(dir, &to.text)).kind);
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

    /// Effects on the whole command, which name no word of it.
    fn whole_command(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        mode: Option<&'static Mode>,
        mut kinds: Vec<EffectKind>,
        state: &State,
    ) {
        let node = arguments.node;
        kinds.extend_from_slice(mode.map_or(node.effects, |mode| mode.effects));
        let paths: Vec<Value> = arguments
            .operands
            .iter()
            .filter_map(|&index| arguments.word(index))
            .take_while(|_| node.default_path)
            .cloned()
            .collect();
        let here = [Value::whole(".")];
        let on = if paths.is_empty() {
            here.as_slice()
        } else {
            paths.as_slice()
        };
        for kind in kinds {
            if matches!(
                kind,
                EffectKind::Write | EffectKind::Delete | EffectKind::Read
            ) {
                for value in on {
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
        if node.default_path && paths.is_empty() {
            let effect = PathEffect {
                kind: EffectKind::Read,
                value: &Value::whole("."),
                tags: &[],
            };
            path_effect(self, calling.index, &effect, &state.cwd);
        }
        if node.repository {
            self.repository(calling.index, &state.cwd);
        }
    }

    /// A repository's configuration can run programs when the repository is merely read.
    fn repository(&mut self, index: u32, cwd: &Cwd) {
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
    fn settle(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        mode: Option<&'static Mode>,
        first_effect: usize,
        tags: &[&str],
    ) {
        let index = calling.index;
        let insecure = super::variables::weakens(&arguments.path, calling.words);
        let mut tags: Vec<&str> = tags.to_vec();
        tags.extend(insecure.then_some("insecure"));
        let name = |word: &Value| {
            Some(Target::Name {
                name: word.shown().to_owned(),
            })
        };
        for word in &arguments.unknown {
            self.found
                .add(index, EffectKind::Run, name(word), &["unknown-option"]);
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
        // Without operands, and with no option but those that ask for all of it.
        let alone = arguments.operands.is_empty()
            && arguments
                .options
                .iter()
                .all(|given| matches!(given.name, "-p" | "-0" | "--null"));
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
            if effect.command == index {
                effect.tags.extend(tags.iter().map(|&tag| tag.to_owned()));
                effect.tags.sort();
                effect.tags.dedup();
            }
        }
    }

    /// A command inside another: a wrapper's, or one that a program runs for each file it finds.
    pub(super) fn nested(
        &mut self,
        calling: &Calling<'_, '_>,
        words: &[Value],
        context: &str,
        state: &State,
        place: Place,
        stdin: Option<&Output>,
    ) -> Output {
        if words.is_empty() || calling.depth > super::MAX_DEPTH {
            if !words.is_empty() {
                self.found.opaque(calling.index, "too-deep");
            }
            return Output::unknown();
        }
        let outer = self
            .found
            .view(calling.index)
            .map(|view| (view.span, view.place));
        let (span, outer_place) = outer.unwrap_or(((0, 0), Place::Here));
        let view = CommandView {
            argv: words.iter().map(|word| word.shown().to_owned()).collect(),
            dynamic: words.iter().map(|word| !word.literal).collect(),
            context: context.to_owned(),
            place: if place == Place::Here {
                outer_place
            } else {
                place
            },
            span,
            parent: Some(calling.index),
            known: false,
        };
        let index = self.found.add_command(view, words.to_vec());
        let inner = Calling {
            index,
            words,
            stdin,
            substituted: calling.substituted.clone(),
            depth: calling.depth.saturating_add(1),
        };
        self.dispatch(&inner, &mut state.clone())
    }

    /// A frame for source that a command runs.
    pub(super) fn frame(
        &mut self,
        calling: &Calling<'_, '_>,
        context: &str,
        state: &State,
        place: Place,
    ) -> Frame {
        let outer = self
            .found
            .view(calling.index)
            .map(|view| (view.span, view.place));
        let (span, outer_place) = outer.unwrap_or(((0, 0), Place::Here));
        Frame {
            state: state.clone(),
            place: if place == Place::Here {
                outer_place
            } else {
                place
            },
            context: Some(context.to_owned()),
            parent: Some(calling.index),
            span: Some(span),
            depth: calling.depth.saturating_add(1),
            // Another shell reads it, but with which options nobody knows: the widest reading.
            dialect: countersign_lexer::Dialect::Unknown,
        }
    }
}

/// A word that is nothing but a substitution whose text is known is that text.
fn filled(lowered: &Lowered<'_>, word: &Value) -> Vec<Value> {
    if !word.only_scope || word.known == Known::Whole {
        return vec![word.clone()];
    }
    match lowered.outputs.of_scopes(&word.scopes).line() {
        Some(text) if word.many => text
            .split_ascii_whitespace()
            .map(|piece| Value {
                literal: false,
                source: word.source.clone(),
                ..Value::whole(piece)
            })
            .collect(),
        Some(text) => vec![Value {
            literal: false,
            source: word.source.clone(),
            ..Value::whole(&text)
        }],
        None => vec![word.clone()],
    }
}

fn is_installed(path: &str) -> bool {
    path.rsplit_once('/')
        .is_some_and(|(dir, _)| PROGRAM_DIRS.contains(&dir))
}

/// `tar xzf a.tar` is `tar -x -z -f a.tar`: each letter that takes a value takes the next word.
fn with_dash(node: &Node, words: &[Value]) -> Option<Vec<Value>> {
    let [program, letters, rest @ ..] = words else {
        return None;
    };
    let letters = letters.exact().filter(|_| node.names.contains(&"tar"))?;
    if letters.is_empty() || !letters.chars().all(char::is_alphabetic) {
        return None;
    }
    let mut rest = rest.iter();
    let mut out = vec![program.clone()];
    for letter in letters.chars() {
        let name = format!("-{letter}");
        let takes = |option: &&knowledge::Opt| option.names.contains(&name.as_str());
        let value = node
            .options
            .iter()
            .find(takes)
            .and_then(|option| option.value);
        out.push(Value::whole(&name));
        out.extend(value.and_then(|_| rest.next()).cloned());
    }
    out.extend(rest.cloned());
    Some(out)
}

/// `--help` or `--version` alone reads, whatever the program does otherwise, unless what runs is the
/// workspace's before the program looks at its options.
fn asks_for_help(arguments: &Arguments<'_>, words: &[Value]) -> bool {
    if arguments.node.effects.contains(&EffectKind::WorkspaceCode) {
        return false;
    }
    let before = arguments.path.len().saturating_add(1);
    let rest = words.get(before..).unwrap_or_default();
    matches!(rest, [only] if matches!(only.exact(), Some("--help" | "--version")))
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
fn found_paths(arguments: &Arguments<'_>, words: &[Value]) -> Vec<Value> {
    let found = found_path(arguments);
    let filled = |word: &Value| match word.exact() {
        Some("{}") => found.clone(),
        _ => word.clone(),
    };
    words.iter().map(filled).collect()
}

/// What a search puts out: see [`found_paths`].
pub(super) fn found_path(arguments: &Arguments<'_>) -> Value {
    let base = arguments
        .operands
        .first()
        .and_then(|&index| arguments.word(index))
        .and_then(Value::exact)
        .filter(|_| arguments.node.default_path)
        .unwrap_or(".");
    let below = format!("{}/", base.trim_end_matches('/'));
    let name = arguments
        .options
        .iter()
        .filter(|given| matches!(given.name, "-name" | "-iname"))
        .find_map(|given| given.value.as_ref().and_then(|value| value.exact()));
    let (text, known) = match name {
        Some(name) => (format!("{below}{name}"), Known::Whole),
        None => (below.clone(), Known::Start),
    };
    Value {
        glob: known == Known::Whole,
        known,
        literal: false,
        below: true,
        source: format!("{below}{{}}"),
        ..Value::whole(&text)
    }
}

/// `cd` and its like change where the commands after them work.
fn changes_directory(arguments: &Arguments<'_>, words: &[Value], state: &mut State) {
    let Some(name) = words.first().and_then(Value::exact) else {
        return;
    };
    let to = arguments
        .operands
        .first()
        .and_then(|&index| arguments.word(index));
    match (name, to) {
        ("cd", None) => {
            let home = state.home.clone();
            state.cwd.change(Some(&home));
        }
        ("cd" | "pushd", Some(word)) => {
            state
                .cwd
                .change(word.exact().filter(|text| !matches!(*text, "-" | "+")));
        }
        ("popd" | "pushd", _) => state.cwd = Cwd::unknown(),
        _ => {}
    }
}

/// Whether a call runs something in the shell itself, which may change its variables and its
/// directory.
fn runs_in_this_shell(arguments: &Arguments<'_>) -> bool {
    let program = |index: &usize| arguments.word(*index).and_then(Value::exact);
    match arguments.node.names.first() {
        Some(&("source" | "." | "eval")) => true,
        Some(&("builtin" | "command")) => !arguments
            .operands
            .first()
            .and_then(program)
            .is_some_and(|name| !CHANGES_SHELL.contains(&name) && !name.contains('$')),
        _ => false,
    }
}

/// Builtins that change the shell that runs them.
const CHANGES_SHELL: &[&str] = &[
    ".",
    "alias",
    "builtin",
    "cd",
    "command",
    "declare",
    "eval",
    "exec",
    "export",
    "getopts",
    "hash",
    "let",
    "local",
    "mapfile",
    "popd",
    "printf",
    "pushd",
    "read",
    "readarray",
    "readonly",
    "set",
    "shopt",
    "source",
    "trap",
    "typeset",
    "unalias",
    "unset",
];

/// A shell runs what it reads when it is given nothing else to run.
fn reads_code_from_stdin(arguments: &Arguments<'_>, role: Role) -> bool {
    let given = arguments.options.iter().any(|given| {
        let code = [Role::CodeSh, Role::Code, Role::CodeSql, Role::Script];
        given.option.value.is_some_and(|role| code.contains(&role)) && given.value.is_some()
    });
    if role == Role::CodeSql {
        // The first operand names the database.
        return !given && arguments.operands.len() <= 1;
    }
    let first = arguments
        .operands
        .first()
        .and_then(|&index| arguments.word(index));
    let none = first.is_none_or(|word| word.exact() == Some("-"));
    !given && (none || arguments.has(&["-s"]))
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
