use super::arguments::{self, Arguments};
use super::code::tells;
use super::directory::changes_directory;
use super::elsewhere;
use super::findings::Found;
use super::flow::Output;
use super::operand::{PathEffect, own_in, path_effect};
use super::output::{of_unknown, reads_stdin};
use super::script::Lowered;
use super::shell::reads_code_from_stdin;
use super::shell::runs_in_this_shell;
use super::variables::weakens;
use super::{Analysis, Frame, Known, State, Value, env};
use crate::knowledge::{self, Node, Role};
use crate::{exchange, paths};
use countersign_core::{CommandView, EffectKind, Place, Target, Zone};
use countersign_lexer::WordKind;

/// How deep inside others a command may be for more than one program among its words to be judged.
const MAX_FORWARDED: u32 = 2;

/// Whether a word looks as if it stood behind the name of a program: an option, a path, or one of
/// its subcommands.
fn belongs(node: &'static Node, word: &Value) -> bool {
    word.text.starts_with(['-', '/', '~', '.', '$'])
        || word
            .exact()
            .is_some_and(|name| knowledge::subcommand(node, name).is_some())
}

/// Directories whose programs are what their names say.
const PROGRAM_DIRS: &[&str] = &[
    "/bin",
    "/lib",
    "/lib64",
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

impl Calling<'_, '_> {
    /// A command that runs source which does not stand in its words.
    pub(super) fn without_words(index: u32, depth: u32) -> Self {
        Self {
            index,
            words: &[],
            stdin: None,
            substituted: Output::nothing(),
            depth,
        }
    }
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
        let scopes = words.iter().flat_map(|word| &word.scopes).copied();
        let scopes: Vec<_> = scopes.collect();
        let substituted = if scopes.is_empty() {
            Output::nothing()
        } else {
            lowered.outputs.of_scopes(&scopes)
        };
        let substituted = words
            .iter()
            .filter_map(|word| word.data.as_deref())
            .fold(substituted, |all, data| all.mixed(data));
        let filled: Vec<Value>;
        let words = if words
            .iter()
            .any(|word| word.only_scope || is_filled_in(word))
        {
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
        let closed: Calling<'_, '_>;
        let calling = if calling.stdin.is_some() && !reads_stdin(calling.words) {
            closed = Calling {
                stdin: None,
                substituted: calling.substituted.clone(),
                ..*calling
            };
            &closed
        } else {
            calling
        };
        let base = match paths::base_name(name) {
            // It is git with a few commands more.
            "hub" => "git",
            base => base,
        };
        if let Some(called) = self.found.call(calling.index) {
            called.is_now(base);
        }
        // A path of ours is no program of the workspace, wherever it lies.
        let ours = || self.world.facts.own.iter().any(|own| own == name);
        let installed = !name.contains('/') || is_installed(name) || ours();
        if !installed {
            self.script_file(calling, first, state);
        }
        let node = self.commands.program(base);
        let before = self.found.effects.len();
        if installed && node.is_none() {
            let target = Target::Name {
                name: base.to_owned(),
            };
            self.found.add(
                calling.index,
                EffectKind::Run,
                Some(target),
                &["unknown-program"],
            );
            self.given_ours(calling, state);
        }
        let output = if let Some(node) = node {
            self.known(calling, node, state)
        } else {
            self.forwarded(calling, state);
            exchange::of_unknown_program(&mut self.found, calling.index, calling.words);
            of_unknown(calling, base)
        };
        if !installed
            || first
                .exact()
                .is_some_and(|name| state.rebound.contains(name))
        {
            // It has the name of a program that is known, but may be another.
            self.found.make_uncertain(before);
        }
        self.note_flows(calling, &output);
        let words = calling.words.iter().map(|word| &*word.text);
        exchange::note(&mut self.found, calling.index, words);
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

    /// What a program that nobody knows is given of ours, it may change, and a disk as well.
    fn given_ours(&mut self, calling: &Calling<'_, '_>, state: &State) {
        let disk = |value: &Value| {
            let path = value.exact()?;
            let zone = paths::zone(path, self.world.facts);
            (path.starts_with("/dev/") && zone == Zone::Device).then(|| value.clone())
        };
        let disks: Vec<Value> = calling.words.iter().filter_map(disk).collect();
        for value in &disks {
            let effect = PathEffect {
                kind: EffectKind::Write,
                value,
                tags: &["uncertain"],
            };
            path_effect(self, calling.index, &effect, &state.cwd);
        }
        for value in calling.words.iter().skip(1) {
            if let Some(own) = own_in(self, value, &state.cwd) {
                let effect = PathEffect {
                    kind: EffectKind::Write,
                    value: &own,
                    tags: &["uncertain"],
                };
                path_effect(self, calling.index, &effect, &state.cwd);
            }
        }
    }

    /// An unknown program may run what it is given: a known one among its words is judged too.
    fn forwarded(&mut self, calling: &Calling<'_, '_>, state: &State) {
        // A dot is a folder far more often than the builtin, and a URL is no program.
        let known = |word: &Value| {
            word.exact()
                .filter(|name| *name != "." && !name.contains("://"))
                .and_then(|name| self.commands.program(paths::base_name(name)))
        };
        let words = || calling.words.iter().skip(1).take(8).map(known);
        let acts = |node: &Node| !node.reads || !node.subcommands.is_empty();
        let first = words()
            .position(|node| node.is_some_and(acts))
            .or_else(|| words().position(|node| node.is_some()));
        // Thousands of programs have names that are words of other things too: one that is followed
        // by what belongs to a program is judged as well. One inside another is not, or many would
        // be many times more.
        let is_called = |at: usize, node: &'static Node| {
            let next = calling.words.get(at.saturating_add(2));
            acts(node) && next.is_some_and(|next| belongs(node, next))
        };
        let called = words().enumerate().filter_map(|(at, node)| {
            let also =
                calling.depth <= MAX_FORWARDED && node.is_some_and(|node| is_called(at, node));
            (first == Some(at) || also).then_some(at)
        });
        let called: Vec<usize> = called.collect();
        self.forwarded_code(calling, state);
        for at in called {
            let rest = calling
                .words
                .get(at.saturating_add(1)..)
                .unwrap_or_default();
            let before = self.found.effects.len();
            self.nested(calling, rest, "forwarded", state, Place::Here, None);
            self.found.make_uncertain(before);
        }
    }

    /// Text behind an option that takes a command line in many programs may be one.
    fn forwarded_code(&mut self, calling: &Calling<'_, '_>, state: &State) {
        let code = |pair: &[Value]| match pair {
            [option, text] => {
                let takes = matches!(
                    option.exact(),
                    Some("-c" | "-e" | "--cmd" | "--command" | "--exec" | "--run")
                );
                let program = text
                    .text
                    .split_ascii_whitespace()
                    .next()
                    .unwrap_or_default()
                    .replace(['"', '\'', '\\'], "");
                let known = self.commands.program(paths::base_name(&program)).is_some();
                (takes && known && text.text.contains(' ')).then(|| text.code.clone())
            }
            _ => None,
        };
        let Some(source) = calling.words.windows(2).find_map(code) else {
            return;
        };
        let before = self.found.effects.len();
        let frame = self.frame(calling, "forwarded", state, Place::Here);
        self.script(source.as_bytes(), &frame);
        self.found.make_uncertain(before);
    }

    fn known(
        &mut self,
        calling: &Calling<'_, '_>,
        node: &'static Node,
        state: &mut State,
    ) -> Output {
        let dashed = with_dash(node, calling.words);
        let is_env = node.names.contains(&"env");
        let split = is_env.then(|| env::split_string(calling.words)).flatten();
        let words = dashed.as_deref().or(split.as_deref());
        let words = words.unwrap_or(calling.words);
        let mut arguments = arguments::split(node, words);
        self.note_call(calling.index, &arguments);
        if asks_for_help(&arguments, words) {
            return Output::unknown();
        }
        self.left = None;
        let first_effect = self.found.effects.len();
        let node = arguments.node;
        let mode = node
            .modes
            .iter()
            .find(|mode| arguments.selects(mode.options));
        let rehearses = mode.is_some_and(|mode| mode.tags.contains(&"rehearsal"));
        let own: &[&'static str] = if rehearses { &[] } else { node.tags };
        let mut tags = own.to_vec();
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
        let here = node.tags.contains(&"archive-here");
        let around = if here { &*state } else { &local };
        let mut kinds = self.options(calling, &arguments, mode, around, &mut tags);
        kinds.extend(self.verb(calling, &mut arguments, state, &mut tags));
        if tags.contains(&"remote-read") && elsewhere::is_named(words, arguments.program.hosts) {
            tags.push("other-host");
        }
        if here && mode.is_none_or(|mode| mode.operands.is_none()) {
            self.operands(calling, &arguments, mode, &mut state.clone(), &mut tags);
        } else {
            self.operands(calling, &arguments, mode, &mut local, &mut tags);
        }
        if node.names.contains(&"xargs") && arguments.operands.is_empty() {
            self.wrapped(calling, &arguments, &[Value::whole("echo")], &local);
            if calling.stdin.is_none() {
                self.typed_later(calling.index);
            }
        }
        if node.names.contains(&"bash") && arguments.has(&["-c"]) && has_no_code(&arguments) {
            self.typed_later(calling.index);
        }
        if node.names.contains(&"kill") && finds_by_name(calling) {
            tags.push("by-name");
        }
        if node.tags.contains(&"asks-for-names") && calling.words.iter().any(tells) {
            tags.push("upload");
        }
        self.patched(calling, &arguments, state, &mut tags);
        if node.names.contains(&"tar") && names_members(&arguments) {
            tags.retain(|tag| *tag != "unseen");
        }
        self.whole_command(calling, &arguments, mode, &kinds, &local);
        if let Some(role) = node
            .stdin
            .filter(|role| reads_code_from_stdin(&arguments, *role))
        {
            self.code_from_stdin(calling, role, state);
            if role == Role::CodeSql && calling.stdin.is_none() && mode.is_none() {
                self.typed_later(calling.index);
            }
        }
        tags.extend(weakens(&arguments.path, calling.words).then_some("insecure"));
        self.settle(calling, &arguments, mode, first_effect, &tags);
        if may_do_nothing(&arguments, &tags) {
            self.found.doubt_changes(first_effect);
        }
        self.subscripts(calling, node, state);
        changes_directory(&arguments, words, state);
        self.declares(calling, &arguments, state);
        self.assigns(calling, &arguments, state);
        if runs_in_this_shell(&arguments) {
            match self.left.take() {
                Some(left) => *state = left,
                None => state.forget(),
            }
        }
        self.shows_tokens(calling, &arguments);
        self.output(calling, &arguments, state)
    }

    fn note_call(&mut self, index: u32, arguments: &Arguments<'_>) {
        if let Some(view) = self.found.view(index) {
            view.known = true;
        }
        if let Some(called) = self.found.call(index) {
            called.subcommand = arguments.path.join(" ");
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
        if let Some(called) = self.found.call(index) {
            called.origin = Some(Found::Words);
        }
        let inner = Calling {
            index,
            words,
            stdin,
            substituted: words
                .iter()
                .filter_map(|word| word.data.as_deref())
                .fold(calling.substituted.clone(), |all, data| all.mixed(data)),
            depth: calling.depth.saturating_add(1),
        };
        let mut own = state.clone();
        let output = self.dispatch(&inner, &mut own);
        self.left = Some(own);
        output
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
            probe: false,
            // Another shell reads it, but with which options nobody knows: the widest reading.
            dialect: countersign_lexer::Dialect::Unknown,
        }
    }
}

/// Whether nothing but one substitution, beside other text, is not known of a word: `$(pwd)/file`. It is
/// filled in where it is a full path.
fn is_filled_in(word: &Value) -> bool {
    word.kind == WordKind::CmdSubst
        && !word.only_scope
        && !word.glob
        && word.scopes.len() == 1
        && word.data.is_none()
        && word.code.matches("$_").count() == 1
}

/// A word that is nothing but a substitution whose text is known is that text; one that lists files
/// stands for what it finds.
fn filled(lowered: &Lowered<'_>, word: &Value) -> Vec<Value> {
    if is_filled_in(word) {
        let line = lowered.outputs.of_scopes(&word.scopes).line();
        // Without quotes blanks and patterns in it make other words.
        let odd = |c: char| c.is_whitespace() || "*?[\\".contains(c);
        let line = line.filter(|line| line.starts_with('/') && !(word.many && line.contains(odd)));
        return vec![match line {
            Some(line) => Value {
                literal: false,
                source: word.source.clone(),
                kind: word.kind,
                ..Value::whole(&word.code.replacen("$_", &line, 1))
            },
            None => word.clone(),
        }];
    }
    if !word.only_scope || word.known == Known::Whole {
        return vec![word.clone()];
    }
    let put_out = lowered.outputs.of_scopes(&word.scopes);
    match put_out.line() {
        Some(text) if word.many => text
            .split_ascii_whitespace()
            .map(|piece| Value {
                literal: false,
                source: word.source.clone(),
                kind: word.kind,
                ..Value::whole(piece)
            })
            .collect(),
        Some(text) => vec![Value {
            literal: false,
            source: word.source.clone(),
            kind: word.kind,
            ..Value::whole(&text)
        }],
        None => match put_out.names {
            Some(found) => vec![Value {
                source: word.source.clone(),
                kind: word.kind,
                literal: false,
                ..*found
            }],
            None => vec![word.clone()],
        },
    }
}

/// Whether the first operand, where code should stand, is missing or empty.
fn has_no_code(arguments: &Arguments<'_>) -> bool {
    let first = arguments.operands.first();
    let first = first.and_then(|&index| arguments.word(index));
    first.is_none_or(|word| word.exact() == Some(""))
}

/// Whether a word comes from a search for processes.
fn finds_by_name(calling: &Calling<'_, '_>) -> bool {
    let data = calling.words.iter().filter_map(|word| word.data.as_deref());
    calling.substituted.processes || data.into_iter().any(|data| data.processes)
}

/// Whether the operands say which members are taken out of an archive.
fn names_members(arguments: &Arguments<'_>) -> bool {
    let operands = &arguments.operands;
    let mut words = operands.iter().filter_map(|&index| arguments.word(index));
    !operands.is_empty() && words.all(|word| word.exact().is_some())
}

fn is_installed(path: &str) -> bool {
    path.starts_with('/')
        && paths::join("/", path)
            .rsplit_once('/')
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

/// Whether a call may well end before it does anything: it also asks for help, is a shell that is
/// told to run nothing, or runs something only under conditions. Not every system's programs look
/// at such an option after the operands.
fn may_do_nothing(arguments: &Arguments<'_>, tags: &[&str]) -> bool {
    let shell_reads_only = arguments.node.names.first() == Some(&"bash")
        && arguments.has(&["-n"])
        && !arguments.has(&["-i", "--interactive"]);
    shell_reads_only
        || arguments.ambiguous
        || arguments
            .options
            .iter()
            .any(|given| matches!(given.name, "--help" | "--version") && given.value.is_none())
        || tags.contains(&"conditional")
}

/// `--help` or `--version` alone reads, whatever the program does otherwise, unless its file says that
/// it does not. Where what runs is the workspace's, it may run before the program looks at its options.
fn asks_for_help(arguments: &Arguments<'_>, words: &[Value]) -> bool {
    let node = arguments.node;
    let runs_workspace = node.effects.contains(&EffectKind::WorkspaceCode);
    if !node.help.unwrap_or(!runs_workspace) {
        return false;
    }
    let before = arguments.path.len().saturating_add(1);
    let rest = words.get(before..).unwrap_or_default();
    if matches!(rest, [only] if matches!(only.exact(), Some("--help" | "--version"))) {
        return true;
    }
    // Groups and a verb may stand before it.
    let leads = |word: &Value| word.exact().is_some_and(|text| !text.starts_with('-'));
    arguments.verbs.is_some()
        && rest.split_last().is_some_and(|(last, before)| {
            last.exact() == Some("--help") && before.iter().all(leads)
        })
}
