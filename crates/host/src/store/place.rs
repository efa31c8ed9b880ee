//! Where the file may lie, and who may read it.

use countersign_broker::store::{StoreError, StoreErrorKind};
use nix::sys::statfs::statfs;
use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// File systems over which locks do not hold, by the numbers that Linux gives them (statfs(2)):
/// 9P, AFS, Ceph, CIFS, Coda, FUSE, NFS, SMB, SMB2.
const REMOTE: [i64; 9] = [
    0x0102_1997,
    0x5346_414f,
    0x00c3_6400,
    0xff53_4d42,
    0x7375_7245,
    0x6573_5546,
    0x6969,
    0x517b,
    0xfe53_4d42,
];

/// Who may not write beside the file.
#[derive(Debug, Clone, Default)]
pub(super) struct Bounds {
    pub(super) workspaces: Vec<PathBuf>,
    pub(super) home: PathBuf,
}

/// The file as it lies there; nothing where it does not yet.
///
/// # Errors
/// When it must not be used.
pub(super) fn look(file: &Path, bounds: &Bounds) -> Result<Option<Metadata>, StoreError> {
    let found = match std::fs::symlink_metadata(file) {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unavailable(file, &error)),
    };
    if !found.is_file() {
        return Err(refused(file, "is not a regular file; move it away"));
    }
    private(file, &found, "600")?;
    let dir = parent(file)?;
    let of_dir = std::fs::metadata(dir).map_err(|error| unavailable(dir, &error))?;
    private(dir, &of_dir, "700")?;
    placed(dir, bounds)?;
    Ok(Some(found))
}

/// Makes the folder and a file, empty and private, so that the program behind it finds them so.
///
/// # Errors
/// When they cannot be made, or must not be used.
pub(super) fn create(file: &Path, bounds: &Bounds) -> Result<(), StoreError> {
    let dir = parent(file)?;
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .map_err(|error| unavailable(dir, &error))?;
    let of_dir = std::fs::metadata(dir).map_err(|error| unavailable(dir, &error))?;
    private(dir, &of_dir, "700")?;
    placed(dir, bounds)?;
    let made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(file);
    match made {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(unavailable(file, &error)),
    }
}

/// Gives a file that was made whole its name, unless somebody was faster.
///
/// # Errors
/// When it cannot be named.
pub(super) fn give(fresh: &Path, file: &Path) -> Result<(), StoreError> {
    let named = match std::fs::hard_link(fresh, file) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        named => named,
    };
    let _only_in_the_way = std::fs::remove_file(fresh);
    let dir = parent(file)?;
    // Its name must outlast a loss of power as what is written into it does.
    named
        .and_then(|()| File::open(dir)?.sync_all())
        .map_err(|error| unavailable(file, &error))
}

fn parent(file: &Path) -> Result<&Path, StoreError> {
    file.parent()
        .ok_or_else(|| refused(file, "is in no folder"))
}

fn private(path: &Path, found: &Metadata, mode: &str) -> Result<(), StoreError> {
    if found.uid() != nix::unistd::geteuid().as_raw() {
        let what = format!(
            "belongs to user {}; look at it, then make it yours with `chown`",
            found.uid()
        );
        return Err(refused(path, &what));
    }
    if found.mode() & 0o077 != 0 {
        let what = format!(
            "is open to other users (mode {:04o}); look at it, then run `chmod {mode}` on it",
            found.mode() & 0o7777
        );
        return Err(refused(path, &what));
    }
    Ok(())
}

fn placed(dir: &Path, bounds: &Bounds) -> Result<(), StoreError> {
    let real = dir
        .canonicalize()
        .map_err(|error| unavailable(dir, &error))?;
    let inside = bounds
        .workspaces
        .iter()
        // Who works in their home folder has it in a workspace; no call may write there even so.
        .any(|root| real.starts_with(root) && !bounds.home.starts_with(root));
    if inside {
        return Err(refused(
            dir,
            "is in the workspace, where the agent writes; choose another with --state-dir",
        ));
    }
    let system = statfs(dir).map_err(|error| unavailable(dir, &error.into()))?;
    let kind = system.filesystem_type().0;
    if REMOTE.contains(&(kind & 0xffff_ffff)) {
        return Err(refused(
            dir,
            "is on a network file system, where locks do not hold; choose a local folder with --state-dir",
        ));
    }
    Ok(())
}

fn refused(path: &Path, what: &str) -> StoreError {
    StoreError::new(
        StoreErrorKind::Unavailable,
        format!("{} {what}", path.display()),
    )
}

fn unavailable(path: &Path, error: &io::Error) -> StoreError {
    let kind = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreErrorKind::Full,
        _ => StoreErrorKind::Unavailable,
    };
    StoreError::new(kind, format!("{}: {error}", path.display()))
}
