//! One question, from `bash -n` to the union of the runs.

use super::record::{self, Recorded};
use super::server::{Mode, Outcome, Server};
use super::trace::{self, Traced};
use super::{HOME, RECORD, WORK, fresh};
use crate::answer::{Answer, Check, Question, Ran, Runs, Wanted};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const SCRIPT: &str = "/tmp/oracle.script";
/// Exit statuses of programs: all 0, all 1, two that hang on the name.
const PATTERNS: u32 = 4;
const LONGEST_MESSAGE: usize = 300;

/// Asks bash, by one server that is started again when a command has killed it.
#[derive(Debug)]
pub(crate) struct Asker {
    server: Option<Server>,
}

impl Asker {
    pub(crate) fn new() -> Result<Self, String> {
        make_work()?;
        Ok(Self { server: None })
    }

    pub(crate) fn ask(&mut self, question: Question, wanted: Wanted) -> Result<Answer, String> {
        let text = question.command.0.as_slice();
        let mut answer = Answer {
            id: question.id,
            ..Answer::default()
        };
        let checked = self.request(Mode::Check, text, wanted.fresh)?;
        answer.check = Check {
            status: checked.status,
            message: message(&checked.errors),
        };
        if wanted.runs && may_run_something(text, &answer.check) {
            answer.runs = Some(self.run(text, wanted.fresh)?);
        }
        if wanted.pretty && answer.check.accepts() {
            let mut script = question.command.0.clone();
            script.push(b'\n');
            fs::write(SCRIPT, script).map_err(|error| format!("cannot write: {error}"))?;
            let printed = self.request(Mode::Print, SCRIPT.as_bytes(), wanted.fresh)?;
            if printed.status == 0 {
                answer.pretty = Some(printed.trace.as_slice().into());
            }
        }
        answer.command = question.command;
        Ok(answer)
    }

    /// All runs that could differ.
    fn run(&mut self, text: &[u8], fresh: bool) -> Result<Runs, String> {
        let mut seen = Seen::default();
        let patterns = if depends_on_status(text) { PATTERNS } else { 1 };
        for pattern in 0..patterns {
            clean(WORK);
            let outcome = self.request(Mode::Run { pattern }, text, fresh)?;
            seen.add(&outcome);
        }
        clean(WORK);
        clean(HOME);
        Ok(seen.runs())
    }

    fn request(&mut self, mode: Mode, text: &[u8], fresh: bool) -> Result<Outcome, String> {
        if fresh {
            self.server = None;
            return fresh::request(mode, text);
        }
        let server = match &mut self.server {
            Some(server) => server,
            none => none.insert(Server::start()?),
        };
        if let Ok(outcome) = server.request(mode, text)
            && Path::new(WORK).is_dir()
            && Path::new(RECORD).is_file()
        {
            return Ok(outcome);
        }
        // The command killed or stopped the server, or took its files away; what is known of the
        // run may not be all.
        self.server = None;
        make_work()?;
        Ok(Outcome {
            status: 255,
            truncated: true,
            ..Outcome::default()
        })
    }
}

fn make_work() -> Result<(), String> {
    fs::create_dir_all(WORK).map_err(|error| format!("cannot make {WORK}: {error}"))
}

/// A rejected command runs only what stands on earlier lines.
fn may_run_something(text: &[u8], check: &Check) -> bool {
    check.accepts() || text.contains(&b'\n')
}

/// Whether a different exit status could lead elsewhere; too often is only slow.
fn depends_on_status(text: &[u8]) -> bool {
    let signs: [&[u8]; 12] = [
        b"&&", b"||", b"if", b"while", b"until", b"!", b"?", b"-e", b"set ", b"trap", b"find",
        b"err",
    ];
    signs
        .iter()
        .any(|sign| text.windows(sign.len()).any(|part| part == *sign))
}

/// Removes what redirections made. What cannot be removed is not worth stopping for.
fn clean(folder: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if fs::remove_file(&path).is_err() {
            let _left = fs::remove_dir_all(&path);
        }
    }
}

fn message(errors: &[u8]) -> String {
    let errors = errors.get(..LONGEST_MESSAGE).unwrap_or(errors);
    String::from_utf8_lossy(errors).into_owned()
}

/// The union of what several runs showed.
#[derive(Debug, Default)]
struct Seen {
    execs: BTreeSet<Ran>,
    traced: BTreeSet<Ran>,
    runs: Runs,
}

impl Seen {
    fn add(&mut self, outcome: &Outcome) {
        self.runs.truncated |= outcome.truncated;
        if self.runs.message.is_empty() {
            self.runs.message = message(&outcome.errors);
        }
        for recorded in record::read(&outcome.record) {
            match recorded {
                Recorded::Exec(ran) => {
                    self.execs.insert(ran);
                }
                Recorded::Open(opened) => self.runs.opened.push(opened),
            }
        }
        for traced in trace::read(&outcome.trace) {
            match traced {
                Traced::Command(ran) => {
                    self.traced.insert(ran);
                }
                Traced::Assignment(text) => self.runs.assigned.push(text),
            }
        }
    }

    fn runs(mut self) -> Runs {
        for ran in self.traced {
            let is_started = |it: &Ran| it.argv == ran.argv && it.depth == ran.depth;
            if !self.execs.iter().any(is_started) {
                self.runs.ran.push(ran);
            }
        }
        self.runs.ran.extend(self.execs);
        self.runs.opened.sort();
        self.runs.opened.dedup();
        self.runs.assigned.sort();
        self.runs.assigned.dedup();
        self.runs
    }
}
