//! A store for model checking: threads of a model are switched at every step of it, and nowhere
//! within one. [`ShuttleStore::torn`] plants the classic bug, a step that decides on what it read a
//! moment ago, so that a model can show that it would find one.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use countersign_broker::store::{
    Capacity, Change, Key, MemoryStore, Store, StoreClock, StoreError, Table, View,
};
use shuttle::sync::Mutex;

/// Use it within `shuttle::check_random` and its like alone.
pub(crate) struct ShuttleStore {
    rows: Mutex<MemoryStore>,
    torn: bool,
}

impl ShuttleStore {
    /// A store that keeps the port's promise.
    pub(crate) fn whole(clock: Box<dyn StoreClock>) -> Self {
        Self {
            rows: Mutex::new(MemoryStore::new(clock, Capacity::default())),
            torn: false,
        }
    }

    /// A store that reads first, and writes in a second step.
    pub(crate) fn torn(clock: Box<dyn StoreClock>) -> Self {
        Self {
            torn: true,
            ..Self::whole(clock)
        }
    }
}

impl Store for ShuttleStore {
    fn read(&self, keys: &[Key]) -> Result<View, StoreError> {
        self.rows.lock().unwrap().read(keys)
    }

    fn update(
        &self,
        keys: &[Key],
        step: &mut dyn FnMut(&View) -> Vec<Change>,
    ) -> Result<(), StoreError> {
        if self.torn {
            let seen = self.rows.lock().unwrap().read(keys)?;
            let changes = step(&seen);
            let rows = self.rows.lock().unwrap();
            return rows.update(keys, &mut |_| changes.clone());
        }
        self.rows.lock().unwrap().update(keys, step)
    }

    fn scan(
        &self,
        table: Table,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(Key, String)>, StoreError> {
        self.rows.lock().unwrap().scan(table, after, limit)
    }
}
