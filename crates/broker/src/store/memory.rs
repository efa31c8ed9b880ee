use super::{
    Change, Key, Mark, Moment, Reading, Row, Store, StoreError, StoreErrorKind, Table, View,
    check_changes, check_keys,
};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Reads the system's clocks for a store.
pub trait StoreClock: Send + Sync {
    /// What they say now.
    fn read(&self) -> Reading;
}

/// How many rows a store keeps in each table. Where a table is full, the row that was changed
/// longest ago and is not pinned makes room; where every one is pinned, the store is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity(pub usize);

impl Default for Capacity {
    fn default() -> Self {
        Self(100_000)
    }
}

/// Keeps rows in memory, for one process: for hosts that live as long as their sessions, and for
/// tests.
pub struct MemoryStore {
    clock: Box<dyn StoreClock>,
    rows: Mutex<Rows>,
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").finish_non_exhaustive()
    }
}

impl MemoryStore {
    /// An empty store.
    pub fn new(clock: Box<dyn StoreClock>, capacity: Capacity) -> Self {
        Self {
            clock,
            rows: Mutex::new(Rows::new(capacity)),
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Rows, Moment) -> T) -> T {
        // A step that panicked left no change: changes are kept after it has returned.
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let now = rows.tell(&self.clock.read());
        act(&mut rows, now)
    }
}

impl Store for MemoryStore {
    fn read(&self, keys: &[Key]) -> Result<View, StoreError> {
        check_keys(keys)?;
        Ok(self.with(|rows, now| rows.view(keys, now)))
    }

    fn update(
        &self,
        keys: &[Key],
        step: &mut dyn FnMut(&View) -> Vec<Change>,
    ) -> Result<(), StoreError> {
        check_keys(keys)?;
        self.with(|rows, now| {
            let changes = step(&rows.view(keys, now));
            check_changes(keys, &changes)?;
            rows.keep(changes, now)
        })
    }

    fn scan(
        &self,
        table: Table,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(Key, String)>, StoreError> {
        Ok(self.with(|rows, now| rows.scan(table, after, limit, now)))
    }
}

struct Kept {
    row: Row,
    /// Counts changes: the least was changed longest ago.
    touched: u64,
}

/// The rows themselves, without a lock.
struct Rows {
    capacity: Capacity,
    mark: Mark,
    kept: BTreeMap<Key, Kept>,
    /// What may make room, per table, by when it was changed.
    loose: BTreeMap<(Table, u64), Key>,
    /// What is over at some time, by that time.
    ends: BTreeMap<(Moment, u64), Key>,
    counts: BTreeMap<Table, usize>,
    changes: u64,
}

impl Rows {
    fn new(capacity: Capacity) -> Self {
        Self {
            capacity,
            mark: Mark::default(),
            kept: BTreeMap::new(),
            loose: BTreeMap::new(),
            ends: BTreeMap::new(),
            counts: BTreeMap::new(),
            changes: 0,
        }
    }

    fn tell(&mut self, reading: &Reading) -> Moment {
        let (now, mark) = self.mark.at(reading);
        self.mark = mark;
        now
    }

    fn view(&self, keys: &[Key], now: Moment) -> View {
        let body = |key| {
            let kept = self.kept.get(key)?;
            let over = kept.row.until.is_some_and(|until| until.is_past(now));
            (!over).then(|| kept.row.body.clone())
        };
        View {
            now,
            bodies: keys.iter().map(body).collect(),
        }
    }

    fn keep(&mut self, changes: Vec<Change>, now: Moment) -> Result<(), StoreError> {
        self.drop_past(now);
        self.make_room(&changes)?;
        for Change { key, row } in changes {
            self.remove(&key);
            if let Some(row) = row {
                self.insert(key, row);
            }
        }
        Ok(())
    }

    fn drop_past(&mut self, now: Moment) {
        while let Some(((until, _), key)) = self.ends.first_key_value() {
            // In an era that is over, everything is.
            if !until.is_past(now) {
                break;
            }
            let key = key.clone();
            self.remove(&key);
        }
    }

    /// Makes room for all that is new before anything is kept: all of it or nothing.
    fn make_room(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        for table in Table::ALL {
            let (mut new, mut gone) = (0_usize, 0_usize);
            for change in changes.iter().filter(|change| change.key.table == table) {
                match (self.kept.contains_key(&change.key), &change.row) {
                    (false, Some(_)) => new = new.saturating_add(1),
                    (true, None) => gone = gone.saturating_add(1),
                    _ => {}
                }
            }
            // What the step takes away makes room for what it brings.
            let new = new.saturating_sub(gone);
            let count = self.counts.get(&table).copied().unwrap_or(0);
            let surplus = count.saturating_add(new).saturating_sub(self.capacity.0);
            if new == 0 || surplus == 0 {
                continue;
            }
            let going: Vec<Key> = self
                .loose
                .range((table, 0)..=(table, u64::MAX))
                .map(|(_, key)| key.clone())
                .filter(|key| changes.iter().all(|change| change.key != *key))
                .take(surplus)
                .collect();
            if going.len() < surplus {
                return Err(StoreError::new(
                    StoreErrorKind::Full,
                    format!("it holds {count} {table} rows, and each stands against somebody"),
                ));
            }
            for key in &going {
                self.remove(key);
            }
        }
        Ok(())
    }

    fn insert(&mut self, key: Key, row: Row) {
        self.changes = self.changes.saturating_add(1);
        let touched = self.changes;
        if !row.pinned {
            self.loose.insert((key.table, touched), key.clone());
        }
        if let Some(until) = row.until {
            self.ends.insert((until, touched), key.clone());
        }
        let count = self.counts.entry(key.table).or_default();
        *count = count.saturating_add(1);
        self.kept.insert(key, Kept { row, touched });
    }

    fn remove(&mut self, key: &Key) {
        let Some(kept) = self.kept.remove(key) else {
            return;
        };
        self.loose.remove(&(key.table, kept.touched));
        if let Some(until) = kept.row.until {
            self.ends.remove(&(until, kept.touched));
        }
        if let Some(count) = self.counts.get_mut(&key.table) {
            *count = count.saturating_sub(1);
        }
    }

    fn scan(
        &self,
        table: Table,
        after: Option<&str>,
        limit: usize,
        now: Moment,
    ) -> Vec<(Key, String)> {
        let from = Key::new(table, after.unwrap_or_default());
        self.kept
            .range(from..)
            .take_while(|(key, _)| key.table == table)
            .filter(|(key, _)| after.is_none_or(|after| key.id.as_str() > after))
            .filter(|(_, kept)| !kept.row.until.is_some_and(|until| until.is_past(now)))
            .map(|(key, kept)| (key.clone(), kept.row.body.clone()))
            .take(limit)
            .collect()
    }
}
