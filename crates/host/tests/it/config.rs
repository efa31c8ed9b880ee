use crate::support::{Machine, word};
use serde_json::json;
use std::fmt::Write as _;

const TEXTS: &[(&str, &str)] = &[
    ("a typing error", "[permissions]\ndeny = [\"Bash(rm:*)\"\n"),
    ("an unknown section", "[permission]\ndeny = []\n"),
    ("an unknown key", "[permissions]\ndenied = []\n"),
    ("a wrong type", "[permissions]\ndeny = \"Bash\"\n"),
    (
        "a wrong type of a switch",
        "[network]\nremote_reads = \"yes\"\n",
    ),
    (
        "a pattern without a tool",
        "[permissions]\nask = [\"(rm)\"]\n",
    ),
    (
        "a pattern with an open parenthesis",
        "[permissions]\nallow = [\"Bash(ls\"]\n",
    ),
    ("an unknown word", "undecided = \"perhaps\"\n"),
    (
        "an exception to no rule",
        "[[hard_deny.except]]\nrule = \"x.y\"\npath = \"/x\"\nreason = \"r\"\n",
    ),
    (
        "an exception for everything",
        "[[hard_deny.except]]\nrule = \"tls.weaken\"\nreason = \"r\"\n",
    ),
    (
        "an exception without a reason",
        "[[hard_deny.except]]\nrule = \"tls.weaken\"\nhost = \"h\"\nreason = \" \"\n",
    ),
];

#[test]
fn errors_say_what_is_wrong_and_where() {
    let machine = Machine::new();
    let mut table = String::new();
    for (what, text) in TEXTS {
        machine.configure(text);
        let answer = machine.run(&["config", "check"], b"");
        assert_eq!(answer.code, Some(1), "{what}: {answer:?}");
        let _infallible = writeln!(table, "{what}\n{}", answer.stdout);
    }
    insta::assert_snapshot!(table);
}

fn bash(machine: &Machine, command: &str) -> String {
    word(&machine.tool("default", "Bash", &json!({"command": command})))
}

#[test]
fn deny_wins_over_ask_and_ask_over_allow() {
    let machine = Machine::new();
    machine.configure(
        "[permissions]\nallow = [\"Bash(make:*)\", \"Bash(git:*)\"]\nask = [\"Bash(make deploy:*)\"]\ndeny = [\"Bash(make destroy:*)\", \"Read(./private/**)\"]\n",
    );
    for (command, expected) in [
        ("make", "allow"),
        ("make test && make lint", "allow"),
        ("make deploy", "ask"),
        ("make destroy", "deny"),
        ("make; make destroy", "deny"),
        ("timeout 5 make destroy", "deny"),
        ("bash -c 'make destroy'", "deny"),
        ("echo $(make destroy)", "deny"),
        ("make && ./other", "silent"),
        ("make > out.txt", "silent"),
        ("git push --force", "ask"),
        ("cat private/a", "deny"),
        ("cat < private/a", "deny"),
    ] {
        assert_eq!(bash(&machine, command), expected, "{command}");
    }
    let read = json!({"file_path": "/home/user/project/private/a"});
    assert_eq!(word(&machine.tool("default", "Read", &read)), "deny");
}

#[test]
fn a_workspace_only_tightens() {
    let machine = Machine::new();
    machine.write(
        ".countersign.toml",
        "undecided = \"ask\"\n[permissions]\ndeny = [\"Bash(cargo publish:*)\"]\n[paths]\nprotected = [\"schema.sql\"]\nsecret = [\"vault.txt\"]\n",
    );
    assert_eq!(bash(&machine, "cargo publish"), "deny");
    assert_eq!(bash(&machine, "cargo build"), "ask");
    assert_eq!(bash(&machine, "echo x > schema.sql"), "ask");
    assert_eq!(bash(&machine, "cat vault.txt"), "ask");
    assert_eq!(bash(&machine, "cat .env"), "ask", "the built-in list stays");
    assert_eq!(
        word(&machine.tool("default", "TodoWrite", &json!({}))),
        "silent"
    );
}

#[test]
fn a_workspace_that_loosens_is_ignored_named_and_flagged() {
    let machine = Machine::new();
    machine.write(
        ".countersign.toml",
        "[permissions]\nallow = [\"Bash\"]\n[network]\nread_hosts = [\"*\"]\n[[hard_deny.except]]\nrule = \"filesystem.delete-root\"\npath = \"/\"\nreason = \"r\"\n",
    );
    assert_eq!(bash(&machine, "rm -rf ~"), "deny");
    assert_eq!(bash(&machine, "ls"), "allow");
    let answer = machine.tool("default", "Bash", &json!({"command": "cargo build"}));
    assert_eq!(word(&answer), "ask");
    insta::assert_snapshot!(crate::support::reason(&answer));
}

