use super::arguments::Arguments;
use super::call::Calling;
use super::descriptors::Named;
use super::findings::Files;
use super::flow::Output;
use super::settle::is_workspace;
use super::xargs::append_stdin;
use super::{
    Analysis, Known, PathEffect, State, Value, context, descriptors, parallel, path_effect,
};
use crate::knowledge::Role;
use crate::{language, url};
use countersign_core::{EffectKind, Place, Target};
use std::rc::Rc;

impl Analysis<'_> {
    /// What a word does in its role. `words` is one word, or the rest of the call for a command.
    pub(super) fn word(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        role: Role,
        words: &[Value],
        state: &State,
    ) {
        let Some(value) = words.first() else { return };
        let index = calling.index;
        let mut path = |kind: EffectKind, tags: &[&'static str]| {
            path_effect(self, index, &PathEffect { kind, value, tags }, &state.cwd);
        };
        match role {
            Role::Text | Role::Dir => {}
            Role::Object => {
                // A word without a colon is a revision or a path, and only git can tell.
                let file = match value.text.rsplit_once(':') {
                    Some((_, file)) => Some(file),
                    None => Some(&*value.text).filter(|path| self.is_secret(path, state)),
                };
                if let Some(file) = file {
                    self.reads_within(index, value, file, state);
                }
            }
            Role::Read | Role::Write if is_remote_path(arguments, value) => {
                let kind = if role == Role::Read {
                    EffectKind::Receive
                } else {
                    EffectKind::Send
                };
                let host = url::host_of_login(&value.text).to_owned();
                self.found
                    .add(index, kind, Some(Target::Host { host }), &[]);
            }
            Role::Read => path(EffectKind::Read, &[]),
            Role::Write if value.text.starts_with('|') => {
                // A name that begins so is a command that reads what would be written.
                let frame = self.frame(calling, "setting", state, Place::Here);
                self.script(value.code.trim_start_matches('|').as_bytes(), &frame);
            }
            Role::Write => path(EffectKind::Write, &["truncate"]),
            Role::Append => path(EffectKind::Write, &["append"]),
            Role::Edit => path(EffectKind::Write, &["edit"]),
            Role::Create => path(EffectKind::Write, &["create"]),
            Role::Delete => path(EffectKind::Delete, &[]),
            Role::Move => path(EffectKind::Move, &[]),
            Role::Permission => path(EffectKind::Permission, &[]),
            Role::Script
                if value.exact() == Some("-") && arguments.node.names.contains(&"make") =>
            {
                self.makefile_from_stdin(calling, state);
            }
            // What is on standard input is looked at for the whole call.
            Role::Script
                if value.exact() == Some("-")
                    && arguments
                        .node
                        .stdin
                        .is_some_and(|role| super::languages::table(role).is_some()) => {}
            Role::Script if value.exact() == Some("-") && arguments.node.stdin.is_none() => {
                self.code_from_stdin(calling, Role::Code, state);
            }
            Role::Script => self.script_file(calling, value, state),
            Role::Run | Role::RunUntil => self.wrapped(calling, arguments, words, state),
            Role::CodeSh => self.shell_code(calling, arguments, words, state),
            Role::Code => self.found.opaque(index, "inline-code"),
            Role::CodePython | Role::CodeJs | Role::CodeRuby | Role::CodePerl | Role::CodePhp => {
                if let Some(table) = super::languages::table(role) {
                    self.program_word(calling, arguments, (table, role), value, state);
                }
            }
            Role::CodeAwk => self.awk_program(calling, value, state),
            Role::CodeJq => self.text_program(calling, value, language::jq),
            Role::CodeYq => self.text_program(calling, value, language::yq),
            Role::CodeSql if is_more_than_sql(arguments, value) => {
                self.statements(index, &Value::unknown(&value.source));
            }
            Role::CodeSql => self.statements(index, value),
            Role::CodeFzf => self.bindings(calling, arguments, value, state),
            Role::Patch => crate::tool::apply(self, index, value.exact(), state),
            Role::CodeSed => self.sed_script(calling, value, state),
            Role::Assign => self.assign_word(calling, value, state),
            Role::Setting => self.setting(calling, arguments, value, state),
            Role::Host => self.host(index, value),
            Role::Url => self.url(index, value, state),
            Role::Package => {
                let target = Target::Name {
                    name: value.shown().to_owned(),
                };
                self.found
                    .add(index, EffectKind::Receive, Some(target), &["install"]);
            }
        }
    }

    /// A file that a part of a word names.
    fn reads_within(&mut self, index: u32, word: &Value, file: &str, state: &State) {
        let value = Value {
            text: file.into(),
            ..word.clone()
        };
        let effect = PathEffect {
            kind: EffectKind::Read,
            value: &value,
            tags: &[],
        };
        path_effect(self, index, &effect, &state.cwd);
    }

    fn host(&mut self, index: u32, value: &Value) {
        let host = url::host_of_login(&value.text).to_owned();
        let loopback = value.known == Known::Whole && url::is_loopback(&host);
        let kind = if loopback {
            EffectKind::Receive
        } else {
            EffectKind::Send
        };
        let tags: &[&'static str] = match (loopback, tells(value)) {
            (true, _) => &["loopback"],
            (_, true) => &["upload"],
            _ => &[],
        };
        self.found
            .add(index, kind, Some(Target::Host { host }), tags);
        for host in url::metadata_within(&value.text) {
            self.found
                .add(index, kind, Some(Target::Host { host }), &[]);
        }
    }

    fn url(&mut self, index: u32, value: &Value, state: &State) {
        let parsed = url::parse(&value.text);
        if let Some(path) = parsed.file {
            self.reads_within(index, value, &path, state);
            return;
        }
        let known = value.known == Known::Whole || (value.known == Known::Start && parsed.complete);
        let host = if known {
            parsed.host
        } else {
            value.shown().to_owned()
        };
        let tags: &[&'static str] = match known {
            true if parsed.plain && url::is_loopback(&host) => &["loopback"],
            _ if value.token => &["environment-flow"],
            true if !parsed.plain => &["other-scheme"],
            true => &[],
            false => &["uncertain"],
        };
        self.found.add(
            index,
            EffectKind::Receive,
            Some(Target::Host { host }),
            tags,
        );
        if parsed.runs {
            self.found.add(index, EffectKind::Run, None, &["exec"]);
        }
    }

    /// A wrapper's command.
    pub(super) fn wrapped(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        words: &[Value],
        state: &State,
    ) {
        if let [option, code, ..] = words
            && arguments.node.names.contains(&"flock")
            && matches!(option.exact(), Some("-c" | "--command"))
        {
            // After the lock file this is no program but an option.
            self.shell_code(calling, arguments, std::slice::from_ref(code), state);
            return;
        }
        if super::xargs::runs_nothing(arguments, calling.stdin) {
            return;
        }
        let given = words;
        let mut words = words.to_vec();
        if arguments.node.appends_arguments {
            append_stdin(&mut words, arguments, calling.stdin);
        }
        if arguments.node.appends_arguments {
            let mut read = calling.stdin.cloned().unwrap_or_default();
            read.secret |= self.reads_secret(calling.index);
            let read = Some(Rc::new(read)).filter(|read| read.is_marked());
            for word in words.iter_mut().filter(|word| !word.literal) {
                word.data = read.clone().or(word.data.take());
            }
        }
        if let Some(called) = self.found.call(calling.index) {
            called.transparent = true;
        }
        let takes_code = |word: &Value| {
            word.text.len() > 1 && word.text.starts_with('-') && word.text.ends_with('c')
        };
        let shell = given.len() > 1
            && arguments.node.appends_arguments
            && (given.last().is_some_and(takes_code) || words.iter().rev().take(2).any(takes_code));
        if shell {
            // What is appended becomes the source of a shell.
            self.found.opaque(calling.index, "dynamic-code");
        }
        let cleared = super::env::clears(arguments).then(|| state.without_variables());
        let state = cleared.as_ref().unwrap_or(state);
        let context = context::of_wrapped(calling, arguments);
        let inner = u32::try_from(self.found.commands.len()).unwrap_or(u32::MAX);
        self.nested(
            calling,
            &words,
            &context,
            state,
            arguments.node.place,
            calling.stdin,
        );
        if let Some(called) = self.found.call(inner) {
            called.assignments = arguments.assignments();
        }
    }

    /// Shell source in an argument; several words are joined by blanks.
    fn shell_code(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        words: &[Value],
        state: &State,
    ) {
        let context = context::of_code(arguments);
        if arguments.node.names.contains(&"parallel") {
            if let Some(source) = parallel::source(words) {
                let frame = self.frame(calling, &context, state, arguments.node.place);
                self.script(source.as_bytes(), &frame);
                return;
            }
            for words in parallel::jobs(words, calling.stdin) {
                self.joined_code(calling, arguments, &words, &context, state);
            }
            return;
        }
        self.joined_code(calling, arguments, words, &context, state);
    }

    /// Shell source in words that are joined by blanks.
    fn joined_code(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        words: &[Value],
        context: &str,
        state: &State,
    ) {
        if arguments.path.last() == Some(&"send-keys") {
            let frame = self.frame(calling, context, state, arguments.node.place);
            self.script(typed(words).as_bytes(), &frame);
            return;
        }
        let appended = APPENDING
            .iter()
            .find(|(name, _)| arguments.node.names.contains(name))
            .map_or(0, |(_, words)| *words);
        let appended = std::iter::repeat_n("$_", appended);
        let source = words.iter().map(|word| &*word.code);
        let source: Vec<&str> = source.chain(appended).collect();
        let known = words.iter().all(|word| word.known == Known::Whole);
        if let Some(called) = self.found.call(calling.index) {
            called.transparent = known;
        }
        if !known {
            let substituted = words
                .iter()
                .any(|word| !word.scopes.is_empty() || word.data.is_some());
            let danger = calling.substituted.danger().filter(|_| substituted);
            self.found
                .opaque(calling.index, danger.unwrap_or("dynamic-code"));
        }
        let mut frame = self.frame(calling, context, state, arguments.node.place);
        if arguments.node.names.contains(&"bash") {
            // The first word after the source is `$0`.
            frame.state.give_arguments(arguments, 1);
        }
        let after = self.script(source.join(" ").as_bytes(), &frame);
        self.left = known.then_some(after);
    }

    /// A shell that reads its source from standard input.
    pub(super) fn code_from_stdin(&mut self, calling: &Calling<'_, '_>, role: Role, state: &State) {
        let Some(stdin) = calling.stdin else { return };
        if role == Role::CodeSh
            && let Some(text) = stdin.text.clone()
        {
            if let Some(called) = self.found.call(calling.index) {
                called.transparent = true;
            }
            let context = context::of_stdin(stdin.feed);
            let mut frame = self.frame(calling, context, state, Place::Here);
            frame.state.arguments_after(calling.words);
            self.script(text.as_bytes(), &frame);
            return;
        }
        if role == Role::CodeSql {
            let text = stdin
                .text
                .clone()
                .map_or_else(|| Value::unknown("…"), |text| Value::whole(&text));
            self.statements(calling.index, &text);
            return;
        }
        if role == Role::Patch {
            crate::tool::apply(self, calling.index, stdin.text.as_deref(), state);
            return;
        }
        if let (Some(table), Some(text)) = (super::languages::table(role), stdin.text.clone()) {
            // A file of PHP is text but for what stands in marks.
            let marked = text.trim_start().strip_prefix("<?php");
            let source = if role == Role::CodePhp {
                marked
            } else {
                Some(text.as_str())
            };
            if stdin.filled || source.is_none() {
                self.found.opaque(calling.index, "inline-code");
            }
            return self.program(calling, table, source.unwrap_or_default(), state);
        }
        let why = if role == Role::CodeSh {
            "dynamic-code"
        } else {
            "inline-code"
        };
        self.found
            .opaque(calling.index, stdin.danger().unwrap_or(why));
    }

    /// A session: what it is told later is not in sight.
    pub(super) fn typed_later(&mut self, index: u32) {
        let target = Target::Name {
            name: "standard input".to_owned(),
        };
        self.found.add(index, EffectKind::Run, Some(target), &[]);
    }

    /// A Makefile on standard input: any of its recipes may run.
    fn makefile_from_stdin(&mut self, calling: &Calling<'_, '_>, state: &State) {
        let text = calling.stdin.and_then(|stdin| stdin.text.as_deref());
        let Some(recipe) = text
            .map(crate::tool::recipe)
            .filter(|recipe| !recipe.is_empty())
        else {
            self.code_from_stdin(calling, Role::Code, state);
            return;
        };
        // Its functions and variables are not followed.
        self.found.opaque(calling.index, "inline-code");
        let frame = self.frame(calling, "here-document", state, Place::Here);
        self.script(recipe.as_bytes(), &frame);
    }

    /// A file of code that is run.
    pub(super) fn script_file(&mut self, calling: &Calling<'_, '_>, value: &Value, state: &State) {
        let index = calling.index;
        if &*value.text == "/dev/fd/63" {
            self.run_output(calling, &calling.substituted.clone(), state);
            return;
        }
        if value.text.starts_with("https://") || value.text.starts_with("http://") {
            self.url(index, value, state);
            self.found.opaque(index, "downloaded");
            return;
        }
        match descriptors::named(value) {
            Some(Named::Number(0)) => {
                self.code_from_stdin(calling, Role::CodeSh, state);
                return;
            }
            Some(Named::Number(fd)) => {
                let held = state.descriptors.get(&fd).cloned().unwrap_or_default();
                self.run_output(calling, &held, state);
                return;
            }
            Some(Named::Unknown) => {
                self.run_output(calling, &Output::unknown(), state);
                return;
            }
            None => {}
        }
        let sources = calling.words.first().and_then(Value::exact);
        if value.known != Known::Whole && matches!(sources, Some("source" | ".")) {
            self.found.opaque(index, "dynamic-code");
        }
        let read = PathEffect {
            kind: EffectKind::Read,
            value,
            tags: &[],
        };
        path_effect(self, index, &read, &state.cwd);
        let before = self.found.effects.len();
        let effect = PathEffect {
            kind: EffectKind::Run,
            value,
            tags: &["script"],
        };
        path_effect(self, index, &effect, &state.cwd);
        let mut written = None;
        for effect in self.found.effects.iter_mut().skip(before) {
            let Some(Target::Path { resolved, zone, .. }) = &effect.target else {
                continue;
            };
            if is_workspace(*zone) {
                effect.kind = EffectKind::WorkspaceCode;
            }
            if let Some(path) = resolved {
                self.world.runs(path);
                let beside = unpacked(path, &self.found.files);
                written = self.found.files.get(path).or(beside).cloned().or(written);
            }
        }
        if let Some(output) = written {
            self.run_output(calling, &output, state);
        }
    }

    /// Runs what was put out earlier in the same call.
    fn run_output(&mut self, calling: &Calling<'_, '_>, output: &Output, state: &State) {
        match &output.text {
            Some(text) => {
                let frame = self.frame(calling, "written-script", state, Place::Here);
                self.script(text.clone().as_bytes(), &frame);
            }
            None => self
                .found
                .opaque(calling.index, output.danger().unwrap_or("dynamic-code")),
        }
    }
}

