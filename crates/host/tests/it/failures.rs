//! Everything that can go wrong, and what Claude Code is told then: never an allow, and never
//! silence, which some of its modes take for one.

use crate::support::{Answer, Machine, word};
use serde_json::json;
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

const CALL: &str = r#"{"session_id":"s","cwd":"/home/user/project","permission_mode":"bypassPermissions","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"cargo build"},"tool_use_id":"t"}"#;

/// A failure: its name, what makes it, and the input.
type Case = (&'static str, fn(&Machine), Vec<u8>);

fn nothing(_: &Machine) {}

fn cases() -> Vec<Case> {
    let mut cases = cases_of_input();
    cases.extend(cases_of_files());
    cases.extend(cases_of_state());
    cases
}

fn cases_of_input() -> Vec<Case> {
    let call = |from: &str, to: &str| CALL.replace(from, to).into_bytes();
    let with = |input: serde_json::Value| {
        let mut call: serde_json::Value = serde_json::from_str(CALL).expect("JSON");
        call["tool_input"] = input;
        call.to_string().into_bytes()
    };
    vec![
        ("empty input", nothing, Vec::new()),
        ("not JSON", nothing, b"rm -rf /".to_vec()),
        ("truncated", nothing, CALL.as_bytes()[..60].to_vec()),
        ("an array", nothing, b"[]".to_vec()),
        (
            "8 MiB of blanks and more",
            nothing,
            vec![b' '; (8 << 20) + 1],
        ),
        (
            "a command of 5 MiB",
            nothing,
            with(json!({"command": "a".repeat(5 << 20)})),
        ),
        (
            "deep nesting",
            nothing,
            format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)).into_bytes(),
        ),
        (
            "a duplicate key",
            nothing,
            call(
                r#""tool_name":"Bash""#,
                r#""tool_name":"Read","tool_name":"Bash""#,
            ),
        ),
        (
            "invalid UTF-8",
            nothing,
            [&b"{\"tool_name\":\"\xff\"}"[..]].concat(),
        ),
        (
            "half of a surrogate pair",
            nothing,
            call("cargo build", "cargo \\ud800"),
        ),
        (
            "a number beyond 2^53",
            nothing,
            with(json!({"command": "ls", "x": 9_007_199_254_740_993_u64})),
        ),
        (
            "a NUL in the command",
            nothing,
            call("cargo build", "cargo\\u0000build"),
        ),
        ("no event", nothing, call("hook_event_name", "event")),
        (
            "an unknown event",
            nothing,
            call("PreToolUse", "PostToolUse"),
        ),
        ("no tool name", nothing, call("tool_name", "tool")),
        ("no tool input", nothing, call("tool_input", "input")),
        ("no session", nothing, call("session_id", "session")),
        (
            "no working directory",
            nothing,
            call(r#""cwd""#, r#""dir""#),
        ),
        (
            "a relative working directory",
            nothing,
            call("/home/user/project", "project"),
        ),
        (
            "a command of another type",
            nothing,
            with(json!({"command": ["ls"]})),
        ),
        ("no command", nothing, with(json!({}))),
        (
            "no path",
            nothing,
            call(r#""Bash""#, r#""Write""#).clone().replace_input(),
        ),
    ]
}

/// A call like any other, and a machine that is not.
fn cases_of_files() -> Vec<Case> {
    vec![
        (
            "an unparseable user configuration",
            |machine| machine.configure("[permissions\n"),
            CALL.into(),
        ),
        (
            "an unknown key in it",
            |machine| machine.configure("[permission]\ndeny = []\n"),
            CALL.into(),
        ),
        (
            "a pattern that means nothing in it",
            |machine| machine.configure("[permissions]\ndeny = [\"(x)\"]\n"),
            CALL.into(),
        ),
        (
            "a user configuration that is a folder",
            |machine| {
                std::fs::create_dir_all(machine.config.join("config.toml")).expect("a folder");
            },
            CALL.into(),
        ),
        (
            "an unparseable workspace configuration",
            |machine| machine.write(".countersign.toml", "deny ="),
            CALL.into(),
        ),
        (
            "a loosening workspace configuration",
            |machine| {
                machine.write(".countersign.toml", "[permissions]\nallow = [\"Bash\"]\n");
            },
            CALL.into(),
        ),
        (
            "a workspace configuration that is a folder",
            |machine| machine.write(".countersign.toml/x", ""),
            CALL.into(),
        ),
        (
            "a state folder that cannot be made",
            |machine| {
                std::fs::create_dir_all(machine.state.parent().expect("a parent"))
                    .expect("a folder");
                std::fs::write(&machine.state, "in the way").expect("a file");
            },
            CALL.into(),
        ),
        (
            "an audit log that is a folder",
            |machine| {
                std::fs::create_dir_all(machine.state.join("audit.jsonl")).expect("a folder");
            },
            CALL.into(),
        ),
        (
            "an audit folder that is a file",
            |machine| {
                std::fs::create_dir_all(&machine.state).expect("a folder");
                std::fs::write(machine.log(), "in the way").expect("a file");
            },
            CALL.into(),
        ),
        (
            "an audit lock that is a folder",
            |machine| {
                std::fs::create_dir_all(machine.log().join("head")).expect("a folder");
            },
            CALL.into(),
        ),
        (
            "an anchor that is required and cannot be written",
            |machine| {
                machine.configure("[audit]\nanchor = \"/dev/null/x\"\nanchor_required = true\n");
            },
            CALL.into(),
        ),
        (
            "an anchor that is no full path",
            |machine| machine.configure("[audit]\nanchor = \"x\"\n"),
            CALL.into(),
        ),
    ]
}

fn cases_of_state() -> Vec<Case> {
    vec![
        (
            "an audit log that ends in something else",
            |machine| {
                std::fs::create_dir_all(&machine.state).expect("a folder");
                std::fs::write(machine.state.join("audit.jsonl"), "not a record\n")
                    .expect("a file");
            },
            CALL.into(),
        ),
        (
            "a switch that holds something else",
            |machine| {
                std::fs::create_dir_all(&machine.state).expect("a folder");
                std::fs::write(machine.state.join("switch"), "perhaps").expect("a file");
            },
            CALL.into(),
        ),
        (
            "a lockdown",
            |machine| {
                machine.run(&["lockdown"], b"");
            },
            CALL.into(),
        ),
    ]
}

trait ReplaceInput {
    fn replace_input(self) -> Vec<u8>;
}

impl ReplaceInput for Vec<u8> {
    fn replace_input(self) -> Vec<u8> {
        String::from_utf8_lossy(&self)
            .replace(r#"{"command":"cargo build"}"#, "{}")
            .into_bytes()
    }
}

fn is_safe(answer: &Answer) -> bool {
    match word(answer).as_str() {
        "exit 2" => !answer.stderr.trim().is_empty() && answer.stdout.is_empty(),
        "deny" | "ask" | "block" => true,
        _ => false,
    }
}

#[test]
fn every_failure_has_an_answer_that_stops_the_call() {
    let mut table = String::new();
    for (name, prepare, input) in cases() {
        let machine = Machine::new();
        prepare(&machine);
        let input = machine.here(&String::from_utf8_lossy(&input));
        let input = if name == "invalid UTF-8" {
            b"{\"tool_name\":\"\xff\"}".to_vec()
        } else {
            input.into_bytes()
        };
        let answer = machine.run(&["hook", "claude-code"], &input);
        assert!(is_safe(&answer), "{name}: {answer:?}");
        let said = if answer.stdout.is_empty() {
            &answer.stderr
        } else {
            &answer.stdout
        };
        let _infallible = writeln!(table, "{name}\n    {}", said.trim());
    }
    insta::assert_snapshot!(table);
}

/// The same call with nothing wrong is answered with silence: the failures above are not masked.
#[test]
fn the_call_itself_is_left_to_the_agent() {
    let machine = Machine::new();
    let answer = machine.run(&["hook", "claude-code"], machine.here(CALL).as_bytes());
    assert_eq!(word(&answer), "silent");
}

#[test]
fn standard_output_that_leads_nowhere_blocks() {
    for to in [">&-", ">/dev/null", ">/dev/full"] {
        let machine = Machine::new();
        let program = machine.command(&["hook", "claude-code"]);
        let mut shell = std::process::Command::new("/bin/sh");
        shell
            .env_clear()
            .env("HOME", &machine.home)
            .env("CLAUDE_PROJECT_DIR", &machine.project);
        shell
            .arg("-c")
            .arg(format!("exec \"$0\" \"$@\" {to}"))
            .arg(program.get_program())
            .args(program.get_args());
        let answer = machine.finish(
            shell,
            machine
                .here(CALL)
                .replace("cargo build", "rm -rf ~")
                .as_bytes(),
        );
        assert_eq!(answer.code, Some(2), "{to}: {answer:?}");
        assert!(answer.stderr.contains("blocked"), "{to}: {answer:?}");
    }
}

#[test]
fn a_signal_blocks() {
    use nix::sys::signal::{Signal, kill};
    for signal in [
        Signal::SIGTERM,
        Signal::SIGINT,
        Signal::SIGHUP,
        Signal::SIGXFSZ,
        Signal::SIGALRM,
    ] {
        let machine = Machine::new();
        let mut child = machine
            .command(&["hook", "claude-code"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let status = format!("/proc/{}/status", child.id());
        // The signals are watched once they are no longer left to the system.
        let watched = || {
            let status = std::fs::read_to_string(&status).unwrap_or_default();
            let caught = status
                .lines()
                .find_map(|line| line.strip_prefix("SigCgt:"))
                .map(str::trim);
            caught
                .and_then(|mask| u64::from_str_radix(mask, 16).ok())
                .unwrap_or(0)
                >> (signal as i32 - 1)
                & 1
                == 1
        };
        while !watched() {
            std::thread::yield_now();
        }
        let pid = nix::unistd::Pid::from_raw(i32::try_from(child.id()).expect("a process id"));
        kill(pid, signal).expect("the signal is sent");
        let stdin = child.stdin.take();
        let answer = machine.answer(&child.wait_with_output().expect("the program ends"));
        drop(stdin);
        assert_eq!(
            (answer.code, answer.stdout.as_str()),
            (Some(2), ""),
            "{signal}: {answer:?}"
        );
        assert!(answer.stderr.contains("blocked"), "{signal}: {answer:?}");
    }
}

#[test]
fn input_that_never_ends_blocks_at_the_deadline() {
    let machine = Machine::new();
    let mut child = machine
        .command(&["hook", "claude-code", "--deadline", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let stdin = child.stdin.take();
    let answer = machine.answer(&child.wait_with_output().expect("the program ends"));
    drop(stdin);
    assert_eq!(answer.code, Some(2), "{answer:?}");
    assert!(answer.stderr.contains("no answer within 1 s"), "{answer:?}");
}

#[test]
fn the_log_is_only_its_owners() {
    let machine = Machine::new();
    machine.run(&["hook", "claude-code"], machine.here(CALL).as_bytes());
    let mode = |path: &std::path::Path| {
        std::fs::metadata(path)
            .expect("it was made")
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(mode(&machine.state), 0o700);
    assert_eq!(mode(&machine.log()), 0o700);
    assert_eq!(mode(&machine.log().join("head")), 0o600);
    assert_eq!(mode(&machine.segments()[0]), 0o600);
}

/// A running session never takes over changed settings, and a start is recorded.
#[test]
fn other_events_are_answered() {
    let machine = Machine::new();
    for source in ["local_settings", "project_settings", "user_settings"] {
        let change = json!({"session_id": "s", "hook_event_name": "ConfigChange", "source": source, "file_path": "/x"});
        assert_eq!(word(&machine.hook(&change)), "block", "{source}");
    }
    let start = json!({"session_id": "s", "hook_event_name": "SessionStart", "source": "startup", "cwd": "/home/user/project"});
    assert_eq!(word(&machine.hook(&start)), "silent");
    std::fs::remove_dir_all(&machine.state).expect("it was made");
    std::fs::write(&machine.state, "in the way").expect("a file");
    let change =
        json!({"session_id": "s", "hook_event_name": "ConfigChange", "source": "user_settings"});
    assert_eq!(
        word(&machine.hook(&change)),
        "block",
        "also when it cannot be recorded"
    );
}

/// A session that begins is told what no hook can stop.
#[test]
fn a_project_that_reaches_the_gate_is_named() {
    let machine = Machine::new();
    let start = json!({"session_id": "s", "hook_event_name": "SessionStart", "source": "startup", "cwd": "/home/user/project"});
    machine.write(".claude/settings.json", "{\"model\": \"any\"}");
    assert_eq!(word(&machine.hook(&start)), "silent");
    for settings in [
        "{\"disableAllHooks\": true}",
        "{\"env\": {\"LD_PRELOAD\": \"./x.so\"}}",
        "not json",
    ] {
        machine.write(".claude/settings.local.json", settings);
        let answer = machine.hook(&start);
        assert_eq!(word(&answer), "message", "{settings}");
        assert!(
            answer.stdout.contains("settings.local.json: "),
            "{answer:?}"
        );
    }
}
