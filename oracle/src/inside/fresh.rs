//! A new bash process for one request, to check the server against.

use super::server::{ENVIRONMENT, LIMIT, Mode, Outcome};
use super::{BASH, RECORD, SHIM, WORK};
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const TRACE: &str = "/tmp/oracle.trace";
const COUNT: &str = "/tmp/oracle.count";
const ERRORS: &str = "/tmp/oracle.errors";

pub(crate) fn request(mode: Mode, text: &[u8]) -> Result<Outcome, String> {
    ask(mode, text).map_err(|error| format!("cannot start a new bash: {error}"))
}

fn ask(mode: Mode, text: &[u8]) -> std::io::Result<Outcome> {
    for file in [RECORD, TRACE, ERRORS, COUNT] {
        File::create(file)?;
    }
    let text = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(text);
    let mut command = Command::new("/usr/bin/prlimit");
    command
        .args(["--cpu=1", "--fsize=131072", "--nproc=60", "--core=0"])
        .args([BASH, "--norc", "--noprofile"])
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::options().append(true).open(ERRORS)?)
        .current_dir(WORK);
    let (environment, preload) = match mode {
        Mode::Check => {
            command.args(["-n", "-c", "--"]);
            (ENVIRONMENT.get(..5), false)
        }
        Mode::Run { pattern } => {
            command.args(["-c", "--"]);
            command.env("ORACLE_STATE", format!("0 {pattern} 1"));
            (Some(ENVIRONMENT), true)
        }
        Mode::Print => {
            command.arg("--pretty-print");
            command.stdout(File::options().append(true).open(TRACE)?);
            (ENVIRONMENT.get(..5), false)
        }
    };
    command.envs(environment.unwrap_or_default().iter().copied());
    if preload {
        command.env("LD_PRELOAD", SHIM);
    }
    let (status, truncated) = wait(&mut command.arg(text).spawn()?)?;
    let trace = fs::read(TRACE)?;
    let status = status.code().or(status.signal().map(|signal| 128 + signal));
    Ok(Outcome {
        status: status.unwrap_or(-1),
        truncated: truncated || trace.len() >= 128 << 10,
        record: fs::read(RECORD)?,
        trace,
        errors: fs::read(ERRORS)?,
    })
}

/// Waits for the process and for all that it left behind.
fn wait(process: &mut Child) -> std::io::Result<(ExitStatus, bool)> {
    let start = Instant::now();
    let mut truncated = false;
    loop {
        let status = process.try_wait()?;
        if let Some(status) = status
            && !others_live()?
        {
            return Ok((status, truncated));
        }
        if start.elapsed() > LIMIT && !truncated {
            truncated = true;
            let everything = ["-KILL", "-1"];
            Command::new("/usr/bin/kill").args(everything).status()?;
        }
        std::thread::sleep(Duration::from_micros(300));
    }
}

/// Whether a process lives in the jail beside this one.
fn others_live() -> std::io::Result<bool> {
    for entry in fs::read_dir("/proc")? {
        let name = entry?.file_name();
        let Some(id) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let Ok(stat) = fs::read_to_string(format!("/proc/{id}/stat")) else {
            continue;
        };
        let state = stat
            .rsplit_once(") ")
            .and_then(|(_, rest)| rest.chars().next());
        if id != 1 && state != Some('Z') {
            return Ok(true);
        }
    }
    Ok(false)
}
