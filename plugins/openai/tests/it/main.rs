//! The plugin as a host sees it, against a server that speaks the real format.
#![expect(
    clippy::expect_used,
    clippy::format_push_string,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and need not be fast"
)]

mod config;
mod contract;
mod environment;
mod health;
mod key;
mod readme;
mod reviews;
mod tls;
mod wire;

use countersign_plugin_openai::OpenAi;
use countersign_plugin_testing::chat::{Answer, MODEL, Server};
use countersign_reviewers::core::{Case, Review, ReviewFailure};
use countersign_reviewers::testkit::{Tested, case, show};
use serde_json::{Map, Value, json};

type Opinion = Result<Option<Review>, ReviewFailure>;

/// The plugin, configured for this server and with these keys besides.
fn plugin(server: &Server, more: Value) -> Tested<OpenAi> {
    let mut config = json!({"model": MODEL, "base_url": server.base_url()});
    if let (Some(fields), Value::Object(more)) = (config.as_object_mut(), more) {
        fields.extend::<Map<String, Value>>(more);
    }
    Tested::new(&config).expect("a good configuration")
}

fn push() -> Case {
    case("git push --force origin main")
        .user("get this merged")
        .build()
}

/// What a host is told of a case, when the server answers so.
fn opinion(answer: Answer) -> Opinion {
    plugin(&Server::start(answer), json!({})).review(&push())
}

/// An answer for a snapshot: what a person reads, and what a chain does with it. The port differs
/// from run to run.
fn told(opinion: &Opinion) -> String {
    let mut text = show(opinion);
    if let Err(failure) = opinion {
        text.push_str(if failure.retryable {
            "may be tried again"
        } else {
            "final"
        });
        if let Some(wait) = failure.retry_after_ms {
            text.push_str(&format!(" after {wait} ms"));
        }
        text.push('\n');
    }
    without_port(&text)
}

fn without_port(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("127.0.0.1:") {
        out.push_str(before);
        out.push_str("127.0.0.1:PORT");
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out + rest
}
