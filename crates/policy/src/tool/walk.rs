//! The arguments of a tool, at any depth, by what their names say of them.

use countersign_core::parse_strict;
use serde_json::{Map, Value};

/// How deep arguments are looked at, and how many. More is opaque, never skipped.
const MAX_DEPTH: usize = 32;
const MAX_VALUES: usize = 20_000;

/// The longest text that is read as JSON of its own.
const MAX_TEXT: usize = 64 << 10;

/// What the name of an argument says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// A path that the tool does its work on.
    Path,
    /// A path, if it looks like one.
    MaybePath,
    /// A directory to work in.
    Directory,
    Url,
    Host,
    Sql,
    /// It may be SQL or any other question.
    Query,
    /// Text for people or for a file.
    Prose,
    /// A command line, or the words of a command.
    Command,
    /// The words that follow a command's name.
    Words,
    /// What a command reads.
    Stdin,
    /// Variables for a command.
    Variables,
    /// Wildcards that say which files.
    Glob,
    Other,
}

/// What the end of a path that a tool is given is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Whatever the tool does.
    Any,
    /// What it takes from.
    Source,
    /// What it puts there.
    Target,
}

/// A name in lower case, without `_`, `-` and the like.
pub(super) fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

const KEYS: &[(Key, &[&str])] = &[
    (
        Key::Directory,
        &[
            "basedir",
            "cwd",
            "dirpath",
            "gitdir",
            "projectdir",
            "projectroot",
            "repopath",
            "rootdir",
            "workdir",
            "workingdir",
            "workingdirectory",
            "workspaceroot",
        ],
    ),
    (
        Key::MaybePath,
        &[
            "destination",
            "dest",
            "dst",
            "entries",
            "entry",
            "from",
            "input",
            "item",
            "items",
            "location",
            "locations",
            "new",
            "newname",
            "object",
            "old",
            "oldname",
            "out",
            "output",
            "resource",
            "resources",
            "root",
            "roots",
            "saveas",
            "saveto",
            "source",
            "sources",
            "src",
            "target",
            "targets",
            "to",
        ],
    ),
    (
        Key::Url,
        &[
            "baseurl",
            "endpoint",
            "endpoints",
            "href",
            "link",
            "links",
            "uri",
            "uris",
            "url",
            "urls",
            "webhook",
            "website",
        ],
    ),
    (
        Key::Host,
        &[
            "address",
            "addresses",
            "domain",
            "gateway",
            "host",
            "hostname",
            "hostnames",
            "hosts",
            "ip",
            "ipaddress",
            "ips",
            "origin",
            "proxy",
            "server",
            "servers",
        ],
    ),
    (Key::Sql, &["sql", "sqlquery", "statement", "statements"]),
    (Key::Query, &["q", "query", "queries"]),
    (
        Key::Prose,
        &[
            "body",
            "comment",
            "content",
            "contents",
            "data",
            "description",
            "filetext",
            "html",
            "insertline",
            "instructions",
            "markdown",
            "message",
            "newcontent",
            "newsource",
            "newstr",
            "newstring",
            "newtext",
            "note",
            "oldstr",
            "oldstring",
            "oldtext",
            "prompt",
            "replacement",
            "summary",
            "text",
            "title",
        ],
    ),
    (
        Key::Command,
        &[
            "argv",
            "bash",
            "cmd",
            "cmds",
            "cmdline",
            "command",
            "commandline",
            "commands",
            "exec",
            "executable",
            "interpreter",
            "program",
            "script",
            "scripts",
            "sh",
            "shell",
            "shellcommand",
        ],
    ),
    (
        Key::Words,
        &["args", "arguments", "cmdargs", "commandargs", "params"],
    ),
    (Key::Stdin, &["stdin", "standardinput"]),
    (
        Key::Variables,
        &["env", "environment", "environmentvariables", "envvars"],
    ),
    (
        Key::Glob,
        &["glob", "globs", "include", "includes", "patterns"],
    ),
];

/// Endings of names of paths, and names that end so by accident.
const PATH_ENDINGS: &[&str] = &[
    "dir",
    "directories",
    "directory",
    "dirs",
    "file",
    "filename",
    "filenames",
    "files",
    "folder",
    "folders",
    "path",
    "paths",
    "pathname",
];
const NO_PATHS: &[&str] = &["jmespath", "jsonpath", "profile", "profiles", "xpath"];

/// What the name of an argument says, once it is [`plain`].
pub(super) fn key(name: &str) -> Key {
    if let Some((key, _)) = KEYS.iter().find(|(_, names)| names.contains(&name)) {
        return *key;
    }
    let path = PATH_ENDINGS.iter().any(|ending| name.ends_with(ending));
    if path && !NO_PATHS.contains(&name) {
        return Key::Path;
    }
    if name.ends_with("url") || name.ends_with("uri") {
        return Key::Url;
    }
    Key::Other
}