#[test]
fn fetching_is_allowed_where_the_owner_says_so_and_the_workspace_does_not_object() {
    let (service, page) = ("gh pr list", "curl https://example.org");
    let on = "[network]\nremote_reads = true\nplain_gets = true\n";
    for (owner, workspace, expected) in [
        ("", "", ["silent", "silent"]),
        ("[network]\nremote_reads = true\n", "", ["allow", "silent"]),
        (on, "", ["allow", "allow"]),
        (on, "[network]\nremote_reads = false\n", ["silent", "allow"]),
        (on, on, ["allow", "allow"]),
        ("", on, ["ask", "ask"]),
    ] {
        let machine = Machine::new();
        machine.configure(owner);
        machine.write(".countersign.toml", workspace);
        let found = [service, page].map(|command| bash(&machine, command));
        assert_eq!(found, expected, "{owner} {workspace}");
    }
    let machine = Machine::new();
    machine.configure(on);
    let shown = machine.run(&["config", "show"], b"").stdout;
    assert!(
        shown.contains("remote_reads = true\nplain_gets = true"),
        "{shown}"
    );
}

#[test]
fn a_workspace_takes_nothing_off_a_list() {
    for list in ["protected", "secret", "denied"] {
        let machine = Machine::new();
        machine.configure("[paths]\ndenied = [\"private\"]\n");
        machine.write(
            ".countersign.toml",
            &format!("[paths]\n{list} = [\"!**\", \"!.env\", \"!.git\", \"!private\"]\n"),
        );
        assert_eq!(bash(&machine, "cat .env"), "ask", "{list}");
        assert_eq!(bash(&machine, "echo x > .git/config"), "ask", "{list}");
        assert_eq!(bash(&machine, "cat private/a"), "deny", "{list}");
        let answer = machine.tool("default", "Bash", &json!({"command": "cargo build"}));
        let reason = crate::support::reason(&answer);
        assert!(reason.contains(&format!("paths.{list}")), "{reason}");
    }
}

#[test]
fn exceptions_lift_one_rule_in_one_place() {
    let machine = Machine::new();
    machine.configure("[[hard_deny.except]]\nrule = \"tls.weaken\"\nhost = \"dev.example\"\nreason = \"self-signed\"\n");
    assert_eq!(bash(&machine, "curl -k https://other.example"), "deny");
    assert_eq!(bash(&machine, "curl -k https://dev.example"), "silent");
    let shown = machine.run(&["config", "show"], b"");
    assert!(
        shown
            .stdout
            .contains("exception to tls.weaken: self-signed"),
        "{shown:?}"
    );
}

#[test]
fn a_list_without_the_defaults_says_so() {
    let machine = Machine::new();
    machine.configure("[paths]\nsecret = [\"only.txt\"]\nprotected = [\"$defaults\", \"x\"]\n");
    assert_eq!(bash(&machine, "cat only.txt"), "ask");
    assert_eq!(bash(&machine, "cat .env"), "allow");
    assert_eq!(bash(&machine, "echo x > .git/config"), "ask");
    let checked = machine.run(&["config", "check"], b"");
    assert!(
        checked.stdout.contains("paths.secret has no `$defaults`"),
        "{checked:?}"
    );
}

/// The environment is the agent's to set: nothing in it chooses what is loaded.
#[test]
fn the_environment_chooses_no_configuration() {
    let machine = Machine::new();
    let elsewhere = machine.home.join("elsewhere");
    std::fs::create_dir_all(elsewhere.join("countersign")).expect("a folder");
    std::fs::write(
        elsewhere.join("countersign/config.toml"),
        "[permissions]\nallow = [\"Bash\"]\n",
    )
    .expect("a file");
    let mut command = machine.command(&["check", "--", "cargo build"]);
    command
        .env("XDG_CONFIG_HOME", &elsewhere)
        .env("COUNTERSIGN_CONFIG", &elsewhere);
    assert_eq!(machine.finish(command, b"").code, Some(10));
}

#[test]
fn the_schema_and_the_defaults_are_api() {
    let machine = Machine::new();
    insta::assert_snapshot!(machine.run(&["config", "schema"], b"").stdout);
    let defaults = machine.run(&["config", "defaults"], b"").stdout;
    insta::assert_snapshot!(defaults);
    let uncommented: String = defaults
        .lines()
        .filter_map(|line| line.strip_prefix('#'))
        .filter(|line| line.trim_start().starts_with('"') || !line.starts_with([' ', '#']))
        .fold(String::new(), |text, line| text + line + "\n");
    let parsed = countersign::config::parse(&uncommented);
    assert!(
        parsed.is_ok_and(|config| config.paths.secret.is_some()),
        "{uncommented}"
    );
}
