//! Bare statements beside the store: what it is measured by, and what shows that the simulator of
//! losses of power can fail.

use crate::ploss::record::Acknowledged;
use crate::{Outcome, at};
use rusqlite::{Connection, TransactionBehavior, params};
use std::path::Path;

/// How a log is flushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sync {
    /// With every change.
    Full,
    /// Now and then: the planted fault.
    Normal,
}

/// A file with so many grants, the pragmas those of the store.
pub(crate) fn make(dir: &Path, grants: u64, sync: Sync) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open(dir.join("bare.db"))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    let sync = match sync {
        Sync::Full => "FULL",
        Sync::Normal => "NORMAL",
    };
    connection.pragma_update(None, "synchronous", sync)?;
    connection.execute_batch(
        "CREATE TABLE grants (id TEXT PRIMARY KEY, used INTEGER, expires INTEGER NOT NULL)
         STRICT, WITHOUT ROWID",
    )?;
    let transaction = connection.transaction()?;
    for number in 0..grants {
        transaction.execute(
            "INSERT INTO grants VALUES (?1, NULL, ?2)",
            params![id(number), i64::MAX],
        )?;
    }
    transaction.commit()?;
    Ok(connection)
}

/// Spends one, in a transaction of its own.
pub(crate) fn consume(connection: &mut Connection, number: u64) -> rusqlite::Result<bool> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let spent = transaction
        .prepare_cached(
            "UPDATE grants SET used = 1 WHERE id = ?1 AND used IS NULL AND expires > ?2",
        )?
        .execute(params![id(number), 1])?;
    transaction.commit()?;
    Ok(spent == 1)
}

fn id(number: u64) -> String {
    format!("{number:064x}")
}

/// The run that is cut.
pub(crate) fn record(
    dir: &Path,
    grants: u64,
    sync: Sync,
    tell: &mut dyn FnMut(&str) -> Outcome,
) -> Outcome {
    let say = at("a bare statement");
    let mut connection = make(dir, grants, sync).map_err(&say)?;
    for number in 0..grants {
        if !consume(&mut connection, number).map_err(&say)? {
            return Err(format!("grant {number} is not spent"));
        }
        tell(&format!("spent {number}"))?;
    }
    Ok(())
}

/// Whether all that was acknowledged is in an image.
pub(crate) fn check(dir: &Path, said: &Acknowledged) -> Outcome {
    if said.spent.is_empty() {
        return Ok(());
    }
    let say = at("the file");
    let connection = Connection::open(dir.join("bare.db")).map_err(&say)?;
    for number in &said.spent {
        let used: Option<i64> = connection
            .prepare_cached("SELECT used FROM grants WHERE id = ?1")
            .and_then(|mut statement| statement.query_row([id(*number)], |row| row.get(0)))
            .map_err(&say)?;
        if used.is_none() {
            return Err(format!("grant {number} was spent, and is open"));
        }
    }
    Ok(())
}
