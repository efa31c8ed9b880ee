//! The row that programs read. Its field names and words are part of the API.

use super::place::Lines;
use super::status;
use countersign_lexer::{Assignment, Command, Redirect, Status, Word};
use countersign_policy::{Expanded, Expansion, Origin};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;

/// The row in one line.
pub(super) fn line(id: &Value, source: &[u8], found: &Expansion) -> String {
    let row = Row::new(id, source, found);
    serde_json::to_string(&row).unwrap_or_else(|error| unwritable(&error))
}

/// The row for a person who looks at it.
pub(super) fn pretty(id: &Value, source: &[u8], found: &Expansion) -> String {
    let row = Row::new(id, source, found);
    serde_json::to_string_pretty(&row).unwrap_or_else(|error| unwritable(&error))
}

/// Nothing in a row can fail to be written; were it otherwise, the row would say so.
fn unwritable(error: &serde_json::Error) -> String {
    serde_json::json!({"error": error.to_string()}).to_string()
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a Value,
    status: &'static str,
    commands: Vec<CommandRow<'a>>,
    diagnostics: Vec<DiagnosticRow>,
}

#[derive(Serialize)]
struct CommandRow<'a> {
    argv: Vec<Cow<'a, str>>,
    dynamic: Vec<bool>,
    kinds: Vec<&'static str>,
    redirects: Vec<RedirectRow<'a>>,
    assignments: Vec<Cow<'a, str>>,
    context: &'a str,
    layer: &'static str,
    span: (usize, usize),
    runs: bool,
    #[serde(skip_serializing_if = "no_reasons")]
    opaque: &'a [String],
    #[serde(skip_serializing_if = "is_exact")]
    lossy: bool,
}

#[derive(Serialize)]
struct RedirectRow<'a> {
    op: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fd: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    var: Option<Cow<'a, str>>,
    target: Cow<'a, str>,
    dynamic: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    quoted: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<Cow<'a, str>>,
}

#[derive(Serialize)]
struct DiagnosticRow {
    kind: &'static str,
    text: String,
    span: (usize, usize),
    line: usize,
    column: usize,
}

fn no_reasons(reasons: &&[String]) -> bool {
    reasons.is_empty()
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the form that a serializer calls"
)]
fn is_exact(lossy: &bool) -> bool {
    !lossy
}

impl<'a> Row<'a> {
    fn new(id: &'a Value, source: &[u8], found: &'a Expansion) -> Self {
        let commands = found.commands.iter().zip(runs(found));
        Self {
            id,
            status: status(status_of(found)).0,
            commands: commands
                .filter_map(|(command, runs)| CommandRow::new(command, runs, found))
                .collect(),
            diagnostics: diagnostics(source, found),
        }
    }
}

/// Whether each command can run at all: a shell runs nothing after a syntax error, and nothing that
/// a command would have run which does not run itself.
pub(super) fn runs(found: &Expansion) -> Vec<bool> {
    let mut all: Vec<bool> = Vec::with_capacity(found.commands.len());
    for command in &found.commands {
        let parent = command.view.parent.map(usize::try_from);
        let parent = parent.and_then(|at| all.get(at.ok()?).copied());
        let itself = match command.origin {
            Origin::Script { source, command } => {
                let source = found.sources.get(source);
                let command = source.and_then(|source| source.script.command(command));
                command.is_none_or(|command| command.runs())
            }
            Origin::Words { .. } | Origin::Note => true,
        };
        all.push(itself && parent.unwrap_or(true));
    }
    all
}

fn status_of(found: &Expansion) -> Status {
    let script = found.sources.first().map(|source| &source.script);
    script.map_or(Status::TooBig, countersign_lexer::Script::status)
}

