//! P4, P7 and P10: what is kept over calls, through the real program: hooks on one side, a person's terminal on the
//! other.

use crate::plugins::machine;
use crate::support::{Answer, Machine, reason, word};
use nix::pty::{Winsize, openpty};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::Child;

fn call(machine: &Machine, id: &str, command: &str) -> Answer {
    machine.hook(&json!({
        "session_id": "s-1",
        "prompt_id": "p-1",
        "cwd": "/home/user/project",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": id,
    }))
}

fn prompt(machine: &Machine, session: &str, source: Option<&str>) -> Answer {
    let mut input = json!({
        "session_id": session,
        "prompt_id": "p-2",
        "cwd": "/home/user/project",
        "hook_event_name": "UserPromptSubmit",
        "prompt": "go on",
    });
    if let Some(source) = source {
        input["source"] = source.into();
    }
    machine.hook(&input)
}

/// A program at a terminal of its own.
struct Seated {
    child: Child,
    master: File,
    shown: String,
}

impl Seated {
    /// Nothing where an agent is among the processes that started the tests, which no terminal hides.
    fn start(machine: &Machine, args: &[&str]) -> Option<Self> {
        let size = Winsize {
            ws_row: 50,
            ws_col: 200,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let terminal = openpty(Some(&size), None).expect("a terminal");
        let mut command = machine.command(args);
        let end = || terminal.slave.try_clone().expect("a terminal");
        command.stdin(end()).stdout(end()).stderr(end());
        let child = command.spawn().expect("the program starts");
        let mut seated = Self {
            child,
            master: File::from(terminal.master),
            shown: String::new(),
        };
        drop((command, terminal.slave));
        seated.read_until(&["within a minute: ", "countersign: ", "\n"]);
        if seated.shown.contains("is among the processes") {
            println!("skipped: {}", seated.shown);
            return None;
        }
        Some(seated)
    }

    fn read_until(&mut self, marks: &[&str]) {
        let mut part = [0; 4096];
        while !marks.iter().any(|mark| self.shown.contains(mark)) {
            match self.master.read(&mut part) {
                Ok(length) if length > 0 => {
                    self.shown += &String::from_utf8_lossy(&part[..length]);
                }
                // The other end is closed.
                _ => break,
            }
        }
    }

    fn types(&mut self, text: &str) {
        self.read_until(&["within a minute: "]);
        self.master.write_all(text.as_bytes()).expect("it is typed");
    }

    fn ends(mut self) -> (Option<i32>, String) {
        self.read_until(&["\u{0}"]);
        let code = self.child.wait().expect("it ends").code();
        (code, self.shown.replace('\r', ""))
    }
}

#[test]
fn three_denials_open_the_breaker_until_a_person_speaks() {
    let machine = machine("deny");
    for command in ["make a", "make b", "make c"] {
        assert_eq!(word(&call(&machine, "1", command)), "deny");
    }
    let asked = call(&machine, "2", "make d");
    assert_eq!(word(&asked), "ask");
    let denied = call(&machine, "3", "make a");
    assert_eq!(word(&denied), "deny");
    insta::assert_snapshot!(format!("{}\n\n{}", reason(&asked), reason(&denied)));
    assert_eq!(word(&call(&machine, "4", "git status")), "allow");
    // Prompts of no person, and of another session.
    for (session, source) in [
        ("s-1", Some("system")),
        ("s-1", Some("loop_wakeup")),
        ("s-1", Some("schedule_wakeup")),
        ("s-1", Some("poll_event")),
        ("s-1", Some("")),
        ("s-2", Some("user")),
    ] {
        assert_eq!(word(&prompt(&machine, session, source)), "silent");
        assert_eq!(word(&call(&machine, "5", "make d")), "ask", "{source:?}");
    }
    for source in [Some("user"), Some("sdk"), None] {
        assert_eq!(word(&prompt(&machine, "s-1", source)), "silent");
        let answer = call(&machine, "6", "make a");
        assert!(reason(&answer).contains("denied by review"), "{answer:?}");
        for command in ["make b", "make c"] {
            call(&machine, "7", command);
        }
        assert_eq!(word(&call(&machine, "8", "make d")), "ask");
    }
    let log = machine.run(&["audit", "verify"], b"");
    assert_eq!(log.code, Some(0), "{log:?}");
}

/// An agent that forges a prompt has to run the hook, and may not.
#[test]
fn no_command_forges_a_prompt() {
    let machine = Machine::new();
    for command in [
        "echo '{\"hook_event_name\":\"UserPromptSubmit\"}' | countersign hook claude-code",
        "countersign hook claude-code <<< '{}'",
        "countersign breaker reset",
        "countersign reset",
        "countersign approve",
        "countersign break-glass 1",
        "countersign budget extend 1",
        "countersign pending answer 1 allow",
        "rm ~/.local/state/countersign/store.db",
        "echo x > ~/.local/state/countersign/store.db-wal",
    ] {
        machine.forget();
        assert_eq!(word(&call(&machine, "1", command)), "deny", "{command}");
    }
    for command in [
        "countersign denials",
        "countersign breaker show",
        "countersign grants",
    ] {
        assert_eq!(word(&call(&machine, "1", command)), "allow", "{command}");
    }
}

/// Seeds 2.8: approve, from a person's terminal, by the hash that was shown, once.
#[test]
fn a_person_approves_one_exact_retry() {
    let machine = machine("deny");
    let command = "make \u{202e}txt.exe \u{1b}[2J";
    assert_eq!(word(&call(&machine, "1", command)), "deny");
    let refused = machine.run(&["approve"], b"yes\n");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("only from a person's own terminal"));

