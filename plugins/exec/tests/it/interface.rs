//! What `docs/abi.md` says of a case is what a program is given, and how an older one reads it.

use countersign_reviewers::core::{Case, EffectKind, Guidance, Severity, Target};
use countersign_reviewers::plugin::serde_json::{self, Value, json};
use countersign_reviewers::testkit::{self, insta};
use std::fmt::Write as _;

fn documented() -> Value {
    let text = include_str!("../../../../docs/abi.md");
    let (_, rest) = text.split_once("A whole case.").expect("it is announced");
    let (_, rest) = rest.split_once("```json\n").expect("it begins");
    let (text, _) = rest.split_once("```").expect("it ends");
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn the_documented_case_is_a_real_one() {
    let origin = Target::Host {
        host: "origin".to_owned(),
    };
    let why = "replaces history that others may have";
    let mut case = testkit::case("git push --force origin $BRANCH")
        .dynamic(4)
        .effect(EffectKind::Send, Some(origin))
        .hit("git.force-push", Severity::Soft, why)
        .user("Push it.")
        .guided()
        .build();
    let Guidance {
        environment,
        allow,
        soft_deny,
        hard_deny,
    } = &mut case.guidance;
    for section in [environment, allow, soft_deny, hard_deny] {
        section.truncate(1);
    }
    assert_eq!(documented(), serde_json::to_value(&case).expect("JSON"));
    let read: Case = serde_json::from_value(documented()).expect("a case");
    assert_eq!(read, case);
}

#[test]
fn a_newer_case_is_read_as_documented() {
    let mut text = String::new();
    for at in [
        "/request/more",
        "/judgement/effects/0/kind",
        "/judgement/effects/0/certainty",
        "/judgement/effects/0/target/type",
        "/judgement/observed/person",
        "/judgement/observed/paths/~1x/kind",
        "/judgement/effects/0/target/zone",
        "/evidence/items/0/kind",
        "/request/surface",
        "/judgement/observed/mode",
        "/judgement/effects/0/tags/0",
        "/judgement/effects/0/place",
        "/judgement/commands/0/place",
        "/judgement/hits/0/severity",
    ] {
        let read = serde_json::from_value::<Case>(newer(at));
        let found = read.map_or_else(
            |_| "cannot be read".to_owned(),
            |case| {
                let back = serde_json::to_value(case).expect("JSON");
                let found = back.pointer(at).map(Value::to_string);
                found.unwrap_or_else(|| "nothing".to_owned())
            },
        );
        writeln!(text, "{at}: {found}").expect("it fits");
    }
    insta::assert_snapshot!(text, @r#"
    /request/more: nothing
    /judgement/effects/0/kind: "opaque"
    /judgement/effects/0/certainty: "maybe"
    /judgement/effects/0/target/type: nothing
    /judgement/observed/person: "unattended"
    /judgement/observed/paths/~1x/kind: "unknown"
    /judgement/effects/0/target/zone: "unknown"
    /evidence/items/0/kind: "tool-result"
    /request/surface: "new"
    /judgement/observed/mode: "new"
    /judgement/effects/0/tags/0: "new"
    /judgement/effects/0/place: "remote"
    /judgement/commands/0/place: "remote"
    /judgement/hits/0/severity: cannot be read
    "#);
}

/// The documented case, and a little more, with a new word at this place.
fn newer(at: &str) -> Value {
    let mut case = documented();
    let mut add = |at: &str, key: &str, value: Value| {
        let part = case.pointer_mut(at).and_then(Value::as_object_mut);
        part.expect(at).insert(key.to_owned(), value);
    };
    add("/request", "more", json!("old"));
    add("/judgement/effects/0", "place", json!("remote"));
    add("/judgement/effects/0", "tags", json!(["force"]));
    let path = json!({"type": "path", "typed": "x", "zone": "temp"});
    add("/judgement/effects/0", "target", path);
    let paths = json!({"/x": {"real": "/x", "kind": "file"}});
    add("/judgement/observed", "paths", paths);
    *case.pointer_mut(at).expect(at) = json!("new");
    case
}
