//! For hosts: finding, checking, loading and running plugins.
//!
//! ```no_run
//! use countersign_reviewers::load::{Checks, Image, Pin, Plugin, Settings};
//! use std::path::Path;
//!
//! // A plugin runs in a child process: this program, started again as its runner.
//! countersign_reviewers::load::become_runner_if_asked();
//!
//! let checks = Checks { pin: Pin::Sha256("9f86…".to_owned()), ..Checks::of("deny-list") };
//! let image = Image::open(Path::new("/opt/reviewers/deny-list.so"), &checks)?;
//! let plugin = Plugin::new(image, Settings::with_config(serde_json::json!({"deny": ["terraform"]})))?;
//! // `plugin` is a `countersign_core::Reviewer`.
//! # Ok::<(), countersign_reviewers::load::LoadError>(())
//! ```
//!
//! All checks come before any code of the plugin runs: where the file is, who owns it and could
//! change it, its size, its hash against the pin, whether it is a library for this machine, and its
//! manifest. What is run are the bytes that were checked, from memory that nobody can write any more.
//!
//! A child process is the default: whatever goes wrong in the plugin, from `exit(0)` to a loop in a
//! constructor, is a failed review. In process ([`Isolation::InProcess`]) a crash is the host's own;
//! [`Guard`] turns the crashes that can be caught into a reply that was prepared before.

mod child;
pub mod conformance;
mod crashes;
mod elf;
mod ends;
mod error;
mod frame;
mod guard;
mod handover;
mod image;
mod inside;
mod library;
mod plugin;
mod runner;
mod service;
mod store;

pub use error::{LoadError, LoadErrorKind};
pub use guard::Guard;
pub use image::{Checks, Image, Pin};
pub use plugin::{Description, Isolation, Plugin, Settings};
pub use runner::{RUNNER_ARGUMENT, become_runner_if_asked};
pub use store::{Found, Store};

/// The largest library that is loaded, in bytes (64 MiB).
pub const MAX_LIBRARY: u64 = 64 << 20;
