//! What people are shown of the log.

use crate::support::Machine;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

/// A log with a bit of everything, of two days that never change.
fn filled() -> Machine {
    let machine = Machine::new();
    for (session, tool, input) in [
        ("s-1", "Bash", json!({"command": "ls"})),
        ("s-1", "Bash", json!({"command": "rm -rf ~"})),
        (
            "s-2",
            "Bash",
            json!({"command": "git reset --hard; rm -rf /etc/сопfig\u{202e}"}),
        ),
        ("s-2", "to\u{200b}ol", json!({"x": 1})),
    ] {
        machine.hook(&json!({
            "session_id": session, "cwd": "/home/user/project", "hook_event_name": "PreToolUse",
            "tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1",
        }));
    }
    machine.hook(&json!({"hook_event_name": "PreToolUse"}));
    machine.run(&["lockdown"], b"");
    machine
}

/// A text without what every run has anew: times, and hashes.
fn steady(text: &str) -> String {
    let mut shown = String::new();
    for line in text.lines() {
        let line = match (line.get(..8), line.get(8..27), line.get(27..)) {
            (Some(seq), Some(time), Some(rest)) if time.starts_with("20") && time.contains(':') => {
                format!("{seq}TIME{rest}")
            }
            _ => line.to_owned(),
        };
        let words: Vec<String> = line
            .split(' ')
            .map(|word| match word {
                hash if hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => {
                    "HASH".to_owned()
                }
                time if time.len() > 20 && time.starts_with("20") && time.ends_with('Z') => {
                    "TIME".to_owned()
                }
                day if day.len() == 10 && day.starts_with("20") => "DAY".to_owned(),
                word => word.to_owned(),
            })
            .collect();
        let _infallible = writeln!(shown, "{}", words.join(" "));
    }
    shown
}

#[test]
fn what_is_shown() {
    let machine = filled();
    let mut shown = String::new();
    let show = |args: &str, shown: &mut String| {
        let args: Vec<&str> = args.split(' ').collect();
        let answer = machine.run(&args, b"");
        let said = steady(&format!("{}{}", answer.stdout, answer.stderr));
        let _infallible = writeln!(shown, "$ {} ({:?})\n{said}", args.join(" "), answer.code);
    };
    for args in [
        "audit show",
        "audit show -n 1",
        "audit show --verdict deny",
        "audit show --session s-2",
        "audit show --kind failure",
        "audit show --since 2999-01-01",
        "audit show --since yesterday",
        "audit show --id 2",
        "audit show --id 99",
        "audit tail -n 2",
        "audit verify",
        "audit verify --from 2999-01-01",
        "audit stats",
    ] {
        show(args, &mut shown);
    }
    let anchor = machine.home.join("anchor");
    machine.configure(&format!("[audit]\nanchor = {anchor:?}\n"));
    machine.run(&["lockdown"], b"");
    show("audit verify", &mut shown);
    std::fs::remove_file(machine.log().join("head")).expect("it was there");
    let segment = machine.segments().pop().expect("a segment");
    let text = std::fs::read_to_string(&segment).expect("a segment");
    std::fs::write(&segment, text.replacen("\"allow\"", "\"deny\"", 1)).expect("a file");
    show("audit verify", &mut shown);
    let short = text.lines().take(2).collect::<Vec<_>>().join("\n") + "\n";
    std::fs::write(&segment, short).expect("a file");
    show("audit verify", &mut shown);
    machine.configure("");
    show("audit verify", &mut shown);
    insta::assert_snapshot!(shown.replace(
        &*segment.file_name().expect("a name").to_string_lossy(),
        "SEGMENT"
    ));
}

#[test]
fn programs_read_json() {
    let machine = filled();
    for (args, lines) in [
        (&["audit", "show", "--format", "json"][..], 6),
        (&["audit", "show", "--id", "2", "--format", "json"], 1),
        (&["audit", "tail", "-n", "2", "--format", "json"], 2),
        (&["audit", "verify", "--format", "json"], 1),
        (&["audit", "stats", "--format", "json"], 1),
    ] {
        let answer = machine.run(args, b"");
        assert_eq!(answer.code, Some(0), "{answer:?}");
        assert_eq!(answer.stdout.lines().count(), lines, "{answer:?}");
        for line in answer.stdout.lines() {
            let _value: Value = serde_json::from_str(line).expect("JSON");
            assert!(!line.contains(['\u{202e}', '\u{200b}']), "{line}");
        }
    }
    let stats = machine.run(&["audit", "stats", "--format", "json"], b"");
    let stats: Value = serde_json::from_str(&stats.stdout).expect("JSON");
    assert_eq!(
        (&stats["records"], &stats["decisions"]),
        (&json!(6), &json!(4))
    );
}

#[test]
fn a_tail_goes_on() {
    let machine = filled();
    let mut tail = machine
        .command(&["audit", "tail", "-n", "1", "--follow"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let stdout = tail.stdout.take().expect("a pipe");
    let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
    assert!(lines.next().expect("the last").contains("lockdown"));
    machine.tool("default", "Bash", &json!({"command": "ls"}));
    assert!(lines.next().expect("a new one").contains("Bash"));
    tail.kill().expect("it runs");
    tail.wait().expect("it ends");
}
