//! What breaks the contract of an answer is a failure, and never an allow.

use super::{opinion, told};
use countersign_plugin_testing::chat::Answer;
use countersign_reviewers::testkit::insta::assert_snapshot;
use serde_json::{Value, json};

/// The good answer with one value changed.
fn with(key: &str, to: Value) -> String {
    let mut answer = json!({
        "rationale": "it only reads",
        "risk": "low",
        "authorization": "medium",
        "tier": "allow",
        "verdict": "allow",
        "instruction": null,
    });
    answer[key] = to;
    answer.to_string()
}

/// The good answer without one key.
fn without(key: &str) -> String {
    let mut answer: Value = serde_json::from_str(&with("risk", json!("low"))).expect("an answer");
    answer.as_object_mut().expect("an object").remove(key);
    answer.to_string()
}

/// Texts that are not the one object that was asked for.
fn misshapen() -> Vec<(&'static str, String)> {
    let good = with("risk", json!("low"));
    let verdict = r#""verdict":"allow"}"#;
    assert!(good.ends_with(verdict), "{good}");
    let twice =
        |again: &str| good.replace(verdict, &format!(r#""verdict":"deny",{again}:"allow"}}"#));
    let mut cut_off = good.clone();
    cut_off.truncate(good.len() - 5);
    vec![
        ("empty", String::new()),
        ("blanks", "  \n".to_owned()),
        ("code fence", format!("```json\n{good}\n```")),
        ("prose before", format!("Here you are: {good}")),
        ("prose after", format!("{good} Hope this helps!")),
        ("two objects", format!("{good}{good}")),
        ("a list", format!("[{good}]")),
        ("cut off", cut_off),
        ("extra key", with("confidence", json!(0.9))),
        (
            "replacement",
            with("replacement", json!({"command": "true"})),
        ),
        (
            "other names",
            r#"{"decision":"allow","reason":"fine"}"#.to_owned(),
        ),
        ("duplicate key", twice(r#""verdict""#)),
        ("duplicate key, escaped", twice(r#""verd\u0069ct""#)),
        ("no verdict", without("verdict")),
        ("no risk", without("risk")),
        ("no authorization", without("authorization")),
        ("no tier", without("tier")),
        ("no rationale", without("rationale")),
        ("no instruction", without("instruction")),
        (
            "a secret in what it says",
            "sk-abcdefghijklmnop0123456789".to_owned(),
        ),
    ]
}

/// Objects whose values are wrong, or do not go together.
fn wrong() -> Vec<(&'static str, String)> {
    let revise = with("verdict", json!("revise"));
    let critical = with("risk", json!("critical"));
    vec![
        ("unknown verdict", with("verdict", json!("approve"))),
        ("verdict in capitals", with("verdict", json!("ALLOW"))),
        ("verdict with a blank", with("verdict", json!("allow "))),
        (
            "verdict as an object",
            with("verdict", json!({"allow": null})),
        ),
        ("verdict as a boolean", with("verdict", json!(true))),
        ("verdict null", with("verdict", json!(null))),
        ("unknown risk", with("risk", json!("none"))),
        ("unknown tier", with("tier", json!("explicit-intent"))),
        ("blank rationale", with("rationale", json!(" \n "))),
        ("rationale as a list", with("rationale", json!(["a"]))),
        ("601 characters", with("rationale", json!("a".repeat(601)))),
        (
            "instruction for an allow",
            with("instruction", json!("do it")),
        ),
        (
            "empty instruction for an allow",
            with("instruction", json!("")),
        ),
        ("allow and critical", critical.clone()),
        ("allow and soft_deny", with("tier", json!("soft_deny"))),
        ("allow and hard_deny", with("tier", json!("hard_deny"))),
        (
            "allow and high without authorization",
            with("risk", json!("high")).replace("medium", "low"),
        ),
        (
            "defer and critical",
            critical.replace(r#""verdict":"allow""#, r#""verdict":"defer""#),
        ),
        ("revise without instruction", revise.clone()),
        (
            "revise with a blank instruction",
            revise.replace("null", r#"" ""#),
        ),
    ]
}

#[test]
fn what_breaks_the_contract_is_never_an_allow() {
    let good = with("risk", json!("low"));
    assert!(opinion(Answer::Content(format!(" \n{good}\n"))).is_ok());
    let mut text = String::new();
    for (name, content) in misshapen().into_iter().chain(wrong()) {
        let opinion = opinion(Answer::Content(content));
        assert!(opinion.is_err(), "{name}: {opinion:?}");
        text.push_str(&format!(
            "{name}: {}",
            told(&opinion).replacen("failed: ", "", 1)
        ));
    }
    assert_snapshot!("contract", text);
}

#[test]
fn what_keeps_it_at_the_edges_is_taken() {
    for content in [
        with("rationale", json!("a".repeat(600))),
        with("risk", json!("high")),
        with("tier", json!("explicit_intent")),
        with("tier", json!("none")),
        with("rationale", json!("ünïcödé 🦀")),
    ] {
        assert!(
            opinion(Answer::Content(content.clone())).is_ok(),
            "{content}"
        );
    }
}
