//! Tools of which nothing is known but their names and arguments: those of MCP servers, and new ones.

use super::verbs::Verbs;
use super::walk::{self, End, Key, Visitor, end, key, plain, quote, quoted, walk};
use super::{Tool, fetch, in_either, server};
use crate::settings::McpServer;
use crate::{language, paths, url};
use countersign_core::{EffectKind, Request, Surface, Target};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Directories at the top of a file system, which tell a path from other texts with a slash.
const TOP: &[&str] = &[
    "Applications",
    "Library",
    "System",
    "Users",
    "Volumes",
    "bin",
    "boot",
    "dev",
    "etc",
    "home",
    "lib",
    "media",
    "mnt",
    "opt",
    "private",
    "proc",
    "root",
    "run",
    "sbin",
    "srv",
    "sys",
    "tmp",
    "usr",
    "var",
];

/// Names of arguments that are typed into whatever a terminal runs.
const TYPED: &[&str] = &[
    "chars",
    "code",
    "data",
    "input",
    "keys",
    "keystrokes",
    "line",
    "lines",
    "text",
];

impl Tool<'_, '_> {
    /// A call that is judged by its arguments. It stays a call of a program that is not known,
    /// unless the owner knows it.
    pub(super) fn any(&mut self, request: &Request, servers: &BTreeMap<String, McpServer>) {
        let name = request
            .tool_name
            .as_deref()
            .unwrap_or(request.surface.as_str());
        let before = self.analysis.found.effects.len();
        if let Some(input) = &request.input {
            let mut seen = Seen {
                verbs: Verbs::of(name, input),
                path: walk::first_path(input).map(str::to_owned),
                words: Vec::new(),
                tool: self,
            };
            let whole = walk(input, &mut seen).is_some();
            let words = std::mem::take(&mut seen.words);
            if !whole {
                self.opaque("arguments");
            }
            self.hands_over(&words);
        }
        if let Some(path) = &request.path {
            self.path(EffectKind::Read, path, &[]);
        }
        let hints = server::hints(request, servers);
        let found = &self.analysis.found;
        let quiet = found.later.is_empty()
            && found.commands.len() == 1
            && found
                .effects
                .iter()
                .skip(before)
                .all(|effect| effect.kind == EffectKind::Read);
        if hints.reads && quiet && request.surface == Surface::Mcp {
            self.add(EffectKind::Read, None, &["tool"]);
            return;
        }
        let target = Target::Name {
            name: name.to_owned(),
        };
        let tags: &[&'static str] = if hints.destroys {
            &["tool", "destructive-tool"]
        } else {
            &["tool"]
        };
        self.add(EffectKind::Run, Some(target), tags);
    }
}

struct Seen<'s, 't, 'a> {
    tool: &'s mut Tool<'t, 'a>,
    verbs: Verbs,
    /// The path that texts without one of their own belong to.
    path: Option<String>,
    /// Every text that may go out.
    words: Vec<String>,
}

impl Visitor for Seen<'_, '_, '_> {
    fn group(&mut self, group: &Map<String, Value>) {
        self.commands(group);
        let sends = fetch::has_sending_method(group);
        let path = walk::first_path(group).map(str::to_owned);
        let path = path.or_else(|| self.path.clone());
        for (name, value) in group {
            let Value::String(text) = value else { continue };
            match (key(&plain(name)), &path) {
                (Key::Url, _) if sends => self.tool.upload(text),
                (Key::Prose, Some(path)) if self.verbs.writes => self.tool.content(path, text),
                _ => {}
            }
        }
    }

    fn text(&mut self, name: &str, text: &str, within: bool) {
        self.words.push(text.to_owned());
        let key = key(name);
        if text.trim_start().starts_with("*** Begin Patch") {
            self.tool.patch(text);
        }
        if self.verbs.terminal && TYPED.contains(&name) {
            self.tool.perhaps_code(text);
        }
        match key {
            Key::Command if within => self.tool.source(text, self.tool.state.clone()),
            // Text for people, and what is a part of what the group runs.
            Key::Prose | Key::Command | Key::Words | Key::Variables | Key::Stdin => {
                self.if_secret(text);
            }
            _ if url::has_scheme(text) => self.url(text),
            Key::Url if begins_path(text) => self.path(name, text),
            Key::Url => self.url(text),
            Key::Path => self.path(name, text),
            Key::Directory => self.tool.path(EffectKind::Read, text, &[]),
            Key::MaybePath if looks_like_path(text) => self.path(name, text),
            Key::Sql => self.statements(text),
            Key::Query if self.verbs.database || begins_statement(text) => self.statements(text),
            Key::Glob => self.tool.pattern(EffectKind::Read, text, &["named"]),
            _ if is_local(text) => self.path(name, text),
            _ => {
                let host = url::parse(text).host;
                if matches!(key, Key::Host | Key::MaybePath) && url::is_metadata(&host) {
                    let target = Some(Target::Host { host });
                    self.tool.add(EffectKind::Receive, target, &[]);
                }
                self.if_secret(text);
            }
        }
    }
}

