//! What an owner can configure, and what they are told where it is wrong.

use countersign_plugin_openai::OpenAi;
use countersign_reviewers::testkit::Tested;
use countersign_reviewers::testkit::insta::assert_snapshot;
use serde_json::{Value, json};

#[test]
fn the_configuration_has_a_schema() {
    let tested = Tested::<OpenAi>::new(&Value::Null).expect("made to be described");
    let described = tested.describe().expect("a description");
    assert_snapshot!(
        "schema",
        serde_json::to_string_pretty(&described["config_schema"]).expect("JSON")
    );
}

#[test]
fn a_wrong_configuration_is_told_by_its_key() {
    let local = |more: Value| {
        let mut config = json!({"model": "m", "base_url": "http://127.0.0.1:1/v1"});
        config
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        config
    };
    let at = |url: &str| local(json!({"base_url": url}));
    let rows = [
        json!({}),
        json!({"model": "m"}),
        local(json!({"model": " "})),
        local(json!({"modle": "m"})),
        local(json!({"max_output_tokens": "many"})),
        local(json!({"max_output_tokens": 100})),
        local(json!({"max_output_tokens": 9000})),
        local(json!({"max_input_bytes": 1000})),
        local(json!({"temperature": 3.0})),
        local(json!({"temperature": -0.1})),
        local(json!({"effort": ""})),
        local(json!({"response_format": "xml"})),
        local(json!({"token_field": "tokens"})),
        local(json!({"key_env": "A", "key_file": "/b"})),
        local(json!({"key_env": ""})),
        local(json!({"key_env": "A=B"})),
        local(json!({"key_file": "key"})),
        local(json!({"key_command": []})),
        local(json!({"key_command": ["pass", "show", "openai"]})),
        local(json!({"proxy": "::", "base_url": "https://127.0.0.1:1/v1"})),
        local(json!({"ca_file": "ca.pem", "base_url": "https://127.0.0.1:1/v1"})),
        local(json!({"ca_file": "/nowhere/ca.pem", "base_url": "https://127.0.0.1:1/v1"})),
        local(json!({"headers": {"Authorization": "Bearer abc"}})),
        local(json!({"headers": {"a b": "c"}})),
        local(json!({"headers": {"X-Title": "a\nb"}})),
        at(""),
        at("api.example.org/v1"),
        at("ftp://example.org"),
        at("https://sk-abc@example.org/v1"),
        at("https://example.org/v1?key=abc"),
        at("http://example.org/v1"),
        at("http://192.168.1.7:8000/v1"),
        at("http://localhost.example.org/v1"),
        local(json!({"proxy": "http://127.0.0.1:9", "base_url": "http://localhost:1/v1"})),
    ];
    let mut text = String::new();
    for config in rows {
        let failure = Tested::<OpenAi>::new(&config).expect_err("a wrong configuration");
        text.push_str(&format!("{config}\n  {failure}\n"));
    }
    assert_snapshot!("configuration_errors", text);
}

#[test]
fn http_stays_on_this_machine_unless_it_is_allowed() {
    for (url, allow_http) in [
        ("http://localhost:11434/v1", false),
        ("http://127.1.2.3/v1/", false),
        ("http://[::1]:8080/v1", false),
        ("http://192.168.1.7:8000/v1", true),
    ] {
        let config = json!({"model": "m", "base_url": url, "allow_http": allow_http});
        assert!(Tested::<OpenAi>::new(&config).is_ok(), "{url}");
    }
}