    let listed = machine.run(&["denials"], b"").stdout;
    let Some(mut seated) = Seated::start(&machine, &["approve"]) else {
        return;
    };
    seated.types("no\n");
    assert_eq!(seated.ends().0, Some(1));
    assert_eq!(
        word(&call(&machine, "2", command)),
        "deny",
        "it was not approved"
    );

    let mut seated = Seated::start(&machine, &["approve"]).expect("as before");
    seated.types("yes\n");
    let (code, shown) = seated.ends();
    assert_eq!(code, Some(0), "{shown}");
    assert!(!shown.contains(['\u{202e}', '\u{1b}']), "{shown:?}");
    let text = format!("$ countersign denials\n{listed}\n$ countersign approve\n{shown}");
    insta::assert_snapshot!(masked(&machine, &text));
    assert_eq!(
        word(&call(&machine, "3", "make other")),
        "deny",
        "another call"
    );
    let retried = call(&machine, "4", command);
    assert_eq!(word(&retried), "allow", "{retried:?}");
    assert_eq!(word(&call(&machine, "5", command)), "deny", "once");
    let kinds = kinds(&machine);
    for kind in ["override-authorized", "override-consumed"] {
        assert_eq!(
            kinds.iter().filter(|it| *it == kind).count(),
            1,
            "{kinds:?}"
        );
    }
}

