//! The two programs that a person installs: the host, and the static front that agents start.

use crate::step::{Outcome, cargo};
use std::path::Path;

const PROGRAMS: [&str; 2] = ["countersign", "countersign-front"];

/// Builds both and lays them side by side in `target/dist`.
pub(crate) fn dist() -> Outcome {
    cargo(
        &["build", "--locked", "--release", "-p", "countersign"],
        &[],
    )?;
    front()?;
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let target = Path::new(&target);
    let dist = target.join("dist");
    std::fs::create_dir_all(&dist).map_err(|error| format!("{}: {error}", dist.display()))?;
    for name in PROGRAMS {
        // A program that runs cannot be written over, but another can take its place.
        let (fresh, place) = (dist.join(format!("{name}.new")), dist.join(name));
        std::fs::copy(target.join("release").join(name), &fresh)
            .and_then(|_| std::fs::rename(&fresh, &place))
            .map_err(|error| format!("{}: {error}", place.display()))?;
    }
    println!(
        "{}: copy both to one folder that only you or root can write, then run `countersign install claude-code` from there",
        dist.display()
    );
    Ok(())
}

/// Builds the front. The C library is linked into it; for every other program, which loads
/// plugins, that would not do, so no setting of the workspace says it.
pub(crate) fn front() -> Outcome {
    cargo(
        &[
            "rustc",
            "--locked",
            "--release",
            "-p",
            "countersign-front",
            "--bin",
            "countersign-front",
            "--",
            "-Ctarget-feature=+crt-static",
            "-Crelocation-model=static",
        ],
        &[],
    )
}
