//! Tools that fetch.

use super::Tool;
use super::walk::{Key, Visitor, key, plain, walk};
use crate::{exchange, url};
use countersign_core::{EffectKind, Request, Target};
use serde_json::{Map, Value};

impl Tool<'_, '_> {
    pub(super) fn network(&mut self, request: &Request) {
        let Some(destination) = &request.destination else {
            return self.unnamed(request);
        };
        self.url(destination, &[]);
        let mut words = vec![destination.clone()];
        self.others(request, &mut words);
        self.hands_over(&words);
    }

    /// A search, or a fetch whose URLs stand elsewhere: under another name, or in what is asked.
    fn unnamed(&mut self, request: &Request) {
        if request.operation == "search" {
            return self.add(EffectKind::Send, None, &["search"]);
        }
        let before = self.analysis.found.effects.len();
        let mut words = Vec::new();
        self.others(request, &mut words);
        let prompt = request.input.as_ref().and_then(|input| input.get("prompt"));
        let prompt = prompt.and_then(Value::as_str).unwrap_or_default();
        let apart = |c: char| c.is_whitespace() || "<>\"'()`,".contains(c);
        for word in prompt.split(apart).filter(|word| url::has_scheme(word)) {
            self.url(word, &[]);
            words.push(word.to_owned());
        }
        if self.analysis.found.effects.len() == before {
            self.add(EffectKind::Send, None, &[]);
        }
        self.hands_over(&words);
    }

    /// Other URLs among the arguments, and every text: a header is one.
    fn others(&mut self, request: &Request, words: &mut Vec<String>) {
        let Some(input) = &request.input else { return };
        let mut seen = Seen { tool: self, words };
        if walk(input, &mut seen).is_none() {
            self.opaque("arguments");
        }
    }

    /// Judges what goes out with a call.
    pub(super) fn hands_over(&mut self, words: &[String]) {
        let words = words.iter().map(String::as_str);
        exchange::note(&mut self.analysis.found, self.index, words);
    }

    /// A URL that is fetched. One of a file is a path, with what the tool does to paths in `files`.
    pub(super) fn url(&mut self, text: &str, files: &[(EffectKind, &[&'static str])]) {
        let parsed = url::parse(text);
        if let Some(path) = parsed.file {
            let read = (EffectKind::Read, &[][..]);
            let files = if files.is_empty() { &[read] } else { files };
            for (kind, tags) in files {
                self.path(*kind, &path, tags);
            }
            return;
        }
        let loopback = parsed.plain && url::is_loopback(&parsed.host);
        let tags: &[&'static str] = if loopback { &["loopback"] } else { &[] };
        let target = Target::Host { host: parsed.host };
        self.add(EffectKind::Receive, Some(target), tags);
    }

    /// A call that sends something to the host of a URL.
    pub(super) fn upload(&mut self, text: &str) {
        let parsed = url::parse(text);
        if parsed.file.is_none() {
            let loopback = parsed.plain && url::is_loopback(&parsed.host);
            let tags: &[&str] = if loopback { &["loopback"] } else { &["upload"] };
            let target = Target::Host { host: parsed.host };
            self.add(EffectKind::Send, Some(target), tags);
        }
    }
}

/// Arguments of a fetch that are sent.
const BODIES: &[&str] = &[
    "body", "data", "form", "formdata", "json", "payload", "postdata",
];

/// Methods that only ask.
const ASKING: &[&str] = &["get", "head", "options"];

/// Whether arguments name a method that does more than ask.
pub(super) fn has_sending_method(group: &Map<String, Value>) -> bool {
    group.iter().any(|(name, value)| {
        let method = ["method", "httpmethod", "verb"].contains(&plain(name).as_str());
        let text = value.as_str().unwrap_or("GET").trim().to_lowercase();
        method && !ASKING.contains(&text.as_str()) && text.chars().all(char::is_alphabetic)
    })
}

struct Seen<'s, 't, 'a> {
    tool: &'s mut Tool<'t, 'a>,
    words: &'s mut Vec<String>,
}

impl Visitor for Seen<'_, '_, '_> {
    fn group(&mut self, group: &Map<String, Value>) {
        let body = group
            .keys()
            .any(|name| BODIES.contains(&plain(name).as_str()));
        if body || has_sending_method(group) {
            for (name, value) in group {
                if let (Key::Url, Value::String(text)) = (key(&plain(name)), value) {
                    self.tool.upload(text);
                }
            }
        }
    }

    fn text(&mut self, name: &str, text: &str, _within: bool) {
        match key(name) {
            Key::Url => self.tool.url(text, &[]),
            Key::Prose => return,
            _ if url::has_scheme(text) => self.tool.url(text, &[]),
            _ => {}
        }
        self.words.push(text.to_owned());
    }
}
