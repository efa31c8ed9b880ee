//! The owner's reviewers, started when a call needs them.

use crate::config::{IsolationFile, ModeFile, Review as Settings, ReviewerFile};
use crate::paths::Dirs;
use crate::{Exit, output};
use countersign_broker::Rejudge;
use countersign_core::{
    Case, Evidence, FailureKind, Guidance, OnFailure, Review, ReviewContext, ReviewFailure,
    Reviewer, Surface,
};
use countersign_reviewers::chain::{Chain, Member, Mode};
use countersign_reviewers::load::{
    Checks, Image, Isolation, LoadError, Pin, Plugin, Settings as PluginSettings, Store,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Who reviews a call, and how: what [`judge_and_decide`](crate::gate::judge_and_decide) needs.
#[derive(Clone, Copy)]
pub struct Reviewing<'a> {
    /// Who is asked.
    pub reviewer: &'a dyn Reviewer,
    /// The time for all of it.
    pub limit: Duration,
    /// What a failed review comes to.
    pub on_failure: OnFailure,
    /// The owner's words.
    pub guidance: &'a Guidance,
    /// Finds what was said and done before; called when somebody is asked.
    pub evidence: &'a dyn Fn() -> Evidence,
    /// Surfaces whose calls no reviewer can allow by itself.
    pub bounded: &'a [Surface],
    /// Judges the call with another input, where the agent can take one.
    pub rejudge: Option<&'a Rejudge<'a>>,
}

impl std::fmt::Debug for Reviewing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reviewing")
            .field("limit", &self.limit)
            .field("on_failure", &self.on_failure)
            .finish_non_exhaustive()
    }
}

/// The reviewers that the owner configured. No plugin is read or started before one is asked.
#[derive(Debug)]
pub struct Reviewers<'a> {
    settings: &'a Settings,
    store: Store,
    workspaces: Vec<PathBuf>,
}

impl<'a> Reviewers<'a> {
    /// The reviewers in these settings; `roots` are the workspaces, where no plugin may lie.
    pub fn new(settings: &'a Settings, dirs: &Dirs, roots: &[String]) -> Self {
        Self {
            settings,
            store: store(dirs),
            workspaces: roots.iter().map(PathBuf::from).collect(),
        }
    }

