//! Registering the gate with Claude Code: settings text in, settings text out, and a thin layer that
//! reads and writes the file.

mod diff;
mod document;
mod edit;
mod error;
mod file;
mod front;
mod place;
mod reach;
mod registration;
mod state;
#[cfg(test)]
mod tests;

pub(crate) use diff::diff;
pub(crate) use edit::{Change, Edited, install, uninstall};
pub(crate) use file::{SettingsFile, read_settings};
pub(crate) use front::{front_beside, is_static};
pub(crate) use place::complaints;
pub(crate) use reach::{reach, switches_off};
pub(crate) use registration::Registration;
pub(crate) use state::{EventState, registered};

/// The settings file of the user, under the home directory.
pub(crate) const USER_SETTINGS: &str = ".claude/settings.json";

/// The settings files of a project, under its folder.
pub(crate) const PROJECT_SETTINGS: [&str; 2] =
    [".claude/settings.json", ".claude/settings.local.json"];
