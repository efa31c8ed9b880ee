//! Plugins and reviewers, by the commands that a person types, with real libraries.

use crate::support::{Answer, Machine, reason, word};
use countersign_plugin_testing::library::{example, library};
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;

const HOSTILE: &str = "countersign-plugin-hostile";

/// A machine with the misbehaving plugin added, asked in a mode.
pub(crate) fn machine(mode: &str) -> Machine {
    let machine = Machine::new();
    let added = machine.run(&["plugin", "add", &path(&library(HOSTILE))], b"");
    assert_eq!(added.code, Some(0), "{added:?}");
    let used = machine.run(
        &["reviewer", "use", "hostile", &format!("mode={mode}")],
        b"",
    );
    assert_eq!(used.code, Some(0), "{used:?}");
    machine
}

fn path(file: &std::path::Path) -> String {
    file.to_string_lossy().into_owned()
}

/// What a person sees, with the hash of this build taken out.
fn seen(answer: &Answer) -> String {
    let built = library(HOSTILE);
    let built = built
        .parent()
        .expect("it lies in a folder")
        .to_string_lossy();
    let text = format!("{}{}", answer.stdout, answer.stderr).replace(&*built, "BUILT");
    let shown: Vec<String> = text
        .split_inclusive([' ', '\n', '"', '/'])
        .map(|word| {
            let bare = word.trim_end_matches([' ', '\n', '"', ',', ';', '/']);
            let hash = bare.len() == 64 && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
            if hash {
                word.replace(bare, "[hash]")
            } else {
                word.to_owned()
            }
        })
        .collect();
    format!("{}[{}]\n", shown.concat(), answer.code.unwrap_or(-1))
}

/// A session: each command with what it printed and its exit code.
fn session(machine: &Machine, commands: &[&[&str]]) -> String {
    commands.iter().fold(String::new(), |mut text, args| {
        let shown: Vec<&str> = args
            .iter()
            .map(|word| word.rsplit('/').next().unwrap_or(word))
            .collect();
        let answer = machine.run(args, b"");
        let _infallible = writeln!(text, "$ countersign {}\n{}", shown.join(" "), seen(&answer));
        text
    })
}

#[test]
fn from_nothing_to_a_reviewer_and_back() {
    let machine = Machine::new();
    let file = path(&library(HOSTILE));
    let text = session(
        &machine,
        &[
            &["plugin", "list"],
            &["reviewer", "show"],
            &["reviewer", "use", "hostile"],
            &["plugin", "add", "nowhere.so"],
            &["plugin", "add", "README.md"],
            &["plugin", "add", &path(&example(HOSTILE, "layout"))],
            &["plugin", "add", &path(&example(HOSTILE, "wrong_name"))],
            &["plugin", "add", &file],
            &["plugin", "list"],
            &["plugin", "show", "hostile"],
            &["reviewer", "use", "hostile"],
            &["reviewer", "use", "hostile", "mode"],
            &["reviewer", "use", "hostile", "mod=deny"],
            &["reviewer", "use", "hostile", "mode=[1]"],
            &["reviewer", "use", "hostile", "mode=deny"],
            &[
                "reviewer",
                "use",
                "second",
                "mode=good",
                "--plugin",
                "hostile",
                "--also",
                "--env",
                "HOSTILE_GRANTED",
            ],
            &["reviewer", "show"],
            &["check", "--", "make"],
            &["explain", "--", "make"],
            &["plugin", "remove", "hostile"],
            &["reviewer", "remove", "hostile"],
            &["check", "--", "make"],
            &["reviewer", "remove", "second"],
            &["plugin", "remove", "hostile"],
            &["plugin", "remove", "hostile"],
            &["reviewer", "remove", "second"],
            &["check", "--", "make"],
        ],
    );
    insta::assert_snapshot!(text);
}

