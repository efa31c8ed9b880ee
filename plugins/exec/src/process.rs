//! One run of a program. One thread feeds it, reads it and watches the clock, so that there is
//! nothing that could wait for the program for ever.

use crate::pipe::{Input, Output};
use nix::poll::{PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;
use thiserror::Error;

/// How much is kept of the end of standard error, in bytes.
const MAX_ERRORS: usize = 4 << 10;

/// How often the clock is looked at, in milliseconds.
const TICK: u8 = 5;

/// How long a killed program is waited for, in milliseconds. It can be longer in the kernel than
/// anybody has time for.
const REAP: u32 = 50;

/// A program that ended by itself.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) output: Vec<u8>,
    pub(crate) errors: Vec<u8>,
}

/// A program that did not.
#[derive(Debug, Error)]
pub(crate) enum Stopped {
    #[error("it cannot be started")]
    NotStarted(#[source] io::Error),
    #[error("the time is over")]
    Over,
    #[error("it printed too much")]
    TooMuch,
    #[error("it cannot be watched")]
    Unwatched(#[source] io::Error),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Unwatched(error)
    }
}

/// Runs a program to its end, which comes by force when it prints more than `max_output` bytes or
/// when `is_over`. Whatever else it started in its process group ends with it.
pub(crate) fn run(
    command: &mut Command,
    input: &[u8],
    max_output: usize,
    is_over: impl Fn() -> bool,
) -> Result<Ended, Stopped> {
    let mut leader = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(Stopped::NotStarted)?;
    let watched = watch(&mut leader, input, max_output, is_over);
    let status = end(&mut leader);
    let (output, errors) = watched?;
    Ok(Ended {
        status: status?,
        output,
        errors,
    })
}

/// What a program printed on standard output and on standard error until it ended.
fn watch(
    leader: &mut Child,
    input: &[u8],
    max_output: usize,
    is_over: impl Fn() -> bool,
) -> Result<(Vec<u8>, Vec<u8>), Stopped> {
    let mut input = Input::new(leader.stdin.take(), input)?;
    let mut output = Output::new(leader.stdout.take(), max_output)?;
    let mut errors = Output::new(leader.stderr.take(), MAX_ERRORS)?;
    loop {
        // Asked before reading: what an ended program wrote is all in the pipe.
        let ended = has_ended(leader)?;
        input.advance()?;
        output.advance()?;
        errors.advance()?;
        if output.overflowed {
            return Err(Stopped::TooMuch);
        }
        if ended {
            return Ok((output.kept, errors.kept));
        }
        if is_over() {
            return Err(Stopped::Over);
        }
        let printing = [output.awaited(), errors.awaited()];
        // Closed pipes mean that it is about to end, and nothing wakes us when it has.
        let tick = if printing.iter().all(Option::is_none) {
            1
        } else {
            TICK
        };
        let mut awaited: Vec<_> = printing
            .into_iter()
            .chain([input.awaited()])
            .flatten()
            .collect();
        let _woken_for_any_reason = poll(&mut awaited, PollTimeout::from(tick));
    }
}

/// Whether it ended. It is left unreaped, so that its number, which is also its group's, stays
/// taken until [`end`] has killed the group.
fn has_ended(leader: &Child) -> io::Result<bool> {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    let found = waitid(Id::Pid(number(leader)?), flags)?;
    Ok(found != WaitStatus::StillAlive)
}

/// Kills what is left of its group, and reaps it.
fn end(leader: &mut Child) -> io::Result<ExitStatus> {
    let _nobody_left_to_kill = killpg(number(leader)?, Signal::SIGKILL);
    for _ in 0..REAP {
        if let Some(status) = leader.try_wait()? {
            return Ok(status);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Err(io::Error::other("it was killed and does not end"))
}

fn number(leader: &Child) -> io::Result<Pid> {
    i32::try_from(leader.id())
        .map(Pid::from_raw)
        .map_err(io::Error::other)
}