    /// What the gate needs to ask them; nothing where nobody is to be asked. `evidence` is called
    /// when somebody is.
    pub fn reviewing(&'a self, evidence: &'a dyn Fn() -> Evidence) -> Option<Reviewing<'a>> {
        (!self.settings.ask.is_empty()).then_some(Reviewing {
            reviewer: self,
            limit: self.settings.deadline,
            on_failure: self.settings.on_failure,
            guidance: &self.settings.guidance,
            evidence,
            bounded: &self.settings.bounded,
            rejudge: None,
        })
    }

    /// Some reviewer that is asked runs in this very process.
    fn any_in_process(&self) -> bool {
        self.settings.ask.iter().any(|name| {
            self.settings
                .reviewers
                .get(name)
                .is_some_and(|(reviewer, _)| reviewer.isolation == IsolationFile::InProcess)
        })
    }

    /// Prepares this process for the plugins of those who are asked: they are kept from its memory and
    /// open files, and one that runs in it and ends it ends it with these words and this code.
    ///
    /// # Errors
    /// When standard output cannot be kept from them.
    pub(crate) fn shield(&self, last_words: Vec<u8>, exit: Exit) -> Result<(), String> {
        if !self.settings.ask.is_empty() {
            output::hide_from_plugins();
        }
        if self.any_in_process() {
            output::keep(last_words, exit.code().into())
                .map_err(|error| format!("standard output cannot be kept from plugins: {error}"))?;
        }
        Ok(())
    }

    /// The plugin of a reviewer, checked and ready to be started.
    ///
    /// # Errors
    /// When its file is refused.
    pub fn plugin(&self, name: &str, reviewer: &ReviewerFile) -> Result<Plugin, LoadError> {
        let plugin = reviewer.plugin(name);
        let image = self.image(plugin)?;
        Plugin::new(image, plugin_settings(reviewer))
    }

    /// A plugin's checked file.
    ///
    /// # Errors
    /// When it is not found or refused.
    pub fn image(&self, plugin: &str) -> Result<Image, LoadError> {
        let known = self.settings.plugins.get(plugin).map(|(file, _)| file);
        let path = match known.and_then(|file| file.path.clone()) {
            Some(path) => path,
            None => self.store.find(plugin)?,
        };
        let mut checks = Checks {
            outside: self.out_of_bounds(&path),
            ..Checks::of(plugin)
        };
        if let Some(file) = known {
            if file.unpinned {
                // For its developer: also out of a build folder.
                checks.pin = Pin::Unpinned;
                checks.outside = &[];
            } else if let Some(sha256) = &file.sha256 {
                checks.pin = Pin::Sha256(sha256.clone());
            }
        }
        Image::open(&path, &checks)
    }

    /// Where a plugin may not lie: in a workspace. The store itself may lie in one, for whoever works
    /// in their home folder: it is the gate's own, and no call may write there.
    fn out_of_bounds(&self, path: &Path) -> &[PathBuf] {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let in_store = self.store.folders().iter().any(|folder| {
            folder
                .canonicalize()
                .is_ok_and(|folder| real.parent() == Some(&folder))
        });
        if in_store { &[] } else { &self.workspaces }
    }

    fn chain(&self) -> Result<Chain, ReviewFailure> {
        let members = self
            .settings
            .ask
            .iter()
            .map(|name| self.member(name))
            .collect();
        let mode = match self.settings.mode {
            ModeFile::First => Mode::First,
            ModeFile::All => Mode::All,
            ModeFile::Quorum => {
                Mode::Quorum(NonZeroUsize::new(self.settings.quorum).unwrap_or(NonZeroUsize::MIN))
            }
        };
        Chain::new(mode, members)
            .map_err(|error| ReviewFailure::new(FailureKind::Configuration, error.to_string()))
    }

    /// A reviewer that cannot be loaded takes part, as one that fails.
    fn member(&self, name: &str) -> Member {
        let found = self.settings.reviewers.get(name);
        let reviewer: Box<dyn Reviewer> = match found.map(|(file, _)| self.plugin(name, file)) {
            Some(Ok(plugin)) => Box::new(plugin),
            Some(Err(error)) => Box::new(Absent(error.failure())),
            None => Box::new(Absent(ReviewFailure::new(
                FailureKind::Missing,
                format!("there is no [reviewers.{name}]"),
            ))),
        };
        Member {
            retries: self.settings.retries,
            fallback: found.is_some_and(|(file, _)| file.fallback),
            ..Member::new(name, reviewer)
        }
    }
}

impl Reviewer for Reviewers<'_> {
    fn review(
        &self,
        case: &Case,
        context: &ReviewContext<'_>,
    ) -> Result<Option<Review>, ReviewFailure> {
        self.chain()?.review(case, context)
    }
}

/// A reviewer that could not be loaded.
struct Absent(ReviewFailure);

impl Reviewer for Absent {
    fn review(
        &self,
        _case: &Case,
        _context: &ReviewContext<'_>,
    ) -> Result<Option<Review>, ReviewFailure> {
        Err(self.0.clone())
    }
}

/// How a reviewer's plugin is run.
pub(crate) fn plugin_settings(reviewer: &ReviewerFile) -> PluginSettings {
    let mut settings = PluginSettings::with_config(Value::Object(reviewer.config.clone()));
    settings.memory_bytes = reviewer.memory_bytes();
    settings.environment = granted(&reviewer.env);
    if reviewer.isolation == IsolationFile::InProcess {
        settings.isolation = Isolation::InProcess;
    }
    settings
}

/// Where plugins are found: the administrator's folder, then the user's.
pub fn store(dirs: &Dirs) -> Store {
    Store::new(vec![dirs.managed.join("plugins"), dirs.plugins()])
}

/// The variables that the owner grants, as this process has them.
fn granted(names: &[String]) -> BTreeMap<String, String> {
    names
        .iter()
        .filter_map(|name| Some((name.clone(), std::env::var(name).ok()?)))
        .collect()
}
