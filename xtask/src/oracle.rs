//! Holds the lexer to real bash: see `oracle/README.md`.

use crate::step::{Outcome, cargo};
use crate::tools;

const PACKAGE: &str = "countersign-oracle";

/// A short run of everything, or all sources with this many generated texts.
pub(crate) fn oracle(smoke: bool, programs: usize, soups: usize) -> Outcome {
    tools::need("bwrap", "bubblewrap")?;
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
