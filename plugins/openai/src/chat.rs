//! The Chat Completions format: what is asked, and what counts as an answer.

use crate::{Config, ResponseFormat};
use countersign_reviewers::core::{FailureKind, ReviewFailure};
use countersign_reviewers::model::{Prompt, Server, answer, clean};
use countersign_reviewers::plugin::serde_json::{Map, Value, json};

/// More bytes a token than any text has. A server that counts fewer tokens read only a part.
const MOST_BYTES_A_TOKEN: u64 = 16;

/// The longest piece of a server's words that is told, in characters.
const MAX_WORDS: usize = 200;

/// The body of the question.
pub(crate) fn request(config: &Config, server: &Server, prompt: &Prompt) -> Value {
    let mut body = Map::new();
    let mut put = |key: &str, value: Value| body.insert(key.to_owned(), value);
    put("model", json!(config.model));
    put(
        "messages",
        json!([
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.user},
        ]),
    );
    put("stream", json!(false));
    put(config.token_field(server), json!(config.max_output_tokens));
    if let Some(temperature) = config.temperature {
        put("temperature", json!(temperature));
    }
    if let Some(effort) = &config.effort {
        put("reasoning_effort", json!(effort));
    }
    match config.response_format {
        ResponseFormat::None => {}
        ResponseFormat::JsonObject => {
            put("response_format", json!({"type": "json_object"}));
        }
        ResponseFormat::JsonSchema => {
            let schema = json!({"name": "review", "strict": true, "schema": answer::schema()});
            put(
                "response_format",
                json!({"type": "json_schema", "json_schema": schema}),
            );
        }
    }
    Value::Object(body)
}

/// The model's text in a reply to a prompt of so many bytes.
pub(crate) fn text(reply: &Value, prompt_bytes: usize) -> Result<String, ReviewFailure> {
    if let Some(error) = reply.get("error").filter(|error| !error.is_null()) {
        // Some gateways answer 200 before they know whether the model behind them answers at all.
        return Err(fail(
            FailureKind::Server,
            &format!("the server says: {}", words(error)),
        )
        .retryable());
    }
    let choice = reply
        .get("choices")
        .and_then(|choices| choices.get(0))
        .ok_or_else(|| malformed("the reply has no `choices`"))?;
    finished(choice)?;
    let message = choice
        .get("message")
        .ok_or_else(|| malformed("the reply has no `message`"))?;
    match message.get("refusal") {
        None | Some(Value::Null) => {}
        Some(refusal) => {
            return Err(fail(
                FailureKind::Refused,
                &format!("it says: {}", words(refusal)),
            ));
        }
    }
    if message
        .get("tool_calls")
        .and_then(Value::as_array)
        .is_some_and(|calls| !calls.is_empty())
    {
        return Err(malformed("it called a tool instead of answering"));
    }
    whole_prompt(reply, prompt_bytes)?;
    content(message.get("content"))
}

/// Whether the model came to the end of what it had to say.
fn finished(choice: &Value) -> Result<(), ReviewFailure> {
    match choice.get("finish_reason").and_then(Value::as_str) {
        Some("stop") => Ok(()),
        Some("length") => Err(fail(
            FailureKind::Truncated,
            "the answer, or the reasoning before it, needs more than `max_output_tokens`",
        )),
        Some("content_filter") => Err(fail(
            FailureKind::Refused,
            "the server's content filter stopped the answer",
        )),
        Some("error") => {
            let error = choice.get("error").unwrap_or(&Value::Null);
            let failure = fail(
                FailureKind::Server,
                &format!("the server says: {}", words(error)),
            );
            Err(failure.retryable())
        }
        Some(other) => Err(malformed(&format!(
            "the answer ended for the reason `{}` and not `stop`",
            clean(other, 40)
        ))),
        None => Err(malformed("the reply does not say why the answer ended")),
    }
}

/// Some local servers cut a prompt that is too long for their context, and answer all the same.
fn whole_prompt(reply: &Value, bytes: usize) -> Result<(), ReviewFailure> {
    let tokens = reply
        .get("usage")
        .and_then(|usage| usage.get("prompt_tokens"))
        .and_then(Value::as_u64);
    match tokens {
        Some(tokens @ 1..) if tokens.saturating_mul(MOST_BYTES_A_TOKEN) < bytes as u64 => {
            Err(fail(
                FailureKind::TooBig,
                &format!(
                    "the server read {tokens} tokens of a prompt of {bytes} bytes, so it cut it; give \
                 the model a longer context, or lower `max_input_bytes`"
                ),
            ))
        }
        _ => Ok(()),
    }
}

/// A text, or the parts of one.
fn content(content: Option<&Value>) -> Result<String, ReviewFailure> {
    match content {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Array(parts)) => parts
            .iter()
            .map(|part| match (part.get("type"), part.get("text")) {
                (Some(Value::String(kind)), Some(Value::String(text))) if kind == "text" => {
                    Ok(text.as_str())
                }
                _ => Err(malformed("the answer has a part that is no text")),
            })
            .collect(),
        _ => Err(malformed("the answer has no text")),
    }
}

/// Whether a list of models has this one. A list without any name says nothing.
pub(crate) fn has_model(list: &Value, model: &str) -> Result<(), ReviewFailure> {
    let ids: Vec<&str> = list
        .get("data")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.get("id").and_then(Value::as_str))
        .collect();
    // Ollama lists `name:latest` for what it also takes as `name`.
    let is_it = |id: &&str| *id == model || id.strip_suffix(":latest") == Some(model);
    if ids.is_empty() || ids.iter().any(is_it) {
        return Ok(());
    }
    let known: Vec<String> = ids.iter().take(8).map(|id| clean(id, 60)).collect();
    let more = if ids.len() > known.len() { ", …" } else { "" };
    Err(fail(
        FailureKind::Rejected,
        &format!(
            "the server has no model `{model}`; it has {}{more}",
            known.join(", ")
        ),
    ))
}

/// The words in an error: its message, or all of it.
fn words(error: &Value) -> String {
    let message = error.get("message").unwrap_or(error);
    match message {
        Value::String(text) => clean(text, MAX_WORDS),
        Value::Null => "an error without a message".to_owned(),
        other => clean(&other.to_string(), MAX_WORDS),
    }
}

fn malformed(message: &str) -> ReviewFailure {
    fail(FailureKind::Malformed, message).retryable()
}

fn fail(kind: FailureKind, message: &str) -> ReviewFailure {
    ReviewFailure::new(kind, message)
}
