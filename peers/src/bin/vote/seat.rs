//! One parser in a process of its own, which is replaced when it hangs or dies.

use crate::worker::{Answer, Ending};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The place of one parser.
pub(crate) struct Seat {
    name: &'static str,
    patience: Duration,
    process: Process,
}

struct Process {
    child: Child,
    questions: ChildStdin,
    answers: Receiver<String>,
}

impl Seat {
    /// Starts the parser.
    pub(crate) fn open(name: &'static str, patience: Duration) -> Result<Self, String> {
        Ok(Self {
            name,
            patience,
            process: Process::start(name)?,
        })
    }

    /// The parser's name.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Hands over a command; false when there is no one any more to hand it to.
    pub(crate) fn ask(&mut self, command: &str) -> bool {
        let mut line = serde_json::Value::from(command).to_string();
        line.push('\n');
        self.process.questions.write_all(line.as_bytes()).is_ok()
    }

    /// Waits for the answer to what was asked.
    pub(crate) fn answer(&mut self, asked: bool) -> Result<Answer, String> {
        let answer = if asked {
            self.process.answers.recv_timeout(self.patience)
        } else {
            Err(RecvTimeoutError::Disconnected)
        };
        match answer {
            Ok(line) => serde_json::from_str(&line)
                .map_err(|error| format!("{} answered what is no answer: {error}", self.name)),
            Err(why) => {
                self.process.end();
                self.process = Process::start(self.name)?;
                Ok(Answer::bare(match why {
                    RecvTimeoutError::Timeout => Ending::Timeout,
                    RecvTimeoutError::Disconnected => Ending::Panic,
                }))
            }
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.process.end();
    }
}

impl Process {
    fn start(name: &str) -> Result<Self, String> {
        let cannot = |error: &dyn std::fmt::Display| {
            format!("cannot start the process of {name}: {error}; is there memory left?")
        };
        let program = std::env::current_exe().map_err(|error| cannot(&error))?;
        let mut child = Command::new(program)
            .args(["--worker", name])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // An overflowing stack is announced here, and told by the row.
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| cannot(&error))?;
        let (Some(questions), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(cannot(&"it has no pipes"));
        };
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self {
            child,
            questions,
            answers,
        })
    }

    fn end(&mut self) {
        // Either it is dead already, or it ends now.
        let _dead = self.child.kill();
        let _reaped = self.child.wait();
    }
}
