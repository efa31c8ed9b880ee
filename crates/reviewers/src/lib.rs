#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

pub mod chain;
mod clock;
pub mod guidance;
#[cfg(feature = "load")]
pub mod load;
#[cfg(any(feature = "plugin", feature = "load"))]
mod manifest;
#[cfg(feature = "model")]
pub mod model;
#[cfg(feature = "plugin")]
pub mod plugin;
pub mod reply;
#[cfg(feature = "testkit")]
pub mod testkit;
#[cfg(feature = "trust")]
pub mod trust;
#[cfg(any(feature = "testkit", feature = "load"))]
mod wire;

pub use clock::Monotonic;
/// The types that a reviewer reads and writes.
pub use countersign_core as core;
#[cfg(any(feature = "plugin", feature = "load"))]
pub use manifest::{Manifest, ManifestError};
