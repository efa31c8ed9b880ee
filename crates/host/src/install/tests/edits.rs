//! Settings edited: what is added, what is taken out, and nothing else.

use super::{STYLES, WITH_HOOKS, assert_only_added, installed, is_good, json, ours, uninstalled};
use crate::install::diff;
use crate::install::edit::{Change, install, uninstall};
use crate::install::registration::{EVENTS, Registration};
use std::fmt::Write as _;
use std::path::Path;

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
            "{{\"hooks\":{{\"PreToolUse\":{pre},\"ConfigChange\":{good},\"SessionStart\":{good},\"UserPromptSubmit\":{good}{more}}}}}"
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
fn differences_are_shown_with_the_lines_around_them() {
    let old: String = (1..=20).fold(String::new(), |text, line| format!("{text}line {line}\n"));
    let new = old
        .replace("line 3\n", "line 3\nnew\tone\n")
        .replace("line 14\n", "")
        .replace("line 20", "line \u{1b}[31m20");
    insta::assert_snapshot!(diff(&old, &new));
    assert_eq!(diff(&old, &old), "");
}
