//! Packs of rules beside the built-in ones: `rules/*.toml` of the user and the administrator,
//! `.countersign/rules/*.toml` of a workspace.

use super::error::{ConfigError, ConfigErrorKind};
use super::folder::{self, Kind, fail};
use super::layers::{Loaded, Whose, read_text};
use super::source::Source;
use crate::paths::{Dirs, WORKSPACE_RULES};
use countersign_policy::Pack;
use std::path::Path;

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
        for file in folder::owners(&folder, source, Kind::Packs)? {
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
    match folder::all(&folder, files.clone(), Whose::Anybodys, Kind::Packs) {
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
    folder::none_wrong(file, parse(file, &text)?.wrong_examples())
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

fn load(file: &Path, text: &str, dirs: &Dirs) -> Result<Pack, ConfigError> {
    let pack = parse(file, text)?;
    folder::hold(file, text, dirs, Kind::Packs, || pack.wrong_examples())?;
    Ok(pack)
}

fn parse(file: &Path, text: &str) -> Result<Pack, ConfigError> {
    Pack::parse(text).map_err(|error| fail(file, ConfigErrorKind::Pack(error)))
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
