//! What becomes of one parked call: pure steps from a row to a row. All that races is decided here,
//! since a store runs one step on a row at a time.

use super::{Eviction, Exit, Fingerprint, Live, Mismatch, Reply};
use crate::Answer;
use crate::store::Moment;
use crate::ttl::Until;
use countersign_core::{AuditEvent, AuditKind, CallKey, Digest, ToolName};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How far it has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum State {
    /// A person is waited for.
    Waiting,
    /// A person has answered; whoever holds the call has not seen it yet.
    Answered(Answer),
    /// It ended, and a person has answered or cannot any more.
    Done(Exit),
    /// It expired with no answer. One that comes late is kept for the next identical call.
    Unanswered,
}

/// A parked call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) source: String,
    pub(super) session: String,
    pub(super) gate: String,
    pub(super) tool: ToolName,
    pub(super) tool_call_id: String,
    /// What is shown; without what the host sets itself.
    pub(super) input: Map<String, Value>,
    pub(super) key: CallKey,
    pub(super) request: Digest,
    pub(super) retry_key: Digest,
    pub(super) history: Fingerprint,
    pub(super) shown: Digest,
    /// Until when the call itself can go on.
    pub(super) until: Until,
    /// Until when an answer is still heard.
    pub(super) heard: Until,
    pub(super) state: State,
}

/// An end that a step brought about, and the answer that is to be kept for the next identical call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) exit: Exit,
    pub(super) keep: Option<Answer>,
}

/// What an answer came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heard {
    /// It is for whoever holds the call.
    Noted,
    /// The call expired just now; the answer is to be kept.
    Expired,
    /// The call had expired; the answer is to be kept.
    Late,
    /// It is for something else than what was shown.
    WrongHash,
    /// There was one before.
    Twice,
    /// The call ended.
    Over(Exit),
}

/// What looking for an answer came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Polled {
    Waiting,
    Ended(Ended),
    Over(Exit),
}

/// What giving a call up came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GivenUp {
    Ended(Ended),
    /// A person answered meanwhile, and it is not given up.
    Answered,
    Over(Exit),
}

impl Row {
    pub(super) fn answer(&mut self, reply: &Reply, now: Moment) -> Heard {
        if reply.shown != self.shown {
            return Heard::WrongHash;
        }
        match self.state {
            State::Answered(_) | State::Done(Exit::Expired | Exit::Resumed | Exit::Rejected) => {
                Heard::Twice
            }
            State::Done(exit) => Heard::Over(exit),
            State::Unanswered => {
                self.end(Exit::Expired);
                Heard::Late
            }
            State::Waiting if self.until.is_past(now) => {
                self.end(Exit::Expired);
                Heard::Expired
            }
            State::Waiting => {
                self.state = State::Answered(reply.answer);
                Heard::Noted
            }
        }
    }

    pub(super) fn poll(&mut self, live: &Live<'_>, now: Moment) -> Polled {
        if let Some(ended) = self.expire(now) {
            return Polled::Ended(ended);
        }
        let answer = match self.state {
            State::Waiting => return Polled::Waiting,
            State::Done(exit) => return Polled::Over(exit),
            State::Unanswered => return Polled::Over(Exit::Expired),
            State::Answered(answer) => answer,
        };
        if let Err(mismatch) = self.matches(live) {
            let exit = self.end(Exit::Evicted(Eviction::Mismatch(mismatch)));
            let keep = Some(answer);
            return Polled::Ended(Ended { exit, keep });
        }
        let exit = self.end(match answer {
            Answer::Allow => Exit::Resumed,
            Answer::Deny => Exit::Rejected,
        });
        Polled::Ended(Ended { exit, keep: None })
    }

    /// Whether what is held is what was parked. The order is part of the promise: the first thing
    /// that differs is the one that is named.
    fn matches(&self, live: &Live<'_>) -> Result<(), Mismatch> {
        if !live.gates.contains(&self.gate.as_str()) {
            return Err(Mismatch::Gate);
        }
        if live.tool_call_id != self.tool_call_id {
            return Err(Mismatch::Call);
        }
        if *live.request != self.request {
            return Err(Mismatch::Request);
        }
        if *live.history != self.history {
            return Err(Mismatch::History);
        }
        if !live.reachable {
            return Err(Mismatch::Unreachable);
        }
        Ok(())
    }

    pub(super) fn give_up(&mut self, why: Eviction, now: Moment) -> GivenUp {
        if let Some(ended) = self.expire(now) {
            return GivenUp::Ended(ended);
        }
        let answer = match self.state {
            State::Waiting => None,
            State::Answered(_) if why == Eviction::Unanswered => return GivenUp::Answered,
            State::Answered(answer) => Some(answer),
            State::Done(exit) => return GivenUp::Over(exit),
            State::Unanswered => return GivenUp::Over(Exit::Expired),
        };
        let exit = self.end(Exit::Evicted(why));
        let keep = answer.filter(|_| why.keeps_the_answer());
        GivenUp::Ended(Ended { exit, keep })
    }

    /// Ends it if its time is over.
    pub(super) fn expire(&mut self, now: Moment) -> Option<Ended> {
        if !self.until.is_past(now) {
            return None;
        }
        let exit = Exit::Expired;
        match self.state {
            State::Waiting => {
                self.state = State::Unanswered;
                Some(Ended { exit, keep: None })
            }
            State::Answered(answer) => {
                self.end(exit);
                let keep = Some(answer);
                Some(Ended { exit, keep })
            }
            State::Done(_) | State::Unanswered => None,
        }
    }

    fn end(&mut self, exit: Exit) -> Exit {
        self.state = State::Done(exit);
        // Nobody is shown it any more.
        self.input.clear();
        exit
    }

    /// It waits, or its answer does: it may not make room for another.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.state, State::Waiting | State::Answered(_))
    }

    /// An answer is still heard.
    pub(super) fn is_asked(&self) -> bool {
        matches!(self.state, State::Waiting | State::Unanswered)
    }

    pub(super) fn event(&self, id: &str, kind: AuditKind, note: impl Into<String>) -> AuditEvent {
        AuditEvent {
            session: Some(self.session.clone()),
            tool_call_id: Some(self.tool_call_id.clone()),
            tool: Some(self.tool.as_str().to_owned()),
            digest: Some(self.request.clone()),
            subject: Some(id.to_owned()),
            ..AuditEvent::note(kind, &self.source, note)
        }
    }
}
