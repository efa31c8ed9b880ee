use super::{Checks, Image, LoadError, LoadErrorKind};
use crate::manifest::is_name;
use std::path::{Path, PathBuf};

/// The folders that plugins are found in. A plugin's file is its name with `.so`.
#[derive(Debug, Clone)]
pub struct Store {
    folders: Vec<PathBuf>,
}

/// A file in a store.
#[derive(Debug)]
pub struct Found {
    /// The file.
    pub path: PathBuf,
    /// The plugin in it, or why it is refused. The pin is not looked at.
    pub image: Result<Image, LoadError>,
}

impl Store {
    /// A store over these folders.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders }
    }

    /// The folders, in order.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The file of a plugin.
    ///
    /// # Errors
    /// When no folder has it, or more than one.
    pub fn find(&self, name: &str) -> Result<PathBuf, LoadError> {
        if !is_name(name) {
            return Err(LoadError::new(name, LoadErrorKind::NoName));
        }
        let mut found = self
            .folders
            .iter()
            .map(|folder| folder.join(file_name(name)))
            .filter(|file| file.symlink_metadata().is_ok());
        match (found.next(), found.next()) {
            (Some(file), None) => Ok(file),
            (Some(first), Some(second)) => Err(LoadError::new(
                name,
                LoadErrorKind::Duplicate(first, second),
            )),
            (None, _) => Err(LoadError::new(
                name,
                LoadErrorKind::NotFound(self.folders.clone()),
            )),
        }
    }

    /// Every plugin in it, by folder and name. A file whose plugin has another name, or a name that
    /// another file has as well, is refused.
    pub fn list(&self) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        for path in self.folders.iter().flat_map(|folder| libraries(folder)) {
            let name = path.file_stem().and_then(|stem| stem.to_str());
            let checks = Checks {
                name,
                ..Checks::any()
            };
            let image = match (name, same_name(&found, &path)) {
                (Some(name), Some(other)) => Err(LoadError::new(
                    name,
                    LoadErrorKind::Duplicate(other, path.clone()),
                )),
                _ => Image::open(&path, &checks),
            };
            found.push(Found { path, image });
        }
        found
    }
}

/// The file name of a plugin.
pub(super) fn file_name(name: &str) -> String {
    format!("{name}.so")
}

fn same_name(found: &[Found], path: &Path) -> Option<PathBuf> {
    found
        .iter()
        .find(|other| other.path.file_name() == path.file_name())
        .map(|other| other.path.clone())
}

fn libraries(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "so"))
        .collect();
    files.sort();
    files
}
