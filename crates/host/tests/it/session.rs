//! A session runs with the settings it began with; only a person ends that.

use crate::support::{Answer, Machine, reason, word};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

const DENY: &str = "[permissions]\ndeny = [\"Bash(make deploy:*)\"]\n";

/// How a record is broken: its name, and what does it.
type Breakage = (&'static str, fn(&PathBuf));

fn call(machine: &Machine, session: &str, command: &str) -> Answer {
    let input = json!({"command": command});
    tool(machine, session, "Bash", &input)
}

fn tool(machine: &Machine, session: &str, tool: &str, input: &Value) -> Answer {
    machine.hook(&json!({
        "session_id": session,
        "cwd": "/home/user/project",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": input,
        "tool_use_id": "toolu_1",
    }))
}

fn start(machine: &Machine, session: &str) -> Answer {
    machine.hook(&json!({
        "session_id": session,
        "cwd": "/home/user/project",
        "hook_event_name": "SessionStart",
        "source": "startup",
    }))
}

fn records(machine: &Machine) -> Vec<PathBuf> {
    std::fs::read_dir(machine.state.join("sessions"))
        .map(|entries| {
            entries
                .map(|entry| entry.expect("readable").path())
                .collect()
        })
        .unwrap_or_default()
}

#[test]
fn an_edit_changes_nothing_for_a_session_that_runs() {
    for begin in [start as fn(&Machine, &str) -> Answer, |machine, session| {
        call(machine, session, "ls")
    }] {
        let machine = Machine::new();
        machine.configure(DENY);
        begin(&machine, "a");
        machine.configure("[permissions]\nallow = [\"Bash(make:*)\"]\n");
        assert_eq!(word(&call(&machine, "a", "make deploy")), "deny");
        assert_eq!(word(&call(&machine, "a", "make all")), "silent");
        assert_eq!(word(&call(&machine, "b", "make deploy")), "allow");
        // Nor does a file that came, that went or that broke.
        std::fs::remove_file(machine.config.join("config.toml")).expect("it is there");
        assert_eq!(word(&call(&machine, "a", "make deploy")), "deny");
        machine.configure("[permissions\n");
        assert_eq!(word(&call(&machine, "a", "make deploy")), "deny");
        assert_eq!(word(&call(&machine, "a", "make all")), "silent");
        let fresh = call(&machine, "c", "make all");
        assert_eq!(word(&fresh), "deny");
        assert!(reason(&fresh).contains("config.toml"), "{fresh:?}");
        machine.configure("");
        assert_eq!(word(&call(&machine, "c", "make all")), "silent");
    }
}

#[test]
fn a_workspace_adds_to_a_session_and_takes_nothing_away() {
    let machine = Machine::new();
    machine.write(".countersign.toml", DENY);
    assert_eq!(word(&call(&machine, "a", "make deploy")), "deny");
    machine.write(
        ".countersign.toml",
        "[permissions]\nask = [\"Bash(make all)\"]\n",
    );
    assert_eq!(word(&call(&machine, "a", "make deploy")), "deny");
    assert_eq!(word(&call(&machine, "a", "make all")), "ask");
    assert_eq!(word(&call(&machine, "b", "make deploy")), "silent");
    std::fs::remove_file(machine.project.join(".countersign.toml")).expect("it is there");
    assert_eq!(word(&call(&machine, "a", "make deploy")), "deny");
    assert_eq!(word(&call(&machine, "a", "make all")), "silent");
    // What does not parse, or loosens, flags everything but reads, as ever.
    for text in [
        "[permissions\n",
        "undecided = \"no-opinion\"\n[permissions]\nallow = [\"Bash\"]\n",
    ] {
        machine.write(".countersign.toml", text);
        assert_eq!(word(&call(&machine, "a", "make all")), "ask");
        assert_eq!(word(&call(&machine, "a", "ls")), "allow");
    }
}

#[test]
fn a_record_that_cannot_be_used_denies_and_says_what_to_do() {
    let breakages: [Breakage; 5] = [
        ("empty", |file| std::fs::write(file, "").expect("ours")),
        ("torn", |file| {
            let text = std::fs::read(file).expect("readable");
            std::fs::write(file, &text[..text.len() / 2]).expect("ours");
        }),
        ("another version", |file| {
            let text = std::fs::read_to_string(file).expect("readable");
            std::fs::write(file, text.replace("\"v\":1", "\"v\":2")).expect("ours");
        }),
        ("another key", |file| {
            let text = std::fs::read_to_string(file).expect("readable");
            std::fs::write(file, text.replace("\"v\":1", "\"v\":1,\"off\":true")).expect("ours");
        }),
        ("a folder", |file| {
            std::fs::remove_file(file).expect("ours");
            std::fs::create_dir(file).expect("ours");
        }),
    ];
    for (name, breakage) in breakages {
        let machine = Machine::new();
        machine.configure(DENY);
        call(&machine, "a", "ls");
        let [record] = &records(&machine)[..] else {
            panic!("{:?}", records(&machine))
        };
        breakage(record);
        for command in ["ls", "make all"] {
            let answer = call(&machine, "a", command);
            assert_eq!(word(&answer), "deny", "{name}: {answer:?}");
            assert!(
                reason(&answer).contains("countersign config reload"),
                "{name}: {answer:?}"
            );
        }
        assert_eq!(word(&call(&machine, "b", "ls")), "allow", "{name}");
        let told = machine.run(&["status"], b"");
        assert!(told.stdout.contains("1 session keeps"), "{name}: {told:?}");
    }
}

#[test]
fn records_are_private_and_named_by_nothing_an_agent_chooses() {
    let machine = Machine::new();
    for session in ["a", "../../../escape", "a/b", "\u{202e}", &"x".repeat(5000)] {
        call(&machine, session, "ls");
    }
    let records = records(&machine);
    assert_eq!(records.len(), 5);
    for record in &records {
        let name = record.file_name().expect("a name").to_string_lossy();
        assert_eq!(name.len(), 69, "{name}");
        let mode = |path: &PathBuf| std::fs::metadata(path).expect("there").permissions().mode();
        assert_eq!(mode(record) & 0o777, 0o600);
        assert_eq!(mode(&machine.state.join("sessions")) & 0o777, 0o700);
    }
}

#[test]
fn a_record_that_cannot_be_written_denies() {
    let machine = Machine::new();
    std::fs::create_dir_all(&machine.state).expect("a folder");
    std::fs::write(machine.state.join("sessions"), "").expect("a file in its place");
    let answer = call(&machine, "a", "ls");
    assert_eq!(word(&answer), "deny");
    assert!(reason(&answer).contains("sessions"), "{answer:?}");
}

#[test]
fn a_person_is_told_and_only_a_person_reloads() {
    let machine = Machine::new();
    machine.configure(DENY);
    call(&machine, "a", "ls");
    let shown = |command: &[&str]| machine.run(command, b"").stdout;
    for command in [&["status"][..], &["config", "show"], &["doctor"]] {
        assert!(!shown(command).contains("config reload"), "{command:?}");
    }
    machine.configure("");
    for command in [&["status"][..], &["config", "show"], &["doctor"]] {
        let told = shown(command);
        assert!(
            told.contains("1 session keeps the settings of before the last change of")
                && told.contains("config.toml"),
            "{told}"
        );
    }
    let refused = machine.run(&["config", "reload"], b"");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("terminal"), "{refused:?}");
    assert_eq!(records(&machine).len(), 1);
    assert_eq!(
        word(&call(&machine, "a", "countersign config reload")),
        "deny"
    );
}

