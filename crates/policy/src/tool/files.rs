//! Tools on files: whatever their arguments name is read, written or removed.

use super::walk::{End, Key, Visitor, end, key, walk};
use super::{Act, Tool, read_patch};
use crate::{paths, url};
use countersign_core::{EffectKind, Request, Surface};
use serde_json::{Map, Value};

/// Arguments that hold a patch, by their plain names.
const PATCHES: &[&str] = &[
    "command",
    "content",
    "diff",
    "input",
    "patch",
    "patchtext",
    "text",
];

impl Tool<'_, '_> {
    pub(super) fn files(&mut self, request: &Request) {
        let search = request.operation == "search";
        let kinds = kinds(request);
        let mut seen = Seen {
            tool: self,
            kinds: &kinds,
            search,
            writes: request.surface == Surface::FilesystemWrite,
            path: None,
            named: false,
        };
        let given = request.path.as_deref().or(search.then_some("."));
        if let Some(path) = given {
            seen.path(path);
        }
        if let Some(path) = &request.resolved_path {
            seen.path(path);
        }
        seen.path = given.map(str::to_owned);
        let too_much = request
            .input
            .as_ref()
            .is_some_and(|input| walk(input, &mut seen).is_none());
        let named = seen.named;
        if too_much {
            self.opaque("arguments");
        }
        if !named {
            self.opaque("no-path");
        }
    }

    /// Every patch among the arguments.
    pub(super) fn patches(&mut self, request: &Request) {
        let mut found = false;
        for (name, value) in request.input.iter().flatten() {
            if !PATCHES.contains(&super::walk::plain(name).as_str()) {
                continue;
            }
            let texts = match value {
                Value::Array(words) => words.as_slice(),
                one => std::slice::from_ref(one),
            };
            for text in texts.iter().filter_map(Value::as_str) {
                // `["apply_patch", "*** Begin Patch …"]`
                if super::family(text) != super::Family::Patch {
                    found = true;
                    self.patch(text);
                }
            }
        }
        if let Some(path) = &request.path {
            self.path(EffectKind::Write, path, &["edit"]);
        }
        if !found {
            self.opaque("unreadable-patch");
        }
    }

    pub(super) fn patch(&mut self, text: &str) {
        let Some(changes) = read_patch(text) else {
            return self.opaque("unreadable-patch");
        };
        for change in changes {
            let kind = match change.act {
                Act::Write => EffectKind::Write,
                Act::Delete => EffectKind::Delete,
                Act::Move => EffectKind::Move,
            };
            self.path(kind, &change.path, &["edit"]);
            self.content(&change.path, &change.text);
        }
    }
}

/// What a tool does to the paths that it is given, with the tags of that.
fn kinds(request: &Request) -> Vec<(EffectKind, &'static [&'static str])> {
    let read = (EffectKind::Read, &[][..]);
    if request.surface == Surface::FilesystemRead {
        return match request.operation.as_str() {
            "search" => vec![(EffectKind::Read, &["recursive"])],
            _ => vec![read],
        };
    }
    let edit = &["edit"][..];
    match request.operation.as_str() {
        "delete" => vec![(EffectKind::Delete, edit)],
        "rename" => vec![(EffectKind::Move, edit)],
        "chmod" | "chown" => vec![(EffectKind::Permission, edit)],
        // One tool that shows and changes, as an argument says.
        "edit"
            if request.tool_name.as_deref().map(super::family) == Some(super::Family::Editor) =>
        {
            vec![(EffectKind::Write, edit), read]
        }
        _ => vec![(EffectKind::Write, edit)],
    }
}

struct Seen<'s, 't, 'a> {
    tool: &'s mut Tool<'t, 'a>,
    kinds: &'s [(EffectKind, &'static [&'static str])],
    search: bool,
    writes: bool,
    /// The path that texts without one of their own belong to.
    path: Option<String>,
    named: bool,
}

impl Seen<'_, '_, '_> {
    fn path(&mut self, path: &str) {
        self.named = true;
        if url::has_scheme(path) {
            return self.tool.url(path, self.kinds);
        }
        for &(kind, tags) in self.kinds {
            self.tool.path(kind, path, tags);
        }
    }
}

impl Visitor for Seen<'_, '_, '_> {
    fn group(&mut self, group: &Map<String, Value>) {
        if !self.writes {
            return;
        }
        let own = super::walk::first_path(group);
        let Some(path) = own.map(str::to_owned).or_else(|| self.path.clone()) else {
            return;
        };
        for (name, value) in group {
            if let (Key::Prose, Value::String(text)) = (key(&super::walk::plain(name)), value) {
                self.tool.content(&path, text);
            }
        }
    }

    fn text(&mut self, name: &str, text: &str, _within: bool) {
        match key(name) {
            Key::Path => self.path(text),
            Key::Directory if self.search => self.path(text),
            Key::MaybePath if self.writes && end(name) == End::Target => {
                self.tool.path(EffectKind::Write, text, &["edit"]);
            }
            // Which files a search opens below its directory.
            Key::Glob if self.search && !text.starts_with('!') => self.below(text),
            _ if self.search && name == "pattern" && is_place(text) => self.below(text),
            _ => {}
        }
    }
}

impl Seen<'_, '_, '_> {
    fn below(&mut self, patterns: &str) {
        let dir = self.path.clone().unwrap_or_else(|| ".".to_owned());
        let Some(all) = alternatives(patterns) else {
            return self.tool.opaque("arguments");
        };
        let all = all.iter().flat_map(|pattern| pattern.split([',', ' ']));
        for pattern in all.filter(|pattern| !pattern.is_empty()) {
            // Any directories in between could be any that holds secrets: only names that are given
            // count.
            let pattern = &pattern.replace("**/", "");
            let joined = if is_place(pattern) {
                pattern.clone()
            } else {
                format!("{}/{pattern}", dir.trim_end_matches('/'))
            };
            // `*` alone says nothing of what it finds.
            let last = paths::base_name(&joined);
            if last.starts_with('.') || last.chars().any(char::is_alphanumeric) {
                self.tool.pattern(EffectKind::Read, &joined, &["named"]);
            }
        }
    }
}

/// What a pattern with braces stands for; `None` when that is too much.
fn alternatives(pattern: &str) -> Option<Vec<String>> {
    let mut todo = vec![pattern.to_owned()];
    let mut done = Vec::new();
    let mut left = 500_usize;
    while let Some(next) = todo.pop() {
        left = left.checked_sub(1)?;
        let braces = next.find('}').and_then(|close| {
            let before = next.get(..close)?;
            let open = before.rfind('{')?;
            let inner = before.get(open.saturating_add(1)..)?;
            Some((
                before.get(..open)?,
                inner,
                next.get(close.saturating_add(1)..)?,
            ))
        });
        match braces {
            Some((before, inner, after)) => {
                todo.extend(inner.split(',').map(|one| format!("{before}{one}{after}")));
            }
            None => done.push(next),
        }
    }
    Some(done)
}

/// It begins as a path does that lies outside the directory searched.
fn is_place(text: &str) -> bool {
    ["/", "~/", "../", "$HOME"]
        .iter()
        .any(|start| text.starts_with(start))
}
