//! What reviewers that ask a model share: the prompt, the answer's contract, the way to the server
//! and the key.
//!
//! ```no_run
//! use countersign_reviewers::core::{Case, Review, ReviewFailure};
//! use countersign_reviewers::model::{Prompt, Server, answer};
//! use serde_json::json;
//! use std::time::Duration;
//!
//! fn ask(server: &Server, case: &Case, limit: Duration) -> Result<Review, ReviewFailure> {
//!     let prompt = Prompt::new(case, Prompt::MAX_BYTES)?;
//!     let reply = server.post("ask", &json!({"system": prompt.system, "text": prompt.user}), limit)?;
//!     answer::parse(reply["text"].as_str().unwrap_or_default())
//! }
//! ```
//!
//! Nothing here reads the environment, but for the one variable that the owner names for the key:
//! what an agent could set decides neither where a call goes nor whom it trusts.

pub mod answer;
mod http;
mod key;
mod prompt;
mod text;

pub use http::{KeyHeader, Server, ServerSettings};
pub use key::{KeySource, Secret};
pub use prompt::Prompt;
pub use text::{clean, redact::redact};
