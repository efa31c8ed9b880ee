use countersign_reviewers::plugin::prelude::*;
use std::collections::BTreeMap;

/// A reviewer that nothing is wrong with: it allows.
pub(crate) struct Good;

impl ReviewerPlugin for Good {
    const NAME: &'static str = "hostile";
    type Config = BTreeMap<String, String>;

    fn new(_config: Self::Config) -> Result<Self, ReviewFailure> {
        Ok(Self)
    }

    fn review(&self, _case: &Case, _call: &Call<'_>) -> Result<Option<Review>, ReviewFailure> {
        Ok(Some(review(Verdict::Allow, "told to allow")))
    }
}
