//! Programs of other languages that stand in an argument or on standard input.

use super::arguments::Arguments;
use super::call::Calling;
use super::flow::Output;
use super::parameter::names_secret;
use super::{Analysis, Known, PathEffect, State, Value, path_effect};
use crate::knowledge::Role;
use crate::language::{self, Act, Piece, Table};
use crate::paths;
use countersign_core::{EffectKind, PathKind, Place, Target};
use std::rc::Rc;

/// The table of the language that a role's source is written in.
pub(super) fn table(role: Role) -> Option<&'static Table> {
    match role {
        Role::CodePython => Some(&language::PYTHON),
        Role::CodeJs => Some(&language::JAVASCRIPT),
        Role::CodeRuby => Some(&language::RUBY),
        Role::CodePerl => Some(&language::PERL),
        Role::CodePhp => Some(&language::PHP),
        _ => None,
    }
}

/// Variables that say where a language looks for modules, or what it does besides.
const LEADING: &[&str] = &[
    "PERL5LIB",
    "PERLLIB",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "PYTHONHOME",
    "PYTHONINSPECT",
    "PYTHONPATH",
    "PYTHONUSERBASE",
    "RUBYLIB",
];

/// Programs that send what they are given or fetch what a URL asks for.
const SENDING: &[&str] = &["curl", "nc"];

impl Analysis<'_> {
    pub(super) fn text_program(
        &mut self,
        calling: &Calling<'_, '_>,
        value: &Value,
        check: fn(&str) -> bool,
    ) {
        match value.exact() {
            Some(program) if check(program) => {}
            _ => self.found.opaque(calling.index, "inline-code"),
        }
    }

    /// The shell lines that keys run.
    pub(super) fn bindings(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        value: &Value,
        state: &State,
    ) {
        let Some(lines) = value.exact().and_then(language::fzf) else {
            self.found.add(calling.index, EffectKind::Run, None, &[]);
            return;
        };
        for line in lines {
            let line = [Value::whole(&line)];
            self.word(calling, arguments, Role::CodeSh, &line, state);
        }
    }

    /// An awk program; of one that does more than compute, what it runs and writes is judged too.
    pub(super) fn awk_program(&mut self, calling: &Calling<'_, '_>, value: &Value, state: &State) {
        self.text_program(calling, value, language::awk);
        let Some(program) = value.exact().filter(|program| !language::awk(program)) else {
            return;
        };
        for source in language::awk_commands(program) {
            let frame = self.frame(calling, "program", state, Place::Here);
            self.script(source.as_bytes(), &frame);
        }
        for path in language::awk_written(program) {
            let effect = PathEffect {
                kind: EffectKind::Write,
                value: &Value::whole(path),
                tags: &["truncate"],
            };
            path_effect(self, calling.index, &effect, &state.cwd);
        }
    }

    /// A program among the words of a call.
    pub(super) fn program_word(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        (table, role): (&'static Table, Role),
        value: &Value,
        state: &State,
    ) {
        let index = calling.index;
        let code = |given: &&super::arguments::Given<'_>| given.option.value == Some(role);
        // Several are one program, of which each may be half a statement.
        let several = arguments.options.iter().filter(code).count() > 1;
        if several || value.exact().is_none() || opens_commands(arguments, role) {
            self.found.opaque(index, "inline-code");
        }
        self.program(calling, table, value.exact().unwrap_or(&value.code), state);
    }

    /// A program of another language: what it does is judged as the commands that do the same.
    pub(super) fn program(
        &mut self,
        calling: &Calling<'_, '_>,
        table: &'static Table,
        source: &str,
        state: &State,
    ) {
        let index = calling.index;
        let reading = language::read(table, source, &state.home);
        let led = LEADING.iter().any(|name| state.held(name).is_some());
        if reading.opaque || led {
            self.found.opaque(index, "inline-code");
        } else if self.shadowed(&reading.modules, state) {
            self.found
                .add(index, EffectKind::WorkspaceCode, None, &["configuration"]);
        } else if let Some(called) = self.found.call(index) {
            called.transparent = true;
        }
        let mut read = Output::unknown();
        let (sends, acts): (Vec<&Act>, Vec<&Act>) = reading.acts.iter().partition(|act| sends(act));
        for act in acts.into_iter().chain(sends) {
            match act {
                Act::Variable(name) => {
                    read.environment |= names_secret(name);
                    self.shows_variable(index, name);
                }
                Act::Shell(line) => {
                    let frame = self.frame(calling, "program", state, Place::Here);
                    self.script(line.text.as_bytes(), &frame);
                }
                Act::Command(words) => {
                    let first = self.found.commands.len();
                    self.act(calling, words, &read, state);
                    let found = u32::try_from(first).unwrap_or(u32::MAX);
                    read.secret |= self.reads_secret(found);
                }
            }
        }
    }

    /// A command that does the same as a part of a program.
    fn act(&mut self, calling: &Calling<'_, '_>, words: &[Piece], read: &Output, state: &State) {
        let mut words: Vec<Value> = words.iter().map(word).collect();
        // What was read before may be sent, or be asked for in the URL.
        if read.is_marked()
            && let Some(last) = words.last_mut()
        {
            last.data = Some(Rc::new(read.clone()));
        }
        self.nested(calling, &words, "program", state, Place::Here, None);
    }

    fn shows_variable(&mut self, index: u32, name: &str) {
        if names_secret(name) {
            let target = Target::Name {
                name: name.to_owned(),
            };
            self.found
                .add(index, EffectKind::Read, Some(target), &["secret"]);
        }
    }

    /// Whether a file of the working directory may stand for a module: Python looks there first.
    fn shadowed(&self, modules: &std::collections::BTreeSet<String>, state: &State) -> bool {
        let there = |path: &str| {
            let kind = self.world.kind(path);
            match kind {
                PathKind::Missing => false,
                PathKind::Unknown => !self.world.facts.virtual_files,
                _ => true,
            }
        };
        let dirs = state.cwd.all();
        let sure = !dirs.is_empty() || modules.is_empty();
        let names = modules
            .iter()
            .filter(|name| !ALWAYS_LOADED.contains(&name.as_str()));
        let places = names.flat_map(|name| {
            dirs.iter().flat_map(move |dir| {
                let package = paths::join(dir, name);
                [format!("{package}.py"), package]
            })
        });
        // Every place is asked about, whatever is at the first.
        let taken = places.filter(|path| there(path.as_str())).count();
        !sure || taken > 0
    }

    /// Statements that change something, or that cannot be read, are flagged; reading ones are not.
    pub(super) fn statements(&mut self, index: u32, value: &Value) {
        match value.exact() {
            Some(text) if language::sql(text) => {}
            _ => self.found.add(index, EffectKind::Run, None, &["sql"]),
        }
    }

    pub(super) fn sed_script(&mut self, calling: &Calling<'_, '_>, value: &Value, state: &State) {
        let Some(program) = value.exact() else {
            // A replacement text from a variable is common and can hide commands all the same.
            self.found
                .add(calling.index, EffectKind::Run, None, &["dynamic-code"]);
            return;
        };
        for action in language::sed(program) {
            match action {
                language::SedAction::Write(path) => {
                    let value = Value::whole(&path);
                    let effect = PathEffect {
                        kind: EffectKind::Write,
                        value: &value,
                        tags: &["truncate"],
                    };
                    path_effect(self, calling.index, &effect, &state.cwd);
                }
                language::SedAction::Read(path) => {
                    let value = Value::whole(&path);
                    let effect = PathEffect {
                        kind: EffectKind::Read,
                        value: &value,
                        tags: &[],
                    };
                    path_effect(self, calling.index, &effect, &state.cwd);
                }
                language::SedAction::Run(source) => {
                    self.found.opaque(calling.index, "inline-code");
                    let frame = self.frame(calling, "shell:sed", state, Place::Here);
                    self.script(source.as_bytes(), &frame);
                }
                language::SedAction::Unknown => self.found.opaque(calling.index, "inline-code"),
            }
        }
    }
}

