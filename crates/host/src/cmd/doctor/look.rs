use crate::audit::Verified;
use crate::config::{self, Loaded, Review};
use crate::install::{self, Registration, read_settings};
use crate::paths::Dirs;
use crate::review::Reviewers;
use crate::session;
use crate::switch::{self, Switch};
use nix::unistd::{AccessFlags, access};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What is on this machine, before anybody judges it.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) uid: u32,
    pub(super) home: Folder,
    pub(super) config: Folder,
    pub(super) state: Folder,
    pub(super) loaded: Result<Loaded, String>,
    /// The reviewers that are asked, each with what is wrong with its plugin.
    pub(super) reviewers: Vec<(String, Result<(), String>)>,
    /// Sessions that run with other settings than the files hold.
    pub(super) sessions: Option<String>,
    pub(super) switch: Result<Switch, String>,
    pub(super) audit: Audit,
    pub(super) registration: Registration,
    /// Whether nothing can be loaded into the registered program before it starts.
    pub(super) is_static: bool,
    /// What makes an agent able to replace this program.
    pub(super) place: Vec<String>,
    pub(super) user: Settings,
    pub(super) project: Vec<Settings>,
}

/// A folder, or where it would be.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
    pub(super) found: Found,
}

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// A directory.
    Folder {
        mode: u32,
        owner: u32,
        writable: bool,
    },
    /// Something else.
    NoFolder,
    /// Nothing; whether a folder could be made there.
    Nothing { can_be_made: bool },
    /// It cannot be looked at.
    Unseen(String),
}

/// The audit log.
#[derive(Debug)]
pub(super) struct Audit {
    pub(super) file: PathBuf,
    pub(super) verified: Result<Verified, String>,
    /// Why nothing can be recorded.
    pub(super) unwritable: Option<String>,
}

/// A settings file of the agent.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) file: PathBuf,
    pub(super) text: Result<Option<String>, String>,
}

impl Seen {
    pub(super) fn look(
        dirs: &Dirs,
        cwd: &Path,
        settings: &Path,
        registration: Registration,
    ) -> Self {
        let root = crate::facts::real(cwd).to_string_lossy().into_owned();
        let loaded = config::load(dirs, std::slice::from_ref(&root));
        Self {
            reviewers: loaded
                .as_ref()
                .map(|loaded| reviewers(dirs, &loaded.review, &root))
                .unwrap_or_default(),
            uid: nix::unistd::geteuid().as_raw(),
            home: Folder::look(&dirs.home),
            config: Folder::look(&dirs.config),
            state: Folder::look(&dirs.state),
            loaded: loaded.map_err(|error| error.to_string()),
            sessions: session::told(dirs),
            switch: switch::read(dirs).map_err(|error| error.to_string()),
            audit: Audit::look(dirs),
            is_static: install::is_static(Path::new(&registration.program)),
            place: install::complaints(&registration.programs(), cwd, &dirs.home),
            registration,
            user: Settings::look(settings.to_path_buf()),
            project: install::PROJECT_SETTINGS
                .iter()
                .map(|file| cwd.join(file))
                // In the home directory, the user's own file has the name of a project's.
                .filter(|file| file != settings)
                .map(Settings::look)
                .collect(),
        }
    }
}

/// Whether the plugins of those who are asked could be loaded. None is run.
fn reviewers(dirs: &Dirs, review: &Review, root: &str) -> Vec<(String, Result<(), String>)> {
    let roots = [root.to_owned()];
    let reviewers = Reviewers::new(review, dirs, &roots);
    review
        .ask
        .iter()
        .filter_map(|name| Some((name, &review.reviewers.get(name)?.0)))
        .map(|(name, file)| {
            let usable = reviewers.plugin(name, file).map(drop);
            (name.clone(), usable.map_err(|error| error.to_string()))
        })
        .collect()
}

impl Folder {
    fn look(path: &Path) -> Self {
        let found = match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => Found::Folder {
                mode: found.mode() & 0o7777,
                owner: found.uid(),
                writable: access(path, AccessFlags::W_OK | AccessFlags::X_OK).is_ok(),
            },
            Ok(_) => Found::NoFolder,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Found::Nothing {
                can_be_made: can_be_made(path),
            },
            Err(error) => Found::Unseen(error.to_string()),
        };
        Self {
            path: path.to_path_buf(),
            found,
        }
    }
}

impl Audit {
    fn look(dirs: &Dirs) -> Self {
        let file = dirs.audit_folder();
        Self {
            verified: crate::config::audit_log(dirs)
                .verify(None)
                .map_err(|error| error.to_string()),
            unwritable: unwritable(&file),
            file,
        }
    }
}

impl Settings {
    fn look(file: PathBuf) -> Self {
        Self {
            text: read_settings(&file).map_err(|error| error.kind.to_string()),
            file,
        }
    }
}

/// Whether the nearest folder that exists above a path can be written.
fn can_be_made(path: &Path) -> bool {
    path.ancestors()
        .skip(1)
        .find(|above| above.exists())
        .is_some_and(|above| {
            above.is_dir() && access(above, AccessFlags::W_OK | AccessFlags::X_OK).is_ok()
        })
}

fn unwritable(file: &Path) -> Option<String> {
    match access(file, AccessFlags::R_OK | AccessFlags::W_OK) {
        Ok(()) => None,
        Err(nix::errno::Errno::ENOENT) => {
            (!can_be_made(file)).then(|| "it does not exist and cannot be made".to_owned())
        }
        Err(error) => Some(error.desc().to_owned()),
    }
}
