mod config;
mod harmless;
mod index;
#[cfg(test)]
mod tests;

use super::read::{self, Unknown};
use config::Setting;
use countersign_core::RepositoryFact;
use nix::errno::Errno;
use nix::unistd::{AccessFlags, access};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

/// Hooks that run when the index is merely refreshed, as `git status` does (githooks(5)).
const READ_HOOKS: &[&str] = &["post-index-change", "fsmonitor-watchman"];

/// The largest configuration file read, in bytes.
const MAX_CONFIG: u64 = 1 << 20;

/// The largest of the files that hold one line, in bytes.
const MAX_LINE: u64 = 4 << 10;

/// How many bytes of indexes are read for one answer.
const MAX_INDEX: u64 = 64 << 20;

/// How many repositories, with their submodules, are looked at for one answer.
const MAX_REPOSITORIES: usize = 256;

/// How many directories are searched for the repositories of submodules.
const MAX_DIRECTORIES: usize = 1024;

/// Variables that lead git to another repository than the one around a directory.
const ELSEWHERE: &[&str] = &[
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_WORK_TREE",
];

/// What the repository around a directory executes when it is read. `None` when it cannot be told.
pub(super) fn repository(dir: &Path) -> Option<RepositoryFact> {
    let elsewhere = ELSEWHERE
        .iter()
        .any(|name| std::env::var_os(name).is_some());
    if elsewhere { None } else { look(dir).ok() }
}

fn look(dir: &Path) -> Result<RepositoryFact, Unknown> {
    let Some(found) = find(&standing(dir)?)? else {
        return Ok(RepositoryFact::default());
    };
    let mut survey = Survey {
        root: found.root.clone(),
        executes: BTreeSet::new(),
        seen: BTreeSet::new(),
        directories: 0,
        index_left: MAX_INDEX,
    };
    let mut waiting = vec![found.clone()];
    while let Some(next) = waiting.pop() {
        waiting.extend(survey.repository(&next)?);
    }
    Ok(RepositoryFact {
        branch: branch(&found.git_dir)?,
        root: Some(
            found
                .root
                .into_os_string()
                .into_string()
                .map_err(|_| Unknown)?,
        ),
        executes: survey.executes.into_iter().collect(),
    })
}

/// A repository and the directory it was found by.
#[derive(Debug, Clone)]
struct Repository {
    root: PathBuf,
    git_dir: PathBuf,
}

/// Where a process in this directory finds itself: git climbs from there, not along the links that
/// led there. What is not made yet will be inside its parent.
fn standing(dir: &Path) -> Result<PathBuf, Unknown> {
    let plain = |part| matches!(part, Component::RootDir | Component::Normal(_));
    if !dir.is_absolute() || !dir.components().all(plain) {
        return Err(Unknown);
    }
    for ancestor in dir.ancestors() {
        if read::exists(ancestor)? {
            return std::fs::canonicalize(ancestor).map_err(|_| Unknown);
        }
    }
    Err(Unknown)
}

/// Climbs to the nearest repository as git does. Where git would stop early, at the border of a
/// file system or at another user's repository, this looks further, which is the safe side.
fn find(dir: &Path) -> Result<Option<Repository>, Unknown> {
    for ancestor in dir.ancestors() {
        if let Some(found) = checked_out(ancestor)? {
            return Ok(Some(found));
        }
        if is_git_dir(ancestor)? {
            return Ok(Some(Repository {
                root: ancestor.to_path_buf(),
                git_dir: ancestor.to_path_buf(),
            }));
        }
    }
    Ok(None)
}

/// The repository that a directory is the work tree of by its `.git`.
fn checked_out(root: &Path) -> Result<Option<Repository>, Unknown> {
    let dot_git = root.join(".git");
    let git_dir = match std::fs::metadata(&dot_git) {
        Ok(found) if found.is_file() => {
            let text = read::file(&dot_git, MAX_LINE)?.ok_or(Unknown)?;
            let git_dir = root.join(line(text.strip_prefix(b"gitdir: ").ok_or(Unknown)?)?);
            // Git gives up on a file that leads nowhere; something may be there by then.
            if is_git_dir(&git_dir)? {
                git_dir
            } else {
                return Err(Unknown);
            }
        }
        // Git climbs on when the directory is no repository.
        Ok(found) if found.is_dir() && is_git_dir(&dot_git)? => dot_git,
        Ok(found) if found.is_dir() => return Ok(None),
        Ok(_) => return Err(Unknown),
        Err(_) => {
            // A link that leads nowhere is nothing to git.
            read::exists(&dot_git)?;
            return Ok(None);
        }
    };
    Ok(Some(Repository {
        root: root.to_path_buf(),
        git_dir,
    }))
}