/// Modules that are there before the program begins.
const ALWAYS_LOADED: &[&str] = &[
    "builtins",
    "codecs",
    "io",
    "os",
    "posixpath",
    "stat",
    "sys",
    "time",
];

fn word(piece: &Piece) -> Value {
    if piece.whole {
        return Value::whole(&piece.text);
    }
    let known = piece.text.split("$_").next().unwrap_or_default();
    if known.is_empty() {
        return Value::unknown("…");
    }
    Value {
        known: Known::Start,
        ..Value::derived(known)
    }
}

/// Whether a part of a program sends something.
fn sends(act: &Act) -> bool {
    match act {
        Act::Command(words) => words
            .first()
            .is_some_and(|word| SENDING.contains(&word.text.as_str())),
        _ => false,
    }
}

/// Perl takes a name that ends in `|` for a command, among its operands too.
fn opens_commands(arguments: &Arguments<'_>, role: Role) -> bool {
    let mut operands = arguments.operands.iter();
    role == Role::CodePerl
        && operands.any(|&at| {
            arguments.word(at).is_none_or(|word| {
                let text = word.text.trim();
                let open = word.glob && text.ends_with(['*', '?', ']']);
                let marks = text.starts_with(['|', '>', '<', '+']) || text.ends_with('|');
                open || marks || word.known != Known::Whole && !word.below
            })
        })
}
