use countersign_reviewers::core::{FailureKind, ReviewFailure};
use countersign_reviewers::model::{KeyHeader, KeySource, Prompt, Server, ServerSettings};
use countersign_reviewers::plugin::prelude::{Deserialize, JsonSchema};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// The host whose newer models refuse `max_tokens`.
const OPENAI: &str = "api.openai.com";

/// What the owner configures.
// The comments on the fields are what the JSON Schema says of them.
#[derive(Deserialize, JsonSchema)]
#[serde(crate = "countersign_reviewers::plugin::serde", deny_unknown_fields)]
#[schemars(crate = "countersign_reviewers::plugin::schemars")]
pub struct Config {
    /// The model, by the name that the server knows it by.
    pub model: String,
    /// Where the server is, up to and with `/v1`.
    #[serde(default = "base_url")]
    pub base_url: String,
    /// The environment variable that holds the key. At most one of the three `key_` is set.
    pub key_env: Option<String>,
    /// The file that holds the key: an absolute path, readable by its owner only.
    pub key_file: Option<PathBuf>,
    /// A program, by its absolute path, and its arguments: its first line is the key. No shell.
    pub key_command: Option<Vec<String>>,
    /// The URL of a proxy. None is used unless it is set here, whatever the environment says.
    pub proxy: Option<String>,
    /// A file of certificates in PEM, trusted instead of the system's: an absolute path.
    pub ca_file: Option<PathBuf>,
    /// Lets `http://` reach another machine: the key and the calls are sent in the clear then.
    #[serde(default)]
    pub allow_http: bool,
    /// The most tokens of an answer, hidden reasoning included: 256 to 8192.
    #[serde(default = "max_output_tokens")]
    pub max_output_tokens: u32,
    /// The temperature, 0 to 2. Not sent unless it is set: some models refuse it.
    pub temperature: Option<f64>,
    /// How much a reasoning model thinks, in the server's words. Not sent unless it is set.
    pub effort: Option<String>,
    /// The name for the limit of an answer; unset, it is the one that the server takes.
    pub token_field: Option<TokenField>,
    /// How the server is asked for JSON. The answer is checked whatever it is.
    #[serde(default)]
    pub response_format: ResponseFormat,
    /// More headers, for gateways. The key does not belong here.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The most bytes of text in a question, 16384 to 4194304. Older evidence is left out first.
    #[serde(default = "max_input_bytes")]
    pub max_input_bytes: usize,
}

/// The name of the limit of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(
    crate = "countersign_reviewers::plugin::serde",
    rename_all = "snake_case"
)]
#[schemars(crate = "countersign_reviewers::plugin::schemars")]
pub enum TokenField {
    /// What nearly every server knows.
    MaxTokens,
    /// What newer models of OpenAI ask for.
    MaxCompletionTokens,
}

/// How a server is asked for JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(
    crate = "countersign_reviewers::plugin::serde",
    rename_all = "snake_case"
)]
#[schemars(crate = "countersign_reviewers::plugin::schemars")]
pub enum ResponseFormat {
    /// By the prompt alone.
    #[default]
    None,
    /// Any JSON object.
    JsonObject,
    /// Exactly the object of the contract.
    JsonSchema,
}

impl Config {
    /// The part of it that says how the server is reached.
    pub(crate) fn server(&mut self) -> Result<ServerSettings, ReviewFailure> {
        Ok(ServerSettings {
            base_url: self.base_url.clone(),
            proxy: self.proxy.take(),
            ca_file: self.ca_file.take(),
            allow_http: self.allow_http,
            headers: std::mem::take(&mut self.headers),
            key: KeySource::choose(
                self.key_env.take(),
                self.key_file.take(),
                self.key_command.take(),
            )?,
            key_header: KeyHeader::Bearer,
        })
    }

    /// Whether the rest of it can be used.
    pub(crate) fn check(&self, server: &Server) -> Result<(), ReviewFailure> {
        let wrong = |key: &str, what: &str| {
            let message = format!("`{key}` {what}");
            Err(ReviewFailure::new(FailureKind::Configuration, message))
        };
        if self.model.trim().is_empty() {
            return wrong("model", "is empty; give the model's name");
        }
        if server.host() == OPENAI && !server.has_key() {
            return wrong(
                "key_env",
                "is not set, nor `key_file` nor `key_command`, and api.openai.com asks for a key",
            );
        }
        if !(256..=8192).contains(&self.max_output_tokens) {
            return wrong("max_output_tokens", "must be from 256 to 8192");
        }
        if self
            .temperature
            .is_some_and(|value| !(0.0..=2.0).contains(&value))
        {
            return wrong("temperature", "must be from 0 to 2");
        }
        if self
            .effort
            .as_ref()
            .is_some_and(|effort| effort.trim().is_empty())
        {
            return wrong("effort", "is empty; leave it out or name an effort");
        }
        if !(16_384..=4_194_304).contains(&self.max_input_bytes) {
            return wrong("max_input_bytes", "must be from 16384 to 4194304");
        }
        Ok(())
    }

    /// The name under which the limit of an answer is sent.
    pub(crate) fn token_field(&self, server: &Server) -> &'static str {
        let usual = if server.host() == OPENAI {
            TokenField::MaxCompletionTokens
        } else {
            TokenField::MaxTokens
        };
        match self.token_field.unwrap_or(usual) {
            TokenField::MaxTokens => "max_tokens",
            TokenField::MaxCompletionTokens => "max_completion_tokens",
        }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A header or a proxy's address may hold a secret.
        f.debug_struct("Config")
            .field("model", &self.model)
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

fn base_url() -> String {
    format!("https://{OPENAI}/v1")
}

fn max_output_tokens() -> u32 {
    1600
}

fn max_input_bytes() -> usize {
    Prompt::MAX_BYTES
}
