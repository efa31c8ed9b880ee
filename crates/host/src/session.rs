//! The settings that a session runs with: those of its first call, whatever is written to the files
//! later. An agent that gets at a file in spite of everything has then changed nothing yet.

use crate::audit::private_dir;
use crate::config::{self, ConfigError, Loaded, Texts};
use crate::paths::Dirs;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use thiserror::Error;

/// The largest record that is read, in bytes.
const MAX_RECORD: u64 = 8 << 20;

/// How long a record is kept, and how many are: sessions end without a word.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
const MAX_RECORDS: usize = 512;

const VERSION: u32 = 1;

/// What is kept of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    v: u32,
    config: PathBuf,
    files: Texts,
}

/// The settings of a session cannot be had.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum SessionError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(
        "the settings that this session began with cannot be read from {}: {what}; run `countersign config reload` in your own terminal, and the next call begins with those of the files", .file.display()
    )]
    Broken { file: PathBuf, what: String },
    #[error("the settings that this session begins with cannot be kept in {}: {source}; make the folder writable for this user", .dir.display())]
    Keep {
        dir: PathBuf,
        source: std::io::Error,
    },
}

/// The settings of a session: those that were kept of it, else those of the files, which are then
/// kept. Without a name for the session there is nothing to keep them under.
///
/// # Errors
/// When the files cannot be used, or what was kept of them.
pub(crate) fn settings(
    dirs: &Dirs,
    roots: &[String],
    session: &str,
) -> Result<Loaded, SessionError> {
    if session.is_empty() {
        return Ok(config::load(dirs, roots)?);
    }
    let file = record_file(dirs, session);
    if let Some(record) = read(&file)? {
        let (loaded, _) = config::load_from(dirs, roots, record.files)?;
        return Ok(loaded);
    }
    let (loaded, files) = config::load_from(dirs, roots, Texts::default())?;
    let record = Record {
        v: VERSION,
        config: dirs.config.clone(),
        files,
    };
    let fail = |source| SessionError::Keep {
        dir: folder(dirs),
        source,
    };
    if keep(dirs, &file, &record).map_err(fail)? {
        return Ok(loaded);
    }
    // Another call of the session was faster, and may have found other files.
    let record = read(&file)?.ok_or_else(|| fail(ErrorKind::NotFound.into()))?;
    Ok(config::load_from(dirs, roots, record.files)?.0)
}

/// How many sessions run with other settings than the files hold now, and which files differ.
///
/// # Errors
/// When the folder cannot be read.
pub(crate) fn outdated(dirs: &Dirs) -> std::io::Result<(usize, Vec<PathBuf>)> {
    let (mut sessions, mut files) = (0_usize, Vec::new());
    for file in records(dirs)? {
        let differ = match read(&file) {
            Ok(Some(record)) if record.config != dirs.config => continue,
            Ok(Some(record)) => record.files.changed(&dirs.rules()),
            Ok(None) => continue,
            Err(_) => vec![file],
        };
        if !differ.is_empty() {
            sessions = sessions.saturating_add(1);
            files.extend(differ);
        }
    }
    files.sort();
    files.dedup();
    Ok((sessions, files))
}

/// What a person should know of sessions that run with other settings than the files hold.
pub(crate) fn told(dirs: &Dirs) -> Option<String> {
    match outdated(dirs) {
        Ok((0, _)) => None,
        Ok((sessions, files)) => {
            let files: Vec<String> = files
                .iter()
                .map(|file| file.display().to_string())
                .collect();
            Some(format!(
                "{sessions} session{} keep{} the settings of before the last change of {}; `countersign config reload` in a terminal ends that",
                if sessions == 1 { "" } else { "s" },
                if sessions == 1 { "s" } else { "" },
                files.join(", ")
            ))
        }
        Err(error) => Some(format!(
            "{} cannot be read: {error}",
            folder(dirs).display()
        )),
    }
}

/// Forgets what was kept, so that the next call of every session begins anew. Says how many there
/// were.
///
/// # Errors
/// When one cannot be removed.
pub(crate) fn forget(dirs: &Dirs) -> std::io::Result<usize> {
    let records = records(dirs)?;
    for file in &records {
        std::fs::remove_file(file)?;
    }
    Ok(records.len())
}

fn folder(dirs: &Dirs) -> PathBuf {
    dirs.state.join("sessions")
}

