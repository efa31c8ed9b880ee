//! What a whole hook process costs beside the least that it can be: processor time and wall time
//! of each, in turns, so that whatever else the machine does meets both.
#![expect(clippy::print_stdout, reason = "a program for a terminal")]

use countersign_bench::command_of_200_bytes;
use nix::sys::resource::{UsageWho, getrusage};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Calls `hook-cost COUNTERSIGN FLOOR [RUNS] [most ratio of processor time] [FRONT]`.
fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().collect();
    let [_, countersign, floor, rest @ ..] = args.as_slice() else {
        return Err("usage: hook-cost COUNTERSIGN FLOOR [RUNS] [MOST] [FRONT]".to_owned());
    };
    let runs: usize = rest
        .first()
        .map_or(Ok(200), |runs| runs.parse())
        .map_err(|_| "RUNS is no number")?;
    let most: Option<f64> = rest.get(1).and_then(|most| most.parse().ok());
    let scratch = std::env::temp_dir().join(format!("hook-cost-{}", std::process::id()));
    let project = scratch.join("project");
    std::fs::create_dir_all(project.join(".git")).map_err(|error| error.to_string())?;
    let input = serde_json::json!({
        "session_id": "s", "cwd": project, "permission_mode": "default", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": command_of_200_bytes()}, "tool_use_id": "t",
    })
    .to_string();
    let hook = |command: &mut Command| {
        command
            .arg("--config-dir")
            .arg(scratch.join("config"))
            .arg("--state-dir")
            .arg(scratch.join("state"));
        command
            .args(["hook", "claude-code"])
            .env("CLAUDE_PROJECT_DIR", &project);
    };
    let front = rest.get(2);
    let mut figures = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..runs.max(1) {
        let [ours, least, fronted] = &mut figures;
        ours.push(measure(countersign, &input, hook)?);
        least.push(measure(floor, &input, |_| {})?);
        if let Some(front) = front {
            fronted.push(measure(front, &input, hook)?);
        }
    }
    let written =
        std::fs::metadata(scratch.join("state/audit/head")).map_or(0, |found| found.len());
    remove(&scratch);
    let [ours, least, fronted] = figures.map(median);
    println!(
        "median of {runs} runs each, a command of {} bytes, audit record written: {}",
        command_of_200_bytes().len(),
        written > 0
    );
    println!("{:<14}{:>12}{:>12}", "", "cpu ms", "wall ms");
    println!("{:<14}{:>12.3}{:>12.3}", "countersign", ours.0, ours.1);
    println!("{:<14}{:>12.3}{:>12.3}", "floor", least.0, least.1);
    if front.is_some() {
        println!("{:<14}{:>12.3}{:>12.3}", "with front", fronted.0, fronted.1);
        println!(
            "{:<14}{:>12.2}{:>12.2}",
            "front ratio",
            fronted.0 / ours.0,
            fronted.1 / ours.1
        );
    }
    let ratio = ours.0 / least.0;
    println!("{:<14}{ratio:>12.2}{:>12.2}", "ratio", ours.1 / least.1);
    match most {
        Some(most) if ratio > most => Err(format!(
            "{ratio:.2} times the processor time of the floor, more than {most}"
        )),
        _ => Ok(()),
    }
}

/// Processor and wall time of one process, in milliseconds.
fn measure(
    program: &str,
    input: &str,
    prepare: impl Fn(&mut Command),
) -> Result<(f64, f64), String> {
    let mut command = Command::new(program);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    prepare(&mut command);
    let before = children()?;
    let start = Instant::now();
    let mut child = command
        .spawn()
        .map_err(|error| format!("{program}: {error}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin
            .write_all(input.as_bytes())
            .map_err(|error| format!("{program}: {error}"))?;
    }
    child
        .wait_with_output()
        .map_err(|error| format!("{program}: {error}"))?;
    let wall = start.elapsed().as_secs_f64() * 1_000.0;
    Ok((children()? - before, wall))
}

/// The processor time of all processes that were waited for, in milliseconds.
fn children() -> Result<f64, String> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
    let milliseconds = |time: nix::sys::time::TimeVal| {
        #[expect(
            clippy::cast_precision_loss,
            reason = "the processor time of a bench is far below 2^52"
        )]
        let value = time.tv_sec() as f64 * 1_000.0 + time.tv_usec() as f64 / 1_000.0;
        value
    };
    Ok(milliseconds(usage.user_time()) + milliseconds(usage.system_time()))
}

fn median(mut figures: Vec<(f64, f64)>) -> (f64, f64) {
    let middle = figures.len() / 2;
    let mut pick = |by: fn(&(f64, f64)) -> f64| {
        figures.sort_by(|a, b| by(a).total_cmp(&by(b)));
        figures.get(middle).map_or(0.0, by)
    };
    (pick(|figure| figure.0), pick(|figure| figure.1))
}

fn remove(scratch: &Path) {
    // What cannot be removed stays for the system to clean.
    let _left = std::fs::remove_dir_all(scratch);
}
