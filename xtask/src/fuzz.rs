//! Coverage-guided fuzzing, without a tool or a toolchain of its own.

use crate::step::{Outcome, Steps, cargo};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGETS: [&str; 2] = ["lex", "policy"];

/// Makes the compiler count branches and show comparisons to libFuzzer.
const FLAGS: &str = "--cfg fuzzing \
    -Ccodegen-units=1 \
    -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// What a finding is, and how large inputs become.
const LIMITS: [&str; 4] = [
    // Wall time, which passes for other programs too.
    "-timeout=10",
    "-rss_limit_mb=1024",
    "-max_len=4096",
    "-print_final_stats=1",
];

/// What to fuzz and for how long.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How long each target runs
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Only this target
    #[arg(long, value_parser = TARGETS)]
    target: Option<String>,
    /// Run one input instead, such as a finding
    #[arg(long, requires = "target")]
    input: Option<PathBuf>,
}

/// Builds and runs the targets.
pub(crate) fn fuzz(args: &Args) -> Outcome {
    let host = host()?;
    if let (Some(target), Some(input)) = (&args.target, &args.input) {
        let input = input.display().to_string();
        return run(&host, target, &[&LIMITS[..], &[&input]].concat());
    }
    let mut steps = Steps::default();
    for target in TARGETS {
        if args.target.as_deref().is_none_or(|wanted| wanted == target) {
            steps.run(target, || explore(&host, target, args.seconds))?;
        }
    }
    steps.report();
    Ok(())
}

/// A minute of the lexer, for CI.
pub(crate) fn smoke() -> Outcome {
    explore(&host()?, "lex", 60)
}

/// Looks for inputs that break a target.
fn explore(host: &str, target: &str, seconds: u32) -> Outcome {
    let corpus = folder("corpus", target)?;
    let findings = folder("artifacts", target)?;
    sow(&corpus)?;
    let time = format!("-max_total_time={seconds}");
    let dictionary = format!("-dict={}", root().join("shell.dict").display());
    let prefix = format!("-artifact_prefix={}/", findings.display());
    let corpus = corpus.display().to_string();
    let own = [time.as_str(), &dictionary, &prefix, &corpus];
    run(host, target, &[&LIMITS[..], &own].concat()).map_err(|error| {
        format!(
            "{error}\na finding or a failed build, see above; the input of a finding lies in {}, \
             and `cargo xtask fuzz --target {target} --input FILE` runs it again",
            findings.display()
        )
    })
}

fn run(host: &str, target: &str, given: &[&str]) -> Outcome {
    let manifest = root().join("Cargo.toml").display().to_string();
    // With a target named, build scripts and macros are built without the flags.
    let mut args = vec![
        "run",
        "--locked",
        "--quiet",
        "--release",
        "--manifest-path",
        &manifest,
        "--target",
        host,
        "--bin",
        target,
        "--",
    ];
    args.extend(given);
    cargo(&args, &[("RUSTFLAGS", FLAGS)])
}

/// Puts the commands of the lexer's tests into a corpus.
fn sow(corpus: &Path) -> Outcome {
    let data = root().join("../crates/lexer/tests/data");
    for name in ["tricky", "probes"] {
        let path = data.join(name).with_extension("jsonl");
        let rows = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        for (number, row) in rows.lines().enumerate() {
            let row: Value = serde_json::from_str(row)
                .map_err(|error| format!("{}:{}: {error}", path.display(), number + 1))?;
            let command = row
                .get("command")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let seed = corpus.join(format!("{name}-{number}"));
            std::fs::write(&seed, command)
                .map_err(|error| format!("{}: {error}", seed.display()))?;
        }
    }
    Ok(())
}

fn folder(kind: &str, target: &str) -> Result<PathBuf, String> {
    let path = root().join(kind).join(target);
    std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("fuzz")
}

/// The name of the platform that this runs on.
fn host() -> Result<String, String> {
    let output = Command::new("rustc")
        .arg("-vV")
        .output()
        .map_err(|error| format!("cannot start rustc: {error}"))?;
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .ok_or_else(|| "`rustc -vV` names no host; is rustc installed?".to_owned())
}
