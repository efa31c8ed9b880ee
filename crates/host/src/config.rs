//! The owner's settings, from three layers: the machine's administrator, the user, and the
//! workspace, which may only tighten.

pub(crate) mod commands;
pub(crate) mod edit;
mod error;
mod file;
mod folder;
mod layers;
mod limits;
mod lists;
mod packs;
mod review;
mod source;
#[cfg(test)]
mod tests;

pub use error::{ConfigError, ConfigErrorKind};
pub use file::{
    AuditFile, ConfigFile, Exception, HardDeny, Network, PathLists, Permissions, Undecided, parse,
};
pub(crate) use layers::load_from;
pub use layers::{Loaded, check, load};
pub use limits::LimitsFile;
pub use review::{
    GuidanceFile, IsolationFile, MAX_REVIEW_SECONDS, ModeFile, OnFailureFile, PluginFile, Review,
    ReviewFile, ReviewerFile,
};

pub(crate) use source::Texts;

use crate::audit::AuditLog;
use crate::paths::Dirs;
use countersign_policy::defaults as policy_defaults;
use std::fmt::Write as _;

/// The audit log, for a person's command: anchored as the owners' files say now. Where they cannot be
/// read, the log is written all the same, or nobody could lock the gate down then.
pub(crate) fn audit_log(dirs: &Dirs) -> AuditLog {
    let anchor = load(dirs, &[]).ok().and_then(|loaded| loaded.anchor);
    AuditLog::new(dirs.audit_folder()).anchored(anchor)
}

/// The built-in settings, as a file a person can start from: what is in force without any file is
/// commented out.
pub fn defaults() -> String {
    let lines = |items: &mut dyn Iterator<Item = &'static str>, quoted: bool| {
        items.fold(String::new(), |mut text, item| {
            let _infallible = if quoted {
                writeln!(text, "#   {item:?},")
            } else {
                writeln!(text, "#   {item}")
            };
            text
        })
    };
    let guided = |section| {
        lines(
            &mut countersign_reviewers::guidance::defaults(section).into_iter(),
            true,
        )
    };
    include_str!("config/defaults.toml")
        .replace(
            "#@protected\n",
            &lines(&mut policy_defaults::protected().iter().copied(), true),
        )
        .replace(
            "#@secret\n",
            &lines(&mut policy_defaults::secret().iter().copied(), true),
        )
        .replace("#@environment\n", &guided("environment"))
        .replace("#@allow\n", &guided("allow"))
        .replace("#@soft_deny\n", &guided("soft_deny"))
        .replace("#@hard_deny\n", &guided("hard_deny"))
        .replace(
            "#@rules\n",
            &lines(&mut countersign_policy::rule_ids(), false),
        )
}

/// The JSON Schema of a configuration file.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(ConfigFile).to_value()
}
