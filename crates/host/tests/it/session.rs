//! A session runs with the settings it began with; only a person ends that.

use crate::support::{Answer, Machine, reason, word};
use serde_json::{Value, json};
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

const DENY: &str = "[permissions]\ndeny = [\"Bash(make deploy:*)\"]\n";

/// How a record is broken: its name, and what does it.
type Breakage = (&'static str, fn(&PathBuf));

/// What is done to a workspace: its name, and what does it.
type Attack<'a> = (&'static str, &'a dyn Fn(&Machine));

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

/// A pack that flags what is written under `release`.
fn pack(name: &str, severity: &str) -> String {
    format!(
        "pack = \"{name}\"\nabout = \"our releases\"\n\n[[rule]]\nid = \"release\"\nseverity = \"{severity}\"\n\
         why = \"starts a release\"\nsafer = \"open a pull request\"\n\
         match = [\"echo x > release/a\"]\nnot_match = [\"cat release/a\"]\n\n\
         [[rule.when]]\neffect = [\"write\"]\npath = [\"./release/**\"]\n"
    )
}

#[test]
fn a_session_keeps_the_packs_it_began_with() {
    let machine = Machine::new();
    let folder = machine.config.join("rules");
    let file = folder.join("acme.toml");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(&file, pack("acme", "hard")).expect("a file");
    let release = |session: &str| word(&call(&machine, session, "echo x > release/a"));
    assert_eq!(release("a"), "deny");

    std::fs::write(&file, pack("acme", "ask")).expect("a file");
    assert_eq!((release("a"), release("b")), ("deny".into(), "ask".into()));
    std::fs::write(&file, "pack = ").expect("a file");
    assert_eq!((release("a"), release("c")), ("deny".into(), "deny".into()));
    // Three hard denies would have a person asked about everything.
    machine.forget();
    assert_eq!(word(&call(&machine, "a", "make all")), "silent");
    assert_eq!(word(&call(&machine, "c", "make all")), "deny");
    std::fs::remove_file(&file).expect("it is there");
    assert_eq!(
        (release("a"), release("d")),
        ("deny".into(), "silent".into())
    );

    // One that comes later counts from the next session on.
    std::fs::write(folder.join("later.toml"), pack("later", "soft")).expect("a file");
    assert_eq!(
        (release("d"), release("e")),
        ("silent".into(), "ask".into())
    );
    let told = machine.run(&["status"], b"");
    assert!(told.stdout.contains("rules/acme.toml"), "{told:?}");
    assert!(told.stdout.contains("rules/later.toml"), "{told:?}");
}

#[test]
fn a_workspaces_pack_adds_to_a_session_and_takes_nothing_away() {
    let machine = Machine::new();
    let release = |session: &str| word(&call(&machine, session, "echo x > release/a"));
    assert_eq!(release("a"), "silent");
    machine.write(".countersign/rules/ours.toml", &pack("ours", "ask"));
    assert_eq!(release("a"), "ask");
    assert_eq!(release("b"), "ask");
    machine.write(".countersign/rules/ours.toml", &pack("ours", "hard"));
    assert_eq!((release("a"), release("b")), ("deny".into(), "deny".into()));
    // `b` began with the pack, and keeps it.
    std::fs::remove_file(machine.project.join(".countersign/rules/ours.toml")).expect("there");
    assert_eq!(
        (release("a"), release("b")),
        ("silent".into(), "ask".into())
    );
    // Broken, it flags everything but reads.
    machine.write(".countersign/rules/ours.toml", "pack = ");
    for session in ["a", "b"] {
        assert_eq!(word(&call(&machine, session, "make all")), "ask");
        assert_eq!(word(&call(&machine, session, "ls")), "allow");
    }
}

/// What takes a pack out of force that a session began with, if anything does.
#[test]
fn nothing_that_comes_later_takes_a_workspaces_pack_away() {
    let write = |machine: &Machine, name: &str, text: &str| {
        machine.write(&format!(".countersign/rules/{name}"), text);
    };
    let folder = |machine: &Machine| machine.project.join(".countersign/rules");
    let attacks: [Attack; 9] = [
        ("another of its name that comes first", &|machine| {
            write(machine, "a.toml", &pack("ours", "soft"));
        }),
        ("another kept file takes its name", &|machine| {
            write(machine, "b-kept.toml", &pack("ours", "soft"));
        }),
        ("itself under another name", &|machine| {
            write(machine, "ours.toml", &pack("b-kept", "soft"));
        }),
        ("too many", &|machine| {
            for number in 0..17 {
                let name = format!("p{number}");
                write(machine, &format!("a{number}.toml"), &pack(&name, "soft"));
            }
        }),
        ("a file in the folder's place", &|machine| {
            std::fs::remove_dir_all(folder(machine)).expect("there");
            std::fs::write(folder(machine), "").expect("ours");
        }),
        ("a folder that cannot be read", &|machine| {
            let closed = std::fs::Permissions::from_mode(0o000);
            std::fs::set_permissions(folder(machine), closed).expect("ours");
        }),
        ("a folder in the file's place", &|machine| {
            std::fs::remove_file(folder(machine).join("ours.toml")).expect("there");
            std::fs::create_dir(folder(machine).join("ours.toml")).expect("ours");
        }),
        ("no folder", &|machine| {
            std::fs::remove_dir_all(folder(machine)).expect("there");
        }),
        ("a workspace that is elsewhere", &|machine| {
            let moved = machine.home.join("moved");
            std::fs::rename(&machine.project, &moved).expect("ours");
            std::fs::remove_dir_all(moved.join(".countersign")).expect("there");
            std::os::unix::fs::symlink(&moved, &machine.project).expect("ours");
        }),
    ];
    for (what, attack) in attacks {
        let machine = Machine::new();
        write(&machine, "b-kept.toml", &pack("b-kept", "soft"));
        write(&machine, "ours.toml", &pack("ours", "hard"));
        let release = || word(&call(&machine, "a", "echo x > release/a"));
        assert_eq!(release(), "deny", "{what}");
        attack(&machine);
        assert_eq!(release(), "deny", "{what}");
        assert_eq!(word(&call(&machine, "a", "ls")), "allow", "{what}");
        // What is refused is named, and all but reads asks.
        let told =
            ["too many", "a file in the folder's place"].contains(&what) || what.contains("name");
        if told && what != "itself under another name" {
            assert_eq!(word(&call(&machine, "a", "make all")), "ask", "{what}");
        }
        let open = std::fs::Permissions::from_mode(0o755);
        let _removable = std::fs::set_permissions(folder(&machine), open);
    }
}

/// What could not be read back is not kept.
#[test]
fn settings_that_are_too_much_to_keep_deny() {
    let machine = Machine::new();
    let filler = format!("# {}\n", "x".repeat(1_000_000));
    for number in 0..9 {
        let text = pack(&format!("p{number}"), "soft") + &filler;
        machine.write(&format!(".countersign/rules/{number}.toml"), &text);
    }
    for _again in 0..2 {
        let answer = call(&machine, "a", "ls");
        assert_eq!(word(&answer), "deny");
        let told = reason(&answer);
        assert!(
            told.contains("can be kept") && told.contains(".countersign/rules/"),
            "{told}"
        );
    }
    assert_eq!(records(&machine), Vec::<PathBuf>::new());
    std::fs::remove_file(machine.project.join(".countersign/rules/8.toml")).expect("there");
    assert_eq!(word(&call(&machine, "a", "ls")), "allow");
    assert_eq!(word(&call(&machine, "a", "ls")), "allow");
}

/// A terminal of one's own, as a person has one. Nothing where an agent is among the processes that
/// started the tests, which no terminal hides.
fn at_a_terminal(machine: &Machine, args: &[&str]) -> Option<(Option<i32>, String)> {
    let terminal = nix::pty::openpty(None, None).expect("a terminal");
    let mut command = machine.command(args);
    let end = || terminal.slave.try_clone().expect("a terminal");
    command.stdin(end()).stdout(end()).stderr(end());
    let mut child = command.spawn().expect("the program starts");
    drop(command);
    let code = child.wait().expect("the program ends").code();
    let mut shown = vec![0; 4096];
    let length = std::fs::File::from(terminal.master)
        .read(&mut shown)
        .expect("something is shown");
    let shown = String::from_utf8_lossy(&shown[..length]).into_owned();
    if shown.contains("is among the processes that started this") {
        println!("skipped: {shown}");
        return None;
    }
    Some((code, shown))
}

#[test]
fn a_person_at_a_terminal_reloads() {
    let machine = Machine::new();
    machine.configure(DENY);
    assert_eq!(word(&call(&machine, "a", "make deploy")), "deny");
    machine.configure("");
    assert_eq!(word(&call(&machine, "a", "make deploy")), "deny");
    let Some((code, shown)) = at_a_terminal(&machine, &["config", "reload"]) else {
        return;
    };
    assert_eq!(code, Some(0), "{shown}");
    assert!(
        shown.contains("reloaded") && shown.contains("(1 had kept theirs)"),
        "{shown}"
    );
    assert_eq!(word(&call(&machine, "a", "make deploy")), "silent");
    // What would deny every call is not taken over.
    machine.configure("[permissions\n");
    let (code, shown) = at_a_terminal(&machine, &["config", "reload"]).expect("as before");
    assert_eq!(code, Some(2), "{shown}");
    assert_eq!(word(&call(&machine, "a", "make deploy")), "silent");
}

#[test]
fn a_person_at_a_terminal_switches_off_and_on() {
    let machine = Machine::new();
    machine.run(&["lockdown"], b"");
    let Some((code, shown)) = at_a_terminal(&machine, &["on"]) else {
        return;
    };
    assert_eq!(code, Some(0), "{shown}");
    assert_eq!(word(&call(&machine, "a", "ls")), "allow");
    let (code, shown) = at_a_terminal(&machine, &["off"]).expect("as before");
    assert_eq!(code, Some(0), "{shown}");
    assert_eq!(word(&call(&machine, "a", "rm -rf ~")), "silent");
}

/// Rules of a workspace lie in `.countersign/rules`, and nowhere else.
#[test]
fn a_rule_in_a_configuration_file_is_an_error() {
    let rule = pack("ours", "soft");
    let machine = Machine::new();
    machine.write(".countersign.toml", &rule);
    let answer = call(&machine, "a", "make all");
    assert_eq!(word(&answer), "ask");
    assert!(reason(&answer).contains("unknown field"), "{answer:?}");
    let machine = Machine::new();
    machine.configure(&rule);
    assert_eq!(word(&call(&machine, "a", "ls")), "deny");
}
