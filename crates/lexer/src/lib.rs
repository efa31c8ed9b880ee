#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod model;
mod options;
mod scan;
mod status;
mod text;

pub use model::{
    Assignment, Cardinality, Command, CommandId, Context, Part, Redirect, RedirectOp, Scope,
    ScopeId, ScopeKind, Script, Word, WordKind,
};
pub use options::{Dialect, Limits, Options};
pub use scan::lex;
pub use status::{Diagnostic, DiagnosticKind, Status};
pub use text::Span;
