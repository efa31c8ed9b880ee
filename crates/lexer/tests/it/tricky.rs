//! Spellings that other parsers get wrong, with the commands bash was seen to read.

use countersign_lexer::{Options, lex};
use serde_json::{Value, json};

use crate::render;

/// Rows that do not match yet, each with the reason.
const MISSES: &[(&str, &str)] = &[(
    "funsub-5.3",
    "a `$( )` inside `${ ; }` has the context of the inner substitution, not of the outer",
)];

#[test]
fn every_row_lists_the_commands_bash_reads() {
    let mut failures = Vec::new();
    for line in include_str!("../data/tricky.jsonl").lines() {
        let row: Value = serde_json::from_str(line).expect("a row is JSON");
        let id = row["id"].as_str().expect("a row has an id");
        let missed = MISSES.iter().any(|(miss, _)| *miss == id);
        let (found, expected) = (found(&row), expected(&row));
        if agrees(&row, &found, &expected) == missed {
            let command = &row["command"];
            failures.push(format!(
                "{id}: {command}\n  found    {found:?}\n  expected {expected:?}"
            ));
        }
    }
    assert!(
        failures.is_empty(),
        "{} rows:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// What bash rejects may list more than bash would have run.
fn agrees(row: &Value, found: &[String], expected: &[String]) -> bool {
    if row["bash_n"] == "err" && found.len() > expected.len() {
        expected.iter().all(|command| found.contains(command))
    } else {
        found == expected
    }
}

fn found(row: &Value) -> Vec<String> {
    let source = row["command"].as_str().expect("a row has a command");
    let script = lex(source.as_bytes(), &Options::default());
    sorted(
        script
            .commands()
            .map(|command| render::command(&command))
            .collect(),
        row,
    )
}

fn expected(row: &Value) -> Vec<String> {
    let rows = row["expected"]
        .as_array()
        .expect("a row has expected commands");
    sorted(
        rows.iter()
            .filter(|row| row["layer"] == "syntax")
            .cloned()
            .collect(),
        row,
    )
}

/// The commands without what a row does not say in full.
fn sorted(commands: Vec<Value>, row: &Value) -> Vec<String> {
    let elided = row["expected"].to_string().contains('…');
    let mut lines: Vec<_> = commands
        .into_iter()
        .map(|mut command| {
            let fields = [
                "argv",
                "dynamic",
                "kinds",
                "redirects",
                "assignments",
                "context",
            ];
            let mut kept = json!({});
            for field in fields {
                if field != "assignments" || !elided {
                    kept[field] = command[field].take();
                }
            }
            kept.to_string()
        })
        .collect();
    lines.sort();
    lines
}
