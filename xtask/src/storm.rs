//! Many processes, kills and losses of power against the store: see `storm/README.md`.

use crate::step::{Outcome, cargo};
use crate::tools;

const PACKAGE: &str = "countersign-storm";

/// A short run in the profile that the tests are built in, or everything in full.
pub(crate) fn storm(smoke: bool) -> Outcome {
    tools::need("strace", "strace")?;
    let run = ["run", "--locked", "--quiet", "-p", PACKAGE];
    let what: &[&str] = if smoke {
        &["--", "smoke"]
    } else {
        &["--release", "--", "all"]
    };
    cargo(&[&run[..], what].concat(), &[])
}
