//! The host's eyes: answers what policy asks about this machine.

mod git;
mod own;
mod read;
#[cfg(test)]
mod tests;

pub use own::own_paths;

use countersign_core::{Facts, PathFact, PathKind, Query};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

/// The largest script that is hashed, in bytes.
const MAX_SCRIPT: u64 = 8 << 20;

/// Answers queries into facts. Queries that cannot be answered leave no fact, which policy takes
/// for unknown.
pub fn answer(queries: &[Query], facts: &mut Facts) {
    let mut resolver = Resolver::default();
    for query in queries {
        match query {
            Query::Path(path) => {
                facts
                    .paths
                    .insert(path.clone(), path_fact(path, &mut resolver));
            }
            Query::Repository(dir) => {
                if let Some(fact) = git::repository(Path::new(dir)) {
                    facts.repositories.insert(dir.clone(), fact);
                }
            }
            Query::Contents(path) => {
                if let Some(hash) = contents(Path::new(path)) {
                    facts.contents.insert(path.clone(), hash);
                }
            }
        }
    }
}

/// A path with links followed as far as it exists; what does not exist is appended. A link that
/// leads nowhere still says where a write through it would go.
pub fn real(path: &Path) -> PathBuf {
    Resolver::default().real(path)
}

/// Follows links, remembering every directory it has been through: the paths of one call share
/// most of theirs.
#[derive(Debug, Default)]
struct Resolver {
    seen: HashMap<PathBuf, PathBuf>,
    /// How many links were followed for one path; a loop of links is left as it is.
    followed: u32,
}

/// The system's own limit for one path (`path_resolution(7)`).
const MAX_LINKS: u32 = 40;

impl Resolver {
    fn real(&mut self, path: &Path) -> PathBuf {
        self.followed = 0;
        let found = self.follow(path);
        if self.followed > MAX_LINKS {
            // Links at the end of too long a chain were left as they are, and must not stay so.
            self.seen.clear();
            path.to_path_buf()
        } else {
            found
        }
    }

    fn follow(&mut self, path: &Path) -> PathBuf {
        if let Some(real) = self.seen.get(path) {
            return real.clone();
        }
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return path.to_path_buf();
        };
        let here = self.follow(parent).join(name);
        let real = match std::fs::read_link(&here) {
            Ok(target) if self.followed <= MAX_LINKS => {
                self.followed = self.followed.saturating_add(1);
                self.target(here.parent().unwrap_or(Path::new("/")), &target)
            }
            _ => here,
        };
        self.seen.insert(path.to_path_buf(), real.clone());
        real
    }

    /// Where a link in a directory leads. A `..` in it leaves the directory that the parts before
    /// it lead to, which is not always the one that they name.
    fn target(&mut self, dir: &Path, target: &Path) -> PathBuf {
        let mut at = dir.to_path_buf();
        for part in target.components() {
            match part {
                Component::ParentDir => {
                    at.pop();
                }
                Component::Normal(name) => at = self.follow(&at.join(name)),
                Component::RootDir => at = PathBuf::from("/"),
                Component::CurDir | Component::Prefix(_) => {}
            }
        }
        at
    }
}

fn path_fact(path: &str, resolver: &mut Resolver) -> PathFact {
    let kind = match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => PathKind::Directory,
        Ok(found) if found.is_file() && found.len() == 0 => PathKind::Empty,
        Ok(found) if found.is_file() => PathKind::File,
        Ok(_) => PathKind::Special,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => PathKind::Missing,
        Err(_) => PathKind::Unknown,
    };
    // A real path that is not UTF-8 cannot be matched by any rule: unknown, not mangled.
    match resolver
        .real(Path::new(path))
        .into_os_string()
        .into_string()
    {
        Ok(real) => PathFact { real, kind },
        Err(_) => PathFact {
            real: path.to_owned(),
            kind: PathKind::Unknown,
        },
    }
}

fn contents(path: &Path) -> Option<String> {
    let bytes = read::file(path, MAX_SCRIPT).ok()??;
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(&bytes) {
        // Writing to a string cannot fail.
        let _infallible = write!(text, "{byte:02x}");
    }
    Some(text)
}

/// The directories for temporary files, as they are spelled and with links followed: a path is
/// judged by both. `$TMPDIR` cannot be set by an agent's project settings, and is only believed when
/// it names a directory.
pub fn temp_roots() -> Vec<String> {
    let mut roots: Vec<String> = ["/tmp", "/var/tmp", "/private/tmp"]
        .into_iter()
        .map(PathBuf::from)
        .chain(std::env::var_os("TMPDIR").map(PathBuf::from))
        .filter(|dir| dir.is_absolute() && dir.components().count() > 1 && dir.is_dir())
        .flat_map(|dir| [real(&dir), dir])
        .filter_map(|path| path.into_os_string().into_string().ok())
        .map(|path| path.trim_end_matches('/').to_owned())
        .filter(|path| !path.is_empty())
        .collect();
    roots.sort();
    roots.dedup();
    roots
}
