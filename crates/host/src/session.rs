//! The settings that a session runs with: those of its first call, whatever is written to the files
//! later. An agent that gets at a file in spite of everything has then changed nothing yet.
//!
//! Sessions end without a word, so a record goes when nothing has used it for a month, or for a day
//! where there are too many. One in use stays: where all of too many are, no new session begins, and
//! a flood of sessions takes the settings of none away.

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

/// The largest record that is kept and read, in bytes.
const MAX_RECORD: usize = 8 << 20;

/// How many records are kept.
const MAX_RECORDS: usize = 4096;

const HOUR: Duration = Duration::from_secs(60 * 60);

/// How long a record is kept after its last use.
const MAX_AGE: Duration = HOUR.saturating_mul(30 * 24);

/// How long it is kept even where there are too many.
const IN_USE: Duration = HOUR.saturating_mul(24);

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
    #[error("too many sessions: the settings of {MAX_RECORDS} that ran within the last day are kept in {}, and this one is new; run `countersign config reload` in your own terminal, and every session begins anew with those of the files", .dir.display())]
    Many { dir: PathBuf },
    #[error("the settings that this session begins with take {size} bytes, and {MAX_RECORD} can be kept; make the largest file smaller, {}, or take it away", .largest.display())]
    Big { size: usize, largest: PathBuf },
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
    let fail = |source| SessionError::Keep {
        dir: folder(dirs),
        source,
    };
    if let Some(record) = read(&file)? {
        mark_used(&file).map_err(fail)?;
        let (loaded, _) = config::load_from(dirs, roots, record.files)?;
        return Ok(loaded);
    }
    let (loaded, files) = config::load_from(dirs, roots, Texts::default())?;
    let record = Record {
        v: VERSION,
        config: dirs.config.clone(),
        files,
    };
    let text = serde_json::to_vec(&record).map_err(|error| fail(error.into()))?;
    if text.len() > MAX_RECORD {
        return Err(SessionError::Big {
            size: text.len(),
            largest: record.files.largest(),
        });
    }
    if prune(dirs, MAX_RECORDS).map_err(fail)? >= MAX_RECORDS {
        return Err(SessionError::Many { dir: folder(dirs) });
    }
    if keep(dirs, &file, &text).map_err(fail)? {
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
            Ok(Some(record)) => record
                .files
                .changed(&[dirs.rules(), dirs.commands()].concat()),
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
    open.take(MAX_RECORD as u64)
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

/// A record's time is that of its last use, to the hour.
fn mark_used(file: &Path) -> std::io::Result<()> {
    let now = SystemTime::now();
    let marked = std::fs::metadata(file).and_then(|found| {
        if now
            .duration_since(found.modified()?)
            .is_ok_and(|age| age < HOUR)
        {
            return Ok(());
        }
        File::open(file)?.set_modified(now)
    });
    match marked {
        // A person reloaded just now.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        marked => marked,
    }
}

/// Writes a record whole or not at all; false when there is one already.
fn keep(dirs: &Dirs, file: &Path, text: &[u8]) -> std::io::Result<bool> {
    private_dir(&dirs.state)?;
    let folder = folder(dirs);
    private_dir(&folder)?;
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let fresh = folder.join(format!("{}-{}.new", std::process::id(), now.as_nanos()));
    let mut out = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&fresh)?;
    out.write_all(text)?;
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

/// Removes what has not been used for long, and makes room where there are too many, but not at the
/// cost of one in use. Says how many are left.
fn prune(dirs: &Dirs, most: usize) -> std::io::Result<usize> {
    let now = SystemTime::now();
    let mut found = Vec::new();
    for file in entries(dirs)? {
        // Another process may have removed it.
        let Ok(time) = std::fs::metadata(&file).and_then(|found| found.modified()) else {
            continue;
        };
        found.push((now.duration_since(time).unwrap_or_default(), file));
    }
    found.sort();
    let mut left = found.len();
    for (unused, file) in found.into_iter().rev() {
        let goes = unused > MAX_AGE || (left >= most && unused > IN_USE);
        if goes && std::fs::remove_file(file).is_ok() {
            left = left.saturating_sub(1);
        }
    }
    Ok(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records as sessions leave them, the first used longest ago.
    fn used(dirs: &Dirs, unused: &[Duration]) -> Vec<PathBuf> {
        let at = |(number, unused): (usize, &Duration)| {
            let session = format!("s-{number}");
            settings(dirs, &[], &session).expect("the built-in settings");
            let file = record_file(dirs, &session);
            set_unused(&file, *unused);
            file
        };
        unused.iter().enumerate().map(at).collect()
    }

    fn set_unused(file: &Path, unused: Duration) {
        File::open(file)
            .and_then(|file| file.set_modified(SystemTime::now() - unused))
            .expect("ours");
    }

    #[test]
    fn what_is_not_used_goes_and_what_is_used_stays() {
        let minute = Duration::from_secs(60);
        let (old, idle, busy) = (MAX_AGE + minute, IN_USE + minute, HOUR * 23);
        for (unused, most, left) in [
            (&[old, idle, busy][..], 4, &[false, true, true][..]),
            (&[idle + minute, idle, busy], 3, &[false, true, true]),
            (&[idle + minute, idle, busy], 2, &[false, false, true]),
            (&[busy, busy, minute], 1, &[true, true, true]),
            (&[], 1, &[]),
        ] {
            let place = tempfile::tempdir().expect("a folder");
            let dirs = Dirs::under(place.path());
            let files = used(&dirs, unused);
            let count = left.iter().filter(|left| **left).count();
            assert_eq!(prune(&dirs, most).expect("ours"), count, "{unused:?}");
            let found: Vec<bool> = files.iter().map(|file| file.exists()).collect();
            assert_eq!(found, left, "{unused:?} {most}");
        }
    }

    #[test]
    fn a_call_of_a_session_keeps_its_record_young() {
        let place = tempfile::tempdir().expect("a folder");
        let dirs = Dirs::under(place.path());
        let [file] = &used(&dirs, &[MAX_AGE * 2])[..] else {
            panic!("one record")
        };
        settings(&dirs, &[], "s-0").expect("what was kept");
        prune(&dirs, 1).expect("ours");
        assert!(file.exists());
    }

    /// As many new sessions as anybody begins: the one that runs keeps its settings.
    #[test]
    fn a_flood_of_sessions_pushes_out_none_in_use() {
        let place = tempfile::tempdir().expect("a folder");
        let dirs = Dirs::under(place.path());
        settings(&dirs, &[], "running").expect("the built-in settings");
        for number in 1..MAX_RECORDS {
            let name = folder(&dirs).join(format!("{number}.json"));
            std::fs::write(name, "").expect("ours");
        }
        let refused = settings(&dirs, &[], "new")
            .expect_err("too many")
            .to_string();
        assert!(
            refused.contains("too many sessions") && refused.contains("countersign config reload"),
            "{refused}"
        );
        assert!(record_file(&dirs, "running").exists());
        settings(&dirs, &[], "running").expect("what was kept");
        assert_eq!(forget(&dirs).expect("ours"), MAX_RECORDS);
        settings(&dirs, &[], "new").expect("the built-in settings");
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
