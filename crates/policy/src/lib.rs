#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
// What needs the outside is told of it; `clippy.toml` has the list.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod analysis;
pub mod defaults;
mod exchange;
mod expand;
mod fetch;
mod knowledge;
mod language;
mod paths;
mod pattern;
mod policy;
mod rules;
mod settings;
mod tool;
mod url;
mod world;

pub use expand::{Expanded, Expansion, Origin, Source, expand};
pub use knowledge::{COMMAND_FILE_SCHEMA, CommandFile, CommandFileError, CommandFileProblem};
pub use pattern::{Pattern, PatternError};
pub use policy::Policy;
pub use rules::{Pack, PackError, built_in_packs, built_in_rules, rule_ids};
pub use settings::{Exception, McpServer, Settings};
pub use tool::tool_request;
