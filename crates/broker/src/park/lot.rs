//! The pool of parked calls: who waits, in one row beside theirs, so that it is bounded over all
//! processes. Every step names both rows.

use super::row::{Ended, GivenUp, Row, State};
use super::{Eviction, Exit, NotParkedKind, ParkError, ParkId, ParkLimits, Parking, Pending};
use crate::store::{Key, Moment, Records, StoreError, Table, look, transact};
use crate::ttl::Until;
use crate::{Answer, AuditPort, KeepError, Owner, Unrecorded, answers};
use countersign_core::{AuditEvent, AuditKind, Digest, call_key};
use serde::{Deserialize, Serialize};

/// Where the pool stands among the rows of a step, and where the call does.
const POOL: usize = 0;
const CALL: usize = 1;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    session: Digest,
    /// Session and the agent's id of the call.
    call: Digest,
    until: Until,
}

/// Who waits, the longest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pool {
    waiting: Vec<Entry>,
}

/// What giving a call up came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evicted {
    /// It ended, just now.
    Ended(Exit),
    /// A person answered meanwhile, and it was not given up: whoever holds it goes on with that.
    Answered,
    /// It had ended before.
    Over(Exit),
    /// There is no such call.
    Unknown,
}

fn pool_row() -> Key {
    Key::new(Table::Parked, "pool")
}

fn session_digest(session: &str) -> Digest {
    Digest::of("countersign.park-session.v1", session.as_bytes())
}

fn write_pool(records: &mut Records<'_>, pool: &Pool) -> Result<(), StoreError> {
    if pool.waiting.is_empty() {
        return records.remove(POOL);
    }
    records.put(POOL, pool, None, true)
}

/// Keeps what became of a call, and takes it out of the pool when it waits no more.
fn write(records: &mut Records<'_>, id: &ParkId, row: &Row) -> Result<(), StoreError> {
    let open = row.is_open();
    records.put(CALL, row, Some(row.heard.moment()), open)?;
    if open {
        return Ok(());
    }
    let mut pool = records.get::<Pool>(POOL)?.unwrap_or_default();
    pool.waiting.retain(|entry| entry.id != id.as_str());
    write_pool(records, &pool)
}

