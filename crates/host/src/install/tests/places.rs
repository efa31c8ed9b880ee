//! What stands in settings and where the program stands: faults, and what can reach the gate.

use super::{WITH_HOOKS, installed, ours};
use crate::install::{complaints, reach, registered, switches_off};
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

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
        complaints(&[program.to_path_buf()], cwd, &home)
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
