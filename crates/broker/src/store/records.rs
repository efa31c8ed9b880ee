//! Typed rows over the port's bytes.

use super::{Change, Key, Moment, Row, Store, StoreError, StoreErrorKind, Table, View};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The rows of one step, read and written as types. What cannot be read is an error and never an
/// absent row: a damaged denial must not become a clean record.
#[derive(Debug)]
pub(crate) struct Records<'a> {
    /// The store's time.
    pub(crate) now: Moment,
    keys: &'a [Key],
    bodies: &'a [Option<String>],
    changes: Vec<Change>,
}

impl<'a> Records<'a> {
    fn new(keys: &'a [Key], view: &'a View) -> Self {
        Self {
            now: view.now,
            keys,
            bodies: &view.bodies,
            changes: Vec::new(),
        }
    }

    /// The row under the key at this place among those that were named.
    pub(crate) fn get<T: DeserializeOwned>(&self, at: usize) -> Result<Option<T>, StoreError> {
        let Some(body) = self.bodies.get(at).and_then(Option::as_ref) else {
            return Ok(None);
        };
        parse(self.table(at)?, body).map(Some)
    }

    /// Keeps a row under the key at this place.
    pub(crate) fn put<T: Serialize>(
        &mut self,
        at: usize,
        value: &T,
        until: Option<Moment>,
        pinned: bool,
    ) -> Result<(), StoreError> {
        let table = self.table(at)?;
        let body = serde_json::to_string(value).map_err(|error| damaged(table, &error))?;
        let row = Row {
            body,
            until,
            pinned,
        };
        self.set(at, Some(row))
    }

    /// Removes the row under the key at this place.
    pub(crate) fn remove(&mut self, at: usize) -> Result<(), StoreError> {
        self.set(at, None)
    }

    fn set(&mut self, at: usize, row: Option<Row>) -> Result<(), StoreError> {
        let key = self.key(at)?.clone();
        self.changes.retain(|change| change.key != key);
        self.changes.push(Change { key, row });
        Ok(())
    }

    fn table(&self, at: usize) -> Result<Table, StoreError> {
        Ok(self.key(at)?.table)
    }

    fn key(&self, at: usize) -> Result<&'a Key, StoreError> {
        self.keys.get(at).ok_or_else(|| {
            StoreError::new(StoreErrorKind::Misused, "a step has no row at that place")
        })
    }
}

/// A row as its type.
pub(crate) fn parse<T: DeserializeOwned>(table: Table, body: &str) -> Result<T, StoreError> {
    serde_json::from_str(body).map_err(|error| damaged(table, &error))
}

fn damaged(table: Table, error: &serde_json::Error) -> StoreError {
    StoreError::new(
        StoreErrorKind::Damaged,
        format!("a {table} row cannot be read: {error}"),
    )
}

/// Looks at rows without changing them.
pub(crate) fn look<T>(
    store: &dyn Store,
    keys: &[Key],
    see: impl FnOnce(&Records<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let view = store.read(keys)?;
    see(&Records::new(keys, &view))
}

/// Runs one step on rows. A step that fails changes nothing.
pub(crate) fn transact<T>(
    store: &dyn Store,
    keys: &[Key],
    mut step: impl FnMut(&mut Records<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let mut outcome = None;
    store.update(keys, &mut |view| {
        let mut records = Records::new(keys, view);
        let result = step(&mut records);
        let changes = match &result {
            Ok(_) => records.changes,
            Err(_) => Vec::new(),
        };
        outcome = Some(result);
        changes
    })?;
    outcome.unwrap_or_else(|| {
        Err(StoreError::new(
            StoreErrorKind::Misused,
            "it ran no step and said that it had",
        ))
    })
}
