//! The owner's settings, from three layers: the machine's administrator, the user, and the
//! workspace, which may only tighten.

mod file;
mod layers;
#[cfg(test)]
mod tests;

pub use file::{
    ConfigFile, Exception, HardDeny, Network, PathLists, Permissions, Undecided, parse,
};
pub use layers::{ConfigError, ConfigErrorKind, Loaded, check, load};

use countersign_policy::defaults as policy_defaults;

/// The built-in settings, as a file a person can start from: what is in force without any file is
/// commented out.
pub fn defaults() -> String {
    let list = |items: &[&str]| {
        items.iter().map(|item| format!("#   {item:?},\n")).collect::<String>()
    };
    let rules: String = countersign_policy::rule_ids().map(|id| format!("#   {id}\n")).collect();
    include_str!("config/defaults.toml")
        .replace("#@protected\n", &list(policy_defaults::protected()))
        .replace("#@secret\n", &list(policy_defaults::secret()))
        .replace("#@rules\n", &rules)
}

/// The JSON Schema of a configuration file.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(ConfigFile).to_value()
}
