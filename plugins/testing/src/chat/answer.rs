use super::http::{Reply, Request};
use serde_json::{Value, json};
use std::time::Duration;

/// The one model that `GET /v1/models` lists.
pub const MODEL: &str = "test-model";

/// What the server does with a request.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Answer {
    /// The model says this text.
    Content(String),
    /// The model says this text in parts.
    Parts(Vec<String>),
    /// The model would not: `message.refusal`.
    Refusal(String),
    /// The text ends for this reason: `length`, `content_filter`, `tool_calls`, …
    Finished(&'static str, String),
    /// This JSON, as it is.
    Json(Value),
    /// This status with an error of the usual shape and these words.
    Status(u16, &'static str),
    /// This status with this body.
    Raw(u16, String),
    /// Too many requests, with this `Retry-After`.
    RateLimited(Option<String>),
    /// There is no such model: 404.
    UnknownModel,
    /// The other answer, after a wait, and with its body in pieces with a wait before each.
    Slow {
        /// The wait before anything is said.
        first: Duration,
        /// The wait before each eight bytes of the body.
        each: Duration,
        /// What is said.
        then: Box<Answer>,
    },
    /// The connection is reset in the middle of the body. The body of the request is not recorded.
    Reset,
    /// A model's text of so many bytes.
    Huge(usize),
    /// A page for people instead of JSON.
    NotJson,
    /// A redirect to this address.
    Redirect(String),
}

impl Answer {
    /// A review with these words and this instruction.
    #[must_use]
    pub fn review(
        verdict: &str,
        risk: &str,
        authorization: &str,
        tier: &str,
        rationale: &str,
        instruction: Option<&str>,
    ) -> Self {
        let review = json!({
            "rationale": rationale,
            "risk": risk,
            "authorization": authorization,
            "tier": tier,
            "verdict": verdict,
            "instruction": instruction,
        });
        Self::Content(review.to_string())
    }

    /// A review that allows.
    #[must_use]
    pub fn allow(rationale: &str) -> Self {
        Self::review("allow", "low", "medium", "allow", rationale, None)
    }

    /// A review that denies.
    #[must_use]
    pub fn deny(rationale: &str) -> Self {
        Self::review("deny", "high", "unknown", "soft_deny", rationale, None)
    }

    /// A review that leaves it to a person.
    #[must_use]
    pub fn defer(rationale: &str) -> Self {
        Self::review("defer", "medium", "unknown", "none", rationale, None)
    }

    /// A review that wants a change.
    #[must_use]
    pub fn revise(rationale: &str, instruction: &str) -> Self {
        Self::review(
            "revise",
            "medium",
            "low",
            "soft_deny",
            rationale,
            Some(instruction),
        )
    }

    /// The same answer after a wait.
    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        Self::Slow {
            first: wait,
            each: Duration::ZERO,
            then: Box::new(self),
        }
    }

    pub(super) fn reply(&self, request: &Request) -> Reply {
        let reply = self.spoken();
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/v1/models") if reply.status == 200 && self.is_a_models() => Reply::json(
                200,
                &json!({"object": "list", "data": [{"id": MODEL, "object": "model"}]}),
            ),
            ("POST", "/v1/chat/completions") | ("GET", "/v1/models") => reply,
            _ => error(404, "there is nothing at this path"),
        }
    }

    /// What a model says, rather than what a server does.
    fn is_a_models(&self) -> bool {
        matches!(
            self,
            Self::Content(_) | Self::Parts(_) | Self::Refusal(_) | Self::Finished(..)
        )
    }

    fn spoken(&self) -> Reply {
        let says = |text: &str| completion("stop", &json!({"content": text, "refusal": null}));
        match self {
            Self::Content(text) => says(text),
            Self::Parts(parts) => {
                let parts: Vec<Value> = parts
                    .iter()
                    .map(|text| json!({"type": "text", "text": text}))
                    .collect();
                completion("stop", &json!({"content": parts}))
            }
            Self::Refusal(text) => completion("stop", &json!({"content": null, "refusal": text})),
            Self::Finished(reason, text) => completion(reason, &json!({"content": text})),
            Self::Json(value) => Reply::json(200, value),
            Self::Status(status, text) => error(*status, text),
            Self::Raw(status, body) => Reply::text(*status, "application/json", body.clone()),
            Self::RateLimited(wait) => {
                let mut reply = error(429, "Rate limit reached for requests");
                reply
                    .headers
                    .extend(wait.iter().map(|wait| ("Retry-After", wait.clone())));
                reply
            }
            Self::UnknownModel => Reply::json(
                404,
                &json!({"error": {
                    "message": "The model `gpt-0` does not exist or you do not have access to it.",
                    "type": "invalid_request_error",
                    "param": null,
                    "code": "model_not_found",
                }}),
            ),
            Self::Slow { first, each, then } => Reply {
                pace: Some((*first, *each)),
                ..then.spoken()
            },
            Self::Huge(len) => says(&" ".repeat(*len)),
            Self::NotJson => Reply::text(
                200,
                "text/html",
                "<!doctype html><title>Welcome</title>Please sign in.".to_owned(),
            ),
            Self::Redirect(to) => {
                let mut reply = Reply::text(307, "text/plain", String::new());
                reply.headers.push(("Location", to.clone()));
                reply
            }
            // Played before anything else is read.
            Self::Reset => Reply::text(500, "text/plain", String::new()),
        }
    }
}

fn completion(reason: &str, message: &Value) -> Reply {
    let mut message = message.clone();
    if let Some(fields) = message.as_object_mut() {
        fields.insert("role".to_owned(), json!("assistant"));
    }
    Reply::json(
        200,
        &json!({
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": MODEL,
            "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": reason}],
            "usage": {"prompt_tokens": 2400, "completion_tokens": 60, "total_tokens": 2460},
        }),
    )
}

fn error(status: u16, text: &str) -> Reply {
    Reply::json(
        status,
        &json!({"error": {"message": text, "type": "error", "param": null, "code": null}}),
    )
}
