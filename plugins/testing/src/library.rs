//! The plugins' libraries, built when a test asks for them.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;

static BUILDING: Mutex<()> = Mutex::new(());

/// The library of a plugin package of this workspace, in the development profile.
///
/// # Panics
/// When it cannot be built.
#[must_use]
pub fn library(package: &str) -> PathBuf {
    built(
        package,
        &["--lib"],
        &format!("lib{}.so", package.replace('-', "_")),
    )
}

/// The library of an example of a plugin package of this workspace.
///
/// # Panics
/// When it cannot be built.
#[must_use]
pub fn example(package: &str, example: &str) -> PathBuf {
    built(
        package,
        &["--example", example],
        &format!("examples/lib{example}.so"),
    )
}

/// A program that runs plugins in child processes: an example of the reviewers' crate.
///
/// # Panics
/// When it cannot be built.
#[must_use]
pub fn runner() -> PathBuf {
    built(
        "countersign-reviewers",
        &["--example", "ask", "--features", "load"],
        "examples/ask",
    )
}

#[expect(clippy::panic, reason = "only tests call it")]
fn built(package: &str, target: &[&str], file: &str) -> PathBuf {
    let _one_at_a_time = BUILDING.lock();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .map(PathBuf::from)
        .unwrap_or_default();
    let folder = root.join("target/plugins");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let done = Command::new(cargo)
        .args(["build", "--quiet", "--locked", "--package", package])
        .args(target)
        .arg("--target-dir")
        .arg(&folder)
        .current_dir(&root)
        .status();
    match done {
        Ok(status) if status.success() => folder.join("debug").join(file),
        other => panic!("cannot build {package}: {other:?}"),
    }
}
