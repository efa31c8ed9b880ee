//! Restarts, and how properties are run.

use countersign_budget::{Amount, ReviseBudget, SpendBudget, SpendLimits};
use proptest::test_runner::Config;

/// So many cases, and no file for those that fail: they are printed, and become a row of a table.
pub(crate) fn cases(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    }
}

/// The budget as the next process finds it.
pub(crate) fn restarted(budget: &ReviseBudget) -> ReviseBudget {
    let state = kept(budget.state());
    ReviseBudget::restore(state).expect("what was kept is taken")
}

/// The budget as the next process finds it.
pub(crate) fn restarted_spend(
    budget: &SpendBudget,
    limits: SpendLimits,
    worst: Amount,
) -> SpendBudget {
    let (session, day) = (kept(budget.session()), kept(budget.day()));
    SpendBudget::restore(limits, worst, session, day).expect("what was kept is taken")
}

#[cfg(not(feature = "serde"))]
fn kept<State: Clone>(state: &State) -> State {
    state.clone()
}

#[cfg(feature = "serde")]
fn kept<State: serde::Serialize + serde::de::DeserializeOwned>(state: &State) -> State {
    let text = serde_json::to_string(state).expect("a state has a JSON form");
    serde_json::from_str(&text).expect("what was written is read")
}
