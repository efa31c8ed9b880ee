//! The least reviewer that reads its case.

use countersign_reviewers::plugin::prelude::*;

/// Nothing to configure.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(crate = "countersign_reviewers::plugin::serde")]
#[schemars(crate = "countersign_reviewers::plugin::schemars")]
pub struct Config {}

/// Allows what names tests.
#[derive(Debug)]
pub struct Tiny;

impl ReviewerPlugin for Tiny {
    const NAME: &'static str = "tiny";
    type Config = Config;

    fn new(_config: Config) -> Result<Self, ReviewFailure> {
        Ok(Self)
    }

    fn review(&self, case: &Case, _call: &Call<'_>) -> Result<Option<Review>, ReviewFailure> {
        let command = case.request.command.as_deref().unwrap_or_default();
        Ok(command
            .contains("test")
            .then(|| review(Verdict::Allow, "it names tests")))
    }
}
