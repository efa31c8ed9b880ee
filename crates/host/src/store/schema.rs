//! What the file looks like, and how an older one is brought up to it.

use rusqlite::{Connection, Result, TransactionBehavior};

/// What turns one version into the next, the first one an empty file.
const STEPS: [&str; 1] = ["
    CREATE TABLE record (
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        body TEXT NOT NULL,
        until_era INTEGER,
        until_ms INTEGER,
        pinned INTEGER NOT NULL,
        touched INTEGER NOT NULL,
        PRIMARY KEY (kind, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX loose ON record (kind, touched) WHERE pinned = 0;
    CREATE INDEX ends ON record (until_era, until_ms) WHERE until_ms IS NOT NULL;
    CREATE TABLE tally (
        kind TEXT NOT NULL PRIMARY KEY,
        rows INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE state (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        mark TEXT NOT NULL,
        changes INTEGER NOT NULL
    ) STRICT;
    INSERT INTO state VALUES (1, '', 0);
"];

/// The version that this program writes: one for each step.
pub(super) const VERSION: u32 = 1;

const _: () = assert!(STEPS.len() == VERSION as usize);

/// The version of a file.
pub(super) fn version(connection: &Connection) -> Result<u32> {
    connection.query_row("PRAGMA user_version", (), |row| row.get(0))
}

/// Brings a file up to date; one that is newer is left as it is.
pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    let from = version(&transaction)?;
    for step in STEPS.iter().skip(usize::try_from(from).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    if from < VERSION {
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()
}
