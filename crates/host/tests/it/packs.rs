//! Packs of rules that an owner or a workspace brings.

use crate::support::{Machine, reason, word};
use serde_json::json;
use std::fmt::Write as _;

/// A pack that guards `deploy.sh`, in one severity.
fn pack(name: &str, severity: &str) -> String {
    format!(
        "pack = \"{name}\"\nabout = \"our releases\"\n\n[[rule]]\nid = \"release\"\nseverity = \"{severity}\"\n\
         why = \"starts a release\"\nsafer = \"open a pull request; the pipeline releases\"\n\
         match = [\"npm run release\"]\nnot_match = [\"npm run test\"]\n\n\
         [[rule.when]]\neffect = [\"write\", \"delete\"]\npath = [\"./release/**\"]\n"
    )
}

/// The same, with examples that hold.
fn good(name: &str, severity: &str) -> String {
    pack(name, severity)
        .replace("npm run release", "echo x > release/a")
        .replace("npm run test", "cat release/a")
}

fn own(machine: &Machine, name: &str, text: &str) {
    let folder = machine.config.join("rules");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(name), text).expect("a file");
}

fn bash(machine: &Machine, command: &str) -> String {
    word(&machine.tool("default", "Bash", &json!({ "command": command })))
}

#[test]
fn an_owners_pack_counts_like_a_built_in_one() {
    assert_eq!(bash(&Machine::new(), "echo x > release/a"), "silent");
    let machine = Machine::new();
    own(&machine, "acme.toml", &good("acme", "hard"));
    let answer = machine.tool("default", "Bash", &json!({"command": "echo x > release/a"}));
    assert_eq!(word(&answer), "deny");
    insta::assert_snapshot!(reason(&answer));
    assert_eq!(bash(&machine, "echo x > docs/a"), "silent");

    let explained = machine.run(&["explain", "--", "echo x > release/a"], b"");
    assert!(explained.stdout.contains("acme.release"), "{explained:?}");
    let listed = machine.run(&["config", "packs"], b"").stdout;
    assert!(
        listed.contains("rules/acme.toml)\n  hard  acme.release"),
        "{listed}"
    );
    assert!(
        listed.contains("  hard  filesystem.delete-root"),
        "{listed}"
    );
    let checked = machine.run(&["config", "check"], b"");
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(checked.stdout.contains("rules/acme.toml"), "{checked:?}");
    let held = std::fs::read_dir(machine.state.join("packs")).expect("it is remembered");
    assert_eq!(held.count(), 1);
}

#[test]
fn a_broken_pack_is_never_an_absent_one() {
    let text = good("acme", "soft");
    let mut table = String::new();
    for (what, text) in [
        ("no TOML", "pack = ".to_owned()),
        ("an unknown key", text.replace("about", "abuot")),
        (
            "no way out",
            text.replace(
                "safer = \"open a pull request; the pipeline releases\"\n",
                "",
            ),
        ),
        ("an empty reason", text.replace("starts a release", " ")),
        (
            "an example that does not meet it",
            text.replace("echo x > release/a", "ls"),
        ),
        (
            "an example that meets it",
            text.replace("cat release/a", "rm release/a"),
        ),
        ("no example", text.replace("[\"cat release/a\"]", "[]")),
        (
            "an effect that does not exist",
            text.replace("\"delete\"", "\"destroy\""),
        ),
        ("a name that is taken", text.replace("\"acme\"", "\"git\"")),
        (
            "a name that is reserved",
            text.replace("\"acme\"", "\"permissions\""),
        ),
        (
            "a condition that always holds",
            format!("{text}\n[[rule.when]]\n"),
        ),
    ] {
        let machine = Machine::new();
        own(&machine, "acme.toml", &text);
        let answer = machine.tool("default", "Bash", &json!({"command": "ls"}));
        assert_ne!(word(&answer), "silent", "{what}");
        assert_ne!(word(&answer), "allow", "{what}");
        let checked = machine.run(&["config", "check"], b"");
        assert_eq!(checked.code, Some(1), "{what}: {checked:?}");
        let _infallible = writeln!(table, "{what}\n{}", checked.stdout);
    }
    insta::assert_snapshot!(table);
}

#[test]
fn two_packs_do_not_share_a_name() {
    let machine = Machine::new();
    own(&machine, "a.toml", &good("acme", "soft"));
    own(&machine, "b.toml", &good("acme", "ask"));
    let checked = machine.run(&["config", "check"], b"");
    assert!(
        checked.stdout.contains("another pack with the name `acme`"),
        "{checked:?}"
    );
}

#[test]
fn a_workspaces_pack_tightens() {
    let machine = Machine::new();
    machine.write(".countersign/rules/ours.toml", &good("ours", "soft"));
    assert_eq!(bash(&machine, "echo x > release/a"), "ask");
    assert_eq!(bash(&machine, "cargo build"), "silent");
    // The agent does not get to change it unseen.
    assert_eq!(bash(&machine, "rm .countersign/rules/ours.toml"), "ask");

    // Broken, it is named, and all but reads is asked about.
    machine.write(".countersign/rules/ours.toml", &pack("ours", "soft"));
    assert_eq!(bash(&machine, "ls"), "allow");
    let answer = machine.tool("default", "Bash", &json!({"command": "cargo build"}));
    assert_eq!(word(&answer), "ask");
    assert!(reason(&answer).contains("ours.toml"), "{}", reason(&answer));
}

/// To refuse one of them would let a file that sorts first take another out of force.
#[test]
fn packs_of_a_workspace_that_share_a_name_are_all_in_force() {
    let machine = Machine::new();
    own(&machine, "own.toml", &good("owners", "soft"));
    machine.write(".countersign/rules/a.toml", &good("ours", "soft"));
    machine.write(".countersign/rules/b.toml", &good("ours", "hard"));
    assert_eq!(bash(&machine, "echo x > release/a"), "deny");
    let answer = machine.tool("default", "Bash", &json!({"command": "cargo build"}));
    assert_eq!(word(&answer), "ask");
    assert!(reason(&answer).contains("another pack with the name `ours`"));

    machine.end_sessions();
    std::fs::remove_file(machine.project.join(".countersign/rules/a.toml")).expect("there");
    machine.write(".countersign/rules/b.toml", &good("owners", "hard"));
    assert_eq!(bash(&machine, "echo x > release/a"), "deny");
    let answer = machine.tool("default", "Bash", &json!({"command": "cargo build"}));
    assert_eq!(word(&answer), "ask");
}