/// What a path under this name is for.
pub(super) fn end(name: &str) -> End {
    let begins = |starts: &[&str]| starts.iter().any(|start| name.starts_with(start));
    if begins(&["dest", "dst", "new", "out", "save", "to", "export"]) && !begins(&["tool", "token"])
    {
        End::Target
    } else if begins(&["from", "old", "source", "src", "input"]) {
        End::Source
    } else {
        End::Any
    }
}

/// The first argument that names a path.
pub(super) fn first_path(input: &Map<String, Value>) -> Option<&str> {
    ["file_path", "notebook_path", "path"]
        .iter()
        .find_map(|name| input.get(*name))
        .or_else(|| {
            let named = |(name, _): &(&String, &Value)| key(&plain(name)) == Key::Path;
            input.iter().find(named).map(|(_, value)| value)
        })
        .and_then(Value::as_str)
}

/// The words of a list as a shell would be given them; what is no text is a word that nobody knows.
pub(super) fn quoted(words: &Value) -> Option<String> {
    let words = words.as_array()?.iter().map(|word| match word {
        Value::String(text) => quote(text),
        Value::Number(number) => number.to_string(),
        _ => "\"$_\"".to_owned(),
    });
    Some(words.collect::<Vec<_>>().join(" "))
}

/// One word in quotes.
pub(super) fn quote(word: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "_-./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(bare) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Who is told of the arguments.
pub(super) trait Visitor {
    /// A group of arguments, before each of them.
    fn group(&mut self, group: &Map<String, Value>);
    /// One text, under the plain name of the argument that it belongs to. `within`: it lies deeper
    /// in that argument than its group shows.
    fn text(&mut self, name: &str, text: &str, within: bool);
}

/// Tells a visitor of every argument; `None` when there were too many, they lie too deep, or a text
/// has more than one reading.
pub(super) fn walk(input: &Map<String, Value>, visitor: &mut impl Visitor) -> Option<()> {
    let mut left = MAX_VALUES;
    let mut inner: Vec<(String, usize, Value)> = Vec::new();
    each(input, "", 0, &mut left, &mut inner, visitor)?;
    while let Some((name, depth, value)) = inner.pop() {
        let mut found = Vec::new();
        match &value {
            Value::Object(group) => each(group, &name, depth, &mut left, &mut found, visitor)?,
            other => {
                let group = Map::from_iter([(name.clone(), other.clone())]);
                each(&group, "", depth, &mut left, &mut found, visitor)?;
            }
        }
        inner.append(&mut found);
    }
    Some(())
}

/// Walks one group without recursion. Texts that are JSON themselves are put aside in `inner`.
fn each(
    input: &Map<String, Value>,
    name: &str,
    depth: usize,
    left: &mut usize,
    inner: &mut Vec<(String, usize, Value)>,
    visitor: &mut impl Visitor,
) -> Option<()> {
    let mut stack = vec![];
    visitor.group(input);
    stack.extend(children(name, depth, input));
    while let Some(at) = stack.pop() {
        *left = left.checked_sub(1)?;
        if at.depth > MAX_DEPTH {
            return None;
        }
        let below = at.depth.saturating_add(1);
        match at.value {
            Value::Object(group) => {
                visitor.group(group);
                stack.extend(children(&at.name, below, group));
            }
            Value::Array(values) => stack.extend(values.iter().rev().map(|value| At {
                name: at.name.clone(),
                depth: below,
                within: at.within || value.is_array(),
                value,
            })),
            Value::String(text) => {
                visitor.text(&at.name, text, at.within);
                if key(&at.name) != Key::Prose {
                    match embedded(text) {
                        Embedded::No => {}
                        Embedded::Yes(value) => inner.push((at.name, below, value)),
                        Embedded::Doubtful => return None,
                    }
                }
            }
            _ => {}
        }
    }
    Some(())
}

/// A value, and where the walk has found it.
struct At<'v> {
    name: String,
    depth: usize,
    within: bool,
    value: &'v Value,
}

/// The arguments of a group, the first one last. One whose own name says nothing goes by the name
/// of the group.
fn children<'v>(group: &str, depth: usize, values: &'v Map<String, Value>) -> Vec<At<'v>> {
    let speaks = key(group) != Key::Other;
    let child = |(name, value): (&String, &'v Value)| {
        let own = plain(name);
        let within = speaks && key(&own) == Key::Other;
        At {
            name: if within { group.to_owned() } else { own },
            depth,
            within,
            value,
        }
    };
    values.iter().rev().map(child).collect()
}

/// What a text is as JSON.
enum Embedded {
    No,
    Yes(Value),
    /// JSON to one reader and not to another, or too long to say.
    Doubtful,
}

fn embedded(text: &str) -> Embedded {
    let trimmed = text.trim();
    if !trimmed.starts_with(['{', '[']) {
        return Embedded::No;
    }
    if trimmed.len() > MAX_TEXT {
        return Embedded::Doubtful;
    }
    match parse_strict(trimmed.as_bytes()) {
        Ok(value) => Embedded::Yes(value),
        Err(_) if serde_json::from_str::<Value>(trimmed).is_ok() => Embedded::Doubtful,
        Err(_) => Embedded::No,
    }
}