/// What was unpacked into a directory above a path.
fn unpacked<'f>(path: &str, files: &'f Files) -> Option<&'f Output> {
    let mut dir = path;
    while let Some((above, _)) = dir.rsplit_once('/') {
        let held = files.get(&format!("{above}/*"));
        if held.is_some_and(|output| output.network) {
            return held;
        }
        dir = above;
    }
    None
}

/// What keys type into a terminal: names of some stand for what they do, all else is text.
fn typed(keys: &[Value]) -> String {
    let key = |word: &Value| match word.exact() {
        Some("Enter" | "KPEnter" | "C-m" | "C-j") => "\n".to_owned(),
        Some("Space") => " ".to_owned(),
        Some("Tab" | "C-i") => "\t".to_owned(),
        _ => word.code.to_string(),
    };
    keys.iter().map(key).collect()
}

/// Whether a name of a host is made of what was read: that tells it to whoever answers for the
/// domain.
pub(super) fn tells(name: &Value) -> bool {
    !name.scopes.is_empty() && !name.only_scope && name.code.contains('.')
}

/// Builtins that add words to the code which they run, and how many.
const APPENDING: &[(&str, usize)] = &[("mapfile", 2), ("complete", 3)];

/// `host:path` or `rsync://…`, for programs that take either among their paths.
fn is_remote_path(arguments: &Arguments<'_>, value: &Value) -> bool {
    let takes = arguments.node.tags.contains(&"remote-paths");
    let before = value.text.split('/').next().unwrap_or_default();
    takes && (before.contains(':') || value.known == Known::Nothing)
}

