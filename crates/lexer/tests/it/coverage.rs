//! Nothing is passed over: in a source that is understood completely, every byte belongs to
//! something.

use countersign_lexer::{Options, Redirect, ScopeKind, Script, Span, Status, lex};
use serde_json::Value;

const RESERVED: &[&str] = &[
    "if", "then", "elif", "else", "fi", "while", "until", "for", "select", "in", "do", "done",
    "case", "esac", "function", "coproc", "time", "-p", "--", "!", "{", "}",
    // The name of a coprocess.
    "N",
];

#[test]
fn every_byte_belongs_to_something() {
    let rows = [
        include_str!("../data/tricky.jsonl"),
        include_str!("../data/probes.jsonl"),
    ];
    for line in rows.iter().flat_map(|rows| rows.lines()) {
        let row: Value = serde_json::from_str(line).expect("a row is JSON");
        let source = row["command"].as_str().expect("a row has a command");
        let script = lex(source.as_bytes(), &Options::default());
        if script.status() == Status::Complete {
            let rest = rest(&script);
            assert!(is_punctuation(&rest), "{source:?} leaves {rest:?}");
        }
    }
}

/// The source with everything blank that a command, a word or an expression accounts for.
fn rest(script: &Script) -> String {
    let mut rest = script.source().to_vec();
    for command in script.commands() {
        blank(&mut rest, command.span());
        command
            .redirects()
            .for_each(|redirect| blank_redirect(&mut rest, &redirect));
    }
    for scope in script.scopes() {
        match scope.kind() {
            // Patterns and operands are no words of a command.
            ScopeKind::Case | ScopeKind::TestExpression | ScopeKind::Arithmetic => {
                blank(&mut rest, scope.span());
            }
            ScopeKind::Function { name } | ScopeKind::For { name } | ScopeKind::Select { name } => {
                blank_name(&mut rest, scope.span().start, name);
            }
            _ => {}
        }
        scope.words().for_each(|word| blank(&mut rest, word.span()));
        scope
            .redirects()
            .for_each(|redirect| blank_redirect(&mut rest, &redirect));
    }
    String::from_utf8(rest).expect("spans do not split characters")
}

fn blank_name(rest: &mut [u8], start: usize, name: &[u8]) {
    let is_name = |at: usize| rest.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let found = (start..rest.len()).find(|&at| {
        let end = at + name.len();
        rest[at..].starts_with(name) && !is_name(end) && !(at > start && is_name(at - 1))
    });
    let start = found.expect("the name is in the source");
    blank(
        rest,
        Span {
            start,
            end: start + name.len(),
        },
    );
}

fn blank_redirect(rest: &mut [u8], redirect: &Redirect<'_>) {
    blank(rest, redirect.span());
    if let Some(body) = redirect.body() {
        blank(rest, body.span());
        // The line that ends the body follows it.
        let start = body.span().end;
        let len = rest[start..].iter().position(|&byte| byte == b'\n');
        blank(
            rest,
            Span {
                start,
                end: len.map_or(rest.len(), |len| start + len),
            },
        );
    }
}

fn blank(rest: &mut [u8], span: Span) {
    rest[span.start..span.end].fill(b' ');
}

fn is_punctuation(rest: &str) -> bool {
    let code = rest
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    let mut words = code.flat_map(|line| line.split([' ', '\t', ';', '&', '|', '(', ')', '\\']));
    words.all(|word| word.is_empty() || RESERVED.contains(&word))
}