impl Seen<'_, '_, '_> {
    fn path(&mut self, name: &str, text: &str) {
        for (kind, tags) in self.verbs.effects(end(name)) {
            if paths::has_wildcards(text) {
                self.tool.pattern(kind, text, tags);
            } else {
                self.tool.path(kind, text, tags);
            }
        }
    }

    fn url(&mut self, text: &str) {
        let files = self.verbs.effects(End::Any);
        self.tool.url(text, &files);
    }

    /// A text that is the path of a secret is taken for one, whatever it is called.
    fn if_secret(&mut self, text: &str) {
        if is_local(text) && self.tool.is_secret(text) {
            self.tool.path(EffectKind::Read, text, &[]);
        }
    }

    /// Statements that change something, or that cannot be read, are flagged; reading ones are not.
    fn statements(&mut self, text: &str) {
        if !language::sql(text) {
            self.tool.add(EffectKind::Run, None, &["sql"]);
        }
    }

    /// The commands that a group of arguments spells.
    fn commands(&mut self, group: &Map<String, Value>) {
        let named = |wanted: Key| {
            group
                .iter()
                .filter(move |(name, _)| key(&plain(name)) == wanted)
        };
        let words = named(Key::Words).find_map(|(_, value)| match value {
            Value::Array(_) => quoted(value),
            // A text is one word to some and source to others; source holds more.
            Value::String(text) => Some(text.clone()),
            _ => None,
        });
        let mut state = self.tool.state.clone();
        for dir in named(Key::Directory).filter_map(|(_, value)| value.as_str()) {
            let home = &self.tool.analysis.world.facts.home;
            state.cwd = in_either(&state.cwd, home, dir);
        }
        let around = Around {
            before: named(Key::Variables)
                .filter_map(|(_, value)| value.as_object())
                .flat_map(assignments)
                .collect(),
            after: words.map(|words| format!(" {words}")).unwrap_or_default(),
            stdin: named(Key::Stdin)
                .find_map(|(_, value)| value.as_str())
                .map(|text| format!(" <<<{}", quote(text)))
                .unwrap_or_default(),
        };
        for (_, value) in named(Key::Command) {
            for source in sources(value) {
                // A word that says which of its works a tool is to do runs nothing.
                if is_choice(&source, group) {
                    continue;
                }
                self.tool.source(&around.put(&source), state.clone());
            }
        }
    }
}

/// What other arguments add to a command.
struct Around {
    before: String,
    after: String,
    stdin: String,
}

impl Around {
    fn put(&self, source: &str) -> String {
        format!("{}{source}{}{}", self.before, self.after, self.stdin)
    }
}

/// The readings of a command's value: source, the words of one command, or several sources.
fn sources(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => {
            let texts: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            let spaced = |text: &&str| text.trim().contains(char::is_whitespace);
            let mut sources = Vec::new();
            if !texts.first().is_some_and(spaced) {
                sources.extend(quoted(value).filter(|_| !items.is_empty()));
            }
            if texts.iter().any(spaced) {
                sources.extend(texts.into_iter().filter(spaced).map(str::to_owned));
            }
            sources
        }
        _ => Vec::new(),
    }
}

