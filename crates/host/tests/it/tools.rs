//! Calls of tools through `check --batch`, and what the owner says of MCP servers.

use crate::support::Machine;
use serde_json::{Value, json};

fn answers(machine: &Machine, rows: &[Value]) -> Vec<Value> {
    let input: Vec<String> = rows.iter().map(Value::to_string).collect();
    let answer = machine.run(&["check", "--batch"], input.join("\n").as_bytes());
    assert_eq!(answer.code, Some(0), "{answer:?}");
    answer
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("every answer is JSON"))
        .collect()
}

#[test]
fn a_batch_answers_for_every_kind_of_tool() {
    let patch = "*** Begin Patch\n*** Add File: .git/hooks/x\n+ls\n*** End Patch";
    let script = json!({"file_path": "a.sh", "content": "rm -rf /"});
    let rows = [
        ("Read", json!({"file_path": "src/a.rs"}), "allow", ""),
        (
            "read_file",
            json!({"path": ".env"}),
            "defer flagged",
            "secrets.file",
        ),
        (
            "Write",
            json!({"file_path": "src/a.rs", "content": "x"}),
            "defer undecided",
            "",
        ),
        ("Write", script, "defer flagged", "filesystem.delete-root"),
        (
            "MultiEdit",
            json!({"file_path": ".claude/settings.json", "edits": []}),
            "deny",
            "paths.own",
        ),
        (
            "apply_patch",
            json!({"input": patch}),
            "defer flagged",
            "paths.protected",
        ),
        (
            "apply_patch",
            json!({"input": "?"}),
            "defer flagged",
            "opaque.effect",
        ),
        (
            "WebFetch",
            json!({"url": "http://0xa9fea9fe/"}),
            "deny",
            "exchange.metadata",
        ),
        (
            "WebFetch",
            json!({"url": "https://a:b@example.org/"}),
            "defer flagged",
            "exchange.secret-in-url",
        ),
        (
            "shell",
            json!({"command": ["rm", "-rf", "/"]}),
            "deny",
            "filesystem.delete-root",
        ),
        (
            "mcp__x__run",
            json!({"a": {"command": "rm -rf /"}}),
            "deny",
            "filesystem.delete-root",
        ),
        ("mcp__x__get", json!({"a": 1}), "defer undecided", ""),
        (
            "SomethingNew",
            json!({"path": "~/.netrc"}),
            "defer flagged",
            "secrets.file",
        ),
        ("TodoWrite", json!({"todos": []}), "defer undecided", ""),
    ];
    let asked: Vec<Value> = rows
        .iter()
        .map(|(tool, input, ..)| json!({"tool": tool, "input": input}))
        .collect();
    for (answer, (tool, input, verdict, rule)) in answers(&Machine::new(), &asked).iter().zip(&rows)
    {
        let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
        let found = format!("{} {}", text("verdict"), text("defer"));
        assert_eq!(found.trim(), *verdict, "{tool} {input}: {answer}");
        let met = answer["rules"].as_array().expect("a list");
        assert!(
            rule.is_empty() || met.contains(&json!(rule)),
            "{tool} {input}: {answer}"
        );
    }
}

#[test]
fn only_the_owner_says_which_servers_are_trusted() {
    let row = json!({
        "tool": "mcp__docs__get", "input": {"path": "src/a.rs"}, "annotations": {"readOnlyHint": true},
    });
    let listed = json!({"tool": "mcp__docs__find", "input": {"x": 1}});
    let rows = [row, listed];
    let verdicts = |machine: &Machine| -> Vec<Value> {
        let answers = answers(machine, &rows);
        answers
            .iter()
            .map(|answer| answer["verdict"].clone())
            .collect()
    };
    let machine = Machine::new();
    assert_eq!(verdicts(&machine), ["defer", "defer"]);
    machine.configure("[mcp.servers.docs]\ntrust = true\nread_only = [\"find\"]\n");
    assert_eq!(verdicts(&machine), ["allow", "allow"]);

    let machine = Machine::new();
    machine.write(
        ".countersign.toml",
        "[mcp.servers.docs]\ntrust = true\nread_only = [\"find\"]\n",
    );
    let answer = machine.tool("default", "mcp__docs__find", &json!({"x": 1}));
    let reason = crate::support::reason(&answer);
    assert!(reason.contains("remove mcp.servers"), "{reason}");
}
