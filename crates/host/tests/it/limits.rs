//! P4: hooks with too little of something: memory, open files, room in files. Whatever is missing, a hook
//! that gets as far as to answer says nothing that lets the call run.

use crate::support::{Answer, Machine, word};
use serde_json::json;
use std::fmt::Write as _;
use std::process::Command;

/// A call that a hard rule denies, so that answer, log and store are all needed.
fn denied(machine: &Machine, limit: &str) -> Answer {
    let input = machine.here(
        &json!({
            "session_id": "s-1",
            "cwd": "/home/user/project",
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": "rm -rf ~"},
            "tool_use_id": "t-1",
        })
        .to_string(),
    );
    let program = machine.command(&["hook", "claude-code"]);
    let mut shell = Command::new("/bin/sh");
    shell
        .env_clear()
        .env("HOME", &machine.home)
        .env("CLAUDE_PROJECT_DIR", &machine.project)
        .arg("-c")
        .arg(format!("{limit}; exec \"$0\" \"$@\""))
        .arg(program.get_program())
        .args(program.get_args());
    machine.finish(shell, input.as_bytes())
}

/// What the agent makes of it: a deny, a block, or a process that did not come to answer. A loader that
/// fails ends in 127, an allocation that fails in SIGABRT, a program that the system kills in a signal.
fn said(answer: &Answer) -> &'static str {
    match answer.code {
        Some(0) if word(answer) == "deny" => "deny",
        Some(0) if word(answer) == "block" => "block",
        Some(2) if answer.stdout.is_empty() && !answer.stderr.trim().is_empty() => "block",
        Some(126 | 127) | None if answer.stdout.is_empty() => "never came to answer",
        _ => "?",
    }
}

#[test]
fn too_little_of_anything_never_lets_a_call_run() {
    let mut table = String::new();
    for (what, option, steps) in [
        ("open files", "n", &[3_u32, 4, 5, 6, 8, 10, 32][..]),
        ("blocks in a file", "f", &[0, 1, 2, 4, 8, 16, 32, 64, 128]),
        (
            "KiB of memory",
            "v",
            &[
                1 << 10,
                4 << 10,
                8 << 10,
                16 << 10,
                24 << 10,
                32 << 10,
                64 << 10,
                256 << 10,
            ],
        ),
        ("KiB of stack", "s", &[128, 512]),
        ("processes", "u", &[0]),
    ] {
        for step in steps {
            for fresh in [true, false] {
                let machine = Machine::new();
                if !fresh {
                    assert_eq!(word(&denied(&machine, "true")), "deny");
                }
                let answer = denied(&machine, &format!("ulimit -{option} {step}"));
                let said = said(&answer);
                assert_ne!(said, "?", "{step} {what}: {answer:?}");
                let _infallible = writeln!(table, "{step} {what}, fresh {fresh}: {said}");
                // What it left behind is in order.
                assert_eq!(word(&denied(&machine, "true")), "deny", "{step} {what}");
                let log = machine.run(&["audit", "verify"], b"");
                assert_eq!(log.code, Some(0), "{step} {what}: {log:?}");
            }
        }
    }
    println!("{table}");
    for answered in [
        "32 open files, fresh true: deny",
        "262144 KiB of memory, fresh false: deny",
    ] {
        assert!(table.contains(answered), "{table}");
    }
}
