//! Every way in which a server answers, or fails to.

use super::{opinion, plugin, push, told};
use countersign_plugin_testing::chat::{Answer, Server};
use countersign_reviewers::testkit::insta::assert_snapshot;
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn verdicts_arrive_as_they_were_given() {
    assert_snapshot!(
        "allow",
        told(&opinion(Answer::allow("the tests only read the project")))
    );
    assert_snapshot!(
        "deny",
        told(&opinion(Answer::deny(
            "nobody asked for a force push to main"
        )))
    );
    assert_snapshot!(
        "revise",
        told(&opinion(Answer::revise(
            "a force push to main overwrites the work of others",
            "push to a branch of your own",
        )))
    );
    assert_snapshot!(
        "defer",
        told(&opinion(Answer::defer(
            "it is not clear whose branch it is"
        )))
    );
}

#[test]
fn an_answer_in_parts_is_one_text() {
    let Answer::Content(text) = Answer::deny("no") else {
        panic!("a review is content");
    };
    let (a, b) = text.split_at(20);
    let parts = Answer::Parts(vec![a.to_owned(), b.to_owned()]);
    assert_eq!(told(&opinion(parts)), told(&opinion(Answer::deny("no"))));
}

#[test]
fn what_a_model_says_instead_of_a_review_is_a_failure() {
    let said = |text: &str| Answer::Content(text.to_owned());
    let review = r#"{"verdict": "allow", "risk":"#;
    assert_snapshot!(
        "refusal",
        told(&opinion(Answer::Refusal(
            "I can't help with that.".to_owned()
        )))
    );
    assert_snapshot!(
        "truncated",
        told(&opinion(Answer::Finished("length", review.to_owned())))
    );
    assert_snapshot!(
        "filtered",
        told(&opinion(Answer::Finished("content_filter", String::new())))
    );
    assert_snapshot!(
        "tool_call",
        told(&opinion(Answer::Finished("tool_calls", String::new())))
    );
    assert_snapshot!(
        "prose",
        told(&opinion(said("Sure! This looks fine to me.")))
    );
    assert_snapshot!(
        "thinking_aloud",
        told(&opinion(said("<think>The user wants…</think>{}")))
    );
    assert_snapshot!(
        "error_with_status_200",
        told(&opinion(Answer::Json(
            json!({"error": {"code": 502, "message": "Provider returned error"}})
        )))
    );
    assert_snapshot!(
        "no_choices",
        told(&opinion(Answer::Json(json!({"choices": []}))))
    );
}

#[test]
fn what_a_server_says_is_told() {
    let bad_key = "Incorrect API key provided: sk-abcdefghijklmnop0123. You can find your key at …";
    assert_snapshot!("status_401", told(&opinion(Answer::Status(401, bad_key))));
    assert_snapshot!("unknown_model", told(&opinion(Answer::UnknownModel)));
    let too_long = "This model's maximum context length is 8192 tokens.";
    assert_snapshot!(
        "context_too_short",
        told(&opinion(Answer::Status(400, too_long)))
    );
    assert_snapshot!(
        "no_credit",
        told(&opinion(Answer::Status(402, "Insufficient credits")))
    );
    assert_snapshot!("status_429", told(&opinion(Answer::RateLimited(None))));
    let wait = Some("2".to_owned());
    assert_snapshot!(
        "status_429_with_a_time",
        told(&opinion(Answer::RateLimited(wait)))
    );
    let quota =
        r#"{"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}"#;
    assert_snapshot!("quota", told(&opinion(Answer::Raw(429, quota.to_owned()))));
    assert_snapshot!(
        "status_500",
        told(&opinion(Answer::Raw(500, String::new())))
    );
    assert_snapshot!(
        "loading",
        told(&opinion(Answer::Status(503, "Loading model")))
    );
    assert_snapshot!(
        "redirect",
        told(&opinion(Answer::Redirect(
            "https://elsewhere.example/v1".to_owned()
        )))
    );
}

#[test]
fn what_a_connection_does_is_told() {
    assert_snapshot!("reset", told(&opinion(Answer::Reset)));
    assert_snapshot!("huge", told(&opinion(Answer::Huge(2 << 20))));
    assert_snapshot!("not_json", told(&opinion(Answer::NotJson)));
    let gone = Server::start(Answer::allow("no"));
    let plugin = plugin(&gone, json!({}));
    drop(gone);
    // The listener ends when it next wakes.
    std::thread::sleep(Duration::from_millis(100));
    assert_snapshot!("nobody_listens", told(&plugin.review(&push())));
}

#[test]
fn a_slow_answer_is_too_late() {
    let silent = Answer::allow("too late").after(Duration::from_secs(3));
    let trickling = Answer::Slow {
        first: Duration::ZERO,
        each: Duration::from_millis(20),
        then: Box::new(Answer::allow("too late")),
    };
    for (name, answer) in [("slow", silent), ("trickle", trickling)] {
        let server = Server::start(answer);
        let plugin = plugin(&server, json!({}));
        let started = Instant::now();
        let late = plugin.review_within(&push(), 300);
        assert!(
            started.elapsed() < Duration::from_millis(400),
            "{:?}",
            started.elapsed()
        );
        assert_snapshot!(name, told(&late));
    }
}

#[test]
fn a_call_that_nobody_waits_for_is_not_made() {
    let server = Server::start(Answer::allow("no"));
    let plugin = plugin(&server, json!({}));
    plugin.host().cancel();
    assert_snapshot!("cancelled", told(&plugin.review(&push())));
    assert!(server.requests().is_empty());
}

#[test]
fn a_second_try_can_succeed() {
    let server = Server::sequence([Answer::Reset, Answer::deny("no")]);
    let plugin = plugin(&server, json!({}));
    assert!(
        plugin
            .review(&push())
            .is_err_and(|failure| failure.retryable)
    );
    assert!(plugin.review(&push()).is_ok());
    assert_eq!(server.requests().len(), 2);
}
