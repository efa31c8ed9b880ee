#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod floors;
mod ports;
mod walk;

pub use ports::{AuditError, AuditPort};
pub use walk::{Call, Situation, decide};
