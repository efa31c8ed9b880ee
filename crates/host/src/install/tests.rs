mod random;

use super::edit::{Change, install, uninstall};
use super::file::{FileErrorKind, SettingsFile, read_settings};
use super::registration::{EVENTS, Registration};
use super::{EventState, complaints, diff, reach, registered, switches_off};
use serde_json::Value;
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Settings without any hook of ours, in every style met.
const STYLES: &[(&str, &str)] = &[
    ("an empty object", "{}"),
    ("an empty object with a newline", "{}\n"),
    ("an empty object with space inside", "{ \n }\n"),
    (
        "two spaces",
        "{\n  \"model\": \"opus\",\n  \"env\": {\"A\": \"1\"}\n}\n",
    ),
    (
        "four spaces, no newline at the end",
        "{\n    \"model\": \"opus\"\n}",
    ),
    (
        "tabs",
        "{\n\t\"model\": \"opus\",\n\n\t\"permissions\": {\n\t\t\"allow\": []\n\t}\n}\n",
    ),
    ("crlf", "{\r\n  \"model\": \"opus\"\r\n}\r\n"),
    ("a byte order mark", "\u{feff}{\n  \"model\": \"opus\"\n}\n"),
    ("one line", "{\"model\":\"opus\",\"env\":{}}"),
    ("one line with spaces", "{ \"model\": \"opus\" }\n"),
    (
        "odd spacing kept",
        "{\n  \"a\" :1 ,\n\n      \"b\":[ 1,2 ] }\n\n",
    ),
    (
        "escapes and other alphabets",
        "{\n  \"\\u0061\": \"é\\n\\ud83d\\ude00\"\n}\n",
    ),
    ("empty hooks", "{\n  \"hooks\": {}\n}\n"),
    (
        "an empty event",
        "{\n  \"hooks\": {\n    \"PreToolUse\": []\n  },\n  \"z\": 1\n}\n",
    ),
];

/// Settings with hooks of other people.
const WITH_HOOKS: &[(&str, &str)] = &[
    (
        "another PreToolUse",
        "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"/opt/lint\" }\n        ]\n      }\n    ]\n  },\n  \"model\": \"opus\"\n}\n",
    ),
    (
        "another event, on one line",
        "{\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}]}\n}\n",
    ),
    (
        "all on one line",
        "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"http\",\"url\":\"http://127.0.0.1/\"}]}]}}",
    ),
    (
        "crlf and tabs",
        "{\r\n\t\"hooks\": {\r\n\t\t\"SessionStart\": [\r\n\t\t\t{ \"hooks\": [] }\r\n\t\t]\r\n\t}\r\n}",
    ),
    (
        "a program that only sounds like ours",
        "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"/opt/countersign\",\"args\":[\"status\"]}]}]}}\n",
    ),
];

fn ours() -> Registration {
    Registration::new(Path::new("/opt/bin/countersign"), None, None).expect("it is UTF-8")
}

fn installed(text: &str) -> String {
    install(text, &ours())
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .text
}

fn uninstalled(text: &str) -> String {
    uninstall(text, &ours())
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .text
}