/// Only what changes is written; the rest of the file keeps every byte.
#[test]
fn the_configuration_keeps_what_a_person_wrote() {
    let machine = Machine::new();
    machine.configure(
        "# mine\nundecided = 'ask' # why\n\n[review]\nask = [ ] # nobody yet\ndeadline_s = 5\n\n[permissions]\n  deny = [\"Bash(make:*)\"]\n",
    );
    for args in [
        &["plugin", "add", &path(&library(HOSTILE))][..],
        &["reviewer", "use", "hostile", "mode=good"],
        &["reviewer", "use", "hostile", "mode=deny"],
    ] {
        let answer = machine.run(args, b"");
        assert_eq!(answer.code, Some(0), "{answer:?}");
    }
    let text = std::fs::read_to_string(machine.config.join("config.toml")).expect("the file");
    let text = seen(&Answer {
        code: Some(0),
        stdout: text,
        stderr: String::new(),
    });
    insta::assert_snapshot!(text);
    assert_eq!(machine.run(&["config", "check"], b"").code, Some(0));
}

/// A file that is not the pinned one is never run, whoever put it there.
#[test]
fn a_changed_file_is_not_run() {
    let machine = machine("good");
    assert_eq!(machine.run(&["check", "--", "make"], b"").code, Some(0));
    let file = machine.config.join("plugins/hostile.so");
    std::fs::copy(example(HOSTILE, "ctor_exit"), &file).expect("a copy");
    let text = session(
        &machine,
        &[
            &["check", "--", "make"],
            &["plugin", "list"],
            &["plugin", "show", "hostile"],
            &["plugin", "check", "hostile"],
            &["reviewer", "show"],
        ],
    );
    insta::assert_snapshot!(text);
    assert_eq!(word(&bash(&machine, "make")), "ask");
}

/// Looking at a file that nobody vouches for runs none of it.
#[test]
fn looking_at_a_file_does_not_run_it() {
    let machine = Machine::new();
    let file = path(&example(HOSTILE, "ctor_print"));
    let answer = machine.run(&["plugin", "show", &file], b"");
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert!(answer.stdout.contains("not run"), "{answer:?}");
    let text = format!("{}{}", answer.stdout, answer.stderr);
    assert!(!text.contains("told to allow"), "{text}");
    // An agent that asks for it, or has a folder of its own choose the plugin, is not let through.
    for command in [
        "countersign plugin show ./evil.so",
        "countersign plugin check ./evil.so",
        "countersign --config-dir ./cfg check -- make",
    ] {
        for mode in ["default", "plan"] {
            let call = machine.tool(mode, "Bash", &json!({"command": command}));
            assert_ne!(word(&call), "allow", "{command} {mode}");
        }
    }
}

/// No command leaves a configuration behind that cannot be loaded: it would deny every call.
#[test]
fn a_change_that_would_not_load_is_not_made() {
    let machine = machine("good");
    let text = configuration(
        &machine,
        "good",
        "[reviewers.second]\nplugin = \"hostile\"\nconfig = { mode = \"good\" }\n",
    );
    let text = text.replace(
        "ask = [\"hostile\"]",
        "ask = [\"hostile\", \"second\"]\nmode = \"quorum\"\nquorum = 2",
    );
    machine.configure(&text);
    let answer = machine.run(&["reviewer", "remove", "second"], b"");
    assert_eq!(answer.code, Some(2), "{answer:?}");
    assert!(answer.stderr.contains("nothing was changed"), "{answer:?}");
    assert_eq!(word(&bash(&machine, "make")), "allow");
    let outside = machine.write_beside("victim.so");
    for name in ["../../victim", "/etc/x", "", "A"] {
        let answer = machine.run(&["plugin", "remove", name], b"");
        assert_eq!(answer.code, Some(2), "{name}: {answer:?}");
    }
    assert!(outside.exists());
}

fn bash(machine: &Machine, command: &str) -> Answer {
    machine.tool("default", "Bash", &json!({"command": command}))
}

