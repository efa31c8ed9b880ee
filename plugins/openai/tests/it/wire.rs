//! What is sent.

use super::{plugin, push, without_port};
use countersign_plugin_testing::chat::{Answer, Server};
use countersign_reviewers::testkit::insta::assert_snapshot;
use serde_json::{Value, json};
use std::path::Path;

/// The request of one review, without the prompt.
fn sent(more: Value) -> String {
    let server = Server::start(Answer::deny("no"));
    plugin(&server, more).review(&push()).expect("a review");
    let request = server.last().expect("a request");
    let mut body = request.body;
    for message in body["messages"].as_array_mut().expect("messages") {
        assert!(
            message["content"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        );
        message["content"] = json!("…");
    }
    let mut text = format!("{} {}\n", request.method, request.path);
    for (name, value) in &request.headers {
        let value = if name == "content-length" {
            "…"
        } else {
            value
        };
        text.push_str(&format!("{name}: {value}\n"));
    }
    let body = serde_json::to_string_pretty(&body).expect("JSON");
    without_port(&format!("{text}\n{body}\n"))
}

#[test]
fn the_request_is_as_small_as_it_can_be() {
    assert_snapshot!("request", sent(json!({})));
}

#[test]
fn the_request_has_all_that_is_configured() {
    let key = std::env::temp_dir().join(format!("countersign-openai-{}-wire", std::process::id()));
    write_key(&key, "local-key-1");
    assert_snapshot!(
        "request_with_everything",
        sent(json!({
            "key_file": &key,
            "max_output_tokens": 2000,
            "temperature": 0.0,
            "effort": "low",
            "token_field": "max_completion_tokens",
            "response_format": "json_schema",
            "headers": {"X-Title": "Countersign"},
        }))
    );
    std::fs::remove_file(key).expect("the file");
}

pub(crate) fn write_key(path: &Path, key: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::write(path, format!("{key}\n")).expect("a file for the key");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).expect("its mode");
}

#[test]
fn the_same_owner_is_asked_with_the_same_first_message() {
    let server = Server::start(Answer::deny("no"));
    let plugin = plugin(&server, json!({}));
    plugin.review(&push()).expect("a review");
    let other = countersign_reviewers::testkit::case("ls")
        .user("look")
        .build();
    plugin.review(&other).expect("a review");
    let requests = server.requests();
    assert_eq!(requests[0].message("system"), requests[1].message("system"));
    assert_ne!(requests[0].message("user"), requests[1].message("user"));
}

#[test]
fn a_prompt_that_the_server_cut_is_not_reviewed() {
    let content = json!({"content": r#"{"rationale":"fine","risk":"low","authorization":"medium","tier":"allow","verdict":"allow","instruction":null}"#});
    let reply = |tokens: u64| {
        Answer::Json(json!({
            "choices": [{"message": content, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": tokens},
        }))
    };
    let long = countersign_reviewers::testkit::case(&"echo a; ".repeat(5_000)).build();
    let answer = |tokens| plugin(&Server::start(reply(tokens)), json!({})).review(&long);
    assert!(answer(60_000).is_ok());
    // Some servers count nothing when they find the prompt in their cache.
    assert!(answer(0).is_ok());
    let cut = answer(4096).expect_err("4096 tokens cannot hold it");
    assert!(cut.message.contains("so it cut it"), "{cut}");
}

#[test]
fn a_call_that_does_not_fit_is_not_sent() {
    let server = Server::start(Answer::allow("no"));
    let plugin = plugin(&server, json!({"max_input_bytes": 20_000}));
    let long = countersign_reviewers::testkit::case(&"x".repeat(20_000)).build();
    assert_snapshot!("too_big", super::told(&plugin.review(&long)));
    assert!(server.requests().is_empty());
}