fn json(text: &str) -> Value {
    serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn is_good(text: &str, registration: &Registration) -> bool {
    let found = registered(text, registration).expect("these are settings");
    found
        .events
        .iter()
        .all(|(_, state)| *state == EventState::Good)
}

/// Every byte of `old` is still there and in order: `new` is `old` with whole pieces put in.
#[track_caller]
fn assert_only_added(old: &str, new: &str, most_pieces: usize) {
    let (mut old, mut new) = (old.as_bytes(), new.as_bytes());
    let mut pieces = 0;
    loop {
        let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        (old, new) = (&old[same..], &new[same..]);
        if old.is_empty() {
            break;
        }
        pieces += 1;
        // A piece that was put in ends where the old text goes on.
        let ahead = &old[..old.len().min(12)];
        let at = new.windows(ahead.len()).position(|window| window == ahead);
        new = &new[at.expect("nothing was taken away")..];
    }
    assert!(pieces <= most_pieces, "{pieces} pieces");
}

#[test]
fn installing_adds_and_changes_nothing_else() {
    for (name, text) in STYLES.iter().chain(WITH_HOOKS) {
        let edited = install(text, &ours()).expect(name);
        assert!(is_good(&edited.text, &ours()), "{name}: {}", edited.text);
        assert_eq!(
            edited.changes,
            EVENTS.map(|event| Change::Added(event.to_owned())),
            "{name}"
        );
        if !name.contains("empty object with space") {
            assert_only_added(text, &edited.text, 4);
        }
        assert_eq!(
            edited.text.contains("\r\n"),
            text.contains("\r\n"),
            "{name}"
        );
        assert_eq!(
            edited.text.replace("\r\n", "").contains('\n'),
            text.replace("\r\n", "").contains('\n') || *name == "an empty object",
            "{name}"
        );
        let (mut after, before) = (json(&edited.text), json(text));
        for event in EVENTS {
            let groups = after["hooks"][event].as_array_mut().expect(name);
            let ours = groups.pop().expect(name);
            assert_eq!(
                ours["hooks"][0]["command"], "/opt/bin/countersign",
                "{name}"
            );
            assert!(ours.get("matcher").is_none(), "{name}");
            assert_eq!(
                *groups,
                before["hooks"][event]
                    .as_array()
                    .cloned()
                    .unwrap_or_default()
            );
        }
    }
}

#[test]
fn installing_again_changes_nothing() {
    for (name, text) in STYLES.iter().chain(WITH_HOOKS) {
        let once = installed(text);
        let again = install(&once, &ours()).expect(name);
        assert_eq!((again.text, again.changes), (once, Vec::new()), "{name}");
    }
}

#[test]
fn uninstalling_gives_back_every_byte() {
    for (name, text) in WITH_HOOKS {
        assert_eq!(uninstalled(&installed(text)), *text, "{name}");
    }
    for (name, text) in STYLES {
        let back = uninstalled(&installed(text));
        match *name {
            // What was empty before cannot be told from what became empty.
            "an empty object with space inside" | "empty hooks" => assert_eq!(back, "{}\n"),
            "an empty event" => assert_eq!(back, "{\n  \"z\": 1\n}\n"),
            _ => assert_eq!(back, *text, "{name}"),
        }
    }
}

#[test]
fn uninstalling_what_is_not_there_changes_nothing() {
    for (name, text) in STYLES.iter().chain(WITH_HOOKS) {
        let edited = uninstall(text, &ours()).expect(name);
        assert_eq!(
            (edited.text.as_str(), edited.changes.len()),
            (*text, 0),
            "{name}"
        );
    }
}

#[test]
fn edits_look_like_the_text_around_them() {
    let mut shown = String::new();
    for (name, text) in STYLES.iter().chain(WITH_HOOKS) {
        let change = diff(text, &installed(text)).replace('\t', "→");
        let _infallible = writeln!(shown, "## {name}\n{change}");
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn an_older_registration_is_brought_up_to_date_where_it_stands() {
    let new = ours();
    let moved = |text: &str| text.replace("/opt/bin/countersign", "/home/u/old/countersign");
    for (name, text) in STYLES.iter().chain(WITH_HOOKS) {
        let good = installed(text);
        let edited = install(&moved(&good), &new).expect(name);
        assert_eq!(edited.text, good, "{name}");
        for event in EVENTS {
            let change = Change::Replaced(event.to_owned());
            assert!(edited.changes.contains(&change), "{name}");
        }
        assert_eq!(edited.changes.len(), EVENTS.len(), "{name}");
    }
    let weak = installed("{}")
        .replace("\"block\"", "\"ignore\"")
        .replace("60", "5");
    assert_eq!(
        install(&weak, &new).expect("settings").text,
        installed("{}")
    );
}

#[test]
fn registrations_that_see_too_little_or_stand_elsewhere_are_mended() {
    let hook = "{\"type\":\"command\",\"command\":\"/opt/bin/countersign\",\"args\":[\"hook\",\"claude-code\"],\"timeout\":60,\"onFailure\":\"block\"}";
    let good = format!("[{{\"hooks\":[{hook}]}}]");
    let all = |pre: &str, more: &str| {
        format!(
            "{{\"hooks\":{{\"PreToolUse\":{pre},\"ConfigChange\":{good},\"SessionStart\":{good}{more}}}}}"
        )
    };
    let other = "{\"type\":\"command\",\"command\":\"x\"}";
    for (pre, more, want_pre) in [
        // A matcher would let calls past.
        (format!("[{{\"matcher\":\"Bash\",\"hooks\":[{hook}]}}]"), "", good.clone()),
        (
            format!("[{{\"matcher\":\"Bash\",\"hooks\":[{hook},{other}]}}]"),
            "",
            format!("[{{\"matcher\":\"Bash\",\"hooks\":[{other}]}},{{\"hooks\":[{hook}]}}]"),
        ),
        // These match everything.
        (
            format!("[{{\"matcher\":\"*\",\"hooks\":[{other},{hook}]}}]"),
            "",
            format!("[{{\"matcher\":\"*\",\"hooks\":[{other},{hook}]}}]"),
        ),
        // Once is enough.
        (format!("[{{\"hooks\":[{hook},{hook}]}},{{\"hooks\":[{hook}]}}]"), "", good.clone()),
        // An event that the hook does not answer.
        (good.clone(), &format!(",\"Stop\":{good}"), good.clone()),
        // Through a shell.
        (
            "[{\"hooks\":[{\"type\":\"command\",\"command\":\"'/x/countersign' hook claude-code\"}]}]".to_owned(),
            "",
            good.clone(),
        ),
    ] {
        let (got, want) = (installed(&all(&pre, more)), all(&want_pre, ""));
        assert_eq!(json(&got), json(&want), "{pre}");
    }
}

#[test]
fn folders_given_on_the_command_line_are_registered_as_absolute_paths() {
    let given = Registration::new(
        Path::new("/opt/bin/countersign"),
        Some(Path::new("/etc/gate")),
        Some(Path::new("state")),
    )
    .expect("it is UTF-8");
    let state = std::env::current_dir().expect("there is one").join("state");
    assert_eq!(
        given.args,
        [
            "--config-dir",
            "/etc/gate",
            "--state-dir",
            state.to_str().unwrap(),
            "hook",
            "claude-code"
        ]
    );
    let text = install("{}", &given).expect("settings").text;
    assert!(is_good(&text, &given));
    assert!(!is_good(&text, &ours()));
    assert_eq!(uninstalled(&text), "{}");
}

#[test]
fn a_program_of_another_name_knows_its_own_registration() {
    let renamed = Registration::new(Path::new("/opt/bin/gate-1.0"), None, None).expect("UTF-8");
    let text = install("{}", &renamed).expect("settings").text;
    assert_eq!(install(&text, &renamed).expect("settings").changes, []);
    assert_eq!(uninstall(&text, &renamed).expect("settings").text, "{}");
    // It is not told from other people's hooks by anybody else.
    assert_eq!(uninstalled(&text), text);
}

#[test]
fn what_is_not_settings_is_refused_with_its_place() {
    let mut shown = String::new();
    for text in [
        "",
        " \n",
        "[]",
        "\"hooks\"",
        "{",
        "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"PreToolUse\": [\n",
        "{\"a\": 1,}",
        "{a: 1}",
        "{'a': 1}",
        "{\"a\": 1} {}",
        "{\"a\": \"x\ny\"}",
        "{\n  // mine\n  \"a\": 1\n}",
        "{\"hooks\": []}",
        "{\n  \"hooks\": \"none\"\n}",
        "{\"hooks\": {\"PreToolUse\": {}}}",
        "{\"hooks\": {\"Stop\": [1]}}",
        "{\"hooks\": {\"Stop\": [{\"hooks\": null}]}}",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [true]}]}}",
        "{\"hooks\": {}, \"hooks\": {}}",
        "{\"hooks\": {\"Stop\": [], \"Stop\": []}}",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [], \"hooks\": []}]}}",
        "\u{feff}[]",
        "null",
    ] {
        let error = install(text, &ours()).expect_err(text);
        let _infallible = writeln!(shown, "{text:?}\n    {error}");
    }
    insta::assert_snapshot!(shown);
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(install(&deep, &ours()).is_err());
}

