//! Holds the lexer to real bash: see `oracle/README.md`.

use crate::step::{Outcome, cargo, run};
use std::process::Command;

const PACKAGE: &str = "countersign-oracle";

/// A short run of everything, or all sources with this many generated texts.
pub(crate) fn oracle(smoke: bool, programs: usize, soups: usize) -> Outcome {
    install_bubblewrap()?;
    if smoke {
        return cargo(
            &["run", "--locked", "--quiet", "-p", PACKAGE, "--", "smoke"],
            &[],
        );
    }
    let (programs, soups) = (programs.to_string(), soups.to_string());
    let mut args = vec!["run", "--locked", "--quiet", "--release", "-p", PACKAGE];
    args.extend(["--", "run", "tricky", "probes", "rows"]);
    if std::env::var_os("COUNTERSIGN_CORPORA").is_some() {
        args.push("corpora");
    }
    args.extend(["programs", "soups", "--programs", &programs]);
    args.extend(["--soups", &soups]);
    cargo(&args, &[])
}

/// Only where that needs no question: for root on a Debian machine, which is what CI is.
fn install_bubblewrap() -> Outcome {
    if answers("bwrap", "--version").is_some() {
        return Ok(());
    }
    if answers("id", "-u").as_deref() != Some("0") || answers("apt-get", "--version").is_none() {
        return Err(
            "the oracle needs `bwrap`: install bubblewrap, on Debian with `apt-get install bubblewrap`"
                .to_owned(),
        );
    }
    let install = ["install", "--yes", "--no-install-recommends", "bubblewrap"];
    run("apt-get", &install).or_else(|_| {
        run("apt-get", &["update"])?;
        run("apt-get", &install)
    })
}

/// What a program prints, when it is there and content.
fn answers(program: &str, argument: &str) -> Option<String> {
    let output = Command::new(program).arg(argument).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}
