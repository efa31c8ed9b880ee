//! The part that lives in the jail, as its first process: it asks bash and writes down the answers.
//!
//! A line of standard input is a `Batch`, a line of standard output the answers to it.

mod ask;
mod fresh;
mod record;
mod server;
mod trace;

use crate::answer::{Answer, Question, Wanted};
use ask::Asker;
use serde::{Deserialize, Serialize};
use std::io::{BufRead as _, Write as _};

/// Where the recorder is in the jail.
pub(crate) const SHIM: &str = "/oracle/shim.so";
/// The folder that commands start in.
pub(crate) const WORK: &str = "/tmp/work";
/// The home directory of the user in the jail.
pub(crate) const HOME: &str = "/home/u";
/// The recorder's file.
const RECORD: &str = "/tmp/oracle.record";
const BASH: &str = "/usr/bin/bash";

/// Questions that are answered alike.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Batch {
    pub(crate) questions: Vec<Question>,
    pub(crate) wanted: Wanted,
}

/// Answers batches until there are no more.
///
/// # Errors
///
/// When bash cannot be started, or whoever asks is gone.
pub fn serve() -> Result<(), String> {
    let mut asker = Asker::new()?;
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| format!("cannot read a batch: {error}"))?;
        let batch: Batch = serde_json::from_str(&line)
            .map_err(|error| format!("a batch is not valid: {error}"))?;
        let mut answers: Vec<Answer> = Vec::with_capacity(batch.questions.len());
        for question in batch.questions {
            answers.push(asker.ask(question, batch.wanted)?);
        }
        let mut line = serde_json::to_vec(&answers)
            .map_err(|error| format!("cannot write answers: {error}"))?;
        line.push(b'\n');
        output
            .write_all(&line)
            .and_then(|()| output.flush())
            .map_err(|error| format!("cannot write answers: {error}"))?;
    }
    Ok(())
}
