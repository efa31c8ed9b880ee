use super::{LoadError, LoadErrorKind, MAX_LIBRARY, elf};
use crate::{Manifest, trust};
use countersign_abi::ABI;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::io::Read as _;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

/// Whether the owner vouches for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pin {
    /// It is the file with this SHA-256, in hexadecimal digits.
    Sha256(String),
    /// Any file with this name. For developing a plugin.
    Unpinned,
    /// Not yet: such a plugin is refused.
    Missing,
}

/// What a file must be to be loaded.
#[derive(Debug, Clone)]
pub struct Checks<'a> {
    /// The name it was asked for by; whatever it calls itself where there is none.
    pub name: Option<&'a str>,
    /// The hash it must have.
    pub pin: Pin,
    /// The workspaces, which it must not be in. A plugin in a build folder is for its developer
    /// only: leave them out then, and say so to the person.
    pub outside: &'a [PathBuf],
}

impl<'a> Checks<'a> {
    /// A plugin of this name, not pinned yet.
    pub fn of(name: &'a str) -> Self {
        Self {
            name: Some(name),
            pin: Pin::Missing,
            outside: &[],
        }
    }

    /// Any plugin, whoever vouches for it: to look at one.
    pub fn any() -> Self {
        Self {
            name: None,
            pin: Pin::Unpinned,
            outside: &[],
        }
    }
}

/// A plugin's library that passed every check, kept in memory that cannot be changed any more.
#[derive(Debug)]
pub struct Image {
    path: PathBuf,
    manifest: Manifest,
    sha256: String,
    pinned: bool,
    sealed: OwnedFd,
}

impl Image {
    /// Checks a file and keeps what was checked. Nothing of it is run.
    ///
    /// # Errors
    /// With the first check that it fails, and what to do.
    pub fn open(path: &Path, checks: &Checks<'_>) -> Result<Self, LoadError> {
        let wanted = checks
            .name
            .map_or_else(|| path.display().to_string(), str::to_owned);
        Self::checked(path, checks).map_err(|kind| LoadError::new(wanted, kind))
    }

    fn checked(path: &Path, checks: &Checks<'_>) -> Result<Self, LoadErrorKind> {
        let rules = trust::Rules {
            outside: checks.outside,
            max_bytes: MAX_LIBRARY,
            executable: false,
        };
        let trusted = trust::open(path, &rules)?;
        let bytes = read(trusted)?;
        let sha256 = hex(&Sha256::digest(&bytes));
        let manifest = elf::manifest(&bytes)?;
        if checks.name.is_some_and(|name| name != manifest.name) {
            return Err(LoadErrorKind::Name {
                actual: manifest.name,
            });
        }
        if manifest.abi != ABI {
            return Err(LoadErrorKind::Interface {
                host: ABI,
                plugin: manifest.abi,
            });
        }
        match &checks.pin {
            Pin::Unpinned => {}
            Pin::Sha256(wanted) if wanted.eq_ignore_ascii_case(&sha256) => {}
            Pin::Sha256(wanted) => {
                return Err(LoadErrorKind::Changed {
                    wanted: wanted.clone(),
                    actual: sha256,
                });
            }
            Pin::Missing => {
                return Err(LoadErrorKind::Unpinned {
                    plugin: manifest.name,
                    actual: sha256,
                });
            }
        }
        let sealed = sealed(&manifest.name, &bytes)?;
        Ok(Self {
            path: path.to_path_buf(),
            manifest,
            sha256,
            pinned: matches!(checks.pin, Pin::Sha256(_)),
            sealed,
        })
    }

    /// The file it came from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it says of itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Its SHA-256, in hexadecimal digits.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Its hash was compared with one that its owner gave.
    pub fn is_pinned(&self) -> bool {
        self.pinned
    }

    /// The same, by a handle of its own.
    pub(super) fn try_clone(&self) -> std::io::Result<Self> {
        Ok(Self {
            path: self.path.clone(),
            manifest: self.manifest.clone(),
            sha256: self.sha256.clone(),
            pinned: self.pinned,
            sealed: self.sealed.try_clone()?,
        })
    }

    /// The memory that holds it.
    pub(super) fn sealed(&self) -> BorrowedFd<'_> {
        self.sealed.as_fd()
    }
}

fn read(mut trusted: trust::Trusted) -> Result<Vec<u8>, LoadErrorKind> {
    let mut bytes = Vec::with_capacity(usize::try_from(trusted.len).unwrap_or(0));
    trusted
        .file
        .by_ref()
        .take(MAX_LIBRARY)
        .read_to_end(&mut bytes)
        .map_err(|error| LoadErrorKind::Read {
            path: trusted.path,
            error,
        })?;
    Ok(bytes)
}

fn hex(digest: &[u8]) -> String {
    digest.iter().fold(String::new(), |mut text, byte| {
        let _infallible = write!(text, "{byte:02x}");
        text
    })
}

/// A copy in memory, sealed: checking a file and loading it by its name would leave time to swap it,
/// and even an open file can be written through another handle.
#[cfg(target_os = "linux")]
fn sealed(name: &str, bytes: &[u8]) -> Result<OwnedFd, LoadErrorKind> {
    use nix::errno::Errno;
    use nix::fcntl::{FcntlArg, SealFlag, fcntl};
    use nix::sys::memfd::{MFdFlags, memfd_create};
    use std::io::Write as _;

    let fail = |error: std::io::Error| LoadErrorKind::Dl(format!("no sealed memory: {error}"));
    let flags = MFdFlags::MFD_CLOEXEC | MFdFlags::MFD_ALLOW_SEALING;
    let executable = flags | MFdFlags::from_bits_retain(libc::MFD_EXEC);
    let memory = match memfd_create(name, executable) {
        // A kernel older than 6.3 does not know the flag, and needs none.
        Err(Errno::EINVAL) => memfd_create(name, flags),
        other => other,
    }
    .map_err(|error| fail(error.into()))?;
    let mut file = std::fs::File::from(memory);
    file.write_all(bytes).map_err(fail)?;
    let seals = SealFlag::F_SEAL_WRITE
        | SealFlag::F_SEAL_SHRINK
        | SealFlag::F_SEAL_GROW
        | SealFlag::F_SEAL_SEAL;
    // While the system itself has a hand on a page, to move it for one, it says that it is busy.
    let mut tries = 0;
    loop {
        match fcntl(&file, FcntlArg::F_ADD_SEALS(seals)) {
            Ok(_) => return Ok(file.into()),
            Err(Errno::EBUSY) if tries < 20 => tries += 1,
            Err(error) => return Err(fail(error.into())),
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

#[cfg(not(target_os = "linux"))]
fn sealed(_name: &str, _bytes: &[u8]) -> Result<OwnedFd, LoadErrorKind> {
    Err(LoadErrorKind::Unsupported)
}
