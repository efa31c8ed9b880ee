use crate::audit::private_dir;
use crate::facts;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The largest settings file that is read, in bytes.
const MAX_SETTINGS: u64 = 4 << 20;

/// A settings file as it was read.
#[derive(Debug)]
pub(crate) struct SettingsFile {
    /// Where links lead.
    target: PathBuf,
    /// Its text; nothing when there is no file.
    pub(crate) text: Option<String>,
}

/// A settings file that cannot be read or written.
#[derive(Debug, Error)]
#[error("{}: {kind}", .file.display())]
pub(crate) struct FileError {
    /// The file.
    pub(crate) file: PathBuf,
    /// What is wrong.
    pub(crate) kind: FileErrorKind,
}

/// What is wrong with a settings file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum FileErrorKind {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// It is something else, or too big.
    #[error("is not a regular file of at most {MAX_SETTINGS} bytes")]
    NoFile,
    /// Its bytes are no text.
    #[error("is not UTF-8 text; mend it, then run this again")]
    NoText,
    /// Somebody else wrote it after it was read.
    #[error("was changed by another program meanwhile; nothing was written, run this again")]
    Changed,
    /// It cannot be written; it is as it was.
    #[error("cannot be written: {0}; it is as it was")]
    Write(io::Error),
}

/// The text of a settings file; nothing when there is none.
///
/// # Errors
/// When it is no regular file of reasonable size that holds text.
pub(crate) fn read_settings(file: &Path) -> Result<Option<String>, FileError> {
    let fail = |kind| FileError {
        file: file.to_path_buf(),
        kind,
    };
    // A pipe in the file's place would block its reader, so the kind is looked at first.
    match std::fs::metadata(file) {
        Ok(found) if found.is_file() && found.len() <= MAX_SETTINGS => {}
        Ok(_) => return Err(fail(FileErrorKind::NoFile)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fail(FileErrorKind::Read(error))),
    }
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|open| open.take(MAX_SETTINGS).read_to_end(&mut bytes))
        .map_err(|error| fail(FileErrorKind::Read(error)))?;
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| fail(FileErrorKind::NoText))
}

impl SettingsFile {
    /// Reads a file, following links.
    ///
    /// # Errors
    /// See [`read_settings`].
    pub(crate) fn read(file: &Path) -> Result<Self, FileError> {
        let target = facts::real(file);
        let text = read_settings(&target)?;
        Ok(Self { target, text })
    }

    /// Writes a new text in the file's place, whole or not at all, and keeps the old one beside
    /// it. Returns where.
    ///
    /// # Errors
    /// When the file was changed since it was read, or cannot be written.
    pub(crate) fn write(&self, text: &str, now: i64) -> Result<Option<PathBuf>, FileError> {
        if read_settings(&self.target)? != self.text {
            return Err(self.error(FileErrorKind::Changed));
        }
        self.try_write(text, Some(now))
            .map_err(|error| self.error(FileErrorKind::Write(error)))
    }

    /// The same without keeping the old text.
    ///
    /// # Errors
    /// When the file was changed since it was read, or cannot be written.
    pub(crate) fn replace(&self, text: &str) -> Result<(), FileError> {
        if read_settings(&self.target)? != self.text {
            return Err(self.error(FileErrorKind::Changed));
        }
        self.try_write(text, None)
            .map(drop)
            .map_err(|error| self.error(FileErrorKind::Write(error)))
    }

    fn try_write(&self, text: &str, keep: Option<i64>) -> io::Result<Option<PathBuf>> {
        let owner = match &self.text {
            Some(_) => Some(std::fs::metadata(&self.target)?),
            None => None,
        };
        if let Some(dir) = self.target.parent() {
            private_dir(dir)?;
        }
        let backup = match (&self.text, keep) {
            (Some(old), Some(now)) => Some(self.back_up(old, now, owner.as_ref())?),
            _ => None,
        };
        let fresh = self.beside(&format!("countersign-new-{}", std::process::id()));
        create(&fresh, text, owner.as_ref())
            .and_then(|()| std::fs::rename(&fresh, &self.target))
            .inspect_err(|_| {
                let _best_effort = std::fs::remove_file(&fresh);
            })?;
        Ok(backup)
    }

    fn back_up(
        &self,
        old: &str,
        now: i64,
        owner: Option<&std::fs::Metadata>,
    ) -> io::Result<PathBuf> {
        let mut backup = self.beside(&format!("countersign-backup-{now}"));
        for again in 1..10 {
            match create(&backup, old, owner) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    backup = self.beside(&format!("countersign-backup-{now}-{again}"));
                }
                Err(error) => return Err(error),
                Ok(()) => return Ok(backup),
            }
        }
        Err(io::Error::other(
            "there are too many backups of this second",
        ))
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.target.file_name().unwrap_or_default().to_owned();
        name.push(".");
        name.push(ending);
        self.target.with_file_name(name)
    }

    fn error(&self, kind: FileErrorKind) -> FileError {
        FileError {
            file: self.target.clone(),
            kind,
        }
    }
}

/// Creates a file with a text, its owner and mode those of another.
fn create(file: &Path, text: &str, like: Option<&std::fs::Metadata>) -> io::Result<()> {
    let mut open = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(file)?;
    if let Some(like) = like {
        let made = open.metadata()?;
        if (made.uid(), made.gid()) != (like.uid(), like.gid()) {
            std::os::unix::fs::fchown(&open, Some(like.uid()), Some(like.gid()))?;
        }
        open.set_permissions(Permissions::from_mode(like.mode() & 0o7777))?;
    }
    open.write_all(text.as_bytes())?;
    open.sync_all()
}
