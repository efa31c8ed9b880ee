#![doc = include_str!("../README.md")]

mod config;
mod pipe;
mod process;
mod program;

pub use config::Config;

use countersign_reviewers::plugin::prelude::*;
use countersign_reviewers::plugin::serde_json;
use countersign_reviewers::reply;
use nix::errno::Errno;
use nix::sys::signal::Signal;
use process::{Ended, Stopped};
use program::Program;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// The longest line taken over from a program's standard error, in characters.
const MAX_LINE: usize = 200;

/// Asks a program.
#[derive(Debug)]
pub struct Exec(Config);

impl ReviewerPlugin for Exec {
    const NAME: &'static str = "exec";
    const ENV: &'static [&'static str] = &["*"];
    // Nobody knows what the program does, so the owner is told the worse.
    const NETWORK: bool = true;
    type Config = Config;

    fn new(config: Config) -> Result<Self, ReviewFailure> {
        config.check()?;
        Ok(Self(config))
    }

    fn review(&self, case: &Case, call: &Call<'_>) -> Result<Option<Review>, ReviewFailure> {
        let roots: Vec<PathBuf> = case
            .judgement
            .observed
            .roots
            .iter()
            .map(PathBuf::from)
            .collect();
        let program = Program::open(&self.0.program, &roots)?;
        let input = serde_json::to_vec(case)
            .map_err(|problem| ReviewFailure::new(FailureKind::Failed, problem.to_string()))?;
        let limit = call.remaining();
        let mut command = self.command(&program);
        let max = self.0.max_output_bytes;
        let ended = process::run(&mut command, &input, max, || call.is_over())
            .map_err(|stopped| self.failure(&stopped, limit, call))?;
        if !program.is_unchanged() {
            let why = "was changed or replaced while it ran";
            return Err(self.failed(FailureKind::Missing, why).retryable());
        }
        self.answer(&ended)
    }

    fn health(&self, _call: &Call<'_>) -> Result<(), ReviewFailure> {
        Program::open(&self.0.program, &[]).map(drop)
    }
}

reviewer_plugin!(Exec);

impl Exec {
    fn command(&self, program: &Program) -> Command {
        let given = |name: &String| Some((name.clone(), std::env::var_os(name)?));
        let mut command = Command::new(program.path());
        command
            // Programs that go by several names are told the one that the owner gave.
            .arg0(&self.0.program)
            .args(&self.0.args)
            .current_dir("/")
            .env_clear()
            .envs(self.0.env.iter().filter_map(given));
        command
    }

    /// The review, if the program says that all went well.
    fn answer(&self, ended: &Ended) -> Result<Option<Review>, ReviewFailure> {
        if let Some(signal) = ended.status.signal() {
            let name = Signal::try_from(signal).map_or("not known by name", Signal::as_str);
            let what = format!("was ended by signal {signal} ({name})");
            return Err(self.failed(FailureKind::Crashed, &what));
        }
        if !ended.status.success() {
            let code = ended.status.code().unwrap_or_default();
            let line = last_line(&ended.errors);
            let what = if line.is_empty() {
                format!("ended with code {code} and said nothing on standard error")
            } else {
                format!("ended with code {code}: `{line}`")
            };
            return Err(self.failed(FailureKind::Failed, &what));
        }
        if ended.output.trim_ascii().is_empty() {
            return Err(self.failed(FailureKind::Malformed, "printed nothing"));
        }
        reply::parse(&ended.output)
    }

    fn failure(&self, stopped: &Stopped, limit: Duration, call: &Call<'_>) -> ReviewFailure {
        let (kind, what) = match stopped {
            Stopped::NotStarted(error) => {
                let hint = match error.raw_os_error().map(Errno::from_raw) {
                    Some(Errno::ENOENT) => "; is the interpreter that its first line names there?",
                    Some(Errno::ENOEXEC) => {
                        "; if it is a script, name its interpreter on the first line"
                    }
                    _ => "",
                };
                let what = format!("cannot be started: {error}{hint}");
                (FailureKind::Missing, what)
            }
            Stopped::Over if call.remaining().is_zero() => (
                FailureKind::TimedOut,
                format!(
                    "gave no answer in {:.1} s and was killed",
                    limit.as_secs_f64()
                ),
            ),
            Stopped::Over => (FailureKind::Cancelled, "was killed".to_owned()),
            Stopped::TooMuch => (
                FailureKind::Malformed,
                format!(
                    "printed more than {} bytes and was killed; raise `max_output_bytes` if it must",
                    self.0.max_output_bytes
                ),
            ),
            Stopped::Unwatched(error) => (
                FailureKind::Failed,
                format!("cannot be watched, and was killed: {error}"),
            ),
        };
        self.failed(kind, &what)
    }

    fn failed(&self, kind: FailureKind, what: &str) -> ReviewFailure {
        ReviewFailure::new(kind, format!("`{}` {what}", self.0.program.display()))
    }
}

/// The last line that says something, without what could confuse a terminal: what went wrong comes
/// after what led to it.
fn last_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty());
    line.unwrap_or_default()
        .chars()
        .map(|character| match character {
            '`' => '\'',
            _ if character.is_control() => ' ',
            _ => character,
        })
        .take(MAX_LINE)
        .collect()
}