impl Parking<'_> {
    fn keys(id: &ParkId) -> [Key; 2] {
        [pool_row(), id.row()]
    }

    /// Runs one step on a parked call; nothing where there is none.
    pub(super) fn step<T>(
        &self,
        id: &ParkId,
        mut step: impl FnMut(&mut Row, Moment) -> T,
    ) -> Result<Option<(T, Row)>, StoreError> {
        transact(self.store, &Self::keys(id), |records| {
            let Some(mut row) = records.get::<Row>(CALL)? else {
                return Ok(None);
            };
            let before = row.clone();
            let outcome = step(&mut row, records.now);
            if row != before {
                write(records, id, &row)?;
            }
            Ok(Some((outcome, row)))
        })
    }

    /// Looks at a parked call, at the store's time.
    pub(super) fn peek(&self, id: &ParkId) -> Result<Option<(Row, Moment)>, StoreError> {
        look(self.store, &[id.row()], |records| {
            Ok(records.get::<Row>(0)?.map(|row| (row, records.now)))
        })
    }

    /// Takes a call in, where there is room.
    pub(super) fn admit(
        &self,
        pending: &Pending,
        id: &ParkId,
    ) -> Result<Result<Row, NotParkedKind>, StoreError> {
        let call = pending.call();
        let session = session_digest(&call.session);
        let name = format!("{session}{}", call.tool_call_id);
        let name = Digest::of("countersign.park-call.v1", name.as_bytes());
        let most = self.limits.most.min(ParkLimits::MOST);
        transact(self.store, &Self::keys(id), |records| {
            let now = records.now;
            let mut pool = records.get::<Pool>(POOL)?.unwrap_or_default();
            let live = || {
                pool.waiting
                    .iter()
                    .filter(|entry| !entry.until.is_past(now))
            };
            if records.get::<Row>(CALL)?.is_some() || live().any(|entry| entry.call == name) {
                return Ok(Err(NotParkedKind::Twice));
            }
            // Those that are over hold no place, but their number is bounded as well.
            if live().count() >= most || pool.waiting.len() >= ParkLimits::MOST.saturating_mul(2) {
                return Ok(Err(NotParkedKind::Full));
            }
            if live().filter(|entry| entry.session == session).count() >= self.limits.per_session {
                return Ok(Err(NotParkedKind::SessionFull));
            }
            let row = self.row(pending, now);
            pool.waiting.push(Entry {
                id: id.as_str().to_owned(),
                session: session.clone(),
                call: name.clone(),
                until: row.until,
            });
            write_pool(records, &pool)?;
            records.put(CALL, &row, Some(row.heard.moment()), true)?;
            Ok(Ok(row))
        })
    }

    fn row(&self, pending: &Pending, now: Moment) -> Row {
        let call = pending.call();
        let until = self.limits.ttl.from(now);
        Row {
            source: call.source.clone(),
            session: call.session.clone(),
            gate: call.gate.clone(),
            tool: call.tool.clone(),
            tool_call_id: call.tool_call_id.clone(),
            input: call.input.as_map().clone(),
            key: call_key(&call.tool, &call.input),
            request: call.request.clone(),
            retry_key: call.retry_key.clone(),
            history: call.history.clone(),
            shown: pending.shown(),
            until,
            heard: self.limits.late.from(until.moment()),
            state: State::Waiting,
        }
    }

    /// The ids of the calls that are parked, the longest waiting first; of one session, or all.
    ///
    /// # Errors
    /// When the store fails.
    pub fn ids(&self, session: Option<&str>) -> Result<Vec<ParkId>, StoreError> {
        Ok(self
            .entries()?
            .into_iter()
            .filter(|(entry, _)| session.is_none_or(|name| entry.session == session_digest(name)))
            .map(|(entry, _)| ParkId(entry.id))
            .collect())
    }

    /// Who is in the pool, and whether their time is over.
    fn entries(&self) -> Result<Vec<(Entry, bool)>, StoreError> {
        look(self.store, &[pool_row()], |records| {
            let pool = records.get::<Pool>(0)?.unwrap_or_default();
            let now = records.now;
            Ok(pool
                .waiting
                .into_iter()
                .map(|entry| {
                    let past = entry.until.is_past(now);
                    (entry, past)
                })
                .collect())
        })
    }

    /// Ends the calls whose time is over, as whoever looks at them would. Nothing depends on when,
    /// or whether, this is done.
    ///
    /// # Errors
    /// When an end could not be recorded or kept. It stays an end.
    pub fn sweep(&self, audit: &mut dyn AuditPort) -> Result<usize, ParkError> {
        let past: Vec<Entry> = self
            .entries()?
            .into_iter()
            .filter_map(|(entry, past)| past.then_some(entry))
            .collect();
        let mut swept: usize = 0;
        for entry in past {
            let id = ParkId(entry.id);
            match self.step(&id, Row::expire)? {
                Some((Some(ended), row)) => {
                    self.settle(&id, &row, ended, audit)?;
                    swept = swept.saturating_add(1);
                }
                Some((None, _)) => {}
                // Its row was void before this could look: the machine started again.
                None => {
                    if self.forget(&id)? {
                        audit.record(&void(&id))?;
                        swept = swept.saturating_add(1);
                    }
                }
            }
        }
        Ok(swept)
    }

    /// Gives one call up.
    ///
    /// # Errors
    /// When that could not be recorded or kept. The call has ended all the same.
    pub fn evict(
        &self,
        id: &ParkId,
        why: Eviction,
        audit: &mut dyn AuditPort,
    ) -> Result<Evicted, ParkError> {
        let Some((given_up, row)) = self.step(id, |row, now| row.give_up(why, now))? else {
            return Ok(Evicted::Unknown);
        };
        match given_up {
            GivenUp::Ended(ended) => {
                self.settle(id, &row, ended, audit)?;
                Ok(Evicted::Ended(ended.exit))
            }
            GivenUp::Answered => Ok(Evicted::Answered),
            GivenUp::Over(exit) => Ok(Evicted::Over(exit)),
        }
    }

    /// Gives up every call of a session, and forgets the decisions that were kept for it.
    ///
    /// # Errors
    /// With the first that could not be recorded or kept. Every call has been tried by then.
    pub fn end_session(
        &self,
        session: &str,
        audit: &mut dyn AuditPort,
    ) -> Result<usize, ParkError> {
        let mut ended: usize = 0;
        let mut failed = None;
        for id in self.ids(Some(session))? {
            match self.evict(&id, Eviction::SessionEnded, audit) {
                Ok(Evicted::Ended(_)) => ended = ended.saturating_add(1),
                Ok(_) => {}
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        answers::forget(self.store, session)?;
        failed.map_or(Ok(ended), Err)
    }

    /// Parked and not recorded: it is given up at once. If even that fails it ends with its time.
    pub(super) fn drop_unrecorded(&self, id: &ParkId) {
        let _ends_by_itself = self.step(id, |row, now| row.give_up(Eviction::Unrecorded, now));
    }

    /// Whether it was there: of several that look at once, one finds it.
    fn forget(&self, id: &ParkId) -> Result<bool, StoreError> {
        transact(self.store, &[pool_row()], |records| {
            let mut pool = records.get::<Pool>(POOL)?.unwrap_or_default();
            let before = pool.waiting.len();
            pool.waiting.retain(|entry| entry.id != id.as_str());
            write_pool(records, &pool)?;
            Ok(pool.waiting.len() < before)
        })
    }

    /// Records an end, and keeps the answer that the call itself did not use. Says which was kept.
    pub(super) fn settle(
        &self,
        id: &ParkId,
        row: &Row,
        ended: Ended,
        audit: &mut dyn AuditPort,
    ) -> Result<Option<Answer>, ParkError> {
        let event = row.event(id.as_str(), ended.exit.kind(), ended.exit.words());
        match Unrecorded::new(vec![event], ended.keep).record(audit)? {
            None => Ok(None),
            Some(answer) => self.keep(row, answer, audit),
        }
    }

    /// Keeps an answer for the next identical call, where there is room.
    pub(super) fn keep(
        &self,
        row: &Row,
        answer: Answer,
        audit: &mut dyn AuditPort,
    ) -> Result<Option<Answer>, ParkError> {
        let owner = Owner {
            source: &row.source,
            session: &row.session,
        };
        let limits = &self.limits.answers;
        match answers::keep(self.store, &owner, &row.retry_key, answer, limits, audit) {
            Ok(()) => Ok(Some(answer)),
            Err(KeepError::NoRoom(_)) => Ok(None),
            Err(KeepError::Unrecorded(error)) => Err(error.into()),
            Err(KeepError::Store(error)) => Err(error.into()),
        }
    }
}

fn void(id: &ParkId) -> AuditEvent {
    AuditEvent {
        subject: Some(id.as_str().to_owned()),
        ..AuditEvent::note(AuditKind::Expired, "broker", Exit::Expired.words())
    }
}
