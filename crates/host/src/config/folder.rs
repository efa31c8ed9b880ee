//! Folders of files beside a configuration file: packs of rules, and command files. Each file brings
//! examples; they are judged once for each text and each version of Countersign, and the state folder
//! remembers which held, so that a call pays for parsing alone.

use super::error::{ConfigError, ConfigErrorKind};
use super::layers::{Whose, foreign};
use super::source::Source;
use crate::paths::Dirs;
use countersign_core::Digest;
use std::path::{Path, PathBuf};

/// What lies in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Packs,
    Commands,
}

impl Kind {
    /// The most files in one folder.
    const fn most(self) -> usize {
        match self {
            Self::Packs => 16,
            Self::Commands => 64,
        }
    }

    const fn many(self) -> ConfigErrorKind {
        match self {
            Self::Packs => ConfigErrorKind::ManyPacks(self.most()),
            Self::Commands => ConfigErrorKind::ManyCommands(self.most()),
        }
    }

    /// The folder of the state that remembers, and the domain of its digests.
    const fn remembered(self) -> (&'static str, &'static str) {
        match self {
            Self::Packs => ("packs", "countersign.pack.v1"),
            Self::Commands => ("commands", "countersign.command.v1"),
        }
    }
}

/// The files of a folder of the owners, by name: where a session is under way, those that it began
/// with.
pub(super) fn owners(
    folder: &Path,
    source: &Source,
    kind: Kind,
) -> Result<Vec<PathBuf>, ConfigError> {
    let kept = source.kept_in(folder);
    if source.is_of_a_session() {
        return Ok(kept);
    }
    all(folder, kept, Whose::Owners, kind)
}

/// These files and those that the folder holds now, by name.
pub(super) fn all(
    folder: &Path,
    mut files: Vec<PathBuf>,
    whose: Whose,
    kind: Kind,
) -> Result<Vec<PathBuf>, ConfigError> {
    let unread = |error| fail(folder, ConfigErrorKind::Read(error));
    match std::fs::read_dir(folder) {
        Ok(entries) => {
            // Who can write the folder can take a file out of it.
            let found = std::fs::metadata(folder).map_err(unread)?;
            if let (Whose::Owners, Some(kind)) = (whose, foreign(&found)) {
                return Err(fail(folder, kind));
            }
            for entry in entries {
                let path = entry.map_err(unread)?.path();
                let counts = path.extension().is_some_and(|end| end == "toml");
                if counts && !files.contains(&path) {
                    files.push(path);
                }
                if files.len() > kind.most() {
                    return Err(fail(folder, kind.many()));
                }
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(unread(error)),
    }
    files.sort();
    Ok(files)
}

/// Judges the examples of a file, unless it is remembered that they held.
pub(super) fn hold(
    file: &Path,
    text: &str,
    dirs: &Dirs,
    kind: Kind,
    wrong_examples: impl FnOnce() -> Vec<String>,
) -> Result<(), ConfigError> {
    let (folder, domain) = kind.remembered();
    let version = format!("{}\n{text}", env!("CARGO_PKG_VERSION"));
    let digest = Digest::of(domain, version.as_bytes());
    let held = dirs.state.join(folder).join(digest.as_str());
    if held.exists() {
        return Ok(());
    }
    none_wrong(file, wrong_examples())?;
    // Where it cannot be remembered, the examples are judged again.
    if let Some(folder) = held.parent() {
        let _unremembered = crate::audit::private_dir(folder);
        let _unremembered = std::fs::write(&held, "");
    }
    Ok(())
}

/// A file whose examples do not hold is as broken as one that does not parse: its owner believes that
/// it says something else.
pub(super) fn none_wrong(file: &Path, wrong: Vec<String>) -> Result<(), ConfigError> {
    if wrong.is_empty() {
        return Ok(());
    }
    Err(fail(file, ConfigErrorKind::Examples(wrong)))
}

pub(super) fn fail(file: &Path, kind: ConfigErrorKind) -> ConfigError {
    ConfigError {
        file: file.to_path_buf(),
        kind,
    }
}
