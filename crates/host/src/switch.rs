//! The switches that a person sets: on, off, and lockdown.

use crate::audit::private_dir;
use crate::paths::Dirs;
use countersign_broker::{AuditError, AuditPort};
use countersign_core::{AuditEvent, AuditKind};
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// What the gate does with every call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// Judges it.
    On,
    /// Lets the agent's own flow decide.
    Off,
    /// Denies it.
    Lockdown,
}

impl Switch {
    /// The word that is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
            Self::Lockdown => "lockdown",
        }
    }
}

/// A switch could not be read or set.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SwitchError {
    /// The file cannot be read or written.
    #[error("cannot {action} the switch in {}: {source}", .file.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file holds something else.
    #[error("the switch in {} holds `{found}`; run `countersign on` in a terminal to set it anew", .file.display())]
    Unknown {
        /// The file.
        file: PathBuf,
        /// What it holds.
        found: String,
    },
    /// The change could not be recorded, so it was not made.
    #[error(transparent)]
    Audit(#[from] AuditError),
}

fn file(dirs: &Dirs) -> PathBuf {
    dirs.state.join("switch")
}

/// The switch as it stands; on when nobody ever set it.
///
/// # Errors
/// When the file cannot be read or holds something else; callers must then deny.
pub fn read(dirs: &Dirs) -> Result<Switch, SwitchError> {
    let file = file(dirs);
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Switch::On),
        Err(source) => {
            return Err(SwitchError::File {
                action: "read",
                file,
                source,
            });
        }
    };
    match text.trim() {
        "on" => Ok(Switch::On),
        "off" => Ok(Switch::Off),
        "lockdown" => Ok(Switch::Lockdown),
        found => Err(SwitchError::Unknown {
            found: found.chars().take(40).collect(),
            file,
        }),
    }
}

/// Sets the switch, recording it first.
///
/// # Errors
/// When the change cannot be recorded or written.
pub fn set(dirs: &Dirs, to: Switch, audit: &mut dyn AuditPort) -> Result<(), SwitchError> {
    audit.record(&AuditEvent::note(
        AuditKind::Switch,
        "countersign",
        to.as_str(),
    ))?;
    let file = file(dirs);
    let fresh = dirs.state.join("switch.new");
    let write = || {
        private_dir(&dirs.state)?;
        std::fs::write(&fresh, format!("{}\n", to.as_str()))?;
        std::fs::rename(&fresh, &file)
    };
    write().map_err(|source| SwitchError::File {
        action: "write",
        file: file.clone(),
        source,
    })
}
