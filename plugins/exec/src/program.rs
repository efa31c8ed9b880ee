use countersign_reviewers::plugin::prelude::{FailureKind, ReviewFailure};
use countersign_reviewers::trust::{self, Rules, TrustError, TrustErrorKind, Trusted};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The largest program, in bytes. It is not read, so this only stops the absurd.
const MAX_PROGRAM: u64 = 1 << 30;

/// A program that may be run, as it was when it was checked.
///
/// It is run by its path with every link followed: a script that is run by a descriptor cannot find
/// what lies beside it. Only its owner or root could put another file there after the check, and an
/// answer counts only if [`Program::is_unchanged`] afterwards.
#[derive(Debug)]
pub(crate) struct Program {
    file: Trusted,
    seen: Stamp,
}

/// What a change of a file's content, mode or place changes.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    changed: (i64, i64),
}

impl Stamp {
    fn of(found: &Metadata) -> Self {
        Self {
            device: found.dev(),
            inode: found.ino(),
            changed: (found.ctime(), found.ctime_nsec()),
        }
    }
}

impl Program {
    /// Checks a program that must lie outside these folders.
    pub(crate) fn open(path: &Path, outside: &[PathBuf]) -> Result<Self, ReviewFailure> {
        let rules = Rules {
            outside,
            max_bytes: MAX_PROGRAM,
            executable: true,
        };
        let refused = |why: String| ReviewFailure::new(FailureKind::Missing, why);
        // A link in a workspace could be turned to any other program.
        if let Some(root) = outside.iter().find(|root| path.starts_with(root)) {
            let kind = TrustErrorKind::InWorkspace(root.clone());
            let path = path.to_path_buf();
            return Err(refused(TrustError { path, kind }.to_string()));
        }
        let file = trust::open(path, &rules).map_err(|error| refused(error.to_string()))?;
        let found = file.file.metadata();
        let found = found.map_err(|error| refused(format!("{}: {error}", path.display())))?;
        let seen = Stamp::of(&found);
        Ok(Self { file, seen })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.file.path
    }

    /// Whether the same file with the same content is still there.
    pub(crate) fn is_unchanged(&self) -> bool {
        let found = self.file.path.metadata();
        found.is_ok_and(|found| Stamp::of(&found) == self.seen)
    }
}