/// `sqlcmd` fills in variables of the environment, and takes lines that begin with a word of its own
/// for commands, which run programs and read files. Its SQL begins a statement without a semicolon.
fn is_more_than_sql(arguments: &Arguments<'_>, value: &Value) -> bool {
    let begins = |word: &str| {
        let word = word.to_ascii_lowercase();
        BEGINNING.contains(&word.as_str())
    };
    let word = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    arguments.program.names.contains(&"sqlcmd")
        && (value.text.contains(['$', '\n', '\r', ';']) || value.text.split(word).any(begins))
}

/// Words that begin a statement of SQL Server that does not only read, beside those of other databases.
const BEGINNING: &[&str] = &[
    "add",
    "backup",
    "begin",
    "break",
    "bulk",
    "close",
    "commit",
    "continue",
    "conversation",
    "dbcc",
    "deallocate",
    "declare",
    "deny",
    "disable",
    "enable",
    "exec",
    "fetch",
    "goto",
    "if",
    "kill",
    "lineno",
    "move",
    "open",
    "print",
    "raiserror",
    "readtext",
    "receive",
    "reconfigure",
    "restore",
    "return",
    "revert",
    "rollback",
    "save",
    "send",
    "setuser",
    "shutdown",
    "throw",
    "updatetext",
    "use",
    "waitfor",
    "while",
    "writetext",
];
