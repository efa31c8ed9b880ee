#![doc = include_str!("../README.md")]
#![expect(clippy::doc_markdown, reason = "the names of products are no code")]

mod chat;
mod config;

pub use config::{Config, ResponseFormat, TokenField};

use countersign_reviewers::model::{Prompt, Server, answer};
use countersign_reviewers::plugin::prelude::*;

/// Asks a model behind a server that speaks the Chat Completions format.
#[derive(Debug)]
pub struct OpenAi {
    config: Config,
    server: Server,
}

impl ReviewerPlugin for OpenAi {
    const NAME: &'static str = "openai";
    const ENV: &'static [&'static str] = &["*"];
    const NETWORK: bool = true;
    type Config = Config;

    fn new(mut config: Config) -> Result<Self, ReviewFailure> {
        let server = Server::new(config.server()?)?;
        config.check(&server)?;
        Ok(Self { config, server })
    }

    fn review(&self, case: &Case, call: &Call<'_>) -> Result<Option<Review>, ReviewFailure> {
        if call.is_over() && !call.remaining().is_zero() {
            return Err(ReviewFailure::new(
                FailureKind::Cancelled,
                "nobody waits for it any more",
            ));
        }
        let prompt = Prompt::new(case, self.config.max_input_bytes)?;
        let body = chat::request(&self.config, &self.server, &prompt);
        let reply = self
            .server
            .post("chat/completions", &body, call.remaining())
            .map_err(|failure| self.about_model(failure))?;
        let text = chat::text(&reply, prompt.bytes())?;
        answer::parse(&text).map(Some)
    }

    fn health(&self, call: &Call<'_>) -> Result<(), ReviewFailure> {
        let list = self.server.get("models", call.remaining())?;
        chat::has_model(&list, &self.config.model)
    }
}

impl OpenAi {
    /// A request is turned away for its model more often than for anything else.
    fn about_model(&self, mut failure: ReviewFailure) -> ReviewFailure {
        if failure.kind == FailureKind::Rejected {
            failure.message = format!("model `{}`: {}", self.config.model, failure.message);
        }
        failure
    }
}

reviewer_plugin!(OpenAi);