#[test]
fn uninstalling_keeps_comments_and_what_others_put_between() {
    let hook = "{\"command\": \"/x/countersign\", \"args\": [\"hook\", \"claude-code\"]}";
    let group = format!("{{\"hooks\": [{hook}]}}");
    for (before, after) in [
        (
            format!("{{\n  // top\n  \"hooks\": {{\n    \"Stop\": [{group}]\n  }} // end\n}}\n"),
            "{\n  // top\n   // end\n}\n".to_owned(),
        ),
        (
            format!("{{\"a\": 1, // one\n \"hooks\": {{\"Stop\": [{group}]}}}}"),
            "{\"a\": 1 // one\n }".to_owned(),
        ),
        (
            format!("{{\"hooks\": {{\"Stop\": [ /* mine */ {group} ]}}}}"),
            "{\"hooks\": {\"Stop\": [ /* mine */ ]}}".to_owned(),
        ),
        (
            format!("{{\"hooks\": {{\"Stop\": [ // mine\n {group}]}}}}"),
            "{\"hooks\": {\"Stop\": [ // mine\n ]}}".to_owned(),
        ),
        (
            format!("{{\"hooks\": {{\"Stop\": [ // c\n  {group}, {{}}]}}}}"),
            "{\"hooks\": {\"Stop\": [ // c\n  {}]}}".to_owned(),
        ),
        (
            format!(
                "{{\"hooks\": {{\"Stop\": [{{}}, {group}, {group}, {{}}, {group}]}}, \"z\": 1}}"
            ),
            "{\"hooks\": {\"Stop\": [{}, {}]}, \"z\": 1}".to_owned(),
        ),
        (
            format!(
                "{{\"hooks\": {{\"A\": [],\n \"Stop\": [{{\"matcher\": \"x\", \"hooks\": [{hook}]}}],\n \"B\": []}}}}"
            ),
            "{\"hooks\": {\"A\": [],\n \"B\": []}}".to_owned(),
        ),
    ] {
        assert_eq!(uninstalled(&before), after);
    }
}

