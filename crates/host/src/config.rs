//! The owner's settings, from three layers: the machine's administrator, the user, and the
//! workspace, which may only tighten.

mod file;
mod layers;
#[cfg(test)]
mod tests;

pub use file::{
    ConfigFile, Exception, HardDeny, Network, PathLists, Permissions, Undecided, parse,
};
pub use layers::{ConfigError, ConfigErrorKind, Loaded, load};

/// The built-in settings, as a file a person can start from.
pub const DEFAULTS: &str = include_str!("config/defaults.toml");

/// The JSON Schema of a configuration file.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(ConfigFile).to_value()
}
