//! Command files beside the built-in ones: `commands/*.toml` of the user and the administrator. What
//! they say of a program can make an answer laxer, so a workspace brings none.

use super::error::{ConfigError, ConfigErrorKind};
use super::folder::{self, Kind, fail};
use super::layers::{Loaded, Whose, read_text};
use super::source::Source;
use crate::paths::{Dirs, WORKSPACE_COMMANDS};
use countersign_policy::CommandFile;
use std::path::{Path, PathBuf};

/// A command file that is in force, and where it lies.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) file: PathBuf,
    pub(crate) names: Vec<String>,
    /// It takes the place of what is built in.
    pub(crate) replaces: bool,
}

/// Loads the command files of the user and the administrator.
///
/// # Errors
/// When one of them cannot be used.
pub(super) fn of_owners(
    loaded: &mut Loaded,
    source: &mut Source,
    dirs: &Dirs,
) -> Result<(), ConfigError> {
    for folder in dirs.commands() {
        for file in folder::owners(&folder, source, Kind::Commands)? {
            if let Some(text) = source.owners(&file)? {
                let command = parse(&file, &text)?;
                if let Some((name, other)) = twice(loaded, &command) {
                    return Err(fail(&file, ConfigErrorKind::CommandTwice { name, other }));
                }
                folder::hold(&file, &text, dirs, Kind::Commands, || {
                    command.wrong_examples()
                })?;
                push(loaded, &file, command);
            }
        }
    }
    Ok(())
}

/// Names the command files of a workspace, which do not count: they could only loosen.
pub(super) fn of_workspace(loaded: &mut Loaded, root: &str) {
    let folder = Path::new(root).join(WORKSPACE_COMMANDS);
    let brings = folder::all(&folder, Vec::new(), Whose::Anybodys, Kind::Commands)
        .map_or(true, |files| !files.is_empty());
    if brings {
        loaded.settings.complaints.push(format!(
            "{}: a workspace may only tighten, and what a command file says of a program can loosen; remove it, or look at it and put it into ~/.config/countersign/commands",
            folder.display()
        ));
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
    folder::none_wrong(file, parse(file, &text)?.wrong_examples())
}

fn parse(file: &Path, text: &str) -> Result<CommandFile, ConfigError> {
    let name = file.display().to_string();
    CommandFile::parse(&name, text)
        .map_err(|error| fail(file, ConfigErrorKind::Command(error.problem)))
}

/// A name that another file describes too.
fn twice(loaded: &Loaded, command: &CommandFile) -> Option<(String, PathBuf)> {
    let names = command.names();
    loaded.commands.iter().find_map(|known| {
        let shared = known
            .names
            .iter()
            .find(|name| names.contains(&name.as_str()))?;
        Some((shared.clone(), known.file.clone()))
    })
}

fn push(loaded: &mut Loaded, file: &Path, command: CommandFile) {
    let replaced: Vec<&str> = command.replaces().collect();
    if !replaced.is_empty() {
        loaded.notes.push(format!(
            "{}: takes the place of what is built in about {}",
            file.display(),
            replaced.join(", ")
        ));
    }
    loaded.commands.push(Known {
        file: file.to_path_buf(),
        names: command
            .names()
            .iter()
            .map(|&name| name.to_owned())
            .collect(),
        replaces: !replaced.is_empty(),
    });
    loaded.settings.commands.push(command);
    loaded.files.push(file.to_path_buf());
}
