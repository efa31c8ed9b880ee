use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Files that cargo leaves beside what it builds.
const CARGO_TRACES: [&str; 3] = [".fingerprint", ".cargo-lock", "incremental"];

/// What makes an agent able to replace one of the programs where it lies.
pub(crate) fn complaints(programs: &[PathBuf], workspace: &Path, home: &Path) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for program in programs {
        for complaint in about(program, workspace, home) {
            if !found.contains(&complaint) {
                found.push(complaint);
            }
        }
    }
    found
}

fn about(program: &Path, workspace: &Path, home: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let workspace = workspace_root(workspace);
    // Whoever works in the home directory has the program somewhere under it.
    if !home.starts_with(&workspace) && program.starts_with(&workspace) {
        found.push(format!(
            "it lies in this workspace ({})",
            workspace.display()
        ));
    }
    if is_build_folder(program) {
        found.push("it lies in a build folder".to_owned());
    }
    let parent = program.parent().unwrap_or(Path::new("/"));
    for (path, what) in [(program, "it"), (parent, "its folder")] {
        match std::fs::metadata(path) {
            Ok(found_there) => {
                let mode = found_there.mode();
                let sticky = found_there.is_dir() && mode & 0o1000 != 0;
                if mode & 0o022 != 0 && !sticky {
                    found.push(format!(
                        "{what} can be written by others than its owner (mode {:03o})",
                        mode & 0o777
                    ));
                }
            }
            Err(error) => found.push(format!("{what} cannot be looked at: {error}")),
        }
    }
    found
}

/// The repository that a directory belongs to, or the directory.
fn workspace_root(dir: &Path) -> PathBuf {
    dir.ancestors()
        .find(|ancestor| ancestor.join(".git").exists())
        .unwrap_or(dir)
        .to_path_buf()
}

fn is_build_folder(program: &Path) -> bool {
    let folders: Vec<_> = program
        .parent()
        .into_iter()
        .flat_map(Path::components)
        .map(std::path::Component::as_os_str)
        .collect();
    let built = folders
        .iter()
        .position(|name| *name == "target" || *name == "build")
        .is_some_and(|at| {
            folders
                .iter()
                .skip(at.saturating_add(1))
                .any(|name| *name == "debug" || *name == "release")
        });
    let parent = program.parent().unwrap_or(Path::new("/"));
    built || CARGO_TRACES.iter().any(|trace| parent.join(trace).exists())
}
