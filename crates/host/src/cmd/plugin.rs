//! Plugins: what is in the store, who vouches for it, whether it behaves.

mod add;
mod check;
mod show;

use super::subject::Format;
use crate::cli::Global;
use crate::config::{self, Loaded, ReviewerFile, edit::Edit};
use crate::paths::Dirs;
use crate::reason::visible;
use crate::review::{Reviewers, store};
use crate::{Exit, output, person};
use clap::{Args, Subcommand};
use countersign_broker::AuditPort as _;
use countersign_core::{AuditEvent, AuditKind};
use countersign_reviewers::Manifest;
use countersign_reviewers::load::{Checks, Found, Image, Store};
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Args)]
pub(crate) struct PluginArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Clone, Subcommand)]
enum What {
    /// Copy a plugin's library into the store and pin its hash
    Add {
        /// The library, as cargo built it
        file: PathBuf,
    },
    /// List the plugins in the store
    List {
        /// How they are printed
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Show what a plugin says of itself, and how it is configured
    Show {
        /// Its name, or a library file
        plugin: String,
        /// How it is printed
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Run a plugin through every way of being called
    Check(check::CheckArgs),
    /// Vouch for a plugin's file as it is now
    Pin {
        /// Its name
        plugin: String,
    },
    /// Take a plugin out of the store
    Remove {
        /// Its name
        plugin: String,
    },
}

pub(crate) fn run(global: &Global, args: &PluginArgs) -> Result<Exit, String> {
    let owner = Owner::new(global)?;
    match &args.what {
        What::Add { file } => add::run(&owner, file),
        What::List { format } => list(&owner, *format),
        What::Show { plugin, format } => show::run(&owner, plugin, *format),
        What::Check(args) => check::run(&owner, args),
        What::Pin { plugin } => pin(&owner, plugin),
        What::Remove { plugin } => remove(&owner, plugin),
    }
}

/// The owner's settings and store.
pub(crate) struct Owner {
    pub(crate) dirs: Dirs,
    pub(crate) loaded: Loaded,
    pub(crate) store: Store,
}

impl Owner {
    pub(crate) fn new(global: &Global) -> Result<Self, String> {
        Self::of(global.dirs()?)
    }

    /// The same as they are now, after a change.
    fn again(&self) -> Result<Self, String> {
        Self::of(self.dirs.clone())
    }

    fn of(dirs: Dirs) -> Result<Self, String> {
        // Which workspace this is run in says nothing about the owner's plugins.
        let loaded = config::load(&dirs, &[]).map_err(|error| error.to_string())?;
        Ok(Self {
            store: store(&dirs),
            dirs,
            loaded,
        })
    }

    /// The reviewers, with nowhere out of bounds: a person is looking.
    pub(crate) fn reviewers(&self) -> Reviewers<'_> {
        Reviewers::new(&self.loaded.review, &self.dirs, &[])
    }

    /// Records a change before it is made.
    pub(crate) fn record(&self, what: &str) -> Result<(), String> {
        crate::config::audit_log(&self.dirs)
            .record(&AuditEvent::note(AuditKind::Setup, "countersign", what))
            .map_err(|error| error.to_string())
    }

    /// The reviewers that use a plugin.
    fn users(&self, plugin: &str) -> Vec<&str> {
        self.loaded
            .review
            .reviewers
            .iter()
            .filter(|(name, (file, _))| file.plugin(name) == plugin)
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// A reviewer that uses a plugin: the one of its name before others.
    fn user(&self, plugin: &str) -> Option<&ReviewerFile> {
        let reviewers = &self.loaded.review.reviewers;
        let name = self
            .users(plugin)
            .into_iter()
            .max_by_key(|name| *name == plugin)?;
        reviewers.get(name).map(|(file, _)| file)
    }

    /// Whether a plugin's file is the one that was vouched for.
    fn pin_state(&self, plugin: &str, sha256: &str) -> &'static str {
        match self.loaded.review.plugins.get(plugin).map(|(file, _)| file) {
            Some(file) if file.unpinned => "unpinned",
            Some(file) => match &file.sha256 {
                Some(wanted) if wanted.eq_ignore_ascii_case(sha256) => "pinned",
                Some(_) => "changed",
                None => "no pin",
            },
            None => "no pin",
        }
    }

    /// A plugin by its name, or by its file where the word is a path. Its pin is not looked at.
    fn look(&self, plugin: &str) -> Result<Image, String> {
        let path = if is_path(plugin) {
            std::path::absolute(plugin).map_err(|error| error.to_string())?
        } else {
            let known = self.loaded.review.plugins.get(plugin);
            match known.and_then(|(file, _)| file.path.clone()) {
                Some(path) => path,
                None => self.store.find(plugin).map_err(|error| error.to_string())?,
            }
        };
        Image::open(&path, &Checks::any()).map_err(|error| error.to_string())
    }
}

/// A word that names a file and no plugin of the store.
fn is_path(word: &str) -> bool {
    word.contains('/')
        || Path::new(word)
            .extension()
            .is_some_and(|ending| ending == "so")
}

/// One row of the list.
struct Row {
    name: String,
    version: String,
    state: String,
    used_by: String,
    path: PathBuf,
    usable: bool,
}

fn list(owner: &Owner, format: Format) -> Result<Exit, String> {
    let mut found = owner.store.list();
    found.extend(elsewhere(owner));
    let rows: Vec<Row> = found.into_iter().map(|found| row(owner, found)).collect();
    match format {
        Format::Json => {
            let rows: Vec<_> = rows
                .iter()
                .map(|row| {
                    json!({
                        "name": row.name, "version": row.version, "state": row.state,
                        "used_by": row.used_by, "path": row.path, "usable": row.usable,
                    })
                })
                .collect();
            output::print(&format!("{:#}\n", json!({ "plugins": rows })))?;
        }
        Format::Text => output::print(&table(owner, &rows))?,
    }
    Ok(if rows.iter().all(|row| row.usable) {
        Exit::Done
    } else {
        Exit::Found
    })
}

/// The plugins whose file the configuration names.
fn elsewhere(owner: &Owner) -> impl Iterator<Item = Found> {
    let plugins = owner.loaded.review.plugins.iter();
    plugins.filter_map(|(name, (file, _))| {
        let path = file.path.clone()?;
        let checks = Checks {
            name: Some(name),
            ..Checks::any()
        };
        let image = Image::open(&path, &checks);
        Some(Found { path, image })
    })
}

fn row(owner: &Owner, found: Found) -> Row {
    let stem = found
        .path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    match found.image {
        Ok(image) => {
            let name = image.manifest().name.clone();
            let state = owner.pin_state(&name, image.sha256());
            Row {
                used_by: owner.users(&name).join(", "),
                version: image.manifest().version.clone(),
                usable: matches!(state, "pinned" | "unpinned"),
                state: state.to_owned(),
                name,
                path: found.path,
            }
        }
        Err(error) => Row {
            used_by: owner.users(&stem).join(", "),
            version: "?".to_owned(),
            state: format!("refused: {}", error.kind),
            name: stem,
            path: found.path,
            usable: false,
        },
    }
}

fn table(owner: &Owner, rows: &[Row]) -> String {
    if rows.is_empty() {
        let folders: Vec<String> = owner
            .store
            .folders()
            .iter()
            .map(|folder| folder.display().to_string())
            .collect();
        return format!(
            "no plugin in {}; `countersign plugin add FILE` adds one\n",
            folders.join(" or ")
        );
    }
    let mut text = String::new();
    for row in rows {
        let used = if row.used_by.is_empty() {
            "not used".to_owned()
        } else {
            format!("used by {}", row.used_by)
        };
        let _infallible = writeln!(
            text,
            "{:<20} {:<10} {:<9} {:<24} {}",
            row.name,
            visible(&row.version),
            visible(&row.state),
            visible(&used),
            row.path.display()
        );
    }
    text
}

fn pin(owner: &Owner, plugin: &str) -> Result<Exit, String> {
    person::not_in_an_agent("a plugin is pinned")?;
    let image = owner.look(plugin)?;
    let name = &image.manifest().name;
    owner.record(&format!("pin plugin {name} {}", image.sha256()))?;
    let mut edit = Edit::open(&owner.dirs)?;
    edit.set(&["plugins", name], "sha256", image.sha256().into())?;
    edit.write(&owner.dirs)?;
    output::print(&format!("pinned {name}: {}\n", image.sha256()))?;
    Ok(Exit::Done)
}

fn remove(owner: &Owner, plugin: &str) -> Result<Exit, String> {
    person::not_in_an_agent("a plugin is removed")?;
    if !Manifest::is_name(plugin) {
        return Err(format!(
            "{plugin:?} is no plugin's name; `countersign plugin list` lists them"
        ));
    }
    let users = owner.users(plugin);
    if !users.is_empty() {
        return Err(format!(
            "plugin {plugin} is used by {}; run `countersign reviewer remove {}` first",
            users.join(", "),
            users.first().unwrap_or(&"")
        ));
    }
    let file = owner.dirs.plugins().join(format!("{plugin}.so"));
    let there = file.symlink_metadata().is_ok();
    if !there && owner.store.find(plugin).is_ok() {
        return Err(format!(
            "plugin {plugin} is the administrator's, in {}",
            owner.dirs.managed.join("plugins").display()
        ));
    }
    owner.record(&format!("remove plugin {plugin}"))?;
    let mut edit = Edit::open(&owner.dirs)?;
    let pinned = edit.remove(&["plugins"], plugin);
    if !there && !pinned {
        return Err(format!(
            "there is no plugin {plugin}; `countersign plugin list` lists them"
        ));
    }
    if pinned {
        edit.write(&owner.dirs)?;
    }
    if there {
        std::fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    output::print(&format!("removed {plugin}\n"))?;
    Ok(Exit::Done)
}
