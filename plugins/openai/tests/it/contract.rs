//! What breaks the contract of an answer is a failure, and never an allow.

use super::{opinion, told, without_port};
use countersign_plugin_testing::chat::Answer;
use countersign_reviewers::testkit::insta::assert_snapshot;
use serde_json::{Value, json};

/// The good answer with one key changed; null in `to` for the key itself takes it away.
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

fn without(key: &str) -> String {
    let mut answer: Value = serde_json::from_str(&with("risk", json!("low"))).expect("an answer");
    answer.as_object_mut().expect("an object").remove(key);
    answer.to_string()
}

#[test]
fn what_breaks_the_contract_is_never_an_allow() {
    let good = with("risk", json!("low"));
    assert!(opinion(Answer::Content(format!(" \n{good}\n"))).is_ok());

    let deny = r#""verdict":"deny"}"#;
    let long = "a".repeat(601);
    let rows: Vec<(&str, String)> = vec![
        ("empty", String::new()),
        ("blanks", "  \n".to_owned()),
        ("code fence", format!("```json\n{good}\n```")),
        ("prose before", format!("Here you are: {good}")),
        ("prose after", format!("{good} Hope this helps!")),
        ("two objects", format!("{good}{good}")),
        ("a list", format!("[{good}]")),
        ("cut off", good[..good.len() - 5].to_owned()),
        ("extra key", with("confidence", json!(0.9))),
        (
            "replacement",
            with("replacement", json!({"command": "true"})),
        ),
        (
            "other names",
            r#"{"decision":"allow","reason":"fine"}"#.to_owned(),
        ),
        (
            "duplicate key",
            good.replace(
                r#""verdict":"allow"}"#,
                r#""verdict":"deny","verdict":"allow"}"#,
            ),
        ),
        (
            "duplicate key, escaped",
            good.replace(
                r#""verdict":"allow"}"#,
                r#""verdict":"deny","verd\u0069ct":"allow"}"#,
            ),
        ),
        ("no verdict", without("verdict")),
        ("no risk", without("risk")),
        ("no authorization", without("authorization")),
        ("no tier", without("tier")),
        ("no rationale", without("rationale")),
        ("no instruction", without("instruction")),
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
        ("601 characters", with("rationale", json!(long))),
        (
            "instruction for an allow",
            with("instruction", json!("do it")),
        ),
        (
            "empty instruction for an allow",
            with("instruction", json!("")),
        ),
        ("allow and critical", with("risk", json!("critical"))),
        ("allow and soft_deny", with("tier", json!("soft_deny"))),
        ("allow and hard_deny", with("tier", json!("hard_deny"))),
        (
            "allow and high without authorization",
            with("risk", json!("high")).replace("medium", "low"),
        ),
        (
            "defer and critical",
            with("risk", json!("critical")).replace(r#""verdict":"allow""#, r#""verdict":"defer""#),
        ),
        (
            "revise without instruction",
            with("verdict", json!("revise")),
        ),
        (
            "revise with a blank instruction",
            with("verdict", json!("revise")).replace("null", r#"" ""#),
        ),
        (
            "a secret in what it says",
            "sk-abcdefghijklmnop0123456789".to_owned(),
        ),
    ];
    assert!(
        good.ends_with(r#""verdict":"allow"}"#) && !good.ends_with(deny),
        "{good}"
    );
    let mut text = String::new();
    for (name, content) in rows {
        let opinion = opinion(Answer::Content(content));
        assert!(opinion.is_err(), "{name}: {opinion:?}");
        text.push_str(&format!(
            "{name}: {}",
            told(&opinion).replacen("failed: ", "", 1)
        ));
    }
    assert_snapshot!("contract", without_port(&text));
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
