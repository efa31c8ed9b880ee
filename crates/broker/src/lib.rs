#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
// What needs the outside is told of it; `clippy.toml` has the list.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub use countersign_core as core;

mod breaker;
mod denials;
mod floors;
mod grant;
mod intent;
mod ledger;
mod people;
mod place;
mod ports;
mod review;
mod scope;
mod shown;
pub mod store;
mod walk;

pub use breaker::{Breaker, BreakerLimits};
pub use denials::{
    ApprovalRefusal, Challenge, Denial, DenialView, KEPT_DENIALS, approve, list as denials,
};
pub use grant::{
    GRANT_TTL, Grant, GrantRefusal, GrantView, MAX_GRANT_TTL, MIN_GRANT_TTL, Presented, Token,
    consume, issue, list as grants,
};
pub use intent::intent;
pub use ledger::{GrantWish, Keeping};
pub use people::{
    BreakerView, BudgetView, PersonError, breakers, budgets, extend_budget, human_spoke,
    reset_breaker,
};
pub use place::Place;
pub use ports::{AuditError, AuditPort};
pub use review::{Panel, Rejudge};
pub use scope::Limits;
pub use walk::{Call, Decided, Situation, decide};
