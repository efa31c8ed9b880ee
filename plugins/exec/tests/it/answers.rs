//! What a program says is what comes back.

use crate::{ABSTAINS, ALLOWS, House, review, tested};
use countersign_reviewers::plugin::serde_json::{self, Value, json};
use countersign_reviewers::testkit::{self, CaseBuilder, insta, show};

#[test]
fn every_verdict_comes_through() {
    let house = House::new();
    insta::assert_snapshot!(house.answer(ALLOWS), @r"
    allow, risk low, authorization high, tier none
    it is fine
    ");
    insta::assert_snapshot!(house.answer(ABSTAINS), @"abstains");
    insta::assert_snapshot!(
        house.answer(
            r#"echo '{"v":1,"review":{"verdict":"deny","risk":"high","authorization":"unknown","tier":"hard_deny","rationale":"not here"}}'"#
        ),
        @r"
        deny, risk high, authorization unknown, tier hard_deny
        not here
        "
    );
    insta::assert_snapshot!(
        house.answer(
            r#"echo '{"v":1,"review":{"verdict":"revise","risk":"medium","authorization":"low","tier":"soft_deny","rationale":"it loses work","instruction":"use --force-with-lease","replacement":{"command":"git push --force-with-lease"}}}'"#
        ),
        @r#"
        revise, risk medium, authorization low, tier soft_deny
        it loses work
        instead: use --force-with-lease
        input: {"command":"git push --force-with-lease"}
        "#
    );
}

#[test]
fn a_program_that_is_no_script_answers_too() {
    let echo = json!({"program": "/bin/echo", "args": [r#"{"v":1,"review":null}"#]});
    insta::assert_snapshot!(show(&review(&echo)), @"abstains");
}

#[test]
fn it_is_given_the_whole_case() {
    let house = House::new();
    let copy = house.path().join("copy");
    let script = house.script(&format!("cat > \"$1\"; {ABSTAINS}"));
    let case = testkit::case("git push").user("push it").guided().build();
    let answer = tested(&json!({"program": script, "args": [copy]})).review(&case);
    assert_eq!(answer, Ok(None));
    let given: Value = serde_json::from_slice(&std::fs::read(copy).expect("a copy")).expect("JSON");
    assert_eq!(given, serde_json::to_value(&case).expect("JSON"));
}

#[test]
fn arguments_are_passed_as_they_are() {
    let house = House::new();
    let list = house.path().join("arguments");
    let script = house.script(&format!("printf '<%s>' \"$@\" > \"$1\"; {ABSTAINS}"));
    let odd = ["$HOME;*", "`id`", "", "two words", "-x", "new\nline"];
    let mut args = vec![list.display().to_string()];
    args.extend(odd.map(str::to_owned));
    assert_eq!(review(&json!({"program": script, "args": args})), Ok(None));
    let found = std::fs::read_to_string(list).expect("a list");
    let wanted = format!("<{}>", args.join("><"));
    assert_eq!(found, wanted);
}

#[test]
fn it_gets_the_named_variables_and_no_others() {
    let house = House::new();
    let list = house.path().join("variables");
    let script = house.script(&format!(
        "tr '\\0' '\\n' < /proc/$$/environ > \"$1\"; {ABSTAINS}"
    ));
    let variables = |env: &[&str]| {
        let config = json!({"program": script, "args": [list], "env": env});
        assert_eq!(review(&config), Ok(None));
        std::fs::read_to_string(&list).expect("a list")
    };
    assert!(std::env::var_os("PATH").is_some() && std::env::var_os("CARGO_PKG_NAME").is_some());
    assert_eq!(variables(&[]), "");
    assert_eq!(
        variables(&["CARGO_PKG_NAME", "COUNTERSIGN_NOT_SET"]),
        "CARGO_PKG_NAME=countersign-plugin-exec\n"
    );
}

#[test]
fn it_runs_in_the_root_folder_and_a_link_to_it_is_followed() {
    let house = House::new();
    let place = house.path().join("place");
    let script = house.script(&format!("echo \"$PWD $0\" > \"$1\"; {ABSTAINS}"));
    let link = house.path().join("link");
    std::os::unix::fs::symlink(&script, &link).expect("a link");
    assert_eq!(review(&json!({"program": link, "args": [place]})), Ok(None));
    let found = std::fs::read_to_string(place).expect("a place");
    assert_eq!(found, format!("/ {}\n", script.display()));
}

#[test]
fn the_example_of_the_readme_works() {
    let readme = include_str!("../../README.md");
    let (_, rest) = readme.split_once("```python\n").expect("an example");
    let (text, _) = rest.split_once("```").expect("its end");
    if !std::path::Path::new("/usr/bin/python3").exists() && std::env::var_os("CI").is_none() {
        eprintln!("skipped: there is no /usr/bin/python3");
        return;
    }
    let house = House::new();
    let program = house.program("review", text);
    let tested = tested(&json!({"program": program, "args": ["release"]}));
    let answer = |case: CaseBuilder| show(&tested.review(&case.build()));
    insta::assert_snapshot!(answer(testkit::case("git push origin release")), @r"
    deny, risk high, authorization unknown, tier hard_deny
    git push origin release: only the release job pushes there
    ");
    for push in [
        testkit::case("/usr/bin/git -C x push -f origin +HEAD:refs/heads/release"),
        testkit::case("git push origin $B").dynamic(3),
        testkit::case("git $A origin release").dynamic(1),
        testkit::case(&format!("git push release {}", "x".repeat(1000))),
    ] {
        assert!(answer(push.clone()).starts_with("deny"), "{push:?}");
    }
    for other in [
        testkit::case("git push origin topic"),
        testkit::case("git log release"),
        testkit::case("git commit -m $B release").dynamic(3),
        testkit::case("$A push release").dynamic(0),
        testkit::case(""),
    ] {
        insta::allow_duplicates! { insta::assert_snapshot!(answer(other), @"abstains"); }
    }
}