/// Whether git takes a directory for a repository: it has a `HEAD`, `objects` and `refs`.
fn is_git_dir(dir: &Path) -> Result<bool, Unknown> {
    if !is_head(&dir.join("HEAD"))? {
        return Ok(false);
    }
    let common = common_dir(dir)?;
    Ok(passable(&common.join("objects"))? && passable(&common.join("refs"))?)
}

/// Whether git takes a file for a `HEAD`: the name of a reference or of an object.
fn is_head(path: &Path) -> Result<bool, Unknown> {
    if !read::exists(path)? {
        return Ok(false);
    }
    if let Ok(target) = std::fs::read_link(path) {
        return Ok(target.as_os_str().as_bytes().starts_with(b"refs/"));
    }
    let head = read::file(path, MAX_LINE)?.ok_or(Unknown)?;
    // What git would pass over must not count, or it climbs on to a repository that nobody saw:
    // these are its own blanks and its own limit.
    let head = head.get(..255).unwrap_or(&head);
    if let Some(name) = head.strip_prefix(b"ref:") {
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let blanks = name.iter().take_while(|byte| is_blank(byte)).count();
        return Ok(name
            .get(blanks..)
            .is_some_and(|name| name.starts_with(b"refs/")));
    }
    Ok(head.len() >= 40 && head.iter().take(40).all(u8::is_ascii_hexdigit))
}

fn passable(path: &Path) -> Result<bool, Unknown> {
    match access(path, AccessFlags::X_OK) {
        Ok(()) => Ok(true),
        Err(Errno::ENOENT | Errno::ENOTDIR) => Ok(false),
        Err(_) => Err(Unknown),
    }
}

/// Linked work trees share the configuration of the repository they belong to.
fn common_dir(git_dir: &Path) -> Result<PathBuf, Unknown> {
    match read::file(&git_dir.join("commondir"), MAX_LINE)? {
        Some(text) => Ok(git_dir.join(line(&text)?)),
        None => Ok(git_dir.to_path_buf()),
    }
}

/// The path that a file of one line holds; it need not be UTF-8.
fn line(text: &[u8]) -> Result<&Path, Unknown> {
    let end = text
        .iter()
        .rposition(|byte| !matches!(byte, b'\n' | b'\r'))
        .ok_or(Unknown)?;
    let text = text.get(..=end).ok_or(Unknown)?;
    if text.contains(&0) {
        return Err(Unknown);
    }
    Ok(Path::new(OsStr::from_bytes(text)))
}

/// The branch that is checked out. References that are kept in tables leave a name that cannot be
/// one.
fn branch(git_dir: &Path) -> Result<Option<String>, Unknown> {
    let head = git_dir.join("HEAD");
    if let Ok(target) = std::fs::read_link(&head) {
        let name = target.strip_prefix("refs/heads").ok();
        return Ok(name.and_then(Path::to_str).map(str::to_owned));
    }
    let text = read::file(&head, MAX_LINE)?.ok_or(Unknown)?;
    Ok(std::str::from_utf8(&text)
        .ok()
        .and_then(|text| text.strip_prefix("ref:"))
        .and_then(|name| name.trim().strip_prefix("refs/heads/"))
        .filter(|name| *name != ".invalid")
        .map(str::to_owned))
}

/// A repository and its submodules: git reads those along with it, each by its own configuration.
#[derive(Debug)]
struct Survey {
    root: PathBuf,
    executes: BTreeSet<String>,
    /// Git directories, each with the directory that it was found by.
    seen: BTreeSet<(PathBuf, PathBuf)>,
    directories: usize,
    index_left: u64,
}

