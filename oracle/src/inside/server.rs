//! The bash that is started once and forks for each request: see `shim/shim.c`.

use super::{BASH, HOME, SHIM};
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How one bash is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// `bash -n`.
    Check,
    /// The command runs, and its programs exit as this pattern says.
    Run { pattern: u32 },
    /// `bash --pretty-print`, of a file.
    Print,
}

/// What became of it.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// The exit status; 128 and the signal when it was killed.
    pub(crate) status: i32,
    /// It was stopped, because it took too long or did too much.
    pub(crate) truncated: bool,
    pub(crate) record: Vec<u8>,
    /// The trace of a run, or the text that was printed.
    pub(crate) trace: Vec<u8>,
    pub(crate) errors: Vec<u8>,
}

/// The longest that one bash may take.
pub(crate) const LIMIT: Duration = Duration::from_secs(2);

/// The environment that bash starts with.
pub(crate) const ENVIRONMENT: &[(&str, &str)] = &[
    ("PATH", "/usr/bin"),
    ("HOME", HOME),
    ("USER", "u"),
    ("TERM", "dumb"),
    ("LANG", "C.UTF-8"),
    ("BASH_XTRACEFD", "250"),
    ("PS4", "+@0@ "),
    ("SHELLOPTS", "xtrace"),
];

#[derive(Debug)]
pub(crate) struct Server {
    process: Child,
    channel: UnixStream,
}

impl Server {
    pub(crate) fn start() -> Result<Self, String> {
        let start = || {
            let (ours, theirs) = UnixStream::pair()?;
            // The server stops what takes too long; this is for a server that was stopped itself.
            ours.set_read_timeout(Some(LIMIT.saturating_mul(4)))?;
            let process = Command::new(BASH)
                .args(["--norc", "--noprofile", "-c", "--", "exit 99"])
                .env_clear()
                .envs(ENVIRONMENT.iter().copied())
                .env("LD_PRELOAD", SHIM)
                // What is resolved before the fork is resolved once.
                .env("LD_BIND_NOW", "1")
                .env("ORACLE_SERVER", "1")
                .stdin(Stdio::from(OwnedFd::from(theirs)))
                .stdout(Stdio::null())
                .spawn()?;
            std::io::Result::Ok(Self {
                process,
                channel: ours,
            })
        };
        start().map_err(|error| format!("cannot start bash as a server: {error}"))
    }

    /// Lets bash have this command, or this file. An error means that the server is gone.
    pub(crate) fn request(&mut self, mode: Mode, text: &[u8]) -> std::io::Result<Outcome> {
        let (letter, pattern) = match mode {
            Mode::Check => (b'n', 0),
            Mode::Run { pattern } => (b'r', pattern),
            Mode::Print => (b'p', 0),
        };
        let length = u32::try_from(text.len()).map_err(std::io::Error::other)?;
        let limit = u32::try_from(LIMIT.as_millis()).map_err(std::io::Error::other)?;
        let mut request = Vec::with_capacity(text.len().saturating_add(16));
        for number in [u32::from(letter), pattern, limit, length] {
            request.extend(number.to_ne_bytes());
        }
        request.extend(text);
        self.channel.write_all(&request)?;
        let status = self.number()?.cast_signed();
        let truncated = self.number()? != 0;
        let lengths = [self.number()?, self.number()?, self.number()?];
        let [record, trace, errors] = lengths.map(|length| self.text(length));
        Ok(Outcome {
            status: exit_status(status),
            truncated,
            record: record?,
            trace: trace?,
            errors: errors?,
        })
    }

    fn number(&mut self) -> std::io::Result<u32> {
        let mut bytes = [0; 4];
        self.channel.read_exact(&mut bytes)?;
        Ok(u32::from_ne_bytes(bytes))
    }

    fn text(&mut self, length: u32) -> std::io::Result<Vec<u8>> {
        let mut text = vec![0; length as usize];
        self.channel.read_exact(&mut text)?;
        Ok(text)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be stopped, or dead already.
        let _gone = self.process.kill();
        let _gone = self.process.wait();
    }
}

/// From the status that `wait` gives.
fn exit_status(status: i32) -> i32 {
    match status & 0x7f {
        0 => status >> 8 & 0xff,
        signal => 128 + signal,
    }
}