/// A text without this run's folder, and the hashes that it is part of.
fn masked(machine: &Machine, text: &str) -> String {
    let text = text.replace(&*machine.home.to_string_lossy(), "/home/user");
    let lines = text.lines().map(|line| match line.split_once("  ") {
        Some(("", rest)) if rest.starts_with("hash ") => "  hash [hash]".to_owned(),
        Some((id, rest)) if id.len() == 8 => format!("[id]  {rest}"),
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The kinds of all records.
fn kinds(machine: &Machine) -> Vec<String> {
    let shown = machine.run(&["audit", "show", "-n", "1000", "--format", "json"], b"");
    shown
        .stdout
        .lines()
        .map(|line| {
            let record: Value = serde_json::from_str(line).expect("JSON");
            record["event"]["kind"].as_str().expect("a kind").to_owned()
        })
        .collect()
}

#[test]
fn a_person_closes_a_breaker() {
    let machine = machine("deny");
    for command in ["make a", "make b", "make c"] {
        call(&machine, "1", command);
    }
    let shown = machine.run(&["breaker", "show"], b"").stdout;
    assert!(shown.contains("OPEN   scope  3 in a row"), "{shown}");
    assert!(machine.run(&["status"], b"").stdout.contains("1 open"));
    assert_eq!(machine.run(&["breaker", "reset"], b"").code, Some(2));
    assert_eq!(machine.run(&["reset"], b"").code, Some(2));
    let Some(seated) = Seated::start(&machine, &["reset"]) else {
        return;
    };
    let (code, shown) = seated.ends();
    assert_eq!(
        (code, shown.trim()),
        (Some(0), "closed: calls are reviewed again")
    );
    let answer = call(&machine, "2", "make d");
    assert!(reason(&answer).contains("denied by review"), "{answer:?}");
    let refused = machine.run(&["breaker", "reset", "nothing"], b"");
    assert_eq!(refused.code, Some(2));
}

/// The store fails under a running hook: the agent is told to stop, and why.
#[test]
fn a_store_that_fails_denies() {
    let machine = Machine::new();
    assert_eq!(word(&call(&machine, "1", "make")), "silent");
    assert_eq!(word(&call(&machine, "1", "rm -rf ~")), "deny");
    let store = machine.state.join("store.db");
    assert!(store.exists(), "a hard deny is counted");
    for name in ["store.db-wal", "store.db-shm"] {
        std::fs::remove_file(machine.state.join(name)).expect("it is there");
    }
    std::fs::write(&store, "garbage ".repeat(1000)).expect("a file");
    let denied = call(&machine, "2", "make");
    assert_eq!(word(&denied), "deny");
    insta::assert_snapshot!(reason(&denied));
    assert_eq!(
        word(&call(&machine, "3", "ls")),
        "allow",
        "what rules decide needs no store"
    );
    assert_eq!(word(&call(&machine, "4", "rm -rf ~")), "deny");
    let status = machine.run(&["breaker", "show"], b"");
    assert_eq!(status.code, Some(2), "{status:?}");
}

/// Two hundred hooks at once on one store: nothing is lost, and the log's chain holds.
#[test]
fn two_hundred_hooks_at_once() {
    let machine = Machine::new();
    let calls = 200;
    let inputs: Vec<String> = (0..calls)
        .map(|at| {
            machine.here(
                &json!({
                    "session_id": format!("s-{}", at % 50),
                    "cwd": "/home/user/project",
                    "permission_mode": "default",
                    "hook_event_name": "PreToolUse",
                    "tool_name": "Bash",
                    "tool_input": {"command": format!("rm -rf / {at}")},
                    "tool_use_id": format!("t-{at}"),
                })
                .to_string(),
            )
        })
        .collect();
    let children: Vec<_> = inputs
        .iter()
        .map(|input| {
            let mut command = machine.command(&["hook", "claude-code"]);
            command
                .stdin(std::process::Stdio::piped())
                .stdout(std::process::Stdio::piped())
                .stderr(std::process::Stdio::piped());
            let mut child = command.spawn().expect("it starts");
            let mut stdin = child.stdin.take().expect("a pipe");
            stdin.write_all(input.as_bytes()).expect("it is read");
            child
        })
        .collect();
    for child in children {
        let answer = machine.answer(&child.wait_with_output().expect("it ends"));
        assert_eq!(word(&answer), "deny");
        let told = reason(&answer);
        assert!(!told.contains("not counted"), "{told}");
    }
    let shown = machine
        .run(&["breaker", "show", "--format", "json"], b"")
        .stdout;
    let mut counted = 0;
    for line in shown.lines() {
        let view: Value = serde_json::from_str(line).expect("JSON");
        if view["kind"] == "scope" {
            counted += view["denials"].as_u64().expect("a number");
            assert_eq!(view["open"], true, "{view}");
        } else {
            assert_eq!(
                (view["open"].as_bool(), view["denials"].as_u64()),
                (Some(true), Some(30))
            );
        }
    }
    // Four in each of fifty sessions: the third opens the breaker, which counts no further.
    assert_eq!(counted, 150);
    let log = machine.run(&["audit", "verify"], b"");
    assert_eq!(log.code, Some(0), "{log:?}");
    let decisions = kinds(&machine)
        .iter()
        .filter(|kind| *kind == "decision")
        .count();
    assert_eq!(decisions, calls);
}

/// A call that an embedding host has parked is listed, and answered by the hash that was shown.
#[test]
fn a_person_answers_a_call_that_waits() {
    use countersign_broker::{
        Fingerprint, HeldCall, History, ParkId, ParkLimits, Parking, Pending,
    };
    use countersign_core::{Bindings, BoundInput, Digest, ToolName};
    let machine = Machine::new();
    let dirs = countersign::paths::Dirs::find(Some(&machine.config), Some(&machine.state))
        .expect("a home");
    let store = countersign::store::of(&dirs, &[]);
    let parking = Parking {
        store: &store,
        limits: ParkLimits::default(),
    };
    let history: Fingerprint = History::new().fingerprint();
    let input = json!({"to": "production\u{202e}", "force": true});
    let held = HeldCall {
        source: "test".to_owned(),
        session: "s-1".to_owned(),
        gate: "acp".to_owned(),
        tool: ToolName::new("deploy").expect("a name"),
        tool_call_id: "t-1".to_owned(),
        input: BoundInput::redact(input.as_object().cloned(), &Bindings::none()).expect("an input"),
        request: Digest::of("test", b"request"),
        retry_key: Digest::of("test", b"key"),
        history,
    };
    let id = ParkId::random(&[7; 16]).expect("an id");
    let mut log = countersign::audit::AuditLog::new(dirs.audit_folder());
    let parked = Pending::new(held)
        .park(&parking, id, &mut log)
        .expect("it waits");
    insta::assert_snapshot!(machine.run(&["pending"], b"").stdout);
    let name = parked.id().as_str().split_at(8).0;
    assert_eq!(
        machine.run(&["pending", "answer", name, "allow"], b"").code,
        Some(2)
    );
    let Some(seated) = Seated::start(&machine, &["pending", "answer", name, "allow"]) else {
        return;
    };
    let (code, shown) = seated.ends();
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("answered: the call goes on"), "{shown}");
    assert!(
        machine
            .run(&["pending"], b"")
            .stdout
            .contains("no call waits")
    );
    let answered = kinds(&machine)
        .iter()
        .filter(|kind| *kind == "answered")
        .count();
    assert_eq!(answered, 1);
}