/// Tools of every kind, none of which a lockdown lets through.
#[test]
fn a_lockdown_is_not_kept_from_a_session_that_runs() {
    let calls = [
        ("Bash", json!({"command": "ls"})),
        ("Read", json!({"file_path": "/home/user/project/README.md"})),
        (
            "Write",
            json!({"file_path": "/home/user/project/x", "content": "x"}),
        ),
        (
            "Edit",
            json!({"file_path": "/home/user/project/README.md", "old_string": "a", "new_string": "b"}),
        ),
        (
            "NotebookEdit",
            json!({"notebook_path": "/home/user/project/x.ipynb", "new_source": "x"}),
        ),
        ("Glob", json!({"pattern": "*"})),
        (
            "WebFetch",
            json!({"url": "http://127.0.0.1/", "prompt": "x"}),
        ),
        ("WebSearch", json!({"query": "x"})),
        ("Skill", json!({"skill": "x"})),
        ("Agent", json!({"prompt": "x"})),
        ("TodoWrite", json!({"todos": []})),
        ("ExitPlanMode", json!({})),
        ("mcp__files__read", json!({"path": "README.md"})),
        ("SomeLaterTool", json!({})),
    ];
    let machine = Machine::new();
    for (name, input) in &calls {
        assert_ne!(word(&tool(&machine, "a", name, input)), "deny", "{name}");
    }
    assert_eq!(machine.run(&["lockdown"], b"").code, Some(0));
    for (name, input) in &calls {
        for session in ["a", "b"] {
            let answer = tool(&machine, session, name, input);
            assert_eq!(word(&answer), "deny", "{name}");
            assert!(
                reason(&answer).contains("locked the gate down"),
                "{name}: {answer:?}"
            );
        }
    }
    // Nor does anything but a person end it.
    assert_eq!(machine.run(&["on"], b"").code, Some(2));
    machine.configure("[permissions]\nallow = [\"Bash\"]\n");
    assert_eq!(word(&call(&machine, "c", "ls")), "deny");
}
