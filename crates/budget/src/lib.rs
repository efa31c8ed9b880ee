#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
// What needs the outside is told of it; `clippy.toml` has the list.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod amount;
mod evidence;
mod revise;
mod spend;
mod state;

pub use amount::{Amount, AmountLimits, Measure};
pub use evidence::{
    Account, Class, EvidenceBudget, EvidenceLimits, Fit, RequiredTooBig, Share, Taken, tokens,
};
pub use revise::{
    ExtensionRefused, IntentState, KeyError, LimitsError, MAX_EXTENSION, MAX_KEY_BYTES,
    MAX_REVISIONS, ReviseBudget, ReviseLimits, ReviseState, RevisionRefused, Room, Standing,
};
pub use spend::{
    Admission, Cost, DAY_MILLIS, DaySpend, Gone, Period, Returns, SessionSpend, SpendBudget,
    SpendLimits,
};
pub use state::{STATE_VERSION, StateError};
