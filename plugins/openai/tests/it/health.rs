use super::{plugin, without_port};
use countersign_plugin_testing::chat::{Answer, Server};
use countersign_reviewers::testkit::insta::assert_snapshot;
use serde_json::{Value, json};

fn health(answer: Answer, more: Value) -> String {
    let server = Server::start(answer);
    let health = plugin(&server, more).health().expect("an answer");
    let request = server.last().expect("a request");
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("GET", "/v1/models")
    );
    without_port(&format!("{health}\n"))
}

#[test]
fn a_server_is_healthy_when_it_has_the_model() {
    let fine = health(Answer::allow("no"), json!({}));
    assert_eq!(fine, "{\"ok\":true,\"v\":1}\n");
    let latest = Answer::Json(json!({"data": [{"id": "qwen3:latest"}]}));
    assert_eq!(health(latest, json!({"model": "qwen3"})), fine);
    assert_eq!(health(Answer::Json(json!({"data": []})), json!({})), fine);
    let text = [
        health(Answer::allow("no"), json!({"model": "other"})),
        health(Answer::Status(401, "no key"), json!({})),
        health(Answer::Status(503, "Loading model"), json!({})),
        health(Answer::NotJson, json!({})),
    ];
    assert_snapshot!("unhealthy", text.concat());
}
