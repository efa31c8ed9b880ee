//! What the name of a tool says that it does.

use super::walk::{End, Visitor, plain, walk};
use countersign_core::EffectKind;
use serde_json::{Map, Value};

const WRITE: &[&str] = &[
    "add",
    "append",
    "apply",
    "capture",
    "copy",
    "cp",
    "create",
    "download",
    "edit",
    "export",
    "extract",
    "generate",
    "insert",
    "install",
    "mkdir",
    "modify",
    "overwrite",
    "patch",
    "put",
    "record",
    "replace",
    "restore",
    "rewrite",
    "save",
    "screenshot",
    "set",
    "store",
    "sync",
    "touch",
    "unpack",
    "unzip",
    "update",
    "upsert",
    "write",
];
const DELETE: &[&str] = &[
    "clean", "clear", "delete", "destroy", "drop", "erase", "prune", "purge", "remove", "rm",
    "rmdir", "shred", "trash", "unlink", "wipe",
];
const MOVE: &[&str] = &["move", "mv", "rename"];
const MODE: &[&str] = &["chmod", "chown", "permissions"];
const SEARCH: &[&str] = &[
    "find", "glob", "grep", "index", "scan", "search", "tree", "walk",
];
const TREE: &[&str] = &[
    "dir",
    "directory",
    "folder",
    "recursive",
    "recursively",
    "rmdir",
    "tree",
];
const DATABASE: &[&str] = &[
    "clickhouse",
    "database",
    "db",
    "duckdb",
    "mariadb",
    "mysql",
    "postgres",
    "postgresql",
    "sql",
    "sqlite",
    "supabase",
];
const TERMINAL: &[&str] = &[
    "bash", "cmd", "command", "console", "exec", "execute", "interact", "keys", "process", "pty",
    "repl", "run", "shell", "ssh", "stdin", "terminal", "tmux",
];

/// Arguments that say which of its works a tool is to do.
const CHOOSING: &[&str] = &[
    "action",
    "command",
    "function",
    "method",
    "mode",
    "op",
    "operation",
    "tool",
    "toolname",
    "type",
    "verb",
];
const READ: &[&str] = &["cat", "get", "head", "load", "open", "read", "show", "view"];

type Effects = Vec<(EffectKind, &'static [&'static str])>;

/// What a tool does to paths, as far as its name and arguments say so.
#[derive(Debug, Clone, Copy, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "any of them may hold with any other"
)]
pub(super) struct Verbs {
    pub(super) writes: bool,
    deletes: bool,
    moves: bool,
    reads: bool,
    modes: bool,
    searches: bool,
    whole: bool,
    pub(super) database: bool,
    pub(super) terminal: bool,
}

impl Verbs {
    pub(super) fn of(tool: &str, input: &Map<String, Value>) -> Self {
        let mut chosen = Chosen { words: words(tool) };
        // What is too much is opaque elsewhere.
        let _whole = walk(input, &mut chosen);
        let words = chosen.words;
        let server = self::all_words(tool);
        let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        Self {
            writes: any(WRITE),
            deletes: any(DELETE),
            moves: any(MOVE),
            reads: any(READ),
            modes: any(MODE),
            searches: any(SEARCH),
            whole: any(TREE),
            database: server.iter().any(|word| DATABASE.contains(&word.as_str())),
            terminal: any(TERMINAL),
        }
    }

    /// What happens to a path that is given for this end.
    pub(super) fn effects(self, end: End) -> Effects {
        let whole: &[&str] = if self.whole { &["recursive"] } else { &[] };
        let mut effects: Effects = Vec::new();
        if end == End::Target {
            return vec![(EffectKind::Write, &["edit"])];
        }
        if self.deletes {
            effects.push((EffectKind::Delete, whole));
        }
        if self.moves {
            effects.push((EffectKind::Move, &["edit"]));
        }
        if self.modes {
            effects.push((EffectKind::Permission, whole));
        }
        if self.writes && end == End::Any {
            effects.push((EffectKind::Write, &["edit"]));
        }
        if effects.is_empty() || self.searches || self.reads {
            let below = self.searches || self.whole;
            effects.push((EffectKind::Read, if below { &["recursive"] } else { &[] }));
        }
        effects
    }
}

/// Collects what a tool is told to do.
struct Chosen {
    words: Vec<String>,
}

impl Visitor for Chosen {
    fn group(&mut self, group: &Map<String, Value>) {
        for (name, value) in group {
            match (plain(name).as_str(), value) {
                ("recursive", Value::Bool(true)) => self.words.push("recursive".to_owned()),
                (name, Value::String(text)) if text.len() < 40 => {
                    // A name may be anybody's; with a `_` it is a tool's.
                    let tool = text.contains('_') && !text.contains(char::is_whitespace);
                    if CHOOSING.contains(&name) || (name == "name" && tool) {
                        self.words.extend(words(text));
                    }
                }
                _ => {}
            }
        }
    }

    fn text(&mut self, _name: &str, _text: &str, _within: bool) {}
}

/// The words of a name, in lower case: `createFile`, `create_file` and `create-file` have the same.
fn words(name: &str) -> Vec<String> {
    all_words(name.rsplit("__").next().unwrap_or(name))
}

/// The same, with those of the server that the tool belongs to.
fn all_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && small) {
            words.push(String::new());
        }
        small = c.is_lowercase() || c.is_numeric();
        if let (true, Some(word)) = (c.is_alphanumeric(), words.last_mut()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::{Verbs, words};

    #[test]
    fn names_are_taken_apart() {
        for (name, expected) in [
            ("mcp__files__writeFile", &["write", "file"][..]),
            ("create_file", &["create", "file"]),
            ("Delete-File", &["delete", "file"]),
            ("MCP:removeAll", &["mcp", "remove", "all"]),
            ("prewrite", &["prewrite"]),
        ] {
            assert_eq!(words(name), expected, "{name}");
        }
        assert!(!Verbs::of("mcp__db__read_rows", &serde_json::Map::new()).writes);
    }
}