#[test]
fn faults_of_a_registration_are_named() {
    let good = installed("{}");
    let mut shown = String::new();
    for (from, to) in [
        ("/opt/bin/countersign", "/home/u/countersign"),
        ("\"hook\",", "\"hook\", \"--deadline\", \"90\","),
        ("\"onFailure\": \"block\"", "\"async\": true"),
        ("60", "1"),
        ("\"hooks\": [\n", "\"matcher\": \"Bash\", \"hooks\": [\n"),
        ("PreToolUse", "PostToolUse"),
    ] {
        let found = registered(&good.replacen(from, to, 1), &ours()).expect("settings");
        let _infallible = writeln!(shown, "{from} => {to}\n    {:?}", found.events[0].1);
    }
    insta::assert_snapshot!(shown);
    let beside = registered(WITH_HOOKS[0].1, &ours())
        .expect("settings")
        .beside;
    assert_eq!(beside, ["PreToolUse: /opt/lint"]);
}

#[test]
fn what_can_reach_the_gate_is_named() {
    let mut shown = String::new();
    for text in [
        "",
        "{}",
        "{\"disableAllHooks\": false, \"hooks\": {\"PreToolUse\": []}, \"env\": {\"FOO\": \"1\"}, \"permissions\": {\"defaultMode\": \"plan\"}}",
        "{\"disableAllHooks\": true}",
        "\u{feff}{\"disableAllHooks\": true}",
        "{\"disable\\u0041llHooks\": true, \"disableAllHooks\": false}",
        "{ // comments, and a comma\n \"disableAllHooks\": \"yes\", }",
        "{\"hooks\": {\"PreToolUse\": [{}], \"PermissionRequest\": [{}], \"Stop\\u001b\": [{}]}}",
        "{\"hooks\": {}, \"hooks\": {\"PreToolUse\": 1}}",
        "{\"env\": {\"LD_PRELOAD\": \"\", \"LD_LIBRARY_PATH\": \"\", \"DYLD_INSERT_LIBRARIES\": \"\", \"PATH\": \"\", \"FOO\": \"\"}}",
        "{\"permissions\": {\"defaultMode\": \"acceptEdits\"}}",
        "{\"permissions\": {\"defaultMode\": 1}}",
        "{\"allowManagedHooksOnly\": true, \"allowedHttpHookUrls\": [], \"enabledPlugins\": {}}",
        "[]",
        "{",
    ] {
        let _infallible = writeln!(shown, "{text:?}");
        for what in reach(text) {
            let _infallible = writeln!(shown, "    {what}");
        }
    }
    insta::assert_snapshot!(shown);
    assert!(switches_off(
        "{\"disableAllHooks\": false, \"disableAllHooks\": true}"
    ));
    assert!(!switches_off("{\"disableAllHooks\": false}"));
    assert!(!switches_off("{\"disableAllHooks\": null}"));
}

#[test]
fn differences_are_shown_with_the_lines_around_them() {
    let old: String = (1..=20).fold(String::new(), |text, line| format!("{text}line {line}\n"));
    let new = old
        .replace("line 3\n", "line 3\nnew\tone\n")
        .replace("line 14\n", "")
        .replace("line 20", "line \u{1b}[31m20");
    insta::assert_snapshot!(diff(&old, &new));
    assert_eq!(diff(&old, &old), "");
}

