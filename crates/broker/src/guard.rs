//! The execution guard: the last look before a tool runs.
//!
//! Whoever executes presents the exact call. What rules allow runs; what they deny does not; what
//! a person had to allow must use up an allowance that was recorded when that happened. A record of
//! a call that was made up, or was used before, finds none. The right to run is a value,
//! [`Execution`], which only the guard makes, and the call's contents are to be had from it alone:
//! for a call that is refused, nothing can be looked up or fetched.

use crate::store::{Key, Moment, Records, Store, StoreError, Table, transact};
use crate::ttl::Until;
use crate::{AuditError, AuditPort, Owner, Ttl, Unrecorded};
use countersign_core::{
    AuditEvent, AuditKind, BoundInput, CallKey, Digest, ToolName, Verdict, call_key,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// How many allowances there may be, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllowanceLimits {
    /// How long each lives.
    pub ttl: Ttl,
    /// For one call.
    pub per_key: usize,
    /// In one turn.
    pub per_turn: usize,
}

impl Default for AllowanceLimits {
    fn default() -> Self {
        Self {
            ttl: Ttl::A_QUARTER,
            per_key: 16,
            per_turn: 128,
        }
    }
}

/// The turn that allowances live in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn<'a> {
    /// Whose it is.
    pub owner: Owner<'a>,
    /// The turn within the session.
    pub turn: &'a str,
}

impl Turn<'_> {
    fn row(&self) -> Key {
        // A session may hold any text: its length keeps it apart from the turn.
        let mut bytes = self.owner.session.len().to_be_bytes().to_vec();
        bytes.extend_from_slice(self.owner.session.as_bytes());
        bytes.extend_from_slice(self.turn.as_bytes());
        let id = Digest::of("countersign.allowances.v1", &bytes);
        Key::new(Table::Allowance, id.as_str())
    }
}

/// The allowances of one turn: the state that a row keeps.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowances {
    /// When each is over, those that are over first in front.
    by_key: BTreeMap<CallKey, Vec<Until>>,
}

impl Allowances {
    /// One more for a call.
    ///
    /// # Errors
    /// When there is no room.
    pub fn put(
        &mut self,
        key: &CallKey,
        now: Moment,
        limits: &AllowanceLimits,
    ) -> Result<(), NoAllowanceRoom> {
        self.forget_past(now);
        let all = self.by_key.values().map(Vec::len).sum::<usize>();
        if all >= limits.per_turn || self.count(key) >= limits.per_key {
            return Err(NoAllowanceRoom);
        }
        let alike = self.by_key.entry(key.clone()).or_default();
        alike.push(limits.ttl.from(now));
        alike.sort_unstable();
        Ok(())
    }

    /// Uses one up, if there is one.
    pub fn take(&mut self, key: &CallKey, now: Moment) -> bool {
        self.forget_past(now);
        let Some(alike) = self.by_key.get_mut(key) else {
            return false;
        };
        // What is kept is never empty.
        alike.remove(0);
        if alike.is_empty() {
            self.by_key.remove(key);
        }
        true
    }

    /// How many there are for a call.
    pub fn count(&self, key: &CallKey) -> usize {
        self.by_key.get(key).map_or(0, Vec::len)
    }

    fn forget_past(&mut self, now: Moment) {
        for alike in self.by_key.values_mut() {
            alike.retain(|until| !until.is_past(now));
        }
        self.by_key.retain(|_, alike| !alike.is_empty());
    }

    fn write(&self, records: &mut Records<'_>) -> Result<(), StoreError> {
        let last = self.by_key.values().flatten().max();
        match last {
            None => records.remove(0),
            Some(until) => records.put(0, self, Some(until.moment()), false),
        }
    }
}

/// There is no room for one more allowance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("there is no room for another allowance in this turn, so the call may not run")]
pub struct NoAllowanceRoom;

/// A call as the executor was asked to run it. It says which call it is about; what it would run
/// with comes out only with the right to run it.
///
/// ```compile_fail,E0616
/// use countersign_broker::PresentedCall;
///
/// fn fetch(call: &PresentedCall) {
///     let path = call.input.as_map().get("path"); // nobody may look before the guard has
/// }
/// ```
#[derive(Debug)]
pub struct PresentedCall {
    tool: ToolName,
    tool_call_id: Option<String>,
    input: BoundInput,
    key: CallKey,
}

