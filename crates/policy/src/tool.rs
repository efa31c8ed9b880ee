//! What a request does, whatever its surface: shell commands through the analysis, tools on files,
//! hosts and everything else through their arguments.

mod arguments;
mod content;
mod family;
mod fetch;
mod files;
mod patch;
mod server;
mod verbs;
mod walk;

pub(crate) use content::recipe;
pub use family::tool_request;
pub(crate) use family::{Family, family};
pub(crate) use patch::{Act, read as read_patch};

use crate::analysis::{Analysis, Cwd, Frame, PathEffect, State, Value, path_effect};
use crate::settings::McpServer;
use crate::{paths, url};
use countersign_core::{CommandView, EffectKind, Place, Request, Surface, Target};
use std::collections::BTreeMap;

/// The tool has no effect of its own.
pub(crate) fn has_no_effect(request: &Request) -> bool {
    matches!(&request.surface, Surface::Other(_)) && request.operation == "none"
}

/// Adds what a request does to an analysis.
pub(crate) fn analyse(
    analysis: &mut Analysis<'_>,
    request: &Request,
    servers: &BTreeMap<String, McpServer>,
) {
    if has_no_effect(request) {
        return;
    }
    let state = first_state(analysis, request);
    if request.surface == Surface::Command {
        return command(analysis, request, state);
    }
    let index = shown(analysis, request);
    let mut tool = Tool {
        analysis,
        index,
        state,
    };
    match &request.surface {
        Surface::FilesystemWrite if request.operation == "patch" => tool.patches(request),
        Surface::FilesystemRead | Surface::FilesystemWrite => tool.files(request),
        Surface::Network => tool.network(request),
        Surface::Command | Surface::Mcp | Surface::Skill | Surface::Other(_) => {
            tool.any(request, servers);
        }
    }
}

/// One call of a tool, under analysis.
#[derive(Debug)]
struct Tool<'t, 'a> {
    analysis: &'t mut Analysis<'a>,
    index: u32,
    state: State,
}

