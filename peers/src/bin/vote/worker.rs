//! The process in which one parser works: a JSON string a line in, an answer a line out. It may
//! hang, overflow its stack or run out of memory; the process that started it goes on.

use countersign_peers::ours;
use countersign_peers::peer::{Argv, Extract, PEERS, Refusal};
use nix::sys::resource::{Resource, setrlimit};
use serde::{Deserialize, Serialize};
use std::io::{BufRead as _, Write as _};
use std::panic::catch_unwind;

/// The address space one parser may use, in bytes.
const MEMORY: u64 = 2 << 30;

/// Our own lexer among the parsers.
const OURS: &str = "countersign";

/// How a parser ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Ending {
    /// It claims to have understood all.
    Ok,
    /// It calls the command wrong.
    Rejected,
    /// It warns that it did not understand all.
    Flagged,
    /// It panicked, or the process died of its stack or memory.
    Panic,
    /// It had no answer in time.
    Timeout,
}

/// What one parser says about one command.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) status: Ending,
    pub(crate) argvs: Vec<Argv>,
}

impl Answer {
    pub(crate) fn bare(status: Ending) -> Self {
        Self {
            status,
            argvs: Vec::new(),
        }
    }
}

/// Every parser that can be asked.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    std::iter::once(OURS).chain(PEERS.iter().map(|peer| peer.name))
}

fn extractor(name: &str) -> Option<Extract> {
    if name == OURS {
        return Some(ours::extract);
    }
    let peer = PEERS.iter().find(|peer| peer.name == name)?;
    Some(peer.extract)
}

/// Answers until the input ends.
pub(crate) fn work(name: &str) -> Result<(), String> {
    let extract = extractor(name).ok_or_else(|| format!("no parser is called `{name}`"))?;
    setrlimit(Resource::RLIMIT_AS, MEMORY, MEMORY)
        .map_err(|error| format!("cannot limit the memory of {name}: {error}"))?;
    // The row says that it panicked; the text of each panic would only fill the terminal.
    std::panic::set_hook(Box::new(|_| {}));
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| format!("cannot read a question: {error}"))?;
        let command: String = serde_json::from_str(&line)
            .map_err(|error| format!("a question is no JSON string: {error}"))?;
        let answer = match catch_unwind(|| extract(&command)) {
            Ok(Ok(argvs)) => Answer {
                status: Ending::Ok,
                argvs,
            },
            Ok(Err(Refusal::Flagged(argvs))) => Answer {
                status: Ending::Flagged,
                argvs,
            },
            Ok(Err(Refusal::Rejected)) => Answer::bare(Ending::Rejected),
            Err(_) => Answer::bare(Ending::Panic),
        };
        let text = serde_json::to_string(&answer)
            .map_err(|error| format!("cannot write an answer: {error}"))?;
        writeln!(out, "{text}")
            .and_then(|()| out.flush())
            .map_err(|error| format!("cannot write an answer: {error}"))?;
    }
    Ok(())
}