#[test]
fn a_program_that_an_agent_could_replace_is_found() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let base = std::fs::canonicalize(scratch.path()).expect("it exists");
    let put = |path: &str, mode: u32| {
        let file = base.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).expect("a folder");
        std::fs::set_permissions(
            file.parent().unwrap(),
            std::fs::Permissions::from_mode(0o755),
        )
        .expect("ours");
        std::fs::write(&file, "").expect("a file");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).expect("ours");
        file
    };
    let (home, repo) = (base.join("home"), base.join("home/repo"));
    put("home/repo/.git/HEAD", 0o644);
    put("home/repo/src/x", 0o644);
    let check = |program: &Path, cwd: &Path| {
        complaints(program, cwd, &home)
            .join("; ")
            .replace(&*base.to_string_lossy(), "")
    };

    let good = put("home/.local/bin/countersign", 0o755);
    assert_eq!(check(&good, &repo), "");
    // Whoever stands in the home directory is not in a workspace.
    assert_eq!(check(&good, &home), "");
    assert_eq!(check(&good, Path::new("/")), "");

    let inside = put("home/repo/tools/countersign", 0o755);
    assert_eq!(
        check(&inside, &repo.join("src")),
        "it lies in this workspace (/home/repo)"
    );
    for built in [
        "home/x/target/debug/countersign",
        "home/x/build/armv7/release/countersign",
    ] {
        assert_eq!(
            check(&put(built, 0o755), &repo),
            "it lies in a build folder"
        );
    }
    assert_eq!(check(&put("home/release/countersign", 0o755), &repo), "");
    put("home/out/.cargo-lock", 0o644);
    assert_eq!(
        check(&put("home/out/countersign", 0o755), &repo),
        "it lies in a build folder"
    );

    let writable = put("home/w/countersign", 0o775);
    assert_eq!(
        check(&writable, &repo),
        "it can be written by others than its owner (mode 775)"
    );
    let open = put("home/open/countersign", 0o755);
    let folder = open.parent().unwrap();
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o757)).expect("ours");
    assert_eq!(
        check(&open, &repo),
        "its folder can be written by others than its owner (mode 757)"
    );
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o1777)).expect("ours");
    assert_eq!(check(&open, &repo), "");
}

#[test]
fn files_are_written_whole_and_the_old_one_is_kept() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(scratch.path())
            .expect("it exists")
            .map(|entry| {
                entry
                    .expect("readable")
                    .file_name()
                    .into_string()
                    .expect("UTF-8")
            })
            .collect();
        names.sort();
        names
    };
    let mode = |path: &Path| {
        std::fs::metadata(path)
            .expect("it exists")
            .permissions()
            .mode()
            & 0o7777
    };
    let file = scratch.path().join("settings.json");
    let link = scratch.path().join("link.json");
    std::fs::write(&file, "{}").expect("a file");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).expect("ours");
    std::os::unix::fs::symlink("settings.json", &link).expect("a link");

    let read = SettingsFile::read(&link).expect("readable");
    assert_eq!(read.text.as_deref(), Some("{}"));
    let backup = read
        .write("{\"a\": 1}", 7)
        .expect("writable")
        .expect("there was a file");
    assert!(
        std::fs::symlink_metadata(&link)
            .expect("it exists")
            .is_symlink()
    );
    assert_eq!(
        std::fs::read_to_string(&file).expect("readable"),
        "{\"a\": 1}"
    );
    assert_eq!(std::fs::read_to_string(&backup).expect("readable"), "{}");
    assert_eq!((mode(&file), mode(&backup)), (0o640, 0o640));
    assert_eq!(
        names(),
        [
            "link.json",
            "settings.json",
            "settings.json.countersign-backup-7"
        ]
    );

    // The file has changed since it was read.
    let error = read.write("{}", 8).expect_err("it changed");
    assert!(matches!(error.kind, FileErrorKind::Changed), "{error}");
    // Two edits in one second.
    let again = SettingsFile::read(&file).expect("readable");
    let second = again
        .write("{}", 7)
        .expect("writable")
        .expect("there was a file");
    assert!(
        second.to_string_lossy().ends_with("backup-7-1"),
        "{}",
        second.display()
    );

    let fresh = scratch.path().join("new/.claude/settings.json");
    let none = SettingsFile::read(&fresh).expect("nothing is no error");
    assert_eq!(none.write("{}", 9).expect("writable"), None);
    assert_eq!(
        (mode(&fresh), mode(fresh.parent().unwrap())),
        (0o600, 0o700)
    );
}

#[test]
fn what_is_no_file_of_text_is_not_read() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let at = |name: &str| scratch.path().join(name);
    std::fs::write(at("bytes"), [b'{', 0xff, b'}']).expect("a file");
    nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    std::fs::File::create(at("big"))
        .and_then(|big| big.set_len(5 << 20))
        .expect("a file");
    assert!(matches!(
        read_settings(&at("bytes")).unwrap_err().kind,
        FileErrorKind::NoText
    ));
    for name in ["pipe", "big", "."] {
        assert!(
            matches!(
                read_settings(&at(name)).unwrap_err().kind,
                FileErrorKind::NoFile
            ),
            "{name}"
        );
    }
    assert_eq!(read_settings(&at("nothing")).expect("no error"), None);
}
