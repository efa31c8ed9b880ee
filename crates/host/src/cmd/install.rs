use crate::cli::Global;
use crate::install::{self, Change, Edited, Registration, SettingsFile};
use crate::{Exit, config, output, paths};
use clap::{Args, ValueEnum};
use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Args)]
pub(crate) struct InstallArgs {
    #[command(flatten)]
    edit: EditArgs,
    /// Register a program that an agent could replace where it lies
    #[arg(long)]
    allow_build_folder: bool,
}

/// What `install` and `uninstall` share.
#[derive(Debug, Clone, Args)]
pub(crate) struct EditArgs {
    /// The agent
    agent: Agent,
    /// Show what would change and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Write without asking
    #[arg(long)]
    yes: bool,
    /// The settings file [default: ~/.claude/settings.json]
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Agent {
    /// Claude Code
    ClaudeCode,
}

/// Whether a file was written.
enum Written {
    No,
    Yes { backup: Option<PathBuf> },
}

/// Registers this program with an agent.
pub(crate) fn install(global: &Global, args: &InstallArgs) -> Result<Exit, String> {
    let Agent::ClaudeCode = args.edit.agent;
    let registration = registration(global)?;
    let file = args.edit.file(global)?;
    let place = complaints(global, &registration)?;
    if !place.is_empty() {
        let why = place.join("; ");
        if !args.allow_build_folder {
            return Err(format!(
                "{} is not registered, because an agent could replace it: {why}. Copy it to a folder that only you or root can write, or pass --allow-build-folder",
                registration.program
            ));
        }
        output::print(&format!(
            "warning: an agent could replace {}: {why}\n",
            registration.program
        ))?;
    }
    let read = SettingsFile::read(&file).map_err(|error| error.to_string())?;
    let edited = edit(&file, read.text.as_deref().unwrap_or("{}\n"), |text| {
        install::install(text, &registration)
    })?;
    if edited.changes.is_empty() {
        output::print(&format!(
            "already registered in {}; nothing was changed\n",
            file.display()
        ))?;
        return Ok(Exit::Done);
    }
    if let Written::Yes { backup } = args.edit.write(&file, &read, &edited.text)? {
        output::print(&installed(&file, &registration, &edited, backup.as_deref()))?;
    }
    Ok(Exit::Done)
}

/// Takes this program's registration out.
pub(crate) fn uninstall(global: &Global, args: &EditArgs) -> Result<Exit, String> {
    let Agent::ClaudeCode = args.agent;
    let registration = registration(global)?;
    let file = args.file(global)?;
    let read = SettingsFile::read(&file).map_err(|error| error.to_string())?;
    let edited = match &read.text {
        Some(text) => edit(&file, text, |text| install::uninstall(text, &registration))?,
        None => Edited::default(),
    };
    if edited.changes.is_empty() {
        output::print(&format!(
            "not registered in {}; nothing was changed\n",
            file.display()
        ))?;
        return Ok(Exit::Done);
    }
    if let Written::Yes { backup } = args.write(&file, &read, &edited.text)? {
        let mut text = format!("taken out of {}\n", file.display());
        text.push_str(&backed_up(backup.as_deref()));
        text.push_str("A session that is running keeps its hooks until it ends.\n");
        output::print(&text)?;
    }
    Ok(Exit::Done)
}

/// What is registered for this program and these folders.
pub(crate) fn registration(global: &Global) -> Result<Registration, String> {
    let program = std::env::current_exe()
        .map_err(|error| format!("cannot find the path of this program: {error}"))?;
    let registration = Registration::new(
        &program,
        global.config_dir.as_deref(),
        global.state_dir.as_deref(),
    )?;
    let Some(front) = install::front_beside(&program) else {
        return Ok(registration);
    };
    // Settings that cannot be read grant nothing, and every call is denied until they are mended.
    let granted = config::load(&global.dirs()?, &[]).map_or_else(
        |_| Vec::new(),
        |loaded| {
            let reviewers = loaded.review.reviewers.into_values();
            reviewers.flat_map(|(file, _)| file.env).collect()
        },
    );
    registration.through(&front, granted)
}

/// What makes an agent able to replace the program.
fn complaints(global: &Global, registration: &Registration) -> Result<Vec<String>, String> {
    let cwd = std::env::current_dir()
        .map_err(|error| format!("cannot find the current directory: {error}"))?;
    Ok(install::complaints(
        &registration.programs(),
        &cwd,
        &global.dirs()?.home,
    ))
}

/// The settings file of the user.
pub(crate) fn settings_file(dirs: &paths::Dirs, given: Option<&Path>) -> PathBuf {
    given.map_or_else(
        || dirs.home.join(install::USER_SETTINGS),
        |file| std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf()),
    )
}

