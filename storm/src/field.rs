//! What the storm goes over: grants that every process can name by their number.

use crate::random::Random;
use crate::{Outcome, at};
use countersign::store::{SqliteStore, SystemClock};
use countersign_broker::store::{Capacity, Change, Key, Store, StoreError, Table, View};
use countersign_broker::{AuditError, AuditPort, GrantRefusal, Presented, Token};
use countersign_core::{AuditEvent, Digest, Request};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tempfile::TempDir;

/// Long enough for a run.
pub(crate) const LONG: Duration = countersign_broker::MAX_GRANT_TTL;

/// The file of the store in a folder.
pub(crate) fn file(dir: &Path) -> PathBuf {
    dir.join("state.db")
}

/// A folder that the store takes, and that goes with the value.
pub(crate) fn folder() -> Outcome<TempDir> {
    folder_in(&std::env::temp_dir())
}

/// The same, in another folder.
pub(crate) fn folder_in(place: &Path) -> Outcome<TempDir> {
    tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o700))
        .tempdir_in(place)
        .map_err(at("a folder for the run"))
}

/// The store in a folder.
pub(crate) fn open(dir: &Path) -> SqliteStore {
    SqliteStore::new(file(dir), Box::new(SystemClock::new()), Capacity::default())
}

/// One grant.
#[derive(Debug)]
pub(crate) struct Ticket {
    pub(crate) token: Token,
    pub(crate) digest: Digest,
    pub(crate) session: String,
}

impl Ticket {
    pub(crate) fn new(seed: u64, number: u64) -> Self {
        Self {
            token: Token::from_random(Random::new(seed, number).bytes()),
            digest: Digest::of("countersign.storm", &number.to_le_bytes()),
            session: format!("session-{}", number % 7),
        }
    }

    /// Issues it, and says when it is over.
    pub(crate) fn issue(&self, store: &dyn Store, ttl: Duration) -> Outcome<u64> {
        let mut request = Request::command("storm", "storm", "/", "true");
        request.session = Some(self.session.clone());
        let token = self.token.clone();
        countersign_broker::issue(store, token, &request, &self.digest, ttl)
            .map(|grant| grant.expires.ms)
            .map_err(at("a grant cannot be issued"))
    }

    /// Spends it.
    pub(crate) fn consume(&self, store: &dyn Store) -> Result<(), GrantRefusal> {
        let presented = Presented {
            token: &self.token,
            digest: &self.digest,
            session: &self.session,
            source: "storm",
        };
        countersign_broker::consume(store, &mut Silent, &presented)
    }
}

/// What an attempt came to, as one letter.
pub(crate) fn letter(outcome: &Result<(), GrantRefusal>) -> char {
    match outcome {
        Ok(()) => 'w',
        Err(GrantRefusal::Reused) => 'r',
        Err(GrantRefusal::Expired) => 'e',
        Err(GrantRefusal::Mismatch) => 'm',
        Err(GrantRefusal::Unknown) => 'n',
        Err(GrantRefusal::Unknowable(why)) if why.contains("the store is busy") => 'b',
        Err(_) => '?',
    }
}

/// Records nothing: a million attempts are about the store.
#[derive(Debug)]
pub(crate) struct Silent;

impl AuditPort for Silent {
    fn record(&mut self, _: &AuditEvent) -> Result<(), AuditError> {
        Ok(())
    }
}

/// Milliseconds since the Unix epoch.
pub(crate) fn wall() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| u64::try_from(since.as_millis()).ok())
        .unwrap_or(0)
}

/// Whether SQLite finds its file in order.
pub(crate) fn in_order(dir: &Path) -> Outcome {
    let say = at("the file cannot be checked");
    let connection = rusqlite::Connection::open(file(dir)).map_err(&say)?;
    let said: String = connection
        .query_row("PRAGMA integrity_check", (), |row| row.get(0))
        .map_err(&say)?;
    if said == "ok" {
        Ok(())
    } else {
        Err(format!("integrity_check says: {said}"))
    }
}

/// A planted fault: looks at first and changes later, so that another may come between.
#[derive(Debug)]
pub(crate) struct Torn(pub(crate) SqliteStore);

impl Store for Torn {
    fn read(&self, keys: &[Key]) -> Result<View, StoreError> {
        self.0.read(keys)
    }

    fn update(
        &self,
        keys: &[Key],
        step: &mut dyn FnMut(&View) -> Vec<Change>,
    ) -> Result<(), StoreError> {
        let changes = step(&self.0.read(keys)?);
        self.0.update(keys, &mut |_| changes.clone())
    }

    fn scan(
        &self,
        table: Table,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(Key, String)>, StoreError> {
        self.0.scan(table, after, limit)
    }
}

/// Counts the steps that changed nothing: those that looked at an open grant, waited for the lock
/// and found it spent.
pub(crate) struct Counted {
    pub(crate) store: Box<dyn Store>,
    pub(crate) beaten: std::sync::atomic::AtomicU64,
}

impl Store for Counted {
    fn read(&self, keys: &[Key]) -> Result<View, StoreError> {
        self.store.read(keys)
    }

    fn update(
        &self,
        keys: &[Key],
        step: &mut dyn FnMut(&View) -> Vec<Change>,
    ) -> Result<(), StoreError> {
        let mut nothing = false;
        let done = self.store.update(keys, &mut |view| {
            let changes = step(view);
            nothing = changes.is_empty();
            changes
        });
        if nothing {
            self.beaten
                .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
        done
    }

    fn scan(
        &self,
        table: Table,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(Key, String)>, StoreError> {
        self.store.scan(table, after, limit)
    }
}
