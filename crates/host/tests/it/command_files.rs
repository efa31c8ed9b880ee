//! Command files that an owner brings.

use crate::support::{Machine, reason, word};
use serde_json::json;
use std::fmt::Write as _;

const ACME: &str = "name = \"acme\"\nsummary = \"keeps a list\"\n\n[[subcommand]]\nname = \"list\"\nreads = true\n\n\
     [[subcommand]]\nname = \"drop\"\neffects = [\"send\"]\ntags = [\"delete\"]\n\n\
     [[example]]\nrun = \"acme list\"\nreads = true\n\n[[example]]\nrun = \"acme drop\"\neffects = [\"send\"]\n";

fn own(machine: &Machine, name: &str, text: &str) {
    let folder = machine.config.join("commands");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(name), text).expect("a file");
}

fn bash(machine: &Machine, command: &str) -> String {
    word(&machine.tool("default", "Bash", &json!({ "command": command })))
}

#[test]
fn an_owners_command_file_makes_a_program_known() {
    assert_eq!(bash(&Machine::new(), "acme list"), "silent");
    let machine = Machine::new();
    own(&machine, "acme.toml", ACME);
    assert_eq!(bash(&machine, "acme list"), "allow");
    assert_eq!(bash(&machine, "acme list | head"), "allow");
    assert_eq!(bash(&machine, "acme drop all"), "ask");
    let checked = machine.run(&["config", "check"], b"");
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(checked.stdout.contains("commands/acme.toml"), "{checked:?}");
    let held = std::fs::read_dir(machine.state.join("commands")).expect("it is remembered");
    assert_eq!(held.count(), 1);
    let explained = machine.run(&["explain", "--", "acme list; acme drop"], b"");
    insta::assert_snapshot!(explained.stdout);
}

#[test]
fn an_owners_command_file_takes_the_place_of_a_built_in_one() {
    let machine = Machine::new();
    let sort = ACME.replace("acme", "sort");
    own(&machine, "sort.toml", &sort);
    assert_eq!(bash(&machine, "sort list"), "allow");
    assert_eq!(bash(&machine, "sort README.md"), "silent");
    let checked = machine.run(&["config", "check"], b"").stdout;
    assert!(
        checked.contains("takes the place of what is built in about sort"),
        "{checked}"
    );
    let explained = machine.run(&["explain", "--", "sort list"], b"").stdout;
    assert!(
        explained.contains("commands/sort.toml, in place of what is built in"),
        "{explained}"
    );
}

#[test]
fn a_broken_command_file_is_never_an_absent_one() {
    let mut table = String::new();
    for (what, files) in [
        ("no TOML", vec![("acme.toml", "name = ".to_owned())]),
        (
            "an unknown key",
            vec![("acme.toml", ACME.replace("reads", "raeds"))],
        ),
        (
            "an example that does not hold",
            vec![(
                "acme.toml",
                ACME.replace("run = \"acme list\"", "run = \"acme drop\""),
            )],
        ),
        (
            "no example",
            vec![(
                "acme.toml",
                "name = \"acme\"\nsummary = \"has none\"\n".to_owned(),
            )],
        ),
        (
            "two of one program",
            vec![("a.toml", ACME.to_owned()), ("b.toml", ACME.to_owned())],
        ),
        (
            "more than are loaded",
            (0..65).map(|_| ("", String::new())).collect(),
        ),
    ] {
        let machine = Machine::new();
        for (number, (name, text)) in files.iter().enumerate() {
            let numbered = format!("{number}.toml");
            own(
                &machine,
                if name.is_empty() { &numbered } else { name },
                text,
            );
        }
        let answer = machine.tool("default", "Bash", &json!({"command": "ls"}));
        assert_eq!(word(&answer), "deny", "{what}");
        let checked = machine.run(&["config", "check"], b"");
        assert_eq!(checked.code, Some(1), "{what}: {checked:?}");
        let _infallible = writeln!(table, "{what}\n  {}", checked.stdout.trim_end());
    }
    insta::assert_snapshot!(table);
}

#[test]
fn a_workspaces_command_file_does_not_count_and_is_named() {
    let machine = Machine::new();
    machine.write(".countersign/commands/acme.toml", ACME);
    assert_eq!(bash(&machine, "ls"), "allow");
    let answer = machine.tool("default", "Bash", &json!({"command": "acme list"}));
    assert_eq!(word(&answer), "ask");
    assert!(
        reason(&answer).contains("a workspace may only tighten"),
        "{}",
        reason(&answer)
    );
}

#[test]
fn a_session_keeps_the_command_files_it_began_with() {
    let machine = Machine::new();
    let call = |session: &str, command: &str| {
        word(&machine.hook(&json!({
            "session_id": session,
            "cwd": "/home/user/project",
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": command},
            "tool_use_id": "toolu_1",
        })))
    };
    assert_eq!(call("a", "acme list"), "silent");
    own(&machine, "acme.toml", ACME);
    assert_eq!(call("a", "acme list"), "silent");
    assert_eq!(call("b", "acme list"), "allow");
    own(&machine, "acme.toml", "broken");
    assert_eq!(call("b", "acme list"), "allow");
    assert_eq!(call("c", "acme list"), "deny");
    own(&machine, "acme.toml", ACME);
    let told = machine.run(&["status"], b"");
    let told = told.stdout + &told.stderr;
    assert!(told.contains("commands/acme.toml"), "{told}");
}

#[test]
fn a_file_to_go_on_from_is_printed_and_counts_as_it_is() {
    let machine = Machine::new();
    let printed = machine.run(&["config", "command", "acme"], b"");
    assert_eq!(printed.code, Some(0), "{printed:?}");
    insta::assert_snapshot!(printed.stdout);
    own(&machine, "acme.toml", &printed.stdout);
    assert_eq!(machine.run(&["config", "check"], b"").code, Some(0));
    let file = machine.config.join("commands/acme.toml");
    let file = file.to_str().expect("UTF-8");
    assert_eq!(machine.run(&["config", "check", file], b"").code, Some(0));

    let built_in = machine.run(&["config", "command", "git"], b"").stdout;
    assert!(
        built_in.contains("takes the place of all of it"),
        "{built_in}"
    );
    for wrong in ["", "./acme", "acme list", "a\"b"] {
        assert_eq!(
            machine.run(&["config", "command", wrong], b"").code,
            Some(2),
            "{wrong}"
        );
    }
}

#[test]
fn the_schema_of_command_files_is_printed() {
    let printed = Machine::new().run(&["config", "schema", "commands"], b"");
    let schema: serde_json::Value = serde_json::from_str(&printed.stdout).expect("JSON");
    assert!(schema["properties"]["subcommand"].is_object(), "{schema}");
}
