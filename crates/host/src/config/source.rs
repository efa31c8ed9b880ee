use super::error::ConfigError;
use super::layers::{Whose, read_text};
use crate::paths::WORKSPACE_FILE;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The texts of configuration files as they were at one time; nothing where there was no file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Texts(BTreeMap<PathBuf, Option<String>>);

impl Texts {
    /// The file with the longest text.
    pub(crate) fn largest(&self) -> PathBuf {
        let longest = self
            .0
            .iter()
            .max_by_key(|(_, text)| text.as_ref().map_or(0, String::len));
        longest.map(|(file, _)| file.clone()).unwrap_or_default()
    }

    /// The files that are otherwise now, or cannot be read, and those that came into one of these
    /// folders of packs and command files.
    pub(crate) fn changed(&self, folders: &[PathBuf]) -> Vec<PathBuf> {
        let otherwise = self.0.iter().filter(|(file, kept)| {
            read_text(file, Whose::Anybodys).map_or(true, |found| found != **kept)
        });
        let mut files: Vec<PathBuf> = otherwise.map(|(file, _)| file.clone()).collect();
        let entries = folders.iter().flat_map(std::fs::read_dir).flatten();
        files.extend(entries.flatten().map(|entry| entry.path()).filter(|path| {
            let is_pack = path
                .extension()
                .is_some_and(|extension| extension == "toml");
            is_pack && !self.0.contains_key(path)
        }));
        files
    }
}

/// Where configuration is read: from the files, or from what was kept of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Source {
    kept: Texts,
    read: Texts,
}

impl Source {
    /// What was kept; a file that is not among it is read.
    pub(super) fn kept(kept: Texts) -> Self {
        Self {
            kept,
            read: Texts::default(),
        }
    }

    /// Everything that was read, whether now or when it was kept.
    pub(super) fn into_texts(self) -> Texts {
        self.read
    }

    /// Something was kept: that there was no file is kept too.
    pub(super) fn is_of_a_session(&self) -> bool {
        !self.kept.0.is_empty()
    }

    /// The workspaces that something was kept of, if only that they have no file.
    pub(super) fn kept_roots(&self) -> Vec<String> {
        let kept = self.kept.0.keys();
        kept.filter(|file| file.ends_with(WORKSPACE_FILE))
            .filter_map(|file| Some(file.parent()?.to_string_lossy().into_owned()))
            .collect()
    }

    /// What was kept of the files of a folder.
    pub(super) fn kept_in(&self, folder: &Path) -> Vec<PathBuf> {
        let kept = self.kept.0.keys();
        kept.filter(|file| file.parent() == Some(folder))
            .cloned()
            .collect()
    }

    /// The text of a file that counts in full.
    pub(super) fn owners(&mut self, file: &Path) -> Result<Option<String>, ConfigError> {
        let text = match self.kept.0.get(file) {
            Some(kept) => kept.clone(),
            None => read_text(file, Whose::Owners)?,
        };
        self.read.0.insert(file.to_path_buf(), text.clone());
        Ok(text)
    }

    /// The texts of a file that only tightens: what was kept of it, and what it says now. It can
    /// add to what was kept, and take nothing away.
    pub(super) fn anybodys(&mut self, file: &Path) -> Vec<Result<String, ConfigError>> {
        let kept = self.kept_of(file).map(Ok);
        kept.into_iter().chain(self.added(file)).collect()
    }

    /// What was kept of a file, whatever has become of it since.
    pub(super) fn kept_of(&self, file: &Path) -> Option<String> {
        self.kept.0.get(file).cloned().flatten()
    }

    /// What a file that only tightens says now, where that is not what was kept of it.
    pub(super) fn added(&mut self, file: &Path) -> Option<Result<String, ConfigError>> {
        let now = read_text(file, Whose::Anybodys);
        let kept = self.kept.0.get(file);
        if let Ok(text) = &now {
            let first = kept.unwrap_or(text).clone();
            self.read.0.insert(file.to_path_buf(), first);
        }
        match (kept, now) {
            (Some(kept), Ok(text)) if *kept == text => None,
            (_, now) => now.transpose(),
        }
    }
}