impl Tool<'_, '_> {
    fn add(&mut self, kind: EffectKind, target: Option<Target>, tags: &[&'static str]) {
        self.analysis.found.add(self.index, kind, target, tags);
    }

    fn opaque(&mut self, why: &'static str) {
        self.analysis.found.opaque(self.index, why);
    }

    /// An effect on a path, as a tool is given it.
    fn path(&mut self, kind: EffectKind, path: &str, tags: &[&'static str]) {
        let value = Value {
            text: self.expanded(path).into(),
            source: path.into(),
            ..Value::whole(path)
        };
        self.effect(kind, &value, tags);
    }

    /// An effect on whatever a pattern matches.
    fn pattern(&mut self, kind: EffectKind, pattern: &str, tags: &[&'static str]) {
        let value = Value {
            text: self.expanded(pattern).into(),
            source: pattern.into(),
            glob: paths::has_wildcards(pattern),
            ..Value::whole(pattern)
        };
        self.effect(kind, &value, tags);
    }

    fn effect(&mut self, kind: EffectKind, value: &Value, tags: &[&'static str]) {
        let effect = PathEffect { kind, value, tags };
        path_effect(self.analysis, self.index, &effect, &self.state.cwd);
    }

    fn expanded(&self, path: &str) -> String {
        expanded(&self.analysis.world.facts.home, path)
    }

    /// Whether a path is one of a secret, or of a directory that holds some.
    fn is_secret(&self, path: &str) -> bool {
        let path = self.expanded(path);
        let facts = self.analysis.world.facts;
        self.state.cwd.all().iter().any(|dir| {
            let path = paths::Path::new(&paths::join(dir, &path), facts);
            self.analysis.secret.holds(&path)
        })
    }

    /// Shell source that the tool runs.
    fn source(&mut self, source: &str, state: State) {
        let frame = Frame {
            context: Some("argument".to_owned()),
            parent: Some(self.index),
            depth: 1,
            ..Frame::outermost(state, None)
        };
        self.analysis.script(source.as_bytes(), &frame);
    }
}

/// What a command does that applies a patch; `None` for one that is not known.
pub(crate) fn apply(analysis: &mut Analysis<'_>, index: u32, patch: Option<&str>, state: &State) {
    let mut tool = Tool {
        analysis,
        index,
        state: state.clone(),
    };
    match patch {
        Some(patch) => tool.patch(patch),
        None => tool.opaque("unreadable-patch"),
    }
}

fn first_state(analysis: &Analysis<'_>, request: &Request) -> State {
    let facts = analysis.world.facts;
    let temp = facts.temp_roots.first().map_or("/tmp", String::as_str);
    let mut state = State::new(&facts.home, temp, &request.cwd);
    let given = request.input.iter().flatten();
    let action = request.input.iter().filter_map(|input| input.get("action"));
    let action = action.filter_map(serde_json::Value::as_object).flatten();
    for (name, value) in given.chain(action) {
        let dir = value.as_str().filter(|_| names_directory(request, name));
        if let Some(dir) = dir {
            state.cwd = in_either(&state.cwd, &facts.home, dir);
        }
    }
    state
}

/// A path as tools read it: with the home directory in place, and as a URL.
fn expanded(home: &str, path: &str) -> String {
    let path = path.trim();
    for start in ["~", "$HOME", "${HOME}"] {
        match path.strip_prefix(start) {
            Some("") => return home.to_owned(),
            Some(rest) if rest.starts_with('/') => {
                return paths::join(home, rest.trim_start_matches('/'));
            }
            _ => {}
        }
    }
    let file = path.contains(':').then(|| url::parse(path).file).flatten();
    file.unwrap_or_else(|| path.to_owned())
}

/// Whether an argument says which directory the tool works in.
fn names_directory(request: &Request, name: &str) -> bool {
    let name = walk::plain(name);
    let here = ["directory", "dir"].contains(&name.as_str());
    walk::key(&name) == walk::Key::Directory || (here && request.surface == Surface::Command)
}

/// The directory that a call names, and the one it is made in: not every tool takes such an
/// argument, and what it does not take it passes over.
fn in_either(cwd: &Cwd, home: &str, dir: &str) -> Cwd {
    let dir = expanded(home, dir);
    let mut all: Vec<String> = cwd.all().to_vec();
    for from in all.clone() {
        let there = paths::join(&from, &dir);
        if !all.contains(&there) {
            all.push(there);
        }
    }
    Cwd::any_of(all)
}

fn command(analysis: &mut Analysis<'_>, request: &Request, state: State) {
    let Some(source) = &request.command else {
        let index = shown(analysis, request);
        analysis.found.opaque(index, "no-command");
        return;
    };
    let shell = analysis.world.facts.shell.as_deref();
    let mut frame = Frame::outermost(state, shell);
    for variables in arguments::variables(request.input.as_ref()) {
        let source = format!("export {variables}");
        frame.state = analysis.script(source.as_bytes(), &frame);
    }
    analysis.script(source.as_bytes(), &frame);
    analysis.written_code(&frame.state);
}

/// A tool call as a person reads it: its name and what it is on.
fn shown(analysis: &mut Analysis<'_>, request: &Request) -> u32 {
    let name = request
        .tool_name
        .as_deref()
        .unwrap_or(request.surface.as_str());
    let on = request.path.as_deref().or(request.destination.as_deref());
    let argv: Vec<String> = std::iter::once(name).chain(on).map(str::to_owned).collect();
    let view = CommandView {
        dynamic: vec![false; argv.len()],
        argv,
        context: "tool".to_owned(),
        place: Place::Here,
        span: (0, 0),
        parent: None,
        known: true,
    };
    analysis.found.add_command(view, Vec::new())
}