/// Whatever the plugin does, the agent gets a whole answer, and an allow only where one was given.
#[test]
fn the_hook_answers_whatever_the_plugin_does() {
    let rows = [
        ("good", "allow"),
        ("abstain", "silent"),
        ("deny", "deny"),
        ("panic", "ask"),
        ("panic-drop", "ask"),
        ("raw-panic", "ask"),
        ("abort", "ask"),
        ("segv", "ask"),
        ("exit0", "ask"),
        ("stack", "ask"),
        ("loop", "ask"),
        ("print", "deny"),
        ("flood", "ask"),
        ("close", "ask"),
        ("write-fds", "ask"),
        ("fork", "ask"),
        ("huge", "ask"),
        ("nan", "ask"),
        ("unknown-verdict", "ask"),
        ("allow-critical", "ask"),
    ];
    let machine = machine("good");
    let mut text = String::new();
    for (mode, expected) in rows {
        machine.end_sessions();
        machine.configure(&configuration(&machine, mode, ""));
        let answer = bash(&machine, "make");
        assert_eq!(word(&answer), expected, "{mode}: {answer:?}");
        let _infallible = writeln!(text, "{mode:<16} {}", without_ids(&reason(&answer)));
        // What rules decide is none of a reviewer's business.
        assert_eq!(word(&bash(&machine, "git status")), "allow", "{mode}");
        assert_eq!(word(&bash(&machine, "rm -rf ~")), "deny", "{mode}");
    }
    insta::assert_snapshot!(text);
}

