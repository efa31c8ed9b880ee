#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
// What needs the outside is told of it; `clippy.toml` has the list.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod floors;
mod ports;
mod review;
pub mod store;
mod walk;

pub use ports::{AuditError, AuditPort};
pub use review::Panel;
pub use walk::{Call, Situation, decide};