fn diagnostics(source: &[u8], found: &Expansion) -> Vec<DiagnosticRow> {
    let script = found.sources.first().map(|source| &source.script);
    let diagnostics = script.map_or(&[][..], |script| script.diagnostics());
    if diagnostics.is_empty() {
        return Vec::new();
    }
    let lines = Lines::new(source);
    let row = |found: &countersign_lexer::Diagnostic| {
        let place = lines.place(found.span.start);
        DiagnosticRow {
            kind: found.kind.as_str(),
            text: found.kind.to_string(),
            span: (found.span.start, found.span.end),
            line: place.line,
            column: place.column,
        }
    };
    diagnostics.iter().map(row).collect()
}

impl<'a> CommandRow<'a> {
    /// The row of a command; `None` for what is no command.
    fn new(command: &'a Expanded, runs: bool, found: &'a Expansion) -> Option<Self> {
        let mut row = Self {
            argv: Vec::new(),
            dynamic: Vec::new(),
            kinds: Vec::new(),
            redirects: Vec::new(),
            assignments: Vec::new(),
            context: &command.view.context,
            layer: if command.derived { "effect" } else { "syntax" },
            span: command.view.span,
            runs,
            opaque: &command.opaque,
            lossy: false,
        };
        match &command.origin {
            Origin::Script { source, command } => {
                let script = &found.sources.get(*source)?.script;
                row.read(&script.command(*command)?);
            }
            Origin::Words { kinds, assignments } => {
                let argv = command.view.argv.iter();
                row.argv = argv.map(|word| Cow::Borrowed(word.as_str())).collect();
                row.dynamic.clone_from(&command.view.dynamic);
                row.kinds = kinds.iter().map(|kind| kind.as_str()).collect();
                let assignments = assignments.iter();
                row.assignments = assignments.map(|it| Cow::Borrowed(it.as_str())).collect();
            }
            Origin::Note => return None,
        }
        Some(row)
    }

    fn read(&mut self, command: &Command<'a>) {
        for word in command.words() {
            self.argv.push(lossy(shown(&word), &mut self.lossy));
            self.dynamic.push(word.is_dynamic());
            self.kinds.push(word.kind().as_str());
        }
        for redirect in command.redirects() {
            let row = RedirectRow::new(&redirect, &mut self.lossy);
            self.redirects.push(row);
        }
        for assignment in command.assignments() {
            let text = assigned(&assignment, &mut self.lossy);
            self.assignments.push(text);
        }
    }
}

impl<'a> RedirectRow<'a> {
    fn new(redirect: &Redirect<'a>, is_lossy: &mut bool) -> Self {
        let target = redirect.target();
        let body = redirect.body();
        Self {
            op: redirect.op().as_str(),
            fd: redirect.fd(),
            var: redirect.fd_variable().map(|name| lossy(name, is_lossy)),
            target: lossy(shown(&target), is_lossy),
            dynamic: body.unwrap_or(target).is_dynamic(),
            quoted: body.map(|_| redirect.heredoc_quoted()),
            body: body
                .and_then(|body| body.literal())
                .map(|text| lossy(text, is_lossy)),
        }
    }
}

/// `NAME=value`, the value without its quotes where it is known.
fn assigned<'a>(assignment: &Assignment<'a>, is_lossy: &mut bool) -> Cow<'a, str> {
    let plain = |_: &Word<'_>| !assignment.has_subscript();
    match assignment.value().filter(plain) {
        Some(value) => {
            let name = lossy(assignment.name(), is_lossy);
            let append = if assignment.append() { "+" } else { "" };
            Cow::Owned(format!("{name}{append}={}", lossy(shown(&value), is_lossy)))
        }
        None => lossy(assignment.source(), is_lossy),
    }
}

/// What bash passes on, or the text as typed where that is not certain.
fn shown<'a>(word: &Word<'a>) -> &'a [u8] {
    word.literal().unwrap_or(word.source())
}

/// Text for JSON, which has no other: a byte that is none is U+FFFD, and the row says so.
fn lossy<'a>(bytes: &'a [u8], is_lossy: &mut bool) -> Cow<'a, str> {
    let text = String::from_utf8_lossy(bytes);
    *is_lossy |= matches!(text, Cow::Owned(_));
    text
}
