//! The lexer beside other shell parsers, which live in a workspace of their own.

use crate::step::{Outcome, cargo};
use clap::ValueEnum;

/// What to compare.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum What {
    /// What a source costs, or a hostile one
    Speed,
    /// What each parser makes of each command
    Vote,
}

/// Keeps the memory in the process: what the kernel charges for handing pages out again in every
/// run is no property of a parser. Other systems than glibc ignore it.
const KEEP_MEMORY: (&str, &str) = (
    "GLIBC_TUNABLES",
    "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=4294967296",
);

/// Builds and runs one of the programs.
pub(crate) fn peers(what: What, given: &[String]) -> Outcome {
    let (program, env) = match what {
        What::Speed => ("speed", &[KEEP_MEMORY][..]),
        What::Vote => ("vote", &[][..]),
    };
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../peers/Cargo.toml");
    let mut args = vec![
        "run",
        "--locked",
        "--quiet",
        "--release",
        "--manifest-path",
        manifest,
        "--bin",
        program,
        "--",
    ];
    args.extend(given.iter().map(String::as_str));
    cargo(&args, env)
}
