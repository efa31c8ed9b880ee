//! Who reviews, how they are run, and what they are told.

use super::file::ConfigFile;
use countersign_core::{Guidance, OnFailure, Surface};
use countersign_reviewers::guidance;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest time for a review, in seconds: agents wait 60 s for a hook, and the hook blocks the
/// call by itself some seconds before that.
pub const MAX_REVIEW_SECONDS: u64 = 50;

/// The usual time for a review, in seconds. That of pi-auto-review.
const REVIEW_SECONDS: u64 = 45;

/// The most tries after a first one.
const MAX_RETRIES: u32 = 5;

/// The usual address space of a plugin's process, in MiB.
const MEMORY_MB: u64 = 2048;

/// Who is asked about calls that rules cannot decide.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewFile {
    /// The reviewers that are asked, in order, by the names of the tables under `reviewers`.
    pub ask: Option<Vec<String>>,
    /// How several come to one opinion: the `first` that has one, the most restrictive of `all`, or
    /// what a `quorum` shares.
    pub mode: Option<ModeFile>,
    /// How many must share an opinion in mode `quorum`.
    pub quorum: Option<usize>,
    /// Seconds until the answer must be there, all of it together: 1 to 50.
    #[schemars(range(min = 1, max = 50))]
    pub deadline_s: Option<u64>,
    /// How often a reviewer is asked again after a failure that another try may mend: 0 to 5.
    #[schemars(range(max = 5))]
    pub retries: Option<u32>,
    /// What a failed review comes to: `ask` asks the user where there is one, `deny` denies.
    pub on_failure: Option<OnFailureFile>,
    /// Surfaces whose calls no reviewer can allow by itself: `command`, `filesystem-write`,
    /// `network`, `mcp`, or an agent's own word. What it allows there is asked about.
    pub bounded: Option<Vec<String>>,
}

/// How several reviewers come to one opinion.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ModeFile {
    /// The first that has one.
    #[default]
    First,
    /// The most restrictive.
    All,
    /// What enough of them share.
    Quorum,
}

/// What a failed review comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnFailureFile {
    /// The user is asked.
    Ask,
    /// The call is denied.
    Deny,
}

/// One reviewer: a plugin with a configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewerFile {
    /// The plugin, where its name is another than the reviewer's.
    pub plugin: Option<String>,
    /// The plugin's own settings; `countersign plugin show NAME` says which there are.
    #[serde(default)]
    pub config: Map<String, Value>,
    /// The environment variables that it may have, of those it asks for.
    #[serde(default)]
    pub env: Vec<String>,
    /// In mode `first`: when it fails, the next one is asked.
    #[serde(default)]
    pub fallback: bool,
    /// Where it runs: in a `process` of its own, or `in-process`, where its crash is the gate's.
    #[serde(default)]
    pub isolation: IsolationFile,
    /// The address space of its process, in MiB.
    #[schemars(range(min = 64))]
    pub memory_mb: Option<u64>,
}

/// Where a plugin runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IsolationFile {
    /// In a process of its own.
    #[default]
    Process,
    /// In the gate's own process.
    InProcess,
}

/// A plugin that the owner vouches for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PluginFile {
    /// The SHA-256 of its file, in hexadecimal digits. `countersign plugin add` writes it.
    pub sha256: Option<String>,
    /// Its file, where it is not in the store.
    pub path: Option<PathBuf>,
    /// Loaded whatever its hash, also from a workspace's build folder. For developing a plugin.
    #[serde(default)]
    pub unpinned: bool,
}

/// The owner's words for reviewers. `$defaults` stands for the built-in entries; a section without
/// it replaces them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GuidanceFile {
    /// What is true here.
    pub environment: Option<Vec<String>>,
    /// What is fine.
    pub allow: Option<Vec<String>>,
    /// What is not done unless the user asked for exactly that.
    #[serde(alias = "softDeny")]
    pub soft_deny: Option<Vec<String>>,
    /// What is never done.
    #[serde(alias = "hardDeny")]
    pub hard_deny: Option<Vec<String>>,
}

/// Who reviews, resolved from every layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// The reviewers that are asked, in order.
    pub ask: Vec<String>,
    /// How they come to one opinion.
    pub mode: ModeFile,
    /// How many must share an opinion in mode `quorum`.
    pub quorum: usize,
    /// The time for all of it.
    pub deadline: Duration,
    /// How often one is asked again.
    pub retries: u32,
    /// What a failed review comes to.
    pub on_failure: OnFailure,
    /// Surfaces whose calls no reviewer can allow by itself.
    pub bounded: Vec<Surface>,
    /// Every reviewer, by name, and the file that says so.
    pub reviewers: BTreeMap<String, (ReviewerFile, PathBuf)>,
    /// Every plugin, by name, and the file that says so.
    pub plugins: BTreeMap<String, (PluginFile, PathBuf)>,
    /// What they are told.
    pub guidance: Guidance,
    /// The file that set `ask`.
    pub ask_from: Option<PathBuf>,
}

impl Default for Review {
    fn default() -> Self {
        Self {
            ask: Vec::new(),
            mode: ModeFile::First,
            quorum: 2,
            deadline: Duration::from_secs(REVIEW_SECONDS),
            retries: 1,
            on_failure: OnFailure::Ask,
            bounded: Vec::new(),
            reviewers: BTreeMap::new(),
            plugins: BTreeMap::new(),
            guidance: guidance::built_in(),
            ask_from: None,
        }
    }
}

