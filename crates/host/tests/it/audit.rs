use crate::support::{Machine, word};
use serde_json::json;

fn call(machine: &Machine, command: &str) {
    machine.tool("default", "Bash", &json!({"command": command}));
}

#[test]
fn every_call_leaves_a_record_without_the_text_of_its_command() {
    let machine = Machine::new();
    call(&machine, "ls");
    call(&machine, "API_KEY=canary-4711 make");
    call(&machine, "rm -rf ~");
    let text = machine.records();
    assert_eq!(text.lines().count(), 3);
    assert!(!text.contains("canary-4711"), "{text}");
    let shown = machine.run(&["audit", "show"], b"");
    let without_time: Vec<&str> = shown
        .stdout
        .lines()
        .map(|line| line.get(29..).unwrap_or_default())
        .collect();
    insta::assert_snapshot!(without_time.join("\n"));
}

#[test]
fn changes_to_the_log_are_found() {
    let machine = Machine::new();
    for _ in 0..4 {
        call(&machine, "ls");
    }
    let log = machine.segments().pop().expect("a segment");
    let text = std::fs::read_to_string(&log).expect("a log");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(machine.run(&["audit", "verify"], b"").code, Some(0));
    let flipped = text.replacen("allow", "alloW", 1);
    let dropped = [lines[0], lines[2], lines[3], ""].join("\n");
    let swapped = [lines[0], lines[2], lines[1], lines[3], ""].join("\n");
    let torn = text.get(..text.len() - 20).expect("a long log");
    for (what, changed) in [
        ("flipped", flipped.as_str()),
        ("dropped", &dropped),
        ("swapped", &swapped),
        ("torn", torn),
    ] {
        std::fs::write(&log, changed).expect("the log can be written");
        assert_eq!(
            machine.run(&["audit", "verify"], b"").code,
            Some(1),
            "{what}"
        );
    }
}

/// A process that died while it wrote leaves half a line; the next one goes on after the last whole one.
#[test]
fn a_torn_line_is_mended_and_recorded() {
    let machine = Machine::new();
    call(&machine, "ls");
    call(&machine, "ls");
    let log = machine.segments().pop().expect("a segment");
    let text = std::fs::read_to_string(&log).expect("a log");
    std::fs::write(&log, text.get(..text.len() - 20).expect("a long log"))
        .expect("the log can be written");
    call(&machine, "ls");
    let verified = machine.run(&["audit", "verify"], b"");
    assert_eq!(verified.code, Some(0), "{verified:?}");
    assert!(
        machine
            .run(&["audit", "show"], b"")
            .stdout
            .contains("recovered")
    );
}

#[test]
fn many_processes_write_one_chain() {
    let machine = Machine::new();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..6).for_each(|_| call(&machine, "ls")));
        }
    });
    let verified = machine.run(&["audit", "verify"], b"");
    assert_eq!(verified.code, Some(0), "{verified:?}");
    assert!(
        verified.stdout.starts_with("48 records in "),
        "{verified:?}"
    );
}

#[test]
fn questions_leave_no_record() {
    let machine = Machine::new();
    machine.run(&["check", "--", "ls"], b"");
    machine.run(&["explain", "--", "ls"], b"");
    machine.run(&["lex", "--", "ls"], b"");
    assert!(!machine.state.exists());
}

fn kinds(machine: &Machine) -> Vec<String> {
    machine
        .records()
        .lines()
        .map(|line| {
            let record: serde_json::Value = serde_json::from_str(line).expect("a record");
            record["event"]["kind"].as_str().unwrap_or("?").to_owned()
        })
        .collect()
}

#[test]
fn what_is_not_judged_is_recorded_too() {
    let machine = Machine::new();
    machine.hook(&json!({"hook_event_name": "PreToolUse", "tool_input": "canary-4711"}));
    machine.configure("nonsense");
    call(&machine, "echo canary-4711");
    machine.configure("");
    std::fs::write(machine.state.join("switch"), "off\n").expect("a switch");
    call(&machine, "echo canary-4711");
    assert_eq!(kinds(&machine), ["failure", "failure", "unjudged"]);
    let text = machine.records();
    assert!(!text.contains("canary-4711"), "{text}");
    assert_eq!(machine.run(&["audit", "verify"], b"").code, Some(0));
}

#[test]
fn a_lockdown_denies_everything_until_a_person_lifts_it() {
    let machine = Machine::new();
    assert_eq!(machine.run(&["lockdown"], b"").code, Some(0));
    assert_eq!(
        word(&machine.tool("default", "Bash", &json!({"command": "ls"}))),
        "deny"
    );
    assert_eq!(
        word(&machine.tool("default", "TodoWrite", &json!({"todos": []}))),
        "deny"
    );
    for command in ["on", "off"] {
        let answer = machine.run(&[command], b"");
        assert_eq!(answer.code, Some(2), "{command}: {answer:?}");
        assert!(
            answer.stderr.contains("only from a person's own terminal"),
            "{answer:?}"
        );
    }
    assert_eq!(
        word(&machine.tool("default", "Bash", &json!({"command": "ls"}))),
        "deny"
    );
}