/// Named by a hash: an agent chooses the session's name, and no file.
fn record_file(dirs: &Dirs, session: &str) -> PathBuf {
    let mut hash = Sha256::new();
    hash.update(dirs.config.as_os_str().as_encoded_bytes());
    hash.update([0]);
    hash.update(session.as_bytes());
    let mut name = String::with_capacity(69);
    for byte in hash.finalize() {
        let _infallible = write!(name, "{byte:02x}");
    }
    folder(dirs).join(name + ".json")
}

fn read(file: &Path) -> Result<Option<Record>, SessionError> {
    let broken = |what: String| SessionError::Broken {
        file: file.to_path_buf(),
        what,
    };
    let open = match File::open(file) {
        Ok(open) => open,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(broken(error.to_string())),
    };
    let mut text = Vec::new();
    open.take(MAX_RECORD)
        .read_to_end(&mut text)
        .map_err(|error| broken(error.to_string()))?;
    let record: Record =
        serde_json::from_slice(&text).map_err(|error| broken(error.to_string()))?;
    if record.v == VERSION {
        Ok(Some(record))
    } else {
        Err(broken(format!(
            "its version is {}, not {VERSION}",
            record.v
        )))
    }
}

/// Writes a record whole or not at all; false when there is one already.
fn keep(dirs: &Dirs, file: &Path, record: &Record) -> std::io::Result<bool> {
    private_dir(&dirs.state)?;
    let folder = folder(dirs);
    private_dir(&folder)?;
    prune(dirs)?;
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let fresh = folder.join(format!("{}-{}.new", std::process::id(), now.as_nanos()));
    let mut out = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&fresh)?;
    out.write_all(&serde_json::to_vec(record)?)?;
    drop(out);
    // A link takes no other record's place, as a rename would.
    let kept = std::fs::hard_link(&fresh, file);
    std::fs::remove_file(&fresh)?;
    match kept {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

fn records(dirs: &Dirs) -> std::io::Result<Vec<PathBuf>> {
    let mut found = entries(dirs)?;
    found.retain(|file| file.extension().is_some_and(|end| end == "json"));
    Ok(found)
}

fn entries(dirs: &Dirs) -> std::io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder(dirs)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        found.push(entry?.path());
    }
    found.sort();
    Ok(found)
}

/// Removes what is old, and the oldest where there are too many.
fn prune(dirs: &Dirs) -> std::io::Result<()> {
    let mut found: Vec<(SystemTime, PathBuf)> = entries(dirs)?
        .into_iter()
        .filter_map(|file| Some((std::fs::metadata(&file).ok()?.modified().ok()?, file)))
        .collect();
    found.sort();
    found.reverse();
    let now = SystemTime::now();
    for (at, (time, file)) in found.into_iter().enumerate() {
        let old = now.duration_since(time).is_ok_and(|age| age > MAX_AGE);
        if old || at.saturating_add(1) >= MAX_RECORDS {
            // Another process may have removed it.
            let _gone = std::fs::remove_file(file);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_old_or_too_much_is_pruned() {
        let place = tempfile::tempdir().expect("a folder");
        let dirs = Dirs::under(place.path());
        for session in 0..MAX_RECORDS + 20 {
            settings(&dirs, &[], &format!("s-{session}")).expect("the built-in settings");
        }
        assert_eq!(records(&dirs).expect("readable").len(), MAX_RECORDS);
        let old = record_file(&dirs, &format!("s-{}", MAX_RECORDS + 19));
        let long_ago = SystemTime::now() - MAX_AGE - Duration::from_secs(60);
        File::options()
            .write(true)
            .open(&old)
            .and_then(|file| file.set_modified(long_ago))
            .expect("ours");
        settings(&dirs, &[], "one more").expect("the built-in settings");
        assert!(!old.exists());
        assert_eq!(forget(&dirs).expect("ours"), MAX_RECORDS);
        assert_eq!(records(&dirs).expect("readable"), Vec::<PathBuf>::new());
    }

    #[test]
    fn sessions_and_configuration_folders_are_kept_apart() {
        let place = tempfile::tempdir().expect("a folder");
        let dirs = Dirs::under(place.path());
        let other = Dirs {
            config: place.path().join("other"),
            ..dirs.clone()
        };
        let files = [
            record_file(&dirs, "a"),
            record_file(&dirs, "b"),
            record_file(&dirs, "../../a"),
            record_file(&other, "a"),
        ];
        let distinct: std::collections::BTreeSet<_> = files.iter().collect();
        assert_eq!(distinct.len(), files.len());
        assert!(
            files
                .iter()
                .all(|file| file.parent() == Some(&folder(&dirs)))
        );
    }
}
