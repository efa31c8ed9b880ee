//! The contract, from outside.

mod chain;
mod guidance;
#[cfg(feature = "load")]
mod load;
mod reply;
