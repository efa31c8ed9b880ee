//! The plugins of earlier versions of the interface, built from the source that they had.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The example plugin of interface 1.0.0, with this `opt-level`. The levels share what the plugin
/// depends on, and each has a file of its own.
///
/// # Panics
/// When it cannot be built.
#[must_use]
#[expect(clippy::panic, reason = "only tests call it")]
pub fn v1(opt_level: u8) -> PathBuf {
    match built("v1.0.0", "countersign-frozen-v1", opt_level) {
        Ok(library) => library,
        Err(error) => panic!("cannot build the frozen plugin v1.0.0: {error}"),
    }
}

fn built(version: &str, package: &str, opt_level: u8) -> io::Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("target/frozen").join(version);
    let level = folder.join(format!("opt-{opt_level}"));
    fs::create_dir_all(&level)?;
    // Every level is built into the same file, maybe by another test process, before it is copied.
    let one_at_a_time = File::create(folder.join("lock"))?;
    one_at_a_time.lock()?;
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let done = Command::new(cargo)
        .args([
            "rustc",
            "--quiet",
            "--locked",
            "--package",
            package,
            "--lib",
        ])
        .arg("--target-dir")
        .arg(&folder)
        .args(["--", "-C", &format!("opt-level={opt_level}")])
        .current_dir(root.join("plugins/frozen").join(version))
        .status()?;
    if !done.success() {
        return Err(io::Error::other(done.to_string()));
    }
    let name = format!("lib{}.so", package.replace('-', "_"));
    let (new, library) = (level.join("new"), level.join(&name));
    fs::copy(folder.join("debug").join(&name), &new)?;
    // A host that reads the one from before keeps it.
    fs::rename(&new, &library)?;
    Ok(library)
}