impl PresentedCall {
    /// A call with this tool and input.
    pub fn new(tool: ToolName, tool_call_id: Option<String>, input: BoundInput) -> Self {
        let key = call_key(&tool, &input);
        Self {
            tool,
            tool_call_id,
            input,
            key,
        }
    }
}

/// The right to run one call, once. Only [`Guard::admit`] makes one, and running uses it up.
///
/// ```compile_fail,E0382
/// use countersign_broker::Execution;
///
/// fn twice(right: Execution) {
///     right.run(|_tool, _input| ());
///     right.run(|_tool, _input| ()); // it was used up
/// }
/// ```
///
/// ```compile_fail,E0308
/// use countersign_broker::Execution;
///
/// fn copy(right: &Execution) -> Execution {
///     right.clone()
/// }
/// ```
///
/// ```compile_fail,E0451
/// use countersign_broker::{Execution, PresentedCall};
///
/// fn forge(call: PresentedCall) -> Execution {
///     Execution { call }
/// }
/// ```
#[derive(Debug)]
#[must_use = "the allowance for it is spent"]
pub struct Execution {
    call: PresentedCall,
}

impl Execution {
    /// The agent's id for the call.
    pub fn tool_call_id(&self) -> Option<&str> {
        self.call.tool_call_id.as_deref()
    }

    /// Runs the call, which is exactly the one that was presented.
    pub fn run<T>(self, execute: impl FnOnce(&ToolName, Map<String, Value>) -> T) -> T {
        execute(&self.call.tool, self.call.input.into_map())
    }
}

/// An allowance was recorded and kept: the answer "this once" may be sent, and not before.
#[derive(Debug)]
#[must_use = "the answer is sent after the allowance was kept"]
pub struct Allowed(());

/// The guard over one store.
#[derive(Clone, Copy)]
pub struct Guard<'a> {
    /// Where allowances are kept.
    pub store: &'a dyn Store,
    /// How many, and for how long.
    pub limits: AllowanceLimits,
}

impl fmt::Debug for Guard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl Guard<'_> {
    /// Keeps one allowance for a call that was allowed where the agent asked. It is recorded first.
    ///
    /// # Errors
    /// When it may not have been recorded or kept. The answer must be a refusal then.
    pub fn allow(
        &self,
        turn: &Turn<'_>,
        key: &CallKey,
        audit: &mut dyn AuditPort,
    ) -> Result<Allowed, AllowError> {
        let event = |kind, note: &str| turn.owner.event(kind, key.digest(), note);
        audit.record(&event(
            AuditKind::AllowanceRecorded,
            "the executor may run this call once",
        ))?;
        let put = transact(self.store, &[turn.row()], |records| {
            let mut allowances = records.get::<Allowances>(0)?.unwrap_or_default();
            let put = allowances.put(key, records.now, &self.limits);
            allowances.write(records)?;
            Ok(put)
        })?;
        if let Err(no_room) = put {
            audit.record(&event(AuditKind::ExecutionRefused, &no_room.to_string()))?;
            return Err(no_room.into());
        }
        Ok(Allowed(()))
    }

    /// Decides whether a call may run now. The verdict is what rules say of it, found anew: what
    /// the executor was handed is not believed.
    ///
    /// # Errors
    /// With what the agent is told. The call must not run, nor anything be looked up for it.
    pub fn admit(
        &self,
        turn: &Turn<'_>,
        call: PresentedCall,
        verdict: Verdict,
        audit: &mut dyn AuditPort,
    ) -> Result<Execution, Refusal> {
        match verdict {
            Verdict::Allow => Ok(Execution { call }),
            Verdict::Deny | Verdict::Revise => refuse(turn, &call, RefusalKind::Denied, audit),
            Verdict::Defer => match self.spend(turn, &call) {
                Ok(None) => refuse(turn, &call, RefusalKind::NotApproved, audit),
                Ok(Some(spent)) => match spent.record(audit) {
                    Ok(()) => Ok(Execution { call }),
                    Err(error) => Err(Refusal::new(&call, RefusalKind::Unrecorded(error))),
                },
                Err(error) => refuse(turn, &call, RefusalKind::Store(error), audit),
            },
        }
    }

    fn spend(
        &self,
        turn: &Turn<'_>,
        call: &PresentedCall,
    ) -> Result<Option<Unrecorded<()>>, StoreError> {
        let taken = transact(self.store, &[turn.row()], |records| {
            let Some(mut allowances) = records.get::<Allowances>(0)? else {
                return Ok(false);
            };
            let taken = allowances.take(&call.key, records.now);
            allowances.write(records)?;
            Ok(taken)
        })?;
        let note = "the executor runs this call";
        Ok(taken.then(|| {
            let spent = event(turn, call, AuditKind::AllowanceConsumed, note);
            Unrecorded::new(vec![spent], ())
        }))
    }

    /// Takes back every allowance of a turn that is over.
    ///
    /// # Errors
    /// When the store fails.
    pub fn end_turn(&self, turn: &Turn<'_>) -> Result<(), StoreError> {
        transact(self.store, &[turn.row()], |records| records.remove(0))
    }
}

