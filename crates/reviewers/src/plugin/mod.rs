//! For authors: a reviewer as a plugin, in one `impl` and one line.
//!
//! ```
//! use countersign_reviewers::plugin::prelude::*;
//!
//! #[derive(Deserialize, JsonSchema)]
//! #[serde(crate = "countersign_reviewers::plugin::serde", deny_unknown_fields)]
//! #[schemars(crate = "countersign_reviewers::plugin::schemars")]
//! struct Config {
//!     /// Programs that are never run.
//!     deny: Vec<String>,
//! }
//!
//! struct DenyList(Config);
//!
//! impl ReviewerPlugin for DenyList {
//!     const NAME: &'static str = "deny-list";
//!     type Config = Config;
//!
//!     fn new(config: Config) -> Result<Self, ReviewFailure> {
//!         Ok(Self(config))
//!     }
//!
//!     fn review(&self, case: &Case, _call: &Call<'_>) -> Result<Option<Review>, ReviewFailure> {
//!         let denied = case.judgement.commands.iter().find(|command| {
//!             command.program().is_some_and(|name| self.0.deny.iter().any(|denied| denied == name))
//!         });
//!         Ok(denied.map(|command| Review {
//!             risk: Risk::High,
//!             tier: Tier::HardDeny,
//!             ..review(Verdict::Deny, format!("{} is on the list", command.argv.join(" ")))
//!         }))
//!     }
//! }
//!
//! reviewer_plugin!(DenyList);
//! ```
//!
//! The library of such a crate (`crate-type = ["cdylib"]`) is the plugin. A panic becomes a failed
//! review, the configuration is read with errors that name the key, and its JSON Schema is served.
//!
//! A plugin must not print on standard output, change the working directory, the environment or
//! signal handlers, or count on anything of the host's: it has a runtime, a logger and thread-locals
//! of its own. [`Call::log`] reaches the host's log.

mod call;
mod export;
mod guard;
mod instance;
#[doc(hidden)]
pub mod manifest;

pub use call::Call;
#[doc(hidden)]
pub use export::{__create, __extension};
pub use instance::Loaded;

pub use countersign_abi as abi;
pub use countersign_abi::Level;
pub use schemars;
pub use serde;
pub use serde_json;

use countersign_core::{Authorization, Case, Review, ReviewFailure, Risk, Tier, Verdict};
use serde::de::DeserializeOwned;

/// Everything an author needs.
pub mod prelude {
    pub use super::{Call, Level, ReviewerPlugin, review};
    pub use crate::reviewer_plugin;
    pub use countersign_core::{
        Authorization, Case, CommandView, Effect, EffectKind, EvidenceItem, EvidenceKind,
        FailureKind, Review, ReviewFailure, Risk, Severity, Target, Tier, Verdict, Zone,
    };
    pub use schemars::JsonSchema;
    pub use serde::Deserialize;
}

/// A reviewer that is loaded at run time.
pub trait ReviewerPlugin: Send + Sync + Sized + 'static {
    /// Its name: 1 to 64 lower-case letters, digits and dashes. Checked when it is compiled.
    const NAME: &'static str;

    /// The environment variables that it asks for; it gets those that its owner grants. `*` asks
    /// for those that the owner's configuration names.
    const ENV: &'static [&'static str] = &[];

    /// It talks to other machines. Told to the owner.
    const NETWORK: bool = false;

    /// What the owner configures.
    type Config: DeserializeOwned + schemars::JsonSchema;

    /// Makes one from its configuration.
    ///
    /// # Errors
    /// When the configuration cannot be used ([`FailureKind::Configuration`](countersign_core::FailureKind)).
    fn new(config: Self::Config) -> Result<Self, ReviewFailure>;

    /// Its opinion of one call; `None` abstains. May be called from several threads at once. It
    /// should return soon after [`Call::is_over`].
    ///
    /// # Errors
    /// When there is none. Never an allow.
    fn review(&self, case: &Case, call: &Call<'_>) -> Result<Option<Review>, ReviewFailure>;

    /// Whether it could review now: its server answers, its key is there.
    ///
    /// # Errors
    /// With what is missing.
    fn health(&self, _call: &Call<'_>) -> Result<(), ReviewFailure> {
        Ok(())
    }
}

/// A review with this verdict and rationale, a low risk, nothing known of the user's wish, and no
/// list behind it; change what differs.
pub fn review(verdict: Verdict, rationale: impl Into<String>) -> Review {
    Review {
        reviewer: None,
        verdict,
        risk: Risk::Low,
        authorization: Authorization::Unknown,
        tier: Tier::None,
        rationale: rationale.into(),
        instruction: None,
        replacement: None,
    }
}