fn edit<E: std::fmt::Display>(
    file: &Path,
    text: &str,
    how: impl FnOnce(&str) -> Result<Edited, E>,
) -> Result<Edited, String> {
    how(text).map_err(|error| {
        format!(
            "{}: {error}. Nothing was written; mend the file, then run this again",
            file.display()
        )
    })
}

impl EditArgs {
    fn file(&self, global: &Global) -> Result<PathBuf, String> {
        Ok(settings_file(&global.dirs()?, self.settings.as_deref()))
    }

    /// Writes when the user wants it.
    fn write(&self, file: &Path, read: &SettingsFile, text: &str) -> Result<Written, String> {
        if self.dry_run || !self.yes {
            output::print(&shown(file, read.text.as_deref(), text))?;
        }
        if self.dry_run {
            return Ok(Written::No);
        }
        if !self.yes {
            if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
                return Err("nothing was written; pass --yes to write this".to_owned());
            }
            output::print("Write this? [y/N] ")?;
            let mut answer = String::new();
            std::io::stdin()
                .lock()
                .read_line(&mut answer)
                .map_err(|error| format!("cannot read the answer: {error}"))?;
            if !matches!(answer.trim(), "y" | "Y" | "yes") {
                return Err("nothing was written".to_owned());
            }
        }
        let now = jiff::Timestamp::now().as_second();
        read.write(text, now)
            .map(|backup| Written::Yes { backup })
            .map_err(|error| error.to_string())
    }
}

/// The change of a file, for people.
fn shown(file: &Path, old: Option<&str>, new: &str) -> String {
    let from = old.map_or_else(|| "/dev/null".to_owned(), |_| file.display().to_string());
    format!(
        "--- {from}\n+++ {}\n{}",
        file.display(),
        install::diff(old.unwrap_or_default(), new)
    )
}

fn installed(
    file: &Path,
    registration: &Registration,
    edited: &Edited,
    backup: Option<&Path>,
) -> String {
    let mut text = format!("registered in {}\n", file.display());
    for change in &edited.changes {
        let (event, what) = match change {
            Change::Added(event) => (event, "added"),
            Change::Replaced(event) => (event, "brought up to date"),
            Change::Removed(event) => (event, "taken out where it stood"),
        };
        let _infallible = writeln!(text, "  {event}: {what}");
    }
    let _infallible = writeln!(
        text,
        "  each runs {} {}",
        registration.program,
        registration.args.join(" ")
    );
    text.push_str(&backed_up(backup));
    if !install::is_static(Path::new(&registration.program)) {
        text.push_str(PRELOAD);
    }
    text.push_str(REMAINS);
    text
}

fn backed_up(backup: Option<&Path>) -> String {
    backup.map_or_else(String::new, |backup| {
        format!("the file as it was: {}\n", backup.display())
    })
}

const PRELOAD: &str = "\
No statically linked countersign-front lies beside the program, so the settings of a project can load a library into the hook (`env.LD_PRELOAD`). `cargo xtask dist` builds one; put it there, then run this again.
";

const REMAINS: &str = "\
A session that is running keeps its old settings: start a new one. `countersign doctor` checks the registration.
What remains: the settings of a project can switch every hook off where nobody is asked (`claude -p`). Start such runs with --settings '{\"disableAllHooks\":false}' or --setting-sources user.
";
