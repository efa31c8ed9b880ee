//! The gate: what must hold before a change lands.

use crate::dist;
use crate::example;
use crate::fuzz;
use crate::new_plugin;
use crate::oracle;
use crate::step::{Outcome, Steps, cargo, run};
use crate::storm;
use crate::tidy;

/// Builds what the tests load, then runs every test.
pub(crate) fn test() -> Outcome {
    tidy::tidy()?;
    cargo(&["test", "--locked", "--quiet", "--workspace"], &[])
}

/// The plugin that answers as it is told, for the cost of plugins.
const HOSTILE: &str = "countersign-plugin-hostile";

/// Measures what Countersign costs, and fails when a hook takes three times the processor time of
/// the least process that reads one. The smoke run sees that the benches work and that a hook
/// process stays within a bound loose enough for a busy machine.
pub(crate) fn bench(smoke: bool) -> Outcome {
    cargo(
        &[
            "build",
            "--locked",
            "--release",
            "-p",
            "countersign",
            "-p",
            "countersign-bench",
            "--bins",
        ],
        &[],
    )?;
    cargo(
        &["build", "--locked", "--release", "-p", HOSTILE, "--lib"],
        &[],
    )?;
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let program = |name: &str| format!("{target}/release/{name}");
    let library = program(&format!("lib{}.so", HOSTILE.replace('-', "_")));
    dist::front()?;
    // On a busy machine a call may wait for others; a smoke run sees that nothing is out of bounds.
    let (turns, bound) = if smoke { ("4", "20") } else { ("40", "2") };
    run(&program("plugin-cost"), &[&library, turns, bound])?;
    let (runs, most) = if smoke { ("20", "4") } else { ("300", "3") };
    run(
        &program("hook-cost"),
        &[
            &program("countersign"),
            &program("floor"),
            runs,
            most,
            &program("countersign-front"),
        ],
    )?;
    if smoke {
        return cargo(
            &[
                "bench",
                "--locked",
                "-p",
                "countersign-bench",
                "--bench",
                "library",
                "--",
                "--test",
            ],
            &[],
        );
    }
    cargo(
        &[
            "bench",
            "--locked",
            "-p",
            "countersign-bench",
            "--bench",
            "library",
        ],
        &[],
    )
}

/// The budgets with and without what a feature adds: beside others they have only one of the two.
fn budget() -> Outcome {
    let test = ["test", "--locked", "--quiet", "-p", "countersign-budget"];
    cargo(&test, &[])?;
    cargo(&[&test[..], &["--all-features"]].concat(), &[])
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
    steps.run("budget", budget)?;
    steps.run("new-plugin", new_plugin::smoke)?;
    steps.run("example", example::smoke)?;
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
    })?;
    steps.run("oracle", || oracle::oracle(true, 0, 0))?;
    steps.run("storm", || storm::storm(true))?;
    steps.run("fuzz", fuzz::smoke)?;
    steps.run("bench", || bench(true))
}
