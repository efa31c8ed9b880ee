use countersign_core::RepositoryFact;
use std::path::{Path, PathBuf};

/// Keys of a repository's own configuration that can run a program when the repository is only
/// read (git-config(1)); `*` stands for a subsection or a name.
const EXECUTING: &[&str] = &[
    "alias.*",
    "core.alternaterefscommand",
    "core.askpass",
    "core.editor",
    "core.fsmonitor",
    "core.gitproxy",
    "core.hookspath",
    "core.pager",
    "core.sshcommand",
    "credential.helper",
    "credential.*.helper",
    "diff.external",
    "diff.*.command",
    "diff.*.textconv",
    "filter.*.clean",
    "filter.*.process",
    "filter.*.smudge",
    "gpg.program",
    "gpg.*.program",
    "include.path",
    "includeif.*.path",
    "interactive.difffilter",
    "merge.*.driver",
    "pager.*",
    "protocol.ext.allow",
    "sequence.editor",
    "trailer.*.command",
    "trailer.*.cmd",
    "uploadpack.packobjectshook",
];

/// Hooks that run when the index is merely refreshed, as `git status` does (githooks(5)).
const READ_HOOKS: &[&str] = &["post-index-change", "fsmonitor-watchman"];

/// The largest configuration file read, in bytes.
const MAX_CONFIG: u64 = 1 << 20;

/// What the repository around a directory executes when it is read. `None` when it cannot be told.
pub(super) fn repository(dir: &Path) -> Option<RepositoryFact> {
    let Some((root, git_dir)) = find(dir) else {
        return Some(RepositoryFact::default());
    };
    let common = common_dir(&git_dir);
    let mut executes = Vec::new();
    for file in [common.join("config"), git_dir.join("config.worktree")] {
        match std::fs::metadata(&file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Ok(found) if found.len() <= MAX_CONFIG => {}
            _ => return None,
        }
        executes.extend(executing(&std::fs::read_to_string(&file).ok()?));
    }
    for hook in READ_HOOKS {
        if common.join("hooks").join(hook).exists() {
            executes.push(format!("hooks/{hook}"));
        }
    }
    executes.sort();
    executes.dedup();
    let branch = std::fs::read_to_string(git_dir.join("HEAD"))
        .ok()
        .and_then(|head| {
            head.trim()
                .strip_prefix("ref: refs/heads/")
                .map(str::to_owned)
        });
    Some(RepositoryFact {
        root: root.into_os_string().into_string().ok(),
        executes,
        branch,
    })
}

/// The work tree and the git directory.
fn find(dir: &Path) -> Option<(PathBuf, PathBuf)> {
    dir.ancestors().find_map(|ancestor| {
        let dot_git = ancestor.join(".git");
        if dot_git.is_dir() {
            return Some((ancestor.to_path_buf(), dot_git));
        }
        let text = std::fs::read_to_string(&dot_git).ok()?;
        let git_dir = ancestor.join(text.trim().strip_prefix("gitdir: ")?);
        Some((ancestor.to_path_buf(), git_dir))
    })
}

/// Linked work trees share the configuration of the repository they belong to.
fn common_dir(git_dir: &Path) -> PathBuf {
    std::fs::read_to_string(git_dir.join("commondir"))
        .map_or_else(|_| git_dir.to_path_buf(), |text| git_dir.join(text.trim()))
}

/// The executing keys that a configuration text sets.
pub(super) fn executing(text: &str) -> Vec<String> {
    let mut section = String::new();
    let mut found = Vec::new();
    for line in text.lines() {
        let mut line = line.trim();
        if let Some(rest) = line.strip_prefix('[') {
            let Some((header, after)) = rest.rsplit_once(']') else {
                continue;
            };
            section = section_name(header);
            line = after.trim();
        }
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let (name, value) = line.split_once('=').unwrap_or((line, ""));
        let key = format!("{section}.{}", name.trim().to_ascii_lowercase());
        if is_executing(&key, value.trim()) {
            found.push(key);
        }
    }
    found
}

/// `[a "b"]` names the section `a.b`.
fn section_name(header: &str) -> String {
    match header.split_once('"') {
        Some((section, sub)) => {
            format!(
                "{}.{}",
                section.trim().to_ascii_lowercase(),
                sub.trim_end_matches('"')
            )
        }
        None => header.trim().to_ascii_lowercase(),
    }
}

fn is_executing(key: &str, value: &str) -> bool {
    // The built-in file system monitor is git itself.
    if key == "core.fsmonitor" && matches!(value, "true" | "false" | "1" | "0" | "") {
        return false;
    }
    // Large-file storage sets these in every repository that it is used in.
    if key.starts_with("filter.lfs.") && value.starts_with("git-lfs ") {
        return false;
    }
    EXECUTING
        .iter()
        .any(|pattern| match pattern.split_once('*') {
            Some((start, end)) => key.starts_with(start) && key.ends_with(end),
            None => key == *pattern,
        })
}