/// `command: "view"` beside a path, and the name of a shell that waits for input.
fn is_choice(source: &str, group: &Map<String, Value>) -> bool {
    let one = !source.is_empty() && source.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let beside = |wanted: Key| group.keys().any(|name| key(&plain(name)) == wanted);
    one && !beside(Key::Words)
        && !beside(Key::Stdin)
        && [
            "append",
            "create",
            "delete",
            "insert",
            "move",
            "read",
            "rename",
            "replace",
            "str_replace",
            "undo_edit",
            "update",
            "view",
            "write",
        ]
        .contains(&source)
}

/// The variables that a shell tool is told to set, each list of them as a shell is told.
pub(super) fn variables(input: Option<&Map<String, Value>>) -> Vec<String> {
    let action = input.and_then(|input| input.get("action")?.as_object());
    [input, action]
        .into_iter()
        .flatten()
        .flatten()
        .filter(|(name, _)| key(&plain(name)) == Key::Variables)
        .filter_map(|(_, value)| value.as_object())
        .map(|variables| assignments(variables).concat())
        .filter(|variables| !variables.is_empty())
        .collect()
}

/// Variables as a shell sets them for one command.
fn assignments(variables: &Map<String, Value>) -> Vec<String> {
    let name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    variables
        .iter()
        .filter(|(key, _)| name(key))
        .filter_map(|(key, value)| Some(format!("{key}={} ", quote(value.as_str()?))))
        .collect()
}

fn begins_path(text: &str) -> bool {
    let text = text.trim();
    let starts = ["/", "~/", "./", "../", "$HOME", "${HOME}"];
    matches!(text, "~" | "." | "..") || starts.iter().any(|start| text.starts_with(start))
}

/// Where the name of an argument leaves open whether it is one.
fn looks_like_path(text: &str) -> bool {
    let text = text.trim();
    let plain = text.contains('/') && !text.contains(char::is_whitespace);
    begins_path(text)
        || (plain && !url::has_scheme(text))
        || (text.starts_with('.') && text.len() > 1 && !text.contains(char::is_whitespace))
}

/// A path on this machine, whatever the argument is called.
fn is_local(text: &str) -> bool {
    let text = text.trim();
    if text.contains('\n') || text.len() > 4096 {
        return false;
    }
    let first = text
        .strip_prefix('/')
        .map(|rest| rest.trim_start_matches(['/', '.']));
    let top = first.and_then(|rest| rest.split('/').next());
    ["~/", "$HOME/", "${HOME}/"]
        .iter()
        .any(|start| text.starts_with(start))
        || text == "/"
        || top.is_some_and(|top| TOP.contains(&top))
}

/// Without the comments that it begins with.
fn without_comments(text: &str) -> &str {
    let mut text = text.trim_start();
    loop {
        let rest = match (text.strip_prefix("/*"), text.strip_prefix("--")) {
            (Some(comment), _) => comment.split_once("*/"),
            (_, Some(comment)) => comment.split_once('\n'),
            _ => return text,
        };
        text = rest.map_or("", |(_, rest)| rest.trim_start());
    }
}

/// Whether a question begins as statements of SQL that change something do.
fn begins_statement(text: &str) -> bool {
    let words: Vec<String> = without_comments(text)
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .take(64)
        .map(str::to_lowercase)
        .collect();
    let has = |word: &str| words.iter().any(|found| found == word);
    match words.first().map(String::as_str) {
        Some("delete") => has("from"),
        Some("insert" | "merge") => has("into"),
        Some("update") => has("set"),
        Some("drop" | "alter" | "create" | "truncate") => [
            "table", "database", "schema", "index", "view", "user", "role", "column",
        ]
        .iter()
        .any(|kind| has(kind)),
        Some("grant" | "revoke") => has("on") || has("to"),
        Some("with") => has("delete") || has("update") || has("insert"),
        _ => false,
    }
}
