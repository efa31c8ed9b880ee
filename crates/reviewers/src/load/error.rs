use crate::manifest::ManifestError;
use crate::trust::TrustError;
use crate::wire;
use countersign_abi::{AbiError, ModuleError};
use countersign_core::{FailureKind, ReviewFailure};
use std::path::PathBuf;
use thiserror::Error;

/// A plugin that was not loaded.
#[derive(Debug, Error)]
#[error("plugin {plugin}: {kind}")]
pub struct LoadError {
    /// The plugin's name, or its file where the name is not known yet.
    pub plugin: String,
    /// Why, and what to do.
    pub kind: LoadErrorKind,
}

/// Why a plugin was not loaded, and what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// No folder holds it.
    #[error("it is not in {}; add it with `countersign plugin add FILE`", folders(.0))]
    NotFound(Vec<PathBuf>),
    /// No plugin has such a name.
    #[error("that is no plugin's name; a name is 1 to 64 lower-case letters, digits and dashes")]
    NoName,
    /// Two folders hold it.
    #[error("both {} and {} are it; remove one", .0.display(), .1.display())]
    Duplicate(PathBuf, PathBuf),
    /// The file may not be run.
    #[error("{0}")]
    Refused(#[from] TrustError),
    /// The file could not be read to its end.
    #[error("{} cannot be read: {error}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: std::io::Error,
    },
    /// Nobody vouches for the file.
    #[error(
        "it has no pin, and its SHA-256 is {actual}; look at where it came from, then run `countersign plugin pin {plugin}`"
    )]
    Unpinned {
        /// Its name.
        plugin: String,
        /// Its hash.
        actual: String,
    },
    /// The file is not the one that was pinned.
    #[error(
        "it is not the file that was pinned: its SHA-256 is {actual}, and {wanted} is pinned; if you replaced it, run `countersign plugin add FILE` again"
    )]
    Changed {
        /// What is pinned.
        wanted: String,
        /// What it is.
        actual: String,
    },
    /// It is no library that could be loaded here.
    #[error("{0}")]
    NotLoadable(String),
    /// It is no plugin, or says nothing of itself.
    #[error("it has no manifest, so it is no Countersign plugin; build it with `reviewer_plugin!`")]
    NoManifest,
    /// What it says of itself cannot be used.
    #[error("{0}; build it again with a matching version of countersign-reviewers")]
    Manifest(#[from] ManifestError),
    /// It is another plugin than the one that was asked for.
    #[error("the file is the plugin {actual:?}; it belongs under that name")]
    Name {
        /// What it says.
        actual: String,
    },
    /// It was built for another interface.
    #[error(
        "it was built for interface {plugin}, and this host has interface {host}; take a build for interface {host}"
    )]
    Interface {
        /// This host's.
        host: u32,
        /// The plugin's.
        plugin: u32,
    },
    /// Its types are not laid out as ours.
    #[error("it does not fit this host's interface ({}); build it again with countersign-abi 1", .0.summary)]
    Layout(ModuleError),
    /// The system's loader would not have it.
    #[error("the system cannot load it: {0}")]
    Dl(String),
    /// It says one thing in its file and another when it runs.
    #[error("it says something else of itself when it runs ({0}) than in its file; do not use it")]
    TwoFaced(String),
    /// It must not run inside the host.
    #[error("it cannot run in process: {0}; use `isolation = \"process\"`")]
    InProcess(String),
    /// It did not take its configuration, or failed while starting.
    #[error("it did not start: {}", wire::message(.0.message.as_str()))]
    Create(AbiError),
    /// Its process could not be started, or ended before it was ready.
    #[error("its process did not start: {0}")]
    Start(String),
    /// It was not ready in time.
    #[error("it was not ready within {0} s")]
    Late(f64),
    /// It crashed too often.
    #[error("it crashed {0} times within a minute, and is left alone for the rest of it")]
    CircuitOpen(usize),
    /// This operating system has no way to load a file that nobody can change meanwhile.
    #[error("plugins can be loaded on Linux only")]
    Unsupported,
}

impl LoadError {
    pub(crate) fn new(plugin: impl Into<String>, kind: impl Into<LoadErrorKind>) -> Self {
        Self {
            plugin: plugin.into(),
            kind: kind.into(),
        }
    }

    /// The failed review that a plugin which cannot be loaded comes to.
    pub fn failure(&self) -> ReviewFailure {
        match &self.kind {
            LoadErrorKind::Create(error) => wire::failure(error),
            kind => {
                let failure = ReviewFailure::new(kind.failure_kind(), kind.to_string());
                if matches!(kind, LoadErrorKind::Start(_)) {
                    failure.retryable()
                } else {
                    failure
                }
            }
        }
    }
}

impl LoadErrorKind {
    fn failure_kind(&self) -> FailureKind {
        match self {
            Self::Start(_) => FailureKind::Crashed,
            Self::Late(_) => FailureKind::TimedOut,
            Self::CircuitOpen(_) => FailureKind::CircuitOpen,
            _ => FailureKind::Missing,
        }
    }
}

fn folders(folders: &[PathBuf]) -> String {
    let shown: Vec<String> = folders
        .iter()
        .map(|folder| folder.display().to_string())
        .collect();
    shown.join(" or ")
}
