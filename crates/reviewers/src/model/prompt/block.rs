//! The labelled blocks. What stands in them is redacted first and escaped then, piece by piece.

use super::super::text::{escape::escape, redact::redact};
use countersign_core::{Case, CommandView, EvidenceItem, EvidenceKind, Judgement, Place, Request};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A block around a text that is safe already.
pub(super) fn element(name: &str, attribute: Option<(&str, &str)>, inner: &str) -> String {
    let attribute = attribute.map_or_else(String::new, |(key, value)| {
        format!(
            " {key}=\"{}\"",
            value.replace('"', "&quot;").replace(['\n', '\t'], " ")
        )
    });
    let break_line = if inner.ends_with('\n') { "\n" } else { "" };
    format!("<{name}{attribute}>{break_line}{inner}</{name}>\n")
}

/// A block around somebody's text.
fn untrusted(name: &str, attribute: Option<(&str, &str)>, text: &str) -> String {
    let mut inner = safe(text);
    if inner.contains('\n') || inner.len() > 80 {
        inner.push('\n');
    }
    element(name, attribute, &inner)
}

fn safe(text: &str) -> String {
    escape(&redact(text))
}

pub(super) fn evidence_item(item: &EvidenceItem) -> String {
    let name = match item.kind {
        EvidenceKind::User => "user",
        EvidenceKind::Agent => "agent",
        EvidenceKind::ToolCall => "tool-call",
        EvidenceKind::ToolResult => "tool-result",
    };
    untrusted(name, None, &item.text)
}

pub(super) fn override_block(case: &Case) -> String {
    case.trusted_override
        .as_ref()
        .map_or_else(String::new, |given| {
            let mut inner = untrusted("by", None, &given.by);
            if let Some(note) = &given.note {
                inner.push_str(&untrusted("note", None, note));
            }
            element("trusted-override", None, &inner)
        })
}

/// The call. Its ids are left out: they say nothing about it.
pub(super) fn action(request: &Request) -> String {
    let mut inner = String::new();
    for (name, text) in [
        ("surface", Some(request.surface.as_str())),
        ("operation", Some(request.operation.as_str())),
        ("tool", request.tool_name.as_deref()),
        ("skill", request.skill_name.as_deref()),
        ("agent", request.agent.as_deref()),
        ("cwd", Some(request.cwd.as_str())),
        ("path", request.path.as_deref()),
        ("resolved-path", request.resolved_path.as_deref()),
        ("destination", request.destination.as_deref()),
        ("command", request.command.as_deref()),
    ] {
        if let Some(text) = text {
            inner.push_str(&untrusted(name, None, text));
        }
    }
    for (key, value) in request.input.iter().flatten() {
        let text = match value {
            // It stands there already, as the command.
            Value::String(text) if Some(text) == request.command.as_ref() => continue,
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        inner.push_str(&untrusted("input", Some(("name", &safe(key))), &text));
    }
    if let Some(rule) = &request.matched_policy {
        inner.push_str(&as_json("agents-own-rule", rule));
    }
    element("action", None, &inner)
}

pub(super) fn judgement(judgement: &Judgement) -> String {
    let mut inner = String::new();
    for (nth, command) in judgement.commands.iter().enumerate() {
        inner.push_str(&as_json("command", &command_facts(nth, command)));
    }
    for effect in &judgement.effects {
        inner.push_str(&as_json("effect", effect));
    }
    for hit in &judgement.hits {
        inner.push_str(&as_json("rule", hit));
    }
    if judgement.rule_allowed {
        inner.push_str("<note>the owner's allow rules cover every command</note>\n");
    }
    for note in &judgement.diagnostics {
        inner.push_str(&untrusted("note", None, note));
    }
    if inner.is_empty() {
        inner.push_str("(nothing)\n");
    }
    element("judgement", None, &inner)
}

/// What matters of a command; what is as usual is left out.
fn command_facts(nth: usize, command: &CommandView) -> Map<String, Value> {
    let unknown: Vec<usize> = command
        .dynamic
        .iter()
        .enumerate()
        .filter_map(|(word, &dynamic)| dynamic.then_some(word))
        .collect();
    let mut facts = Map::new();
    facts.insert("index".to_owned(), json!(nth));
    facts.insert("argv".to_owned(), json!(command.argv));
    facts.insert("context".to_owned(), json!(command.context));
    if !unknown.is_empty() {
        facts.insert("words_not_known".to_owned(), json!(unknown));
    }
    if command.place != Place::Here {
        facts.insert("place".to_owned(), json!(command.place));
    }
    if let Some(parent) = command.parent {
        facts.insert("inside".to_owned(), json!(parent));
    }
    if !command.known {
        facts.insert("program_not_known".to_owned(), json!(true));
    }
    facts
}

/// A block around a value on one line: quoted by JSON, so that its strings cannot be mistaken for
/// its structure.
fn as_json(name: &str, value: &impl Serialize) -> String {
    // These are plain structs with string keys; they have a JSON form.
    let text = serde_json::to_string(value).unwrap_or_default();
    element(name, None, &safe(&text))
}
