//! The example of a policy held by snapshots, as a user would run it.

use crate::step::{Outcome, cargo};
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

/// Runs its tests, and holds the answers of the program to the file beside them.
pub(crate) fn smoke() -> Outcome {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/policy-snapshots");
    let manifest = folder.join("Cargo.toml").display().to_string();
    let target = format!("{}/examples", target());
    let formatted = ["fmt", "--manifest-path", &manifest, "--", "--check"];
    cargo(&formatted, &[])?;
    let place = ["--manifest-path", &manifest, "--target-dir", &target];
    cargo(
        &[["test", "--locked", "--quiet"].as_slice(), &place].concat(),
        &[("INSTA_UPDATE", "no")],
    )?;
    cargo(
        &[
            "build",
            "--locked",
            "--quiet",
            "-p",
            "countersign",
            "--bins",
        ],
        &[],
    )?;
    answers(&folder)
}

fn answers(folder: &Path) -> Outcome {
    let program = format!("{}/debug/countersign", target());
    let calls = folder.join("calls.jsonl");
    let calls = File::open(&calls).map_err(|error| format!("{}: {error}", calls.display()))?;
    let found = Command::new(&program)
        .arg("--config-dir")
        .arg(folder.join("config"))
        .args(["check", "--batch"])
        .stdin(calls)
        .output()
        .map_err(|error| format!("cannot start {program}: {error}"))?;
    let held = folder.join("verdicts.jsonl");
    let wanted = fs::read(&held).map_err(|error| format!("{}: {error}", held.display()))?;
    if found.status.success() && found.stdout == wanted {
        return Ok(());
    }
    Err(format!(
        "{} does not hold what `check --batch` answers:\n{}{}",
        held.display(),
        String::from_utf8_lossy(&found.stdout),
        String::from_utf8_lossy(&found.stderr)
    ))
}

fn target() -> String {
    std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_guide_shows_the_rule_of_the_example() {
        let guide = include_str!("../../docs/snapshot-testing.md");
        let pack = include_str!("../../examples/policy-snapshots/config/rules/acme.toml");
        let shown = guide
            .split("```toml\n")
            .nth(1)
            .and_then(|rest| rest.split("```").next());
        assert!(
            pack.starts_with(shown.expect("a block of TOML")),
            "{shown:?}"
        );
    }
}
