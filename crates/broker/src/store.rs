//! The port through which the broker keeps what must outlive a call.
//!
//! A store keeps small rows under keys and runs one step at a time on the rows that it names. All
//! that the broker promises (nothing spent twice, nothing forgotten) rests on that one operation;
//! what a row means is decided here, once, and not in each store. `docs/adr/0013` says why.

mod clock;
#[cfg(feature = "conformance")]
pub mod conformance;
mod memory;
mod records;

pub use clock::{Mark, Reading};
pub use memory::{Capacity, MemoryStore, StoreClock};
pub(crate) use records::{Records, look, parse, transact};

use std::fmt;
use thiserror::Error;

/// The longest id of a key, in bytes.
pub const MAX_ID_BYTES: usize = 256;

/// The longest body of a row, in bytes.
pub const MAX_BODY_BYTES: usize = 256 << 10;

/// The most rows that one step may name.
pub const MAX_KEYS: usize = 16;

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// A scope: its breaker and its revise budget.
    Scope,
    /// The longer window of a user, an agent and a project.
    Window,
    /// A session: its recent denials and what a person authorised.
    Session,
    /// A grant.
    Grant,
    /// An allowance of the execution guard.
    Allowance,
    /// Decisions that people gave before they were asked again.
    Answer,
    /// A parked approval.
    Parked,
    /// What reviews cost.
    Spend,
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 8] = [
        Self::Scope,
        Self::Window,
        Self::Session,
        Self::Grant,
        Self::Allowance,
        Self::Answer,
        Self::Parked,
        Self::Spend,
    ];

    /// The word that stores use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Scope => "scope",
            Self::Window => "window",
            Self::Session => "session",
            Self::Grant => "grant",
            Self::Allowance => "allowance",
            Self::Answer => "answer",
            Self::Parked => "parked",
            Self::Spend => "spend",
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Names one row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// What it is about.
    pub table: Table,
    /// Which one; at most [`MAX_ID_BYTES`] long.
    pub id: String,
}

impl Key {
    /// A key.
    pub fn new(table: Table, id: impl Into<String>) -> Self {
        Self {
            table,
            id: id.into(),
        }
    }
}

/// A moment of a store's own clock, which never goes back.
///
/// Milliseconds count from the Unix epoch as long as the system's clock is right. The era changes
/// whenever time between two readings cannot be vouched for: after a restart of the machine, or
/// when a database was promoted. What expires is void in every era but its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Moment {
    /// Counts restarts.
    pub era: u64,
    /// Milliseconds.
    pub ms: u64,
}

impl Moment {
    /// The moment this many milliseconds later, in the same era.
    pub fn after(self, ms: u64) -> Self {
        Self {
            ms: self.ms.saturating_add(ms),
            ..self
        }
    }

    /// Whether what lives until this moment is over by `now`: exactly at its instant it is.
    pub fn is_past(self, now: Self) -> bool {
        self.era != now.era || now.ms >= self.ms
    }
}

/// A row to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What it says: JSON, at most [`MAX_BODY_BYTES`] long.
    pub body: String,
    /// When it is over: from then on a store may drop it, and gives it out no more.
    pub until: Option<Moment>,
    /// It may not be dropped to make room: it stands against somebody.
    pub pinned: bool,
}

/// What becomes of one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Which.
    pub key: Key,
    /// What it is from now on; nothing removes it.
    pub row: Option<Row>,
}

/// What a step sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The store's time.
    pub now: Moment,
    /// The bodies of the rows that were named, in that order; none where there is no row, or where
    /// it is over.
    pub bodies: Vec<Option<String>>,
}

/// Keeps rows.
///
/// A store that keeps these promises may be used by any number of threads and processes; the
/// `conformance` feature has tests for them that every store must pass.
pub trait Store: Send + Sync {
    /// Looks at rows, all at one moment.
    ///
    /// # Errors
    /// When they cannot be had. The caller must not go on as if there were none.
    fn read(&self, keys: &[Key]) -> Result<View, StoreError>;

    /// Runs one step: no other step that names one of its rows runs between what it sees and what
    /// it leaves. All its changes are kept, and outlast a loss of power, when this returns `Ok`; or
    /// else none is, or nobody knows. It may be run several times, and only the last one counts. A
    /// change of a row that was not named is an error.
    ///
    /// # Errors
    /// When the changes may not have been kept. The caller must take everything that the step
    /// spent as spent.
    fn update(
        &self,
        keys: &[Key],
        step: &mut dyn FnMut(&View) -> Vec<Change>,
    ) -> Result<(), StoreError>;

    /// Rows of one table whose ids follow `after`, in the order of their ids; those that are over
    /// are left out.
    ///
    /// # Errors
    /// When they cannot be had.
    fn scan(
        &self,
        table: Table,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(Key, String)>, StoreError>;

    /// The store's time.
    ///
    /// # Errors
    /// When it cannot be had.
    fn now(&self) -> Result<Moment, StoreError> {
        Ok(self.read(&[])?.now)
    }
}

/// How a store failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// It cannot be opened or reached.
    Unavailable,
    /// It took too long, or too many wanted the same row.
    Busy,
    /// There is no room.
    Full,
    /// What it holds cannot be understood.
    Damaged,
    /// It was asked for something that it does not do.
    Misused,
}

/// A store failed. Whether changes were kept is not known.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the store {}: {message}", self.words())]
pub struct StoreError {
    /// How.
    pub kind: StoreErrorKind,
    /// What went wrong, where, and what to do next, for a person.
    pub message: String,
}

impl StoreError {
    /// An error.
    pub fn new(kind: StoreErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }

    fn words(&self) -> &'static str {
        match self.kind {
            StoreErrorKind::Unavailable => "cannot be reached",
            StoreErrorKind::Busy => "is busy",
            StoreErrorKind::Full => "is full",
            StoreErrorKind::Damaged => "is damaged",
            StoreErrorKind::Misused => "was misused",
        }
    }
}

/// Refuses keys and changes that no store may take.
///
/// # Errors
/// With what is wrong with them.
pub fn check_keys(keys: &[Key]) -> Result<(), StoreError> {
    let misused = |what: &str| StoreError::new(StoreErrorKind::Misused, what);
    if keys.len() > MAX_KEYS {
        return Err(misused("a step names too many rows"));
    }
    for (at, key) in keys.iter().enumerate() {
        if key.id.len() > MAX_ID_BYTES {
            return Err(misused("the id of a row is too long"));
        }
        if keys.iter().take(at).any(|other| other == key) {
            return Err(misused("a step names a row twice"));
        }
    }
    Ok(())
}

/// Refuses changes that no store may keep, given the rows that the step named.
///
/// # Errors
/// With what is wrong with them.
pub fn check_changes(keys: &[Key], changes: &[Change]) -> Result<(), StoreError> {
    let misused = |what: &str| StoreError::new(StoreErrorKind::Misused, what);
    for (at, change) in changes.iter().enumerate() {
        if !keys.contains(&change.key) {
            return Err(misused("a step changes a row that it did not name"));
        }
        if changes.iter().take(at).any(|other| other.key == change.key) {
            return Err(misused("a step changes a row twice"));
        }
        if change
            .row
            .as_ref()
            .is_some_and(|row| row.body.len() > MAX_BODY_BYTES)
        {
            return Err(StoreError::new(
                StoreErrorKind::Full,
                format!("a {} row is over {MAX_BODY_BYTES} bytes", change.key.table),
            ));
        }
    }
    Ok(())
}
