//! Hostile spellings, with every argument vector bash was seen to run.

use countersign_lexer::{Command, Options, Status, lex};
use serde_json::Value;

#[test]
fn no_command_that_ran_is_missing() {
    let mut judged = 0;
    for line in include_str!("../data/probes.jsonl").lines() {
        let row: Value = serde_json::from_str(line).expect("a row is JSON");
        let source = row["command"].as_str().expect("a row has a command");
        let script = lex(source.as_bytes(), &Options::default());
        if script.status() > Status::Warnings {
            continue;
        }
        judged += 1;
        for argv in row["bash_argv_observed"]
            .as_array()
            .expect("a row has vectors")
        {
            let argv: Vec<_> = argv
                .as_array()
                .expect("a vector")
                .iter()
                .map(bytes)
                .collect();
            let listed = script.commands().any(|command| matches(&command, &argv));
            assert!(listed, "{}: {argv:?} is missing", row["id"]);
        }
    }
    // Saying that nothing is understood would be no answer.
    assert!(judged >= 33, "only {judged} rows are understood");
}

fn bytes(argument: &Value) -> &[u8] {
    argument.as_str().expect("an argument").as_bytes()
}

/// Whether a command could have run with `argv`: a dynamic word stands for any arguments.
fn matches(command: &Command<'_>, argv: &[&[u8]]) -> bool {
    // The places in `argv` that the words read so far can have reached.
    let mut reached = vec![0];
    for word in command.words() {
        reached = match word.literal() {
            Some(literal) => reached
                .into_iter()
                .filter(|&at| argv.get(at) == Some(&literal))
                .map(|at| at + 1)
                .collect(),
            None => (reached.into_iter().min().unwrap_or(argv.len() + 1)..=argv.len()).collect(),
        };
    }
    reached.contains(&argv.len())
}
