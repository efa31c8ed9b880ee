//! What must outlive a call, on disk: one SQLite file in the state folder.
//!
//! Hook processes live for some milliseconds, so the file is opened when a stage first asks, and is
//! not made before there is something to keep.

mod clock;
mod place;
mod schema;
mod sqlite;

pub use clock::SystemClock;
pub use sqlite::SqliteStore;

use crate::paths::Dirs;
use countersign_broker::store::Capacity;
use std::path::PathBuf;

/// The store of these folders, not opened yet. `roots` are the workspaces, where it may not lie.
pub fn of(dirs: &Dirs, roots: &[String]) -> SqliteStore {
    SqliteStore::new(
        dirs.store_file(),
        Box::new(SystemClock::new()),
        Capacity::default(),
    )
    .outside(roots.iter().map(PathBuf::from).collect(), &dirs.home)
}
