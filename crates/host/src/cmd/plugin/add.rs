use super::Owner;
use crate::audit::private_dir;
use crate::config::edit::Edit;
use crate::reason::visible;
use crate::{Exit, output, person};
use countersign_reviewers::Manifest;
use countersign_reviewers::load::{Checks, Image, MAX_LIBRARY, Plugin, Settings};
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a plugin may take to say what it is.
const DESCRIBE: Duration = Duration::from_secs(10);

/// Copies a library into the store, makes sure that it loads, and pins it.
pub(super) fn run(owner: &Owner, file: &Path) -> Result<Exit, String> {
    person::not_in_an_agent("a plugin is added")?;
    let folder = owner.dirs.plugins();
    private_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let copy = Copy::of(file, &folder)?;
    let image = Image::open(&copy.path, &Checks::any())
        .map_err(|error| format!("{}: {}", file.display(), error.kind))?;
    let manifest = image.manifest().clone();
    let sha256 = image.sha256().to_owned();
    let managed = owner
        .dirs
        .managed
        .join("plugins")
        .join(format!("{}.so", manifest.name));
    if managed.symlink_metadata().is_ok() {
        return Err(format!(
            "the administrator has a plugin {} already, in {}",
            manifest.name,
            managed.display()
        ));
    }
    Plugin::new(image, Settings::with_config(serde_json::Value::Null))
        .map_err(|error| error.to_string())?
        .describe(DESCRIBE)
        .map_err(|failure| format!("{}: {}: {}", file.display(), failure.kind, failure.message))?;
    let before = owner
        .store
        .find(&manifest.name)
        .ok()
        .and_then(|file| Image::open(&file, &Checks::any()).ok())
        .map(|image| image.manifest().version.clone());
    owner.record(&format!(
        "add plugin {} {} {sha256}",
        manifest.name, manifest.version
    ))?;
    // In this order a run that stops in between leaves a file that does not fit its pin, which is
    // refused.
    let mut edit = Edit::open(&owner.dirs)?;
    let table = ["plugins", manifest.name.as_str()];
    for elsewhere in ["path", "unpinned"] {
        edit.remove(&table, elsewhere);
    }
    edit.set(&table, "sha256", sha256.as_str().into())?;
    edit.write(&owner.dirs)?;
    copy.keep(&folder.join(format!("{}.so", manifest.name)))?;
    let mut text = head(&manifest, &sha256, before.as_deref());
    let now = owner.again()?;
    let users = now.users(&manifest.name);
    if users.is_empty() {
        let _infallible = writeln!(
            text,
            "see its settings with `countersign plugin show {0}`, then use it with `countersign reviewer use {0} KEY=VALUE…`",
            manifest.name
        );
    }
    let mut fits = true;
    for user in users {
        let problem = unfit(&now, user);
        fits &= problem.is_none();
        let _infallible = match problem {
            None => writeln!(text, "used by {user}, whose settings fit"),
            Some(problem) => writeln!(
                text,
                "used by {user}, and every review of it fails now: {}; mend it with `countersign reviewer use {user} KEY=VALUE…`",
                visible(&problem)
            ),
        };
    }
    output::print(&text)?;
    Ok(if fits { Exit::Done } else { Exit::Found })
}

/// Why a reviewer's settings do not fit the plugin as it is now, if they do not.
fn unfit(now: &Owner, user: &str) -> Option<String> {
    let (file, _) = now.loaded.review.reviewers.get(user)?;
    let plugin = now
        .reviewers()
        .plugin(user, file)
        .map_err(|error| error.to_string());
    let well = plugin.and_then(|plugin| plugin.health(DESCRIBE).map_err(|failure| failure.message));
    well.err()
}

fn head(manifest: &Manifest, sha256: &str, before: Option<&str>) -> String {
    let mut text = match before {
        None => format!("added {} {}", manifest.name, visible(&manifest.version)),
        Some(before) => format!(
            "replaced {} {} by {}",
            manifest.name,
            visible(before),
            visible(&manifest.version)
        ),
    };
    if !manifest.description.is_empty() {
        let _infallible = write!(text, ": {}", visible(&manifest.description));
    }
    let _infallible = write!(text, "\n  pinned to SHA-256 {sha256}\n");
    for line in asks(manifest) {
        let _infallible = writeln!(text, "  {line}");
    }
    text
}

/// What a plugin asks of its owner.
pub(super) fn asks(manifest: &Manifest) -> Vec<String> {
    let mut lines = Vec::new();
    if manifest.network {
        lines.push("talks to other machines".to_owned());
    }
    let names: Vec<&str> = manifest
        .env
        .iter()
        .map(|name| {
            if name == "*" {
                "any that you grant"
            } else {
                name
            }
        })
        .collect();
    if !names.is_empty() {
        lines.push(format!(
            "asks for environment variables: {}",
            visible(&names.join(", "))
        ));
    }
    lines
}

/// A copy in the store that is not there yet under its name.
struct Copy {
    path: PathBuf,
    kept: bool,
}

impl Copy {
    fn of(file: &Path, folder: &Path) -> Result<Self, String> {
        let fail = |error: std::io::Error| format!("{}: {error}", file.display());
        let from = OpenOptions::new()
            .read(true)
            // A pipe in the file's place would block.
            .custom_flags(nix::fcntl::OFlag::O_NONBLOCK.bits())
            .open(file)
            .map_err(fail)?;
        let found = from.metadata().map_err(fail)?;
        if !found.is_file() || found.len() > MAX_LIBRARY {
            return Err(format!(
                "{}: not a regular file of at most {MAX_LIBRARY} bytes",
                file.display()
            ));
        }
        let copy = Self {
            path: folder.join(format!("new-{}.tmp", std::process::id())),
            kept: false,
        };
        let _left_by_a_run_that_died = std::fs::remove_file(&copy.path);
        let mut bytes = Vec::new();
        from.take(MAX_LIBRARY)
            .read_to_end(&mut bytes)
            .map_err(fail)?;
        let in_store = |error: std::io::Error| format!("{}: {error}", copy.path.display());
        let mut to = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o644)
            .open(&copy.path)
            .map_err(in_store)?;
        // The mode asked for is cut by the user's mask, never widened.
        to.write_all(&bytes)
            .and_then(|()| File::sync_all(&to))
            .map_err(in_store)?;
        Ok(copy)
    }

    fn keep(mut self, file: &Path) -> Result<(), String> {
        std::fs::rename(&self.path, file)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        if !self.kept {
            let _best_effort = std::fs::remove_file(&self.path);
        }
    }
}
