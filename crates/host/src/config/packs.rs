//! Packs of rules beside the built-in ones: `rules/*.toml` of the user and the administrator,
//! `.countersign/rules/*.toml` of a workspace.
//!
//! A pack whose examples do not hold is as broken as one that does not parse: its owner believes
//! that it guards something. They are judged once for each text of a pack and each version of
//! Countersign; the state folder remembers which held, so that a call pays for parsing alone.

use super::layers::{ConfigError, ConfigErrorKind, Loaded, Whose, foreign, read_text};
use super::source::Source;
use crate::paths::{Dirs, WORKSPACE_RULES};
use countersign_core::Digest;
use countersign_policy::Pack;
use std::path::{Path, PathBuf};

/// The most packs in one folder.
const MAX_PACKS: usize = 16;

/// Loads the packs of the user and the administrator.
///
/// # Errors
/// When one of them cannot be used.
pub(super) fn of_owners(
    loaded: &mut Loaded,
    source: &mut Source,
    dirs: &Dirs,
) -> Result<(), ConfigError> {
    for folder in dirs.rules() {
        for file in files(&folder, source, Whose::Owners)? {
            if let Some(text) = source.owners(&file)? {
                let pack = load(&file, &text, dirs)?;
                add(loaded, file, pack)?;
            }
        }
    }
    Ok(())
}

/// Loads the packs of a workspace. Rules only ever tighten, so their severities count; a pack that
/// cannot be used is a complaint. One that was changed since the session began adds to what it was.
pub(super) fn of_workspace(loaded: &mut Loaded, source: &mut Source, dirs: &Dirs, root: &str) {
    let folder = Path::new(root).join(WORKSPACE_RULES);
    let files = match files(&folder, source, Whose::Anybodys) {
        Ok(files) => files,
        Err(problem) => return loaded.settings.complaints.push(problem.to_string()),
    };
    for file in files {
        for text in source.anybodys(&file) {
            let pack = text.and_then(|text| load(&file, &text, dirs));
            if let Err(problem) = pack.and_then(|pack| add(loaded, file.clone(), pack)) {
                loaded.settings.complaints.push(problem.to_string());
            }
        }
    }
}

/// Checks one file as if it were the user's.
///
/// # Errors
/// When it cannot be used.
pub(super) fn check(file: &Path) -> Result<(), ConfigError> {
    let text = read_text(file, Whose::Owners)?.ok_or_else(|| {
        fail(
            file,
            ConfigErrorKind::Read(std::io::ErrorKind::NotFound.into()),
        )
    })?;
    let pack = parse(file, &text)?;
    holds(file, &pack)
}

fn add(loaded: &mut Loaded, file: PathBuf, pack: Pack) -> Result<(), ConfigError> {
    let packs = &mut loaded.settings.packs;
    let mut known = packs.iter().zip(&loaded.pack_files);
    if known.any(|(known, from)| known.name() == pack.name() && *from != file) {
        let kind = ConfigErrorKind::PackTwice(pack.name().to_owned());
        return Err(fail(&file, kind));
    }
    packs.push(pack);
    loaded.pack_files.push(file.clone());
    if !loaded.files.contains(&file) {
        loaded.files.push(file);
    }
    Ok(())
}

/// The packs of a folder, by name: those that were there when the session began, and of a workspace
/// those that are there now.
fn files(folder: &Path, source: &Source, whose: Whose) -> Result<Vec<PathBuf>, ConfigError> {
    let unread = |error| fail(folder, ConfigErrorKind::Read(error));
    let mut files = source.kept_in(folder);
    if whose == Whose::Owners && source.is_of_a_session() {
        return Ok(files);
    }
    match std::fs::read_dir(folder) {
        Ok(entries) => {
            // Who can write the folder can take a pack out of it.
            let found = std::fs::metadata(folder).map_err(unread)?;
            if let (Whose::Owners, Some(kind)) = (whose, foreign(&found)) {
                return Err(fail(folder, kind));
            }
            for entry in entries {
                let path = entry.map_err(unread)?.path();
                if path
                    .extension()
                    .is_some_and(|extension| extension == "toml")
                {
                    files.push(path);
                }
                if files.len() > MAX_PACKS.saturating_mul(2) {
                    break;
                }
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(unread(error)),
    }
    files.sort();
    files.dedup();
    if files.len() > MAX_PACKS {
        return Err(fail(folder, ConfigErrorKind::ManyPacks(MAX_PACKS)));
    }
    Ok(files)
}

fn load(file: &Path, text: &str, dirs: &Dirs) -> Result<Pack, ConfigError> {
    let pack = parse(file, text)?;
    let version = format!("{}\n{text}", env!("CARGO_PKG_VERSION"));
    let digest = Digest::of("countersign.pack.v1", version.as_bytes());
    let held = dirs.state.join("packs").join(digest.as_str());
    if !held.exists() {
        holds(file, &pack)?;
        // Where it cannot be remembered, the examples are judged again.
        if let Some(folder) = held.parent() {
            let _unremembered = std::fs::create_dir_all(folder);
            let _unremembered = std::fs::write(&held, "");
        }
    }
    Ok(pack)
}

fn parse(file: &Path, text: &str) -> Result<Pack, ConfigError> {
    Pack::parse(text).map_err(|error| fail(file, ConfigErrorKind::Pack(error)))
}

fn holds(file: &Path, pack: &Pack) -> Result<(), ConfigError> {
    let wrong = pack.wrong_examples();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(fail(file, ConfigErrorKind::Examples(wrong)))
}

fn fail(file: &Path, kind: ConfigErrorKind) -> ConfigError {
    ConfigError {
        file: file.to_path_buf(),
        kind,
    }
}
