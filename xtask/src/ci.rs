//! The gate: what must hold before a change lands.

use crate::step::{Outcome, Steps, cargo};
use crate::tidy;

/// Builds what the tests load, then runs every test.
pub(crate) fn test() -> Outcome {
    tidy::tidy()?;
    cargo(&["test", "--locked", "--quiet", "--workspace"], &[])
}

/// Everything that CI checks.
pub(crate) fn ci() -> Outcome {
    let mut steps = Steps::default();
    let outcome = checks(&mut steps);
    steps.report();
    outcome
}

fn checks(steps: &mut Steps) -> Outcome {
    steps.run("format", || cargo(&["fmt", "--all", "--", "--check"], &[]))?;
    steps.run("test", test)?;
    steps.run("clippy", || {
        cargo(
            &[
                "clippy",
                "--locked",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ],
            &[],
        )
    })?;
    steps.run("docs", || {
        cargo(
            &["doc", "--locked", "--workspace", "--no-deps"],
            &[("RUSTDOCFLAGS", "-D warnings")],
        )
    })
}
