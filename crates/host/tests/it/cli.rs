use crate::support::Machine;
use serde_json::Value;

#[test]
fn exit_codes_tell_the_verdict() {
    let machine = Machine::new();
    for (args, code) in [
        (&["check", "--", "ls"][..], 0),
        (&["check", "--", "cargo build"], 10),
        (&["check", "--", "git reset --hard"], 10),
        (&["check", "--", "rm -rf /"], 12),
        (
            &[
                "check",
                "--tool",
                "Read",
                "--input",
                "{\"file_path\":\"README.md\"}",
            ],
            0,
        ),
        (&["check"], 2),
        (&["check", "--tool", "Read", "--input", "[]"], 2),
        (&["check", "--tool", "Read", "--input", "{"], 2),
        (&["explain", "--", "rm -rf /"], 0),
        (&["nonsense"], 2),
        (&["--help"], 0),
        (&["--version"], 0),
        (&["config", "check"], 0),
        (&["config", "check", "missing.toml"], 1),
        (&["audit", "verify"], 0),
        (&["hook", "another-agent"], 2),
    ] {
        let answer = machine.run(args, b"");
        assert_eq!(answer.code, Some(code), "{args:?}: {answer:?}");
    }
}

#[test]
fn json_answers_are_api() {
    let machine = Machine::new();
    let answer = machine.run(
        &[
            "check",
            "--cwd",
            "/w",
            "--home",
            "/home/u",
            "--project",
            "/w",
            "--format",
            "json",
            "--",
            "rm -rf ~/x > /dev/null",
        ],
        b"",
    );
    let mut value: Value = serde_json::from_str(&answer.stdout).expect("JSON");
    // What this machine holds and which release judged are no part of the form.
    value["judgement"]["policy"] = "…".into();
    value["judgement"]["observed"]["temp_roots"] = "…".into();
    insta::assert_snapshot!(format!("{value:#}"));
}

#[test]
fn a_batch_answers_line_for_line() {
    let machine = Machine::new();
    let rows = [
        r#"{"id":"a","command":"ls"}"#,
        r#"{"id":"b","command":"rm -rf ~","home":"/h","cwd":"/h/p","project":"/h/p"}"#,
        "",
        r#"{"id":3,"tool":"Write","input":{"file_path":"/home/user/project/x"}}"#,
        r#"{"id":"c","command":"cargo build"}"#,
        r#"{"id":"d","command":"sudo ls"}"#,
    ];
    let answer = machine.run(&["check", "--batch"], rows.join("\n").as_bytes());
    assert_eq!(answer.code, Some(0));
    insta::assert_snapshot!(answer.stdout);
    let broken = machine.run(
        &["check", "--batch"],
        b"{\"id\":\"x\"}\nnot JSON\n{\"id\":\"y\",\"command\":\"ls\"}\n",
    );
    assert_eq!(broken.code, Some(2), "{broken:?}");
    insta::assert_snapshot!(broken.stdout);
}

#[test]
fn lex_shows_what_would_run() {
    let machine = Machine::new();
    let source = "a=1 cat <<E | bash -c 'rm \"$1\"' _ x >out 2>&1\nhi $(id)\nE";
    insta::assert_snapshot!(machine.run(&["lex", "--", source], b"").stdout);
    let row = serde_json::json!({"id": "r", "command": source}).to_string();
    insta::assert_snapshot!(machine.run(&["lex", "--batch"], row.as_bytes()).stdout);
}

#[test]
fn help_names_every_command() {
    let machine = Machine::new();
    insta::assert_snapshot!(machine.run(&["--help"], b"").stdout);
}
