#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
// What needs the outside is told of it; `clippy.toml` has the list.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub use countersign_core as core;

pub mod answers;
mod breaker;
mod case;
mod denials;
mod floors;
mod grant;
mod guard;
mod intent;
mod ledger;
mod park;
mod people;
mod place;
mod ports;
mod recorded;
mod review;
mod scope;
mod shown;
pub mod store;
mod texts;
mod ttl;
mod walk;

pub use answers::{Answer, AnswerLimits, Answers, KeepError, NoRoom, Owner};
pub use breaker::{Breaker, BreakerLimits};
pub use case::redacted_case;
pub use denials::{
    ApprovalRefusal, Challenge, Denial, DenialView, KEPT_DENIALS, approve, list as denials,
};
pub use grant::{
    GRANT_TTL, Grant, GrantRefusal, GrantView, MAX_GRANT_TTL, MIN_GRANT_TTL, Presented, Token,
    consume, issue, list as grants,
};
pub use guard::{
    AllowError, AllowanceLimits, Allowances, Allowed, Execution, Guard, NoAllowanceRoom,
    PresentedCall, Refusal, RefusalKind, Turn,
};
pub use intent::intent;
pub use ledger::{GrantWish, Keeping};
pub use park::{
    Answered, Continued, Evicted, Eviction, Exit, Fingerprint, HeldCall, History, Live,
    MAX_PARKED_BYTES, Mismatch, NotAnswered, NotParked, NotParkedKind, Outcome, ParkError, ParkId,
    ParkIdError, ParkLimits, Parked, Parking, Pause, PauseLatch, Pending, Question, Rejected,
    Reply, Resumed,
};
pub use people::{
    BreakerView, BudgetView, PersonError, breakers, budgets, extend_budget, human_spoke,
    reset_breaker,
};
pub use place::Place;
pub use ports::{AuditError, AuditPort};
pub use recorded::Unrecorded;
pub use review::{Panel, Rejudge};
pub use scope::Limits;
pub use texts::{
    APPROVED_EXECUTION_RESULT_UNKNOWN, DEFERRED_NOT_EXECUTED, INTERRUPTED_NOT_EXECUTED, OpenCall,
};
pub use ttl::{Ttl, TtlError};
pub use walk::{Call, Decided, Situation, decide};