fn event(
    turn: &Turn<'_>,
    call: &PresentedCall,
    kind: AuditKind,
    note: impl Into<String>,
) -> AuditEvent {
    AuditEvent {
        tool: Some(call.tool.as_str().to_owned()),
        tool_call_id: call.tool_call_id.clone(),
        ..turn.owner.event(kind, call.key.digest(), note)
    }
}

/// Refuses whether or not that can be recorded: nothing runs either way.
fn refuse(
    turn: &Turn<'_>,
    call: &PresentedCall,
    kind: RefusalKind,
    audit: &mut dyn AuditPort,
) -> Result<Execution, Refusal> {
    let refused = event(turn, call, AuditKind::ExecutionRefused, kind.note());
    let unrecorded = audit.record(&refused).err();
    Err(Refusal {
        unrecorded,
        ..Refusal::new(call, kind)
    })
}

/// Why a call may not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusalKind {
    /// Rules deny it.
    Denied,
    /// A person would have had to allow it, and no unused allowance is there for exactly this call.
    NotApproved,
    /// Whether it was allowed is not known. An allowance may be spent.
    Store(StoreError),
    /// Its allowance was spent, and that could not be recorded.
    Unrecorded(AuditError),
}

impl RefusalKind {
    fn note(&self) -> String {
        match self {
            Self::Denied => "rules deny this call".to_owned(),
            Self::NotApproved => "nobody allowed this call, or its allowance is used up".to_owned(),
            Self::Store(error) => error.to_string(),
            Self::Unrecorded(error) => error.to_string(),
        }
    }
}

/// A call that may not run. Its text is for the agent, as an error of the tool.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", self.text())]
pub struct Refusal {
    /// Why.
    pub kind: RefusalKind,
    /// The tool.
    pub tool: ToolName,
    /// The refusal itself could not be recorded.
    pub unrecorded: Option<AuditError>,
}

impl Refusal {
    fn new(call: &PresentedCall, kind: RefusalKind) -> Self {
        Self {
            kind,
            tool: call.tool.clone(),
            unrecorded: None,
        }
    }

    fn text(&self) -> String {
        let happened = match &self.kind {
            RefusalKind::Denied => "the owner's rules deny it",
            RefusalKind::NotApproved => {
                "it needs a person's approval, and no approval is open for exactly this call"
            }
            RefusalKind::Store(_) | RefusalKind::Unrecorded(_) => {
                "whether it was approved could not be made sure of"
            }
        };
        format!(
            "`{}` did not run: {happened}. Issuing it again, or with its arguments in another \
             shape, will not help. Tell the user what you wanted to do and ask how to go on.",
            self.tool
        )
    }
}

/// An allowance that may not be there.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AllowError {
    /// It could not be recorded, so it was not kept.
    #[error(transparent)]
    Unrecorded(#[from] AuditError),
    /// No room.
    #[error(transparent)]
    NoRoom(#[from] NoAllowanceRoom),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
