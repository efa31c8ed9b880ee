//! The side of the person who is asked.

use super::row::{Ended, Heard, Row};
use super::{Exit, ParkId, Parking};
use crate::store::{Moment, StoreError};
use crate::{Answer, AuditError, AuditPort, ParkError};
use countersign_core::{AuditKind, Digest, ToolName};
use serde_json::{Map, Value};
use thiserror::Error;

/// What a person answers, with the hash of what they were shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Yes or no.
    pub answer: Answer,
    /// What it is about.
    pub shown: Digest,
}

/// What a person is asked. Answering uses it up; where the answer brought another hash than the one
/// that was shown, nothing is spent and the question comes back.
///
/// ```compile_fail,E0382
/// use countersign_broker::{AuditPort, Parking, Question, Reply};
///
/// fn twice(question: Question, parking: &Parking<'_>, reply: &Reply, audit: &mut dyn AuditPort) {
///     let first = question.answer(parking, reply, audit);
///     let second = question.answer(parking, reply, audit); // it was answered before
/// }
/// ```
#[derive(Debug, PartialEq)]
pub struct Question {
    id: ParkId,
    session: String,
    tool: ToolName,
    input: Map<String, Value>,
    shown: Digest,
    until: Moment,
    is_late: bool,
}

impl Question {
    fn new(id: ParkId, row: Row, now: Moment) -> Self {
        Self {
            id,
            session: row.session,
            tool: row.tool,
            input: row.input,
            shown: row.shown,
            until: row.until.moment(),
            is_late: row.until.is_past(now),
        }
    }

    /// The id of the parked call.
    pub fn id(&self) -> &ParkId {
        &self.id
    }

    /// The agent's session.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// The tool.
    pub fn tool(&self) -> &ToolName {
        &self.tool
    }

    /// The input, without what the host sets itself.
    pub fn input(&self) -> &Map<String, Value> {
        &self.input
    }

    /// The hash of what is shown, which the answer must bring.
    pub fn shown(&self) -> &Digest {
        &self.shown
    }

    /// Until when the call itself can go on.
    pub fn until(&self) -> Moment {
        self.until
    }

    /// The call cannot go on any more; an answer is for the next identical one.
    pub fn is_late(&self) -> bool {
        self.is_late
    }

    /// Answers.
    ///
    /// # Errors
    /// When the answer does not count.
    pub fn answer(
        self,
        parking: &Parking<'_>,
        reply: &Reply,
        audit: &mut dyn AuditPort,
    ) -> Result<Answered, NotAnswered> {
        let Some((mut row, now)) = parking.peek(&self.id)? else {
            return Err(NotAnswered::Unknown);
        };
        // What is plainly no answer is not recorded as one; what counts is settled below.
        let heard = row.answer(reply, now);
        if matches!(heard, Heard::WrongHash | Heard::Twice | Heard::Over(_)) {
            return self.refused(&row, heard, audit);
        }
        let note = match reply.answer {
            Answer::Allow => "a person allowed this call",
            Answer::Deny => "a person denied this call",
        };
        let event = row.event(self.id.as_str(), AuditKind::Answered, note);
        if let Err(error) = audit.record(&event) {
            parking.drop_unrecorded(&self.id);
            return Err(error.into());
        }
        let Some((heard, row)) = parking.step(&self.id, |row, now| row.answer(reply, now))? else {
            return Err(NotAnswered::Unknown);
        };
        let kept = match heard {
            Heard::Noted => return Ok(Answered::Noted),
            Heard::Expired => {
                let keep = Some(reply.answer);
                let exit = Exit::Expired;
                parking.settle(&self.id, &row, Ended { exit, keep }, audit)?
            }
            Heard::Late => parking.keep(&row, reply.answer, audit)?,
            refused => return self.refused(&row, refused, audit),
        };
        match kept {
            Some(_) => Ok(Answered::Kept),
            None => Err(NotAnswered::NoRoom),
        }
    }

    fn refused(
        self,
        row: &Row,
        heard: Heard,
        audit: &mut dyn AuditPort,
    ) -> Result<Answered, NotAnswered> {
        let id = self.id.clone();
        let why = match heard {
            Heard::WrongHash => NotAnswered::WrongHash(Box::new(self)),
            Heard::Over(exit) => NotAnswered::Over(exit),
            _ => NotAnswered::Twice,
        };
        audit.record(&row.event(id.as_str(), AuditKind::AnswerRefused, why.to_string()))?;
        Err(why)
    }
}

/// What became of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// Whoever holds the call goes on with it.
    Noted,
    /// The call's time was over; the next identical one uses the answer.
    Kept,
}

/// An answer that does not count.
#[derive(Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum NotAnswered {
    /// It was for something else than what was shown. The question stands.
    #[error("the answer is for something else than what was shown; look at the call again")]
    WrongHash(Box<Question>),
    /// There was one before.
    #[error("this call was answered before")]
    Twice,
    /// The call was given up.
    #[error("this call waits no more: {}", .0.words())]
    Over(Exit),
    /// There is no such call.
    #[error("no call waits under this id")]
    Unknown,
    /// It came late, and there was no room to keep it.
    #[error("the call's time was over, and there was no room to keep the answer for the next one")]
    NoRoom,
    /// It could not be recorded, and is spent.
    #[error(transparent)]
    Unrecorded(#[from] AuditError),
    /// The store failed. The answer counts as spent.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ParkError> for NotAnswered {
    fn from(error: ParkError) -> Self {
        match error {
            ParkError::Unrecorded(error) => Self::Unrecorded(error),
            ParkError::Store(error) => Self::Store(error),
        }
    }
}

impl Parking<'_> {
    /// What a person can be asked about a parked call; nothing where no answer is heard any more.
    ///
    /// # Errors
    /// When the store fails.
    pub fn question(&self, id: &ParkId) -> Result<Option<Question>, StoreError> {
        let asked = self.peek(id)?.filter(|(row, _)| row.is_asked());
        Ok(asked.map(|(row, now)| Question::new(id.clone(), row, now)))
    }

    /// Everything that a person can be asked about now, the longest waiting first; of one session, or all.
    ///
    /// # Errors
    /// When the store fails.
    pub fn questions(&self, session: Option<&str>) -> Result<Vec<Question>, StoreError> {
        let mut questions = Vec::new();
        for id in self.ids(session)? {
            questions.extend(self.question(&id)?);
        }
        Ok(questions)
    }
}
