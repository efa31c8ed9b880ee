#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
// What needs the outside is told of it; `clippy.toml` has the list.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod audit;
mod bound;
mod case;
mod decision;
mod digest;
mod effect;
mod envelope;
mod facts;
mod failure;
mod json;
mod judgement;
pub mod redact;
mod request;
mod review;
mod reviewer;
mod verdict;

pub use audit::{AuditEvent, AuditKind};
pub use bound::{
    Bindings, BoundError, BoundInput, CallKey, MAX_TOOL_NAME_BYTES, ToolName, call_key,
};
pub use case::{Case, Evidence, EvidenceItem, EvidenceKind, Guidance, TrustedOverride};
pub use decision::{Decision, Stage};
pub use digest::{Digest, digest, retry_key};
pub use effect::{Certainty, Effect, EffectKind, Place, Target, Zone};
pub use envelope::{
    Dialog, Envelope, EnvelopeError, Gate, GateCall, GateWords, Gates, KnownTool, Opened,
    PlainDialog, ToolTable,
};
pub use facts::{AgentMode, Facts, PathFact, PathKind, Person, Query, RepositoryFact};
pub use failure::{FailureKind, OnFailure, ReviewFailure};
pub use json::{JsonError, JsonErrorKind, MAX_DEPTH, canonical, parse_strict};
pub use judgement::{CommandView, Judgement, RuleHit, Severity};
pub use request::{
    Annotations, MAX_REQUEST_BYTES, Request, RequestError, RequestErrorKind, Surface,
};
pub use review::{Authorization, MAX_RATIONALE, Review, ReviewProblem, Risk, Tier};
pub use reviewer::{Clock, ReviewContext, Reviewer};
pub use verdict::{DeferKind, Verdict};

/// The version of every JSON form in this crate.
pub const FORM_VERSION: u32 = 1;
