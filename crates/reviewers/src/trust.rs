//! Whether a file may be run: it is what its owner put there, and nobody else could have changed it.
//!
//! The checks and their order are those of OpenSSH's `StrictModes` and of sudo's plugin loader:
//! owner and mode of the file and of every folder above it, on the opened file and not on its name.

use nix::fcntl::OFlag;
use std::fs::{File, Metadata, OpenOptions};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Component, Path, PathBuf};
use thiserror::Error;

/// What a file must be.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// Folders that it must not be in: the workspaces, whose content an agent writes.
    pub outside: &'a [PathBuf],
    /// The largest size, in bytes.
    pub max_bytes: u64,
    /// It must have an execute bit.
    pub executable: bool,
}

/// A file that may be run.
#[derive(Debug)]
pub struct Trusted {
    /// Its path with every link followed.
    pub path: PathBuf,
    /// The file, open for reading.
    pub file: File,
    /// Its size in bytes.
    pub len: u64,
}

/// A file that may not be run.
#[derive(Debug, Error)]
#[error("{} {kind}", .path.display())]
pub struct TrustError {
    /// The file or folder at fault.
    pub path: PathBuf,
    /// What is wrong with it.
    pub kind: TrustErrorKind,
}

/// What is wrong with a file, and what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrustErrorKind {
    /// A relative path would depend on where the program runs.
    #[error("is not an absolute path; give one")]
    Relative,
    /// There is nothing.
    #[error("does not exist")]
    Missing,
    /// It cannot be looked at.
    #[error("cannot be read: {0}")]
    Unreadable(std::io::Error),
    /// An agent could write it.
    #[error("is in the workspace {} or leads through it, and an agent can write there; move it out", .0.display())]
    InWorkspace(PathBuf),
    /// Another user put it there.
    #[error("belongs to user {0}, who is neither you nor root; copy it and use the copy")]
    Owner(u32),
    /// Others can change it.
    #[error("can be changed by others (mode {0:04o}); run `chmod go-w` on it")]
    Writable(u32),
    /// A link was put in its place while it was looked at.
    #[error("is a link, though it was none a moment ago; look at who changes it")]
    Link,
    /// Links without end.
    #[error("leads through more than {MAX_LINKS} links")]
    Links,
    /// A directory, a pipe, a device.
    #[error("is not a regular file")]
    NotRegular,
    /// Too big.
    #[error("has {len} bytes, more than the {max} that are taken")]
    TooBig {
        /// Its size.
        len: u64,
        /// The largest size.
        max: u64,
    },
    /// It cannot be run.
    #[error("is not executable; run `chmod u+x` on it")]
    NotExecutable,
}

/// Checks a file and opens it.
///
/// # Errors
/// With the first thing that is wrong. Nothing of the file was run.
pub fn open(path: &Path, rules: &Rules<'_>) -> Result<Trusted, TrustError> {
    let fail = |path: &Path, kind| TrustError {
        path: path.to_path_buf(),
        kind,
    };
    if !path.is_absolute() {
        return Err(fail(path, TrustErrorKind::Relative));
    }
    let real = way(path, rules)?;
    let file = OpenOptions::new()
        .read(true)
        // A pipe would block, and a link could have been put there since.
        .custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC).bits())
        .open(&real)
        .map_err(|error| fail(&real, of_io(error)))?;
    let found = file.metadata().map_err(|error| fail(&real, of_io(error)))?;
    regular(&found, rules).map_err(|kind| fail(&real, kind))?;
    Ok(Trusted {
        path: real,
        len: found.len(),
        file,
    })
}

/// The most links that are followed for one path: the system's own limit (`path_resolution(7)`).
const MAX_LINKS: usize = 40;

/// Follows a path to the file, link by link. Every folder on the way is looked at: whoever could
/// change one of them could lead the way elsewhere.
fn way(path: &Path, rules: &Rules<'_>) -> Result<PathBuf, TrustError> {
    let fail = |path: &Path, kind| TrustError {
        path: path.to_path_buf(),
        kind,
    };
    let mut ahead: Vec<PathBuf> = parts(path);
    let mut at = PathBuf::from("/");
    let mut links = 0;
    while let Some(part) = ahead.pop() {
        if part == Path::new("..") {
            at.pop();
            continue;
        }
        folder(&at, rules).map_err(|error| match error.kind {
            kind @ TrustErrorKind::InWorkspace(_) => fail(path, kind),
            kind => TrustError { kind, ..error },
        })?;
        let next = at.join(&part);
        let found = next
            .symlink_metadata()
            .map_err(|error| fail(&next, of_io(error)))?;
        if !found.is_symlink() {
            at = next;
            continue;
        }
        links += 1;
        if links > MAX_LINKS {
            return Err(fail(path, TrustErrorKind::Links));
        }
        let target = next
            .read_link()
            .map_err(|error| fail(&next, of_io(error)))?;
        if target.is_absolute() {
            at = PathBuf::from("/");
        }
        ahead.extend(parts(&target));
    }
    Ok(at)
}

/// The parts of a path, last one first.
fn parts(path: &Path) -> Vec<PathBuf> {
    let mut parts: Vec<PathBuf> = path
        .components()
        .filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir))
        .map(|part| PathBuf::from(part.as_os_str()))
        .collect();
    parts.reverse();
    parts
}

/// A folder that the way leads through.
fn folder(at: &Path, rules: &Rules<'_>) -> Result<(), TrustError> {
    let fail = |kind| TrustError {
        path: at.to_path_buf(),
        kind,
    };
    for root in rules.outside {
        let root = root.canonicalize().unwrap_or_else(|_| root.clone());
        if at.starts_with(&root) {
            return Err(fail(TrustErrorKind::InWorkspace(root)));
        }
    }
    let found = at.metadata().map_err(|error| fail(of_io(error)))?;
    if !found.is_dir() {
        return Err(fail(TrustErrorKind::NotRegular));
    }
    // In a sticky folder nobody can rename or remove what belongs to somebody else.
    owned(&found, found.mode() & 0o1000 != 0).map_err(fail)
}

fn regular(found: &Metadata, rules: &Rules<'_>) -> Result<(), TrustErrorKind> {
    if !found.is_file() {
        return Err(TrustErrorKind::NotRegular);
    }
    owned(found, false)?;
    if found.len() > rules.max_bytes {
        return Err(TrustErrorKind::TooBig {
            len: found.len(),
            max: rules.max_bytes,
        });
    }
    if rules.executable && found.mode() & 0o111 == 0 {
        return Err(TrustErrorKind::NotExecutable);
    }
    Ok(())
}

/// Only its owner, who is root or the user that runs this, can change it.
fn owned(found: &Metadata, sticky: bool) -> Result<(), TrustErrorKind> {
    let owner = found.uid();
    if owner != 0 && owner != nix::unistd::geteuid().as_raw() {
        return Err(TrustErrorKind::Owner(owner));
    }
    if found.mode() & 0o022 != 0 && !sticky {
        return Err(TrustErrorKind::Writable(found.mode() & 0o7777));
    }
    Ok(())
}

fn of_io(error: std::io::Error) -> TrustErrorKind {
    match error.raw_os_error() {
        Some(code) if code == nix::errno::Errno::ENOENT as i32 => TrustErrorKind::Missing,
        Some(code) if code == nix::errno::Errno::ELOOP as i32 => TrustErrorKind::Link,
        _ => TrustErrorKind::Unreadable(error),
    }
}
