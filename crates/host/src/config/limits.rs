//! How often is too often: the breaker, and calls that are sent back.

use countersign_broker::{BreakerLimits, Limits};
use countersign_budget::ReviseLimits;
use schemars::JsonSchema;
use serde::Deserialize;

/// The longest look back of a breaker, in outcomes.
const MAX_LAST: u32 = 1000;

/// How often is too often. A workspace may only lower these.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsFile {
    /// Denials in a row, within one prompt of yours, after which no reviewer is asked any more.
    #[schemars(range(min = 1, max = 1000))]
    pub denials_in_a_row: Option<u32>,
    /// Denials among the last `of_last` reviewed calls that do the same.
    #[schemars(range(min = 1, max = 1000))]
    pub denials: Option<u32>,
    /// How many calls are looked back on.
    #[schemars(range(min = 1, max = 1000))]
    pub of_last: Option<u32>,
    /// How often a call, in whatever words, is sent back to be changed before a person decides.
    #[schemars(range(max = 1000))]
    pub revisions: Option<u32>,
    /// How often all calls of one prompt are sent back.
    #[schemars(range(max = 1000))]
    pub revisions_in_all: Option<u32>,
    /// Failed reviews in a row after which a person decides for five minutes; 0 is never.
    pub failures: Option<u32>,
}

impl LimitsFile {
    /// These limits over others.
    ///
    /// # Errors
    /// With the one that is out of bounds.
    pub(super) fn over(&self, limits: Limits) -> Result<Limits, String> {
        for (name, value) in [
            ("denials_in_a_row", self.denials_in_a_row),
            ("denials", self.denials),
            ("of_last", self.of_last),
        ] {
            if value.is_some_and(|value| !(1..=MAX_LAST).contains(&value)) {
                return Err(format!("limits.{name} must be 1 to {MAX_LAST}"));
            }
        }
        let revise = ReviseLimits::new(
            self.revisions.unwrap_or(limits.revise.per_intent()),
            self.revisions_in_all.unwrap_or(limits.revise.per_scope()),
        )
        .map_err(|error| format!("limits.revisions: {error}"))?;
        Ok(Limits {
            scope: BreakerLimits {
                in_a_row: self.denials_in_a_row.unwrap_or(limits.scope.in_a_row),
                denials: self.denials.unwrap_or(limits.scope.denials),
                last: self.of_last.unwrap_or(limits.scope.last),
            },
            failures: self.failures.unwrap_or(limits.failures),
            revise,
            ..limits
        })
    }

    /// What of it loosens `limits`; the rest of it tightens them.
    pub(super) fn tighten(&self, limits: &mut Limits) -> Result<bool, String> {
        let wanted = self.over(*limits)?;
        let (old, new) = (limits.scope, wanted.scope);
        let revise = ReviseLimits::new(
            wanted.revise.per_intent().min(limits.revise.per_intent()),
            wanted.revise.per_scope().min(limits.revise.per_scope()),
        )
        .map_err(|error| error.to_string())?;
        // Looking back on more finds more.
        let loosens = new.in_a_row > old.in_a_row
            || new.denials > old.denials
            || new.last < old.last
            || self.failures.is_some()
            || wanted.revise.per_intent() > limits.revise.per_intent()
            || wanted.revise.per_scope() > limits.revise.per_scope();
        limits.scope = BreakerLimits {
            in_a_row: new.in_a_row.min(old.in_a_row),
            denials: new.denials.min(old.denials),
            last: new.last.max(old.last),
        };
        limits.revise = revise;
        Ok(loosens)
    }
}
