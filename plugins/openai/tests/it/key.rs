//! The key goes to the server, and nowhere else.

use super::wire::write_key;
use super::{plugin, push, told};
use countersign_plugin_testing::chat::{Answer, Server};
use countersign_reviewers::testkit::insta::assert_snapshot;
use serde_json::{Value, json};
use std::path::PathBuf;

const KEY: &str = "k3y-that-nobody-sees";

fn file(name: &str) -> PathBuf {
    let path =
        std::env::temp_dir().join(format!("countersign-openai-{}-{name}", std::process::id()));
    write_key(&path, KEY);
    path
}

fn key_sent(source: Value) -> String {
    let server = Server::start(Answer::deny("no"));
    plugin(&server, source).review(&push()).expect("a review");
    let request = server.last().expect("a request");
    request
        .header("authorization")
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn the_key_comes_from_where_the_owner_says() {
    let path = file("sources");
    let script = format!("printf '%s\\nmore\\n' {KEY}");
    for source in [
        json!({"key_file": &path}),
        json!({"key_command": ["/bin/sh", "-c", script]}),
    ] {
        assert_eq!(key_sent(source), format!("Bearer {KEY}"));
    }
    // The one variable that is sure to be there: cargo sets it for every test.
    let name = env!("CARGO_PKG_NAME");
    assert_eq!(
        key_sent(json!({"key_env": "CARGO_PKG_NAME"})),
        format!("Bearer {name}")
    );
    std::fs::remove_file(path).expect("the file");
}

#[test]
fn no_failure_says_the_key() {
    let path = file("failures");
    let words: &'static str = "Incorrect API key provided: Bearer k3y-that-nobody-sees, sorry";
    let text = || words.to_owned();
    for answer in [
        Answer::Status(401, words),
        Answer::Status(403, words),
        Answer::Status(404, words),
        Answer::Status(418, words),
        Answer::Status(429, words),
        Answer::Status(500, words),
        Answer::Raw(500, json!({"error": words}).to_string()),
        Answer::Raw(400, json!({"detail": words}).to_string()),
        Answer::Raw(200, text()),
        Answer::Redirect(format!("http://127.0.0.1:1/?key={KEY}")),
        Answer::Content(text()),
        Answer::Refusal(text()),
        Answer::Json(json!({"error": {"message": words}})),
        Answer::Reset,
        Answer::NotJson,
    ] {
        let server = Server::start(answer.clone());
        let plugin = plugin(&server, json!({"key_file": &path}));
        let opinion = plugin.review(&push());
        assert!(opinion.is_err(), "{answer:?}");
        let all = format!(
            "{opinion:?} {:?} {:?}",
            plugin.host().lines(),
            plugin.health()
        );
        assert!(!all.contains(KEY), "{answer:?}: {all}");
        assert!(!all.contains("nobody-sees"), "{answer:?}: {all}");
    }
    std::fs::remove_file(path).expect("the file");
}

#[test]
fn a_refused_key_is_read_anew() {
    let path = file("rotated");
    let server = Server::sequence([Answer::Status(401, "expired"), Answer::deny("no")]);
    let plugin = plugin(&server, json!({"key_file": &path}));
    let refused = told(&plugin.review(&push()));
    assert!(
        refused.contains("look at the key of `key_file`"),
        "{refused}"
    );
    write_key(&path, "the-new-one");
    plugin.review(&push()).expect("a review");
    let request = server.last().expect("a request");
    assert_eq!(request.header("authorization"), Some("Bearer the-new-one"));
    std::fs::remove_file(path).expect("the file");
}

#[test]
fn a_key_that_is_not_there_is_told_and_nothing_is_asked() {
    let mut text = String::new();
    for source in [
        json!({"key_env": "COUNTERSIGN_NO_SUCH_KEY"}),
        json!({"key_file": "/nowhere/key"}),
        json!({"key_command": ["/bin/false"]}),
    ] {
        let server = Server::start(Answer::allow("no"));
        let opinion = plugin(&server, source.clone()).review(&push());
        assert!(server.requests().is_empty());
        text.push_str(&told(&opinion));
    }
    assert_snapshot!("no_key", text);
}
