//! A record as a line, or as a whole.

use crate::audit::Record;
use crate::visible::visible;
use countersign_core::{AuditKind, Severity};
use std::fmt::Write as _;

/// The longest list of programs in a line, in characters.
const MAX_PROGRAMS: usize = 60;

pub(super) fn short(record: &Record) -> String {
    let event = &record.event;
    let time = record
        .time
        .get(..19)
        .unwrap_or(&record.time)
        .replace('T', " ");
    let mut text = format!("{:>6}  {}  ", record.seq, visible(&time));
    if let (Some(decision), AuditKind::Decision) = (&event.decision, event.kind) {
        let tool = event.tool.as_deref().unwrap_or(&event.source);
        let _infallible = write!(
            text,
            "{:<6} {:<12} {}",
            decision.verdict,
            visible(&decision.code),
            visible(tool)
        );
        if !event.programs.is_empty() {
            let programs = event.programs.join(" ");
            let some: String = programs.chars().take(MAX_PROGRAMS).collect();
            let more = if some.len() < programs.len() {
                "…"
            } else {
                ""
            };
            let _infallible = write!(text, " {}{more}", visible(&some));
        }
        for hit in decision
            .reasons
            .iter()
            .filter(|hit| hit.severity != Severity::Allow)
            .take(3)
        {
            let target = hit.target.as_deref().unwrap_or_default();
            let _infallible = write!(text, "  [{}] {}", visible(&hit.rule), visible(target));
        }
    } else {
        let _infallible = write!(text, "{}", event.kind.as_str());
        for part in [&event.subject, &event.note].into_iter().flatten() {
            let _infallible = write!(text, " {}", visible(part));
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// Everything in a record, a line for each part.
pub(super) fn whole(record: &Record) -> Result<String, String> {
    let value = serde_json::to_value(record).map_err(|error| error.to_string())?;
    let mut text = String::new();
    part(&mut text, 0, "", &value);
    Ok(text)
}

fn part(text: &mut String, depth: usize, name: &str, value: &serde_json::Value) {
    use serde_json::Value;
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(_) | Value::Array(_) => {
            let deeper = if name.is_empty() {
                depth
            } else {
                let _infallible = writeln!(text, "{indent}{}", visible(name));
                depth.saturating_add(1)
            };
            if let Value::Object(parts) = value {
                for (name, value) in parts {
                    part(text, deeper, name, value);
                }
            }
            for value in value.as_array().into_iter().flatten() {
                part(text, deeper, "-", value);
            }
        }
        Value::String(string) => {
            let _infallible = writeln!(text, "{indent}{} {}", visible(name), visible(string));
        }
        other => {
            let _infallible = writeln!(text, "{indent}{} {other}", visible(name));
        }
    }
}
