//! What the policy says, held by snapshots. Nothing in them needs to be redacted: the same call,
//! facts and rules give the same bytes.

use acme_policy::{PROJECT, judged, nothing_on_the_machine, policy};
use countersign_core::{Facts, PathFact, PathKind, Request};
use countersign_policy::{Pack, tool_request};
use serde_json::Value;
use std::fmt::Write as _;

fn bash(id: &str, command: &str) -> Request {
    Request::command(id, "acme-policy", PROJECT, command)
}

/// The request of one row of `calls.jsonl`.
fn request(row: &Value) -> Request {
    let id = row["id"].as_str().expect("an id");
    match (&row["command"], &row["tool"], &row["input"]) {
        (Value::String(command), ..) => bash(id, command),
        (_, Value::String(tool), Value::Object(input)) => {
            let mut request = tool_request("acme-policy", tool, input, PROJECT);
            request.id = id.to_owned();
            request
        }
        _ => panic!("{id} needs a `command`, or a `tool` and an `input`"),
    }
}

/// One line a call: what is decided, by which stage, because of which rules on what.
fn table(calls: &[Request], facts: &Facts) -> String {
    let policy = policy().expect("a policy");
    calls.iter().fold(String::new(), |mut text, request| {
        let (_, decision) = judged(&policy, request, facts);
        let defer = decision
            .defer
            .map(|kind| format!(" {kind:?}"))
            .unwrap_or_default();
        let verdict = format!("{:?}{defer}", decision.verdict).to_lowercase();
        write!(
            text,
            "{:18} {verdict:15} {}",
            request.id,
            decision.stage.as_str()
        )
        .expect("text");
        for hit in &decision.reasons {
            let on = hit.resolved.as_ref().or(hit.target.as_ref());
            let on = on.map(|target| format!(" on {target}")).unwrap_or_default();
            write!(text, "\n{:18} {}{on}", "", hit.rule).expect("text");
        }
        text + "\n"
    })
}

#[test]
fn verdicts() {
    let rows = include_str!("../calls.jsonl").lines();
    let calls: Vec<Request> = rows
        .map(|row| request(&serde_json::from_str(row).expect("JSON")))
        .collect();
    insta::assert_snapshot!(table(&calls, &nothing_on_the_machine()));
}

/// Facts are data: a link that is only on some machines is in every run of this test.
#[test]
fn verdicts_where_a_link_leads_into_the_migrations() {
    let mut facts = nothing_on_the_machine();
    facts.virtual_files = false;
    for (path, real, kind) in [
        ("latest.sql", "db/migrations/009_last.sql", PathKind::File),
        ("notes.sql", "notes.sql", PathKind::File),
    ] {
        let fact = PathFact {
            real: format!("{PROJECT}/{real}"),
            kind,
        };
        facts.paths.insert(format!("{PROJECT}/{path}"), fact);
    }
    let calls = [
        bash("link", "rm latest.sql"),
        bash("no-link", "rm notes.sql"),
    ];
    insta::assert_snapshot!(table(&calls, &facts));
}

/// The whole answer to one call: every command, effect and rule.
#[test]
fn judgement_and_decision() {
    let call = bash("apply", "cd infra && terraform apply plan");
    let (judgement, decision) = judged(
        &policy().expect("a policy"),
        &call,
        &nothing_on_the_machine(),
    );
    insta::assert_snapshot!(
        "judgement",
        serde_json::to_string_pretty(&judgement).expect("JSON")
    );
    insta::assert_snapshot!(
        "decision",
        serde_json::to_string_pretty(&decision).expect("JSON")
    );
}

#[test]
fn the_examples_of_the_pack_hold() {
    let pack = Pack::parse(include_str!("../config/rules/acme.toml")).expect("a pack");
    assert_eq!(pack.wrong_examples(), Vec::<String>::new());
}
