//! Packs of rules beside the built-in ones: `rules/*.toml` of the user and the administrator,
//! `.countersign/rules/*.toml` of a workspace.
//!
//! A pack whose examples do not hold is as broken as one that does not parse: its owner believes
//! that it guards something. They are judged once for each text of a pack and each version of
//! Countersign; the state folder remembers which held, so that a call pays for parsing alone.

use super::error::{ConfigError, ConfigErrorKind};
use super::layers::{Loaded, Whose, foreign, read_text};
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
        for file in owners_files(&folder, source)? {
            if let Some(text) = source.owners(&file)? {
                let pack = load(&file, &text, dirs)?;
                if let Some(problem) = twice(loaded, &file, &pack, |_| false) {
                    return Err(problem);
                }
                push(loaded, &file, pack);
            }
        }
    }
    Ok(())
}

/// Loads the packs of a workspace. Rules only ever tighten, so their severities count; a pack that
/// cannot be used is a complaint. All that the session began with is loaded before anything that
/// came later is looked at: whoever writes the folder adds to it, and takes nothing away.
pub(super) fn of_workspace(loaded: &mut Loaded, source: &mut Source, dirs: &Dirs, root: &str) {
    let folder = Path::new(root).join(WORKSPACE_RULES);
    let mut files = source.kept_in(&folder);
    for file in &files {
        if let Some(text) = source.kept_of(file) {
            tighten(loaded, file, &text, dirs);
        }
    }
    match all_files(&folder, files.clone(), Whose::Anybodys) {
        Ok(all) => files = all,
        Err(problem) => loaded.settings.complaints.push(problem.to_string()),
    }
    for file in &files {
        match source.added(file) {
            Some(Ok(text)) => tighten(loaded, file, &text, dirs),
            Some(Err(problem)) => loaded.settings.complaints.push(problem.to_string()),
            None => {}
        }
    }
}

/// Adds a pack of a workspace. One that shares its name with another is named, and in force all the
/// same: to refuse either would let one file take another out.
fn tighten(loaded: &mut Loaded, file: &Path, text: &str, dirs: &Dirs) {
    let complaint = match load(file, text, dirs) {
        Ok(pack) => {
            // Two workspaces, such as two working trees of a project, may hold the same.
            let elsewhere = |from: &Path| {
                let folder = from.parent();
                folder != file.parent() && folder.is_some_and(|at| at.ends_with(WORKSPACE_RULES))
            };
            let twice = twice(loaded, file, &pack, elsewhere);
            push(loaded, file, pack);
            twice
        }
        Err(problem) => Some(problem),
    };
    let complaints = &mut loaded.settings.complaints;
    complaints.extend(complaint.map(|problem| problem.to_string()));
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

/// What is wrong where a pack of another file has the name of this one, but for files that do not
/// matter.
fn twice(
    loaded: &Loaded,
    file: &Path,
    pack: &Pack,
    aside: impl Fn(&Path) -> bool,
) -> Option<ConfigError> {
    let mut known = loaded.settings.packs.iter().zip(&loaded.pack_files);
    known
        .any(|(known, from)| known.name() == pack.name() && *from != file && !aside(from))
        .then(|| fail(file, ConfigErrorKind::PackTwice(pack.name().to_owned())))
}

fn push(loaded: &mut Loaded, file: &Path, pack: Pack) {
    loaded.settings.packs.push(pack);
    loaded.pack_files.push(file.to_path_buf());
    if !loaded.files.iter().any(|known| known == file) {
        loaded.files.push(file.to_path_buf());
    }
}

/// The packs of a folder of the owners, by name: where a session is under way, those that it began
/// with.
fn owners_files(folder: &Path, source: &Source) -> Result<Vec<PathBuf>, ConfigError> {
    let kept = source.kept_in(folder);
    if source.is_of_a_session() {
        return Ok(kept);
    }
    all_files(folder, kept, Whose::Owners)
}

/// These packs and those that the folder holds now, by name.
fn all_files(
    folder: &Path,
    mut files: Vec<PathBuf>,
    whose: Whose,
) -> Result<Vec<PathBuf>, ConfigError> {
    let unread = |error| fail(folder, ConfigErrorKind::Read(error));
    match std::fs::read_dir(folder) {
        Ok(entries) => {
            // Who can write the folder can take a pack out of it.
            let found = std::fs::metadata(folder).map_err(unread)?;
            if let (Whose::Owners, Some(kind)) = (whose, foreign(&found)) {
                return Err(fail(folder, kind));
            }
            for entry in entries {
                let path = entry.map_err(unread)?.path();
                let is_pack = path.extension().is_some_and(|end| end == "toml");
                if is_pack && !files.contains(&path) {
                    files.push(path);
                }
                if files.len() > MAX_PACKS {
                    return Err(fail(folder, ConfigErrorKind::ManyPacks(MAX_PACKS)));
                }
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(unread(error)),
    }
    files.sort();
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

#[cfg(test)]
mod tests {
    use crate::config::load;
    use crate::paths::{Dirs, WORKSPACE_RULES};

    /// As two working trees of one project have them.
    #[test]
    fn two_workspaces_may_hold_the_same_pack() {
        let place = tempfile::tempdir().expect("a folder");
        let dirs = Dirs::under(place.path());
        let pack = "pack = \"ours\"\nabout = \"our releases\"\n\n[[rule]]\nid = \"release\"\nseverity = \"hard\"\n\
             why = \"starts a release\"\nsafer = \"open a pull request\"\n\
             match = [\"echo x > release/a\"]\nnot_match = [\"cat release/a\"]\n\n\
             [[rule.when]]\neffect = [\"write\"]\npath = [\"./release/**\"]\n";
        let roots = ["one", "two"].map(|name| {
            let root = place.path().join(name);
            let folder = root.join(WORKSPACE_RULES);
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(folder.join("ours.toml"), pack).expect("a file");
            root.to_string_lossy().into_owned()
        });
        let loaded = load(&dirs, &roots).expect("no owner's file");
        assert_eq!(loaded.settings.packs.len(), 2);
        assert_eq!(loaded.settings.complaints, Vec::<String>::new());
    }
}
