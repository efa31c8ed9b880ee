use crate::support::{Machine, data, reason, word};
use serde_json::Value;
use std::fmt::Write as _;

/// Real inputs of a real agent, each answered in its own permission mode.
#[test]
fn every_captured_call_is_answered() {
    let machine = Machine::new();
    let mut files: Vec<_> = std::fs::read_dir(data("claude-code"))
        .expect("the captures are there")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    files.sort();
    assert_eq!(files.len(), 38, "a capture was added or lost");
    let mut table = String::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a capture");
        let input: Value = serde_json::from_str(&text).expect("a capture is JSON");
        let answer = machine.hook(&input);
        let name = file.file_stem().expect("it has a name").to_string_lossy();
        let mode = input["permission_mode"].as_str().unwrap_or_default();
        let _infallible = writeln!(table, "{name:<55} {mode:<8} {}", word(&answer));
        if !reason(&answer).is_empty() {
            let _infallible = writeln!(table, "    {}", reason(&answer));
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn removing_the_home_directory_names_the_rule_the_target_and_a_safer_way() {
    let machine = Machine::new();
    let answer = machine.tool(
        "bypassPermissions",
        "Bash",
        &serde_json::json!({"command": "rm -rf ~"}),
    );
    assert_eq!(word(&answer), "deny");
    insta::assert_snapshot!(reason(&answer));
}
