//! What the tests of allowances, stored decisions and parked calls stand on.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use countersign_broker::store::conformance::TestClock;
use countersign_broker::store::{
    Capacity, Change, Key, MemoryStore, Store, StoreError, StoreErrorKind, Table, View,
};
use countersign_broker::{
    AuditError, AuditPort, Fingerprint, HeldCall, History, Live, Owner, ParkId, Pending, Turn,
};
use countersign_core::{
    AuditEvent, AuditKind, Bindings, BoundInput, CallKey, Digest, ToolName, call_key,
};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

/// Keeps events; breaks when a limit is reached.
#[derive(Debug)]
pub(crate) struct Port {
    pub(crate) events: Vec<AuditEvent>,
    pub(crate) room: usize,
}

impl Default for Port {
    fn default() -> Self {
        Self {
            events: Vec::new(),
            room: usize::MAX,
        }
    }
}

impl Port {
    pub(crate) fn broken() -> Self {
        Self {
            room: 0,
            ..Self::default()
        }
    }

    pub(crate) fn kinds(&self) -> Vec<AuditKind> {
        self.events.iter().map(|event| event.kind).collect()
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for event in &self.events {
            let _infallible = writeln!(
                text,
                "{} {} {}: {}",
                event.kind.as_str(),
                event.tool.as_deref().unwrap_or("-"),
                event.tool_call_id.as_deref().unwrap_or("-"),
                event.note.as_deref().unwrap_or("-"),
            );
        }
        text
    }
}

impl AuditPort for Port {
    fn record(&mut self, event: &AuditEvent) -> Result<(), AuditError> {
        if self.events.len() >= self.room {
            return Err(AuditError {
                message: "disk full".to_owned(),
            });
        }
        self.events.push(event.clone());
        Ok(())
    }
}

/// A store in memory that can be switched off.
pub(crate) struct Switched {
    inner: MemoryStore,
    off: AtomicBool,
}

impl Switched {
    pub(crate) fn new(clock: &TestClock) -> Self {
        Self {
            inner: MemoryStore::new(Box::new(clock.clone()), Capacity::default()),
            off: AtomicBool::new(false),
        }
    }

    pub(crate) fn off(&self) {
        self.off.store(true, Ordering::Relaxed);
    }

    fn check(&self) -> Result<(), StoreError> {
        if self.off.load(Ordering::Relaxed) {
            return Err(StoreError::new(StoreErrorKind::Unavailable, "gone"));
        }
        Ok(())
    }
}

impl Store for Switched {
    fn read(&self, keys: &[Key]) -> Result<View, StoreError> {
        self.check()?;
        self.inner.read(keys)
    }

    fn update(
        &self,
        keys: &[Key],
        step: &mut dyn FnMut(&View) -> Vec<Change>,
    ) -> Result<(), StoreError> {
        self.check()?;
        self.inner.update(keys, step)
    }

    fn scan(
        &self,
        table: Table,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(Key, String)>, StoreError> {
        self.check()?;
        self.inner.scan(table, after, limit)
    }
}

pub(crate) fn memory(clock: &TestClock) -> MemoryStore {
    MemoryStore::new(Box::new(clock.clone()), Capacity::default())
}

pub(crate) const OWNER: Owner<'static> = Owner {
    source: "test",
    session: "s",
};

pub(crate) const TURN: Turn<'static> = Turn {
    owner: OWNER,
    turn: "t",
};

pub(crate) fn tool(name: &str) -> ToolName {
    ToolName::new(name).unwrap()
}

pub(crate) fn input(json: Value) -> BoundInput {
    redacted(json, &[])
}

pub(crate) fn redacted(json: Value, paths: &[&str]) -> BoundInput {
    let map: Map<String, Value> = serde_json::from_value(json).unwrap();
    BoundInput::redact(Some(map), &Bindings::new(paths).unwrap()).unwrap()
}

pub(crate) fn key(name: &str, json: Value) -> CallKey {
    call_key(&tool(name), &input(json))
}

pub(crate) fn digest(text: &str) -> Digest {
    Digest::of("test", text.as_bytes())
}

pub(crate) fn said(texts: &[&str]) -> Fingerprint {
    let mut history = History::new();
    for text in texts {
        history.user_message([*text]);
    }
    history.fingerprint()
}

/// The call that tests park, under this id.
pub(crate) fn held(tool_call_id: &str) -> HeldCall {
    HeldCall {
        source: "test".to_owned(),
        session: "s".to_owned(),
        gate: "acp".to_owned(),
        tool: tool("deploy"),
        tool_call_id: tool_call_id.to_owned(),
        input: input(serde_json::json!({"to": "production"})),
        request: digest(&format!("request of {tool_call_id}")),
        retry_key: digest("retry key"),
        history: said(&["deploy it"]),
    }
}

pub(crate) fn pending(tool_call_id: &str) -> Pending {
    Pending::new(held(tool_call_id))
}

pub(crate) fn id(number: u8) -> ParkId {
    ParkId::random(&[number; 16]).unwrap()
}

/// What the holder of a call knows, all of it as it was.
pub(crate) struct Holder {
    pub(crate) tool_call_id: String,
    pub(crate) request: Digest,
    pub(crate) history: Fingerprint,
    pub(crate) gates: Vec<&'static str>,
    pub(crate) reachable: bool,
}

impl Holder {
    pub(crate) fn of(tool_call_id: &str) -> Self {
        let call = held(tool_call_id);
        Self {
            tool_call_id: call.tool_call_id,
            request: call.request,
            history: call.history,
            gates: vec!["other", "acp"],
            reachable: true,
        }
    }

    pub(crate) fn live(&self) -> Live<'_> {
        Live {
            gates: &self.gates,
            tool_call_id: &self.tool_call_id,
            request: &self.request,
            history: &self.history,
            reachable: self.reachable,
        }
    }
}
