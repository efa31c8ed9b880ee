#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
// What needs the outside is told of it; `clippy.toml` has the list.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod arena;
mod model;
mod options;
mod scan;
mod status;
mod text;

pub use model::{
    Argv0, Assignment, Cardinality, Command, CommandId, Context, Part, Redirect, RedirectOp, Scope,
    ScopeId, ScopeKind, Script, Value, Word, WordKind,
};
pub use options::{Dialect, Limits, Options};
pub use scan::lex;
pub use status::{Diagnostic, DiagnosticKind, Status};
pub use text::Span;