impl Survey {
    /// Looks at one repository and returns those inside it.
    fn repository(&mut self, found: &Repository) -> Result<Vec<Repository>, Unknown> {
        let real = std::fs::canonicalize(&found.git_dir).map_err(|_| Unknown)?;
        // One under `modules` was looked at when its work tree was. Two work trees with the same
        // repository can still hold different submodules.
        let is_bare = found.root == found.git_dir;
        let is_known = is_bare && self.seen.iter().any(|(seen, _)| *seen == real);
        if is_known || !self.seen.insert((real, found.root.clone())) {
            return Ok(Vec::new());
        }
        if self.seen.len() > MAX_REPOSITORIES {
            return Err(Unknown);
        }
        let common = common_dir(&found.git_dir)?;
        let mut settings = settings(&common.join("config"))?;
        let hash = hash_length(&settings)?;
        // Git reads it only when an extension says so; this may well look at more than git does.
        settings.extend(settings_of_work_tree(&found.git_dir)?);
        let mut work_trees = vec![found.root.clone()];
        let mut hook_paths = Vec::new();
        for setting in &settings {
            let harmless = if setting.is("core", "worktree") {
                let value = setting.value.as_deref().ok_or(Unknown)?;
                // Older versions of git make a space of every blank in a value.
                if value.contains(['\t', '\r']) {
                    return Err(Unknown);
                }
                let dir = found.git_dir.join(value);
                let harmless = self.is_inside(&dir);
                work_trees.push(dir);
                harmless
            } else if setting.is("core", "hookspath") {
                let value = setting.value.as_deref().unwrap_or_default();
                hook_paths.push(value);
                // These lead to directories that only git works out.
                !value.is_empty() && !value.starts_with(['~', '%']) && !value.contains(['\t', '\r'])
            } else {
                harmless::is_harmless(setting)
            };
            if !harmless {
                self.found(&setting.key(), &found.root);
            }
        }
        let mut hook_dirs = vec![common.join("hooks")];
        for tree in &work_trees {
            hook_dirs.extend(hook_paths.iter().map(|path| tree.join(path)));
        }
        for hook in READ_HOOKS {
            for dir in &hook_dirs {
                if read::exists(&dir.join(hook))? {
                    self.found(&format!("hooks/{hook}"), &found.root);
                }
            }
        }
        let mut inside = self.modules(&found.git_dir.join("modules"))?;
        inside.extend(self.submodules(&found.git_dir, &work_trees, hash)?);
        Ok(inside)
    }

    /// Every submodule has its work tree set. Any other one would have git read what lies outside
    /// the repository that was asked about.
    fn is_inside(&self, work_tree: &Path) -> bool {
        let real = std::fs::canonicalize(work_tree)
            .or_else(|_| std::fs::canonicalize(work_tree.parent().unwrap_or(work_tree)));
        real.is_ok_and(|real| real.starts_with(&self.root))
    }

    fn found(&mut self, what: &str, root: &Path) {
        let within = root.strip_prefix(&self.root).unwrap_or(root);
        self.executes.insert(if within.as_os_str().is_empty() {
            what.to_owned()
        } else {
            format!("{what} in {}", within.display())
        });
    }

    /// The repositories that the index names and that are there.
    fn submodules(
        &mut self,
        git_dir: &Path,
        work_trees: &[PathBuf],
        hash: usize,
    ) -> Result<Vec<Repository>, Unknown> {
        let Some(bytes) = read::file(&git_dir.join("index"), self.index_left)? else {
            return Ok(Vec::new());
        };
        let length = u64::try_from(bytes.len()).map_err(|_| Unknown)?;
        self.index_left = self.index_left.saturating_sub(length);
        let mut found = Vec::new();
        for link in index::links(&bytes, hash)? {
            let link = Path::new(OsStr::from_bytes(&link));
            let plain = |part| matches!(part, Component::Normal(_));
            if !link.components().all(plain) {
                return Err(Unknown);
            }
            for work_tree in work_trees {
                found.extend(checked_out(&work_tree.join(link))?);
            }
        }
        Ok(found)
    }

    /// The repositories under `modules`, which are those of submodules; their names have slashes.
    fn modules(&mut self, dir: &Path) -> Result<Vec<Repository>, Unknown> {
        let mut found = Vec::new();
        let mut waiting = vec![dir.to_path_buf()];
        while let Some(dir) = waiting.pop() {
            if !read::exists(&dir)? {
                continue;
            }
            for entry in std::fs::read_dir(&dir).map_err(|_| Unknown)? {
                let path = entry.map_err(|_| Unknown)?.path();
                self.directories += 1;
                if self.directories > MAX_DIRECTORIES {
                    return Err(Unknown);
                }
                if is_git_dir(&path)? {
                    found.push(Repository {
                        root: path.clone(),
                        git_dir: path,
                    });
                } else if path.is_dir() {
                    waiting.push(path);
                }
            }
        }
        Ok(found)
    }
}

fn settings(file: &Path) -> Result<Vec<Setting>, Unknown> {
    match read::file(file, MAX_CONFIG)? {
        Some(text) => config::read(&text),
        None => Ok(Vec::new()),
    }
}

/// The settings of one work tree, which cannot say what the repository is like.
fn settings_of_work_tree(git_dir: &Path) -> Result<Vec<Setting>, Unknown> {
    let settings = settings(&git_dir.join("config.worktree"))?;
    if settings
        .iter()
        .any(|setting| setting.section == "extensions")
    {
        return Err(Unknown);
    }
    Ok(settings)
}

/// The length of the object names in an index.
fn hash_length(settings: &[Setting]) -> Result<usize, Unknown> {
    let format = settings
        .iter()
        .rfind(|setting| setting.is("extensions", "objectformat"));
    match format.map(|setting| setting.value.as_deref()) {
        None | Some(Some("sha1")) => Ok(20),
        Some(Some("sha256")) => Ok(32),
        Some(_) => Err(Unknown),
    }
}
