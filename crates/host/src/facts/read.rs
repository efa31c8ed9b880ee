use nix::fcntl::OFlag;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// It cannot be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unknown;

/// What a regular file of at most `max` bytes holds; `None` when nothing is there. Pipes, devices,
/// directories and larger files are not read at all.
pub(super) fn file(path: &Path, max: u64) -> Result<Option<Vec<u8>>, Unknown> {
    // Looked at before it is opened, because opening some devices does something, and once more
    // when it is open, because it may be another file by then.
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() && found.len() <= max => {}
        Ok(_) => return Err(Unknown),
        Err(error) => return missing(error.kind()),
    }
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags((OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits())
        .open(path);
    let file = match opened {
        Ok(file) => file,
        Err(error) => return missing(error.kind()),
    };
    let length = match file.metadata() {
        Ok(found) if found.is_file() && found.len() <= max => found.len(),
        _ => return Err(Unknown),
    };
    let mut bytes = Vec::with_capacity(usize::try_from(length).map_err(|_| Unknown)?);
    file.take(max.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|_| Unknown)?;
    if u64::try_from(bytes.len()).map_err(|_| Unknown)? > max {
        return Err(Unknown);
    }
    Ok(Some(bytes))
}

/// Whether something is there, be it a link that leads nowhere.
pub(super) fn exists(path: &Path) -> Result<bool, Unknown> {
    match std::fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(error) => missing::<()>(error.kind()).map(|_| false),
    }
}

fn missing<T>(kind: ErrorKind) -> Result<Option<T>, Unknown> {
    match kind {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
        _ => Err(Unknown),
    }
}