/// The id of a thread, which Rust prints when its stack overflows.
fn without_ids(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let bare = word.trim_start_matches('(').trim_end_matches(')');
        let id = word.starts_with('(') && bare.bytes().all(|byte| byte.is_ascii_digit());
        if id { "(N)" } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The same in process: what can be caught is, and the rest ends in the deny that was prepared.
#[test]
fn a_plugin_in_process_cannot_end_the_hook_without_an_answer() {
    let machine = machine("good");
    for (mode, expected) in [
        ("good", "allow"),
        ("deny", "deny"),
        ("panic", "ask"),
        ("panic-drop", "ask"),
        ("print", "deny"),
        ("exit0", "deny"),
        ("abort", "deny"),
        ("segv", "deny"),
        ("stack", "deny"),
        ("raw-panic", "deny"),
        ("sleep", "ask"),
        ("create-exit0", "deny"),
    ] {
        machine.end_sessions();
        machine.configure(&configuration(
            &machine,
            mode,
            "isolation = \"in-process\"\n",
        ));
        let answer = bash(&machine, "make");
        assert_eq!(word(&answer), expected, "{mode}: {answer:?}");
    }
    machine.end_sessions();
    machine.configure(&configuration(
        &machine,
        "exit0",
        "isolation = \"in-process\"\n",
    ));
    let answer = machine.run(&["check", "--", "make"], b"");
    assert_eq!(answer.code, Some(70), "{answer:?}");
}

/// The configuration of a machine whose plugin was added, for another mode.
fn configuration(machine: &Machine, mode: &str, more: &str) -> String {
    let text = std::fs::read_to_string(machine.config.join("config.toml")).expect("the file");
    let pin = text
        .lines()
        .find(|line| line.starts_with("sha256"))
        .expect("a pin");
    format!(
        "[plugins.hostile]\n{pin}\n[review]\nask = [\"hostile\"]\ndeadline_s = 2\nretries = 0\n[reviewers.hostile]\nconfig = {{ mode = \"{mode}\" }}\n{more}"
    )
}

#[test]
fn where_nobody_can_be_asked_a_failure_is_a_deny() {
    let machine = machine("good");
    let text = configuration(&machine, "abort", "");
    machine.configure(&text.replace("retries = 0", "retries = 0\non_failure = \"deny\""));
    let answer = bash(&machine, "make");
    assert_eq!(word(&answer), "deny");
    insta::assert_snapshot!(reason(&answer), @"Countersign: nobody has judged this: the review is unavailable. hostile crashed: its process was ended by SIGABRT; nothing was judged unsafe. Tell the user; `countersign reviewer show` says who is asked.");
}

/// A repository chooses nobody who judges it.
#[test]
fn a_workspace_cannot_choose_its_reviewers() {
    let machine = machine("deny");
    assert_eq!(word(&bash(&machine, "make")), "deny");
    for text in [
        "[review]\nask = []\n",
        "[review]\non_failure = \"ask\"\n",
        "[reviewers.hostile]\nconfig = { mode = \"good\" }\n",
        "[plugins.hostile]\nunpinned = true\n",
        "[guidance]\nallow = [\"everything\"]\n",
    ] {
        machine.write(".countersign.toml", text);
        assert_eq!(word(&bash(&machine, "make")), "deny", "{text}");
        let shown = machine.run(&["config", "check"], b"");
        assert_eq!(shown.code, Some(1), "{text}: {shown:?}");
    }
}

/// An agent that runs the commands itself is turned away.
#[test]
fn an_agent_does_not_choose_its_reviewers() {
    let machine = machine("deny");
    for args in [
        &["plugin", "add", "x.so"][..],
        &["plugin", "pin", "hostile"],
        &["plugin", "remove", "hostile"],
        &["reviewer", "use", "hostile", "mode=good"],
        &["reviewer", "remove", "hostile"],
    ] {
        let mut command = machine.command(args);
        command.env("CLAUDECODE", "1");
        let answer = machine.finish(command, b"");
        assert_eq!(answer.code, Some(2), "{answer:?}");
        assert!(answer.stderr.contains("CLAUDECODE"), "{answer:?}");
        let call = bash(&machine, &format!("countersign {}", args.join(" ")));
        assert_eq!(word(&call), "deny", "{args:?}");
    }
}

/// Each kind of misbehaviour is found by `plugin check`.
#[test]
fn the_conformance_checks_find_what_misbehaves() {
    let machine = machine("good");
    let mut text = String::new();
    for mode in [
        "good",
        "deny",
        "slow",
        "panic",
        "panic-drop",
        "garbage",
        "huge",
        "nan",
        "unknown-verdict",
        "cancel",
        "sleep",
        "print",
        "exit0",
    ] {
        let mode_is = format!("mode={mode}");
        let args = ["plugin", "check", "hostile", &mode_is, "--limit", "2"];
        let answer = machine.run(&args, b"");
        let _infallible = writeln!(text, "--- {mode} [{}]", answer.code.unwrap_or(-1));
        for line in answer.stdout.lines() {
            let behaves = line.starts_with("ok ");
            if !behaves || mode == "good" {
                let _infallible = writeln!(text, "{}", without_times(line));
            }
        }
    }
    insta::assert_snapshot!(text);
}

fn without_times(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let mut shown: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let time = words.get(at + 1) == Some(&"ms") && word.parse::<u32>().is_ok();
        shown.push(if time {
            "N".to_owned()
        } else {
            (*word).to_owned()
        });
    }
    shown.join(" ")
}

#[test]
fn plugins_of_the_first_interface_still_load() {
    let machine = Machine::new();
    for level in [0, 3] {
        let file: PathBuf = countersign_plugin_testing::frozen::v1(level);
        let added = machine.run(&["plugin", "add", &path(&file)], b"");
        assert_eq!(added.code, Some(0), "{added:?}");
        let used = machine.run(&["reviewer", "use", "frozen-v1"], b"");
        assert_eq!(used.code, Some(0), "{used:?}");
        for (command, code) in [
            ("make frozen-allow", 0),
            ("make frozen-deny", 12),
            ("make", 10),
        ] {
            let answer = machine.run(&["check", "--", command], b"");
            assert_eq!(answer.code, Some(code), "{level} {command}: {answer:?}");
        }
    }
}
