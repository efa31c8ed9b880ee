//! Where Countersign keeps its files.
//!
//! The user's home comes from the password database: an agent's project settings can set the
//! environment of a hook, so neither `$HOME` nor an `XDG_*` variable may choose what is loaded.

use std::path::{Path, PathBuf};
use thiserror::Error;

/// The folder of the machine's administrator.
pub const MANAGED: &str = "/etc/countersign";

/// The file that a workspace can add rules with.
pub const WORKSPACE_FILE: &str = ".countersign.toml";

/// The folder of a workspace's packs of rules.
pub const WORKSPACE_RULES: &str = ".countersign/rules";

/// The folder of a workspace's command files, which do not count.
pub const WORKSPACE_COMMANDS: &str = ".countersign/commands";

/// The folders in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dirs {
    /// The user's home directory, from the password database.
    pub home: PathBuf,
    /// The user's configuration.
    pub config: PathBuf,
    /// What must outlive a call: switches, the audit log.
    pub state: PathBuf,
    /// The administrator's configuration.
    pub managed: PathBuf,
}

/// The user's home directory could not be found.
#[derive(Debug, Error)]
#[error(
    "the password database has no home directory for user {uid}; pass --config-dir and --state-dir"
)]
pub struct NoHome {
    uid: u32,
}

impl Dirs {
    /// The folders of the user that runs the program; an explicit folder wins.
    ///
    /// # Errors
    /// When the user has no home directory and a folder was not given.
    pub fn find(config: Option<&Path>, state: Option<&Path>) -> Result<Self, NoHome> {
        let uid = nix::unistd::getuid();
        let found = nix::unistd::User::from_uid(uid)
            .ok()
            .flatten()
            .map(|user| user.dir);
        let home = match found.filter(|dir| dir.is_absolute()) {
            Some(home) => home,
            None if config.is_some() && state.is_some() => PathBuf::from("/nonexistent"),
            None => return Err(NoHome { uid: uid.as_raw() }),
        };
        Ok(Self {
            config: config.map_or_else(|| home.join(".config/countersign"), absolute),
            state: state.map_or_else(|| home.join(".local/state/countersign"), absolute),
            managed: PathBuf::from(MANAGED),
            home,
        })
    }

    /// Folders of a user and an administrator of their own, for tests.
    #[cfg(test)]
    pub(crate) fn under(base: &Path) -> Self {
        Self {
            home: base.join("home"),
            config: base.join("user"),
            state: base.join("state"),
            managed: base.join("managed"),
        }
    }

    /// The user's configuration file.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The administrator's configuration file.
    pub fn managed_file(&self) -> PathBuf {
        self.managed.join("config.toml")
    }

    /// The folders of the user's and the administrator's packs of rules.
    pub fn rules(&self) -> [PathBuf; 2] {
        [self.config.join("rules"), self.managed.join("rules")]
    }

    /// The folders of the user's and the administrator's command files.
    pub fn commands(&self) -> [PathBuf; 2] {
        [self.config.join("commands"), self.managed.join("commands")]
    }

    /// The user's plugins.
    pub fn plugins(&self) -> PathBuf {
        self.config.join("plugins")
    }

    /// What must outlive a call: denials, grants, parked approvals.
    pub fn store_file(&self) -> PathBuf {
        self.state.join("store.db")
    }

    /// The folder of the audit log.
    pub fn audit_folder(&self) -> PathBuf {
        self.state.join("audit")
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
