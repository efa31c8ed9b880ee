#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod floors;
mod ports;
mod review;
mod walk;

pub use ports::{AuditError, AuditPort};
pub use review::Panel;
pub use walk::{Call, Situation, decide};