impl ReviewerFile {
    /// The name of its plugin.
    pub fn plugin<'a>(&'a self, name: &'a str) -> &'a str {
        self.plugin.as_deref().unwrap_or(name)
    }

    /// The address space of its process, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.memory_mb
            .unwrap_or(MEMORY_MB)
            .max(64)
            .saturating_mul(1 << 20)
    }
}

impl Review {
    /// A layer with full authority: what it says wins, reviewers and plugins by name.
    pub(super) fn apply(
        &mut self,
        file: &Path,
        config: &mut ConfigFile,
        notes: &mut Vec<String>,
    ) -> Result<(), String> {
        let review = std::mem::take(&mut config.review);
        if let Some(ask) = review.ask {
            self.ask = ask;
            self.ask_from = Some(file.to_path_buf());
        }
        if let Some(seconds) = review.deadline_s {
            if !(1..=MAX_REVIEW_SECONDS).contains(&seconds) {
                return Err(format!(
                    "review.deadline_s is {seconds}, and must be 1 to {MAX_REVIEW_SECONDS}: the agent does not wait longer"
                ));
            }
            self.deadline = Duration::from_secs(seconds);
        }
        if let Some(retries) = review.retries {
            if retries > MAX_RETRIES {
                return Err(format!(
                    "review.retries is {retries}, and must be 0 to {MAX_RETRIES}"
                ));
            }
            self.retries = retries;
        }
        self.mode = review.mode.unwrap_or(self.mode);
        self.quorum = review.quorum.unwrap_or(self.quorum);
        self.on_failure = match review.on_failure {
            None => self.on_failure,
            Some(OnFailureFile::Ask) => OnFailure::Ask,
            Some(OnFailureFile::Deny) => OnFailure::Deny,
        };
        if let Some(bounded) = review.bounded {
            self.bounded = bounded.into_iter().map(Surface::from).collect();
        }
        let from = |value| (value, file.to_path_buf());
        for (name, reviewer) in std::mem::take(&mut config.reviewers) {
            self.reviewers.insert(name, from(reviewer));
        }
        for (name, plugin) in std::mem::take(&mut config.plugins) {
            if plugin.unpinned {
                notes.push(format!(
                    "{}: the plugin {name} is loaded whatever its file holds, from a workspace too",
                    file.display()
                ));
            }
            self.plugins.insert(name, (plugin, file.to_path_buf()));
        }
        self.guide(file, std::mem::take(&mut config.guidance), notes);
        Ok(())
    }

    fn guide(&mut self, file: &Path, given: GuidanceFile, notes: &mut Vec<String>) {
        let Guidance {
            environment,
            allow,
            soft_deny,
            hard_deny,
        } = &mut self.guidance;
        for (name, given, section) in [
            ("environment", given.environment, environment),
            ("allow", given.allow, allow),
            ("soft_deny", given.soft_deny, soft_deny),
            ("hard_deny", given.hard_deny, hard_deny),
        ] {
            let Some(given) = given else { continue };
            let built_in = guidance::defaults(name);
            if !given.iter().any(|entry| entry == guidance::DEFAULTS) {
                notes.push(format!(
                    "{}: guidance.{name} has no `{}`, so its {} built-in entries are not in force",
                    file.display(),
                    guidance::DEFAULTS,
                    built_in.len()
                ));
            }
            let given = guidance::expand(name, &given);
            if *section == built_in {
                *section = given;
            } else {
                section.extend(given);
                let all = std::mem::take(section);
                *section = guidance::expand(name, &all);
            }
        }
    }

    /// What a workspace may not say: whoever writes a repository would choose who judges it, or talk
    /// to a model. It may only make a failed review a deny, and bound more surfaces.
    pub(super) fn tighten(&mut self, config: &mut ConfigFile) -> Vec<&'static str> {
        let mut review = std::mem::take(&mut config.review);
        if review
            .on_failure
            .take_if(|word| *word == OnFailureFile::Deny)
            .is_some()
        {
            self.on_failure = OnFailure::Deny;
        }
        let bounded = review.bounded.take().into_iter().flatten();
        self.bounded.extend(bounded.map(Surface::from));
        let mut tries = Vec::new();
        for (tried, name) in [
            (review != ReviewFile::default(), "review"),
            (!config.reviewers.is_empty(), "reviewers"),
            (!config.plugins.is_empty(), "plugins"),
            (config.guidance != GuidanceFile::default(), "guidance"),
        ] {
            if tried {
                tries.push(name);
            }
        }
        tries
    }

    /// What does not fit together once every layer is in.
    pub(super) fn problem(&self) -> Option<String> {
        for name in &self.ask {
            if !self.reviewers.contains_key(name) {
                return Some(format!(
                    "review.ask names {name:?}, and there is no [reviewers.{name}]; add it with `countersign reviewer use {name}`"
                ));
            }
        }
        let twice = self
            .ask
            .iter()
            .enumerate()
            .find(|(at, name)| self.ask.iter().take(*at).any(|before| before == *name));
        if let Some((_, name)) = twice {
            return Some(format!("review.ask names {name:?} twice"));
        }
        let quorum_fits = self.mode != ModeFile::Quorum
            || self.ask.is_empty()
            || (1..=self.ask.len()).contains(&self.quorum);
        (!quorum_fits).then(|| {
            format!(
                "review.quorum is {}, and review.ask names {} reviewers",
                self.quorum,
                self.ask.len()
            )
        })
    }
}
