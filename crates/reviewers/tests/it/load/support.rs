use countersign_core::{
    Case, Facts, FailureKind, Judgement, Request, Review, ReviewContext, ReviewFailure, Reviewer,
};
use countersign_plugin_testing::library;
use countersign_reviewers::Monotonic;
use countersign_reviewers::load::{Checks, Image, LoadError, Pin, Plugin, Settings};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The package of the plugin that misbehaves.
pub(super) const HOSTILE: &str = "countersign-plugin-hostile";

/// A folder that only this user can write, with libraries in it.
pub(super) struct Place(tempfile::TempDir);

impl Place {
    pub(super) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().expect("it exists").join(name)
    }

    /// A copy of a library, with a mode that nobody minds.
    pub(super) fn copy(&self, library: &Path, name: &str) -> PathBuf {
        self.write(name, &std::fs::read(library).expect("the library"))
    }

    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).expect("a mode");
        path
    }

    /// An error's text with this folder's name taken out.
    pub(super) fn told(&self, text: &str) -> String {
        let folder = self.path("x");
        let folder = folder.parent().expect("it has one").to_string_lossy();
        text.replace(&*folder, "/place")
    }
}

pub(super) fn hostile() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| std::fs::read(library::library(HOSTILE)).expect("the library"))
}

/// An image of some bytes; pinned, so that it may run in process.
pub(super) fn image(bytes: &[u8]) -> Result<Image, LoadError> {
    let place = Place::new();
    let path = place.write("x.so", bytes);
    let found = Image::open(&path, &Checks::any())?;
    let pin = Pin::Sha256(found.sha256().to_owned());
    Image::open(
        &path,
        &Checks {
            pin,
            ..Checks::any()
        },
    )
}

/// The misbehaving plugin in a mode, in a process of its own.
pub(super) fn settings(mode: &str) -> Settings {
    static RUNNER: OnceLock<PathBuf> = OnceLock::new();
    Settings {
        runner: Some(RUNNER.get_or_init(library::runner).clone()),
        memory_bytes: 512 << 20,
        ..Settings::with_config(json!({"mode": mode}))
    }
}

pub(super) fn plugin(mode: &str) -> Plugin {
    Plugin::new(image(hostile()).expect("a good file"), settings(mode)).expect("may run so")
}

pub(super) fn case() -> Case {
    let facts = Facts::virtual_at("/home/u", &["/p"]);
    Case::new(
        Request::command("r", "test", "/p", "make"),
        Judgement::empty(facts, "test"),
    )
}

/// What a plugin makes of a case within a time, and how long that took.
pub(super) fn ask(
    plugin: &Plugin,
    limit: Duration,
) -> (Result<Option<Review>, ReviewFailure>, Duration) {
    let (clock, cancelled) = (Monotonic::default(), AtomicBool::new(false));
    let context = ReviewContext::within(limit, &clock, &cancelled);
    let began = Instant::now();
    let opinion = plugin.review(&case(), &context);
    (opinion, began.elapsed())
}

/// A verdict, or the kind of failure.
pub(super) fn word(opinion: &Result<Option<Review>, ReviewFailure>) -> String {
    match opinion {
        Ok(None) => "abstains".to_owned(),
        Ok(Some(review)) => review.verdict.to_string(),
        Err(ReviewFailure {
            kind: FailureKind::Failed,
            message,
            ..
        }) => format!("Failed: {message}"),
        Err(failure) => format!("{:?}", failure.kind),
    }
}
