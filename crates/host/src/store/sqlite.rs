use super::place::{self, Bounds};
use super::schema;
use countersign_broker::store::{
    Capacity, Change, Key, Mark, Moment, Row, Store, StoreClock, StoreError, StoreErrorKind, Table,
    View, check_changes, check_keys,
};
use rusqlite::config::DbConfig;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension as _, Transaction, TransactionBehavior,
    params,
};
use std::fmt;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long one step waits for those of other processes: well below the deadline of a hook, and long
/// enough for hundreds of them on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// The oldest SQLite without the race between resetting a write-ahead log and a checkpoint.
const LEAST_SQLITE: i32 = 3_051_003;

/// How long the log may be that a process finds and leaves: each one that opens the file alone has
/// to read all of it.
const LOG_BYTES: u64 = 256 << 10;

const FLAGS: OpenFlags = OpenFlags::SQLITE_OPEN_READ_WRITE.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// How many rows that are over one step clears away.
const CLEARED: u32 = 64;

/// Keeps rows in an SQLite file, for any number of threads and processes of one machine.
///
/// The file is opened by the first call that needs it and made by the first change. Its log is
/// flushed with every change (`synchronous=FULL`): with less, a grant that was spent is unspent after
/// a loss of power. The last process to close it does not fold the log back in, which would make
/// every short-lived process pay for all; one that finds a long log does it after its first change.
pub struct SqliteStore {
    file: PathBuf,
    bounds: Bounds,
    clock: Box<dyn StoreClock>,
    capacity: Capacity,
    patience: Duration,
    open: Mutex<Option<Opened>>,
}

struct Opened {
    connection: Connection,
    /// Device and inode of the file that was opened.
    identity: (u64, u64),
    /// A change was kept over this connection.
    changed: bool,
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore")
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// The store in this file, which need not exist yet.
    pub fn new(file: PathBuf, clock: Box<dyn StoreClock>, capacity: Capacity) -> Self {
        Self {
            file,
            bounds: Bounds::default(),
            clock,
            capacity,
            patience: PATIENCE,
            open: Mutex::new(None),
        }
    }

    /// The same store, refused where it lies in one of these workspaces.
    pub fn outside(mut self, workspaces: Vec<PathBuf>, home: &Path) -> Self {
        self.bounds = Bounds {
            workspaces,
            home: home.to_path_buf(),
        };
        self
    }

    /// The same store, where one step waits so long for those of others; 20 seconds as a rule.
    pub fn patient_for(mut self, time: Duration) -> Self {
        self.patience = time;
        self
    }

    /// The connection; nothing where there is no file and none is to be made.
    fn opened(&self, make: bool) -> Result<Option<MutexGuard<'_, Option<Opened>>>, StoreError> {
        // Whoever panicked in a step left a transaction that was rolled back.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let found = place::look(&self.file, &self.bounds)?;
        let identity = found.as_ref().map(identity);
        if let Some(opened) = &*open {
            // For good: what would be opened anew knows nothing of what was kept.
            if identity != Some(opened.identity) {
                return Err(StoreError::new(
                    StoreErrorKind::Unavailable,
                    format!(
                        "{} was removed or replaced while it was open; start again",
                        self.file.display()
                    ),
                ));
            }
            return Ok(Some(open));
        }
        if found.is_none() {
            if !make {
                return Ok(None);
            }
            self.make()?;
        }
        *open = Some(self.open_file()?);
        Ok(Some(open))
    }

    fn open_file(&self) -> Result<Opened, StoreError> {
        if rusqlite::version_number() < LEAST_SQLITE {
            return Err(StoreError::new(
                StoreErrorKind::Unavailable,
                format!("SQLite {} is too old to be trusted", rusqlite::version()),
            ));
        }
        let found = std::fs::metadata(&self.file).map_err(|error| {
            StoreError::new(
                StoreErrorKind::Unavailable,
                format!("{}: {error}", self.file.display()),
            )
        })?;
        let connection = self.connect().map_err(|error| self.failed(&error))?;
        Ok(Opened {
            connection,
            identity: identity(&found),
            changed: false,
        })
    }

    /// Makes the file beside its place and moves it there whole: a file without tables is one that was
    /// emptied, and no new one.
    fn make(&self) -> Result<(), StoreError> {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let made = MADE.fetch_add(1, Ordering::Relaxed);
        let fresh = self
            .file
            .with_extension(format!("new-{}-{made}", std::process::id()));
        place::create(&fresh, &self.bounds)?;
        let filled = Connection::open_with_flags(&fresh, FLAGS).and_then(|mut connection| {
            connection.pragma_update(None, "synchronous", "FULL")?;
            schema::migrate(&mut connection)?;
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))
        });
        filled
            .map_err(|error| self.failed(&error))
            .and_then(|()| place::give(&fresh, &self.file))
    }

    fn connect(&self) -> rusqlite::Result<Connection> {
        let mut connection = Connection::open_with_flags(&self.file, FLAGS)?;
        connection.busy_timeout(self.patience)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        // No version is a file that was emptied, which is told by whoever begins to work with it.
        if (1..schema::VERSION).contains(&schema::version(&connection)?) {
            schema::migrate(&mut connection)?;
        }
        Ok(connection)
    }

    /// Folds a long log back into the file and empties it, unless somebody is at it just now.
    ///
    /// SQLite does so by itself only for processes that live longer: how much of the log is folded
    /// in is forgotten with the last that has it open, so that each of many that come one at a time
    /// would find all of it to do again, and only ever make it longer.
    fn fold_in(&self, opened: &mut Opened) {
        if std::mem::replace(&mut opened.changed, true) {
            return;
        }
        let mut log = self.file.clone().into_os_string();
        log.push("-wal");
        let long = std::fs::metadata(log).is_ok_and(|log| log.len() > LOG_BYTES);
        if !long {
            return;
        }
        let connection = &opened.connection;
        // The change is kept whatever becomes of this, and the next process tries again.
        let _tried = connection
            .busy_timeout(Duration::ZERO)
            .and_then(|()| connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(())));
        let _waits_again = connection.busy_timeout(self.patience);
    }

    /// An error of SQLite, for a person.
    fn failed(&self, error: &rusqlite::Error) -> StoreError {
        let file = self.file.display();
        let (kind, next) = match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => (
                StoreErrorKind::Busy,
                "other processes held it all the time; try again",
            ),
            Some(ErrorCode::DiskFull) => (StoreErrorKind::Full, "make room on the disk"),
            // Without a code: rows that hold something else than is written there.
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown)
            | None => (
                StoreErrorKind::Damaged,
                "move it away in your own terminal; what it kept (denials, grants) is lost then",
            ),
            _ => (
                StoreErrorKind::Unavailable,
                "look at the folder and its disk; `countersign doctor` says more",
            ),
        };
        StoreError::new(kind, format!("{file}: {error}; {next}"))
    }

    /// What a store without a file shows.
    fn nothing(&self, keys: &[Key]) -> View {
        let (now, _) = Mark::default().at(&self.clock.read());
        View {
            now,
            bodies: keys.iter().map(|_| None).collect(),
        }
    }

    fn begin<'c>(
        &self,
        connection: &'c mut Connection,
        behavior: TransactionBehavior,
    ) -> Result<Work<'c>, StoreError> {
        let failed = |error: rusqlite::Error| self.failed(&error);
        let transaction = connection
            .transaction_with_behavior(behavior)
            .map_err(failed)?;
        let version = schema::version(&transaction).map_err(failed)?;
        if version != schema::VERSION {
            return Err(StoreError::new(
                StoreErrorKind::Damaged,
                format!(
                    "{} is of version {version}, and this program knows version {}; {}",
                    self.file.display(),
                    schema::VERSION,
                    if version == 0 {
                        "it was emptied: move it away in your own terminal, and what it kept is lost"
                    } else {
                        "use the newer program"
                    }
                ),
            ));
        }
        let mark: String = transaction
            .prepare_cached("SELECT mark FROM state")
            .and_then(|mut statement| statement.query_row((), |row| row.get(0)))
            .map_err(failed)?;
        let mark = if mark.is_empty() {
            Mark::default()
        } else {
            serde_json::from_str(&mark).map_err(|error| {
                StoreError::new(
                    StoreErrorKind::Damaged,
                    format!("{}: its clock cannot be read: {error}", self.file.display()),
                )
            })?
        };
        // Read when the lock is held, so that nobody's waiting makes a moment older than it is.
        let (now, mark) = mark.at(&self.clock.read());
        Ok(Work {
            transaction,
            now,
            mark,
        })
    }

    /// Keeps changes and the clock, or fails and keeps nothing.
    fn keep(&self, mut work: Work<'_>, changes: Vec<Change>) -> Result<(), StoreError> {
        let failed = |error: rusqlite::Error| self.failed(&error);
        work.drop_past(CLEARED).map_err(failed)?;
        for table in Table::ALL {
            work.make_room(table, &changes, self.capacity)
                .map_err(failed)?
                .map_or(Ok(()), Err)?;
        }
        for Change { key, row } in changes {
            match row {
                Some(row) => work.put(&key, &row),
                None => work.remove_row(key.table.as_str(), &key.id),
            }
            .map_err(failed)?;
        }
        let mark = serde_json::to_string(&work.mark)
            .map_err(|error| StoreError::new(StoreErrorKind::Misused, error.to_string()))?;
        work.transaction
            .prepare_cached("UPDATE state SET mark = ?1")
            .and_then(|mut statement| statement.execute([mark]))
            .map_err(failed)?;
        work.transaction.commit().map_err(failed)
    }
}

fn identity(found: &Metadata) -> (u64, u64) {
    (found.dev(), found.ino())
}

/// One transaction.
struct Work<'c> {
    transaction: Transaction<'c>,
    now: Moment,
    mark: Mark,
}

impl Work<'_> {
    /// The rows, and whether one of them was over.
    fn view(&self, keys: &[Key]) -> rusqlite::Result<(View, bool)> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT body, until_era, until_ms FROM record WHERE kind = ?1 AND id = ?2",
        )?;
        let mut bodies = Vec::with_capacity(keys.len());
        let mut any_over = false;
        for key in keys {
            let found = statement
                .query_row(params![key.table.as_str(), key.id], |row| {
                    Ok((row.get(0)?, until(row.get(1)?, row.get(2)?)))
                })
                .optional()?;
            bodies.push(found.and_then(|(body, until): (String, Option<Moment>)| {
                let over = until.is_some_and(|until| until.is_past(self.now));
                any_over |= over;
                (!over).then_some(body)
            }));
        }
        let view = View {
            now: self.now,
            bodies,
        };
        Ok((view, any_over))
    }

    /// Clears rows away that are over, some at a time.
    fn drop_past(&mut self, most: u32) -> rusqlite::Result<usize> {
        let (era, ms) = (number(self.now.era), number(self.now.ms));
        let past: Vec<(String, String)> = self
            .transaction
            .prepare_cached(
                "SELECT kind, id FROM record WHERE until_ms IS NOT NULL
                 AND (until_era, until_ms) <= (?1, ?2) LIMIT ?3",
            )?
            .query_map(params![era, ms, most], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        for (kind, id) in &past {
            self.remove_row(kind, id)?;
        }
        Ok(past.len())
    }

    /// Makes room for what is new in a table: what was changed longest ago and is not pinned goes.
    fn make_room(
        &mut self,
        table: Table,
        changes: &[Change],
        capacity: Capacity,
    ) -> rusqlite::Result<Option<StoreError>> {
        let mut new: usize = 0;
        let mut gone: usize = 0;
        for change in changes.iter().filter(|change| change.key.table == table) {
            match (self.exists(&change.key)?, &change.row) {
                (false, Some(_)) => new = new.saturating_add(1),
                (true, None) => gone = gone.saturating_add(1),
                _ => {}
            }
        }
        // What the step takes away makes room for what it brings.
        let new = new.saturating_sub(gone);
        if new == 0 || self.rows(table)?.saturating_add(new) <= capacity.0 {
            return Ok(None);
        }
        while self.drop_past(CLEARED)? > 0 {}
        let rows = self.rows(table)?;
        let surplus = rows.saturating_add(new).saturating_sub(capacity.0);
        // Those that the step itself changes are no use as room.
        let sought = surplus.saturating_add(changes.len());
        let mut going: Vec<String> = self
            .transaction
            .prepare_cached(
                "SELECT id FROM record WHERE kind = ?1 AND pinned = 0 ORDER BY touched LIMIT ?2",
            )?
            .query_map(
                params![table.as_str(), u32::try_from(sought).unwrap_or(u32::MAX)],
                |row| row.get(0),
            )?
            .collect::<rusqlite::Result<_>>()?;
        going.retain(|id| {
            changes
                .iter()
                .all(|change| change.key.table != table || change.key.id != *id)
        });
        if going.len() < surplus {
            return Ok(Some(StoreError::new(
                StoreErrorKind::Full,
                format!("it holds {rows} {table} rows, and each stands against somebody"),
            )));
        }
        for id in going.iter().take(surplus) {
            self.remove_row(table.as_str(), id)?;
        }
        Ok(None)
    }

    fn exists(&self, key: &Key) -> rusqlite::Result<bool> {
        self.transaction
            .prepare_cached("SELECT 1 FROM record WHERE kind = ?1 AND id = ?2")?
            .exists(params![key.table.as_str(), key.id])
    }

    fn rows(&self, table: Table) -> rusqlite::Result<usize> {
        let rows: Option<i64> = self
            .transaction
            .prepare_cached("SELECT rows FROM tally WHERE kind = ?1")?
            .query_row([table.as_str()], |row| row.get(0))
            .optional()?;
        Ok(rows
            .and_then(|rows| usize::try_from(rows).ok())
            .unwrap_or(0))
    }

    /// A row that is there is changed in its place, and the count of rows left alone: each page that
    /// a change touches is written to the log.
    fn put(&mut self, key: &Key, row: &Row) -> rusqlite::Result<()> {
        let touched: i64 = self
            .transaction
            .prepare_cached("UPDATE state SET changes = changes + 1 RETURNING changes")?
            .query_row((), |row| row.get(0))?;
        let values = params![
            key.table.as_str(),
            key.id,
            row.body,
            row.until.map(|until| number(until.era)),
            row.until.map(|until| number(until.ms)),
            row.pinned,
            touched,
        ];
        let replaced = self
            .transaction
            .prepare_cached(
                "UPDATE record SET body = ?3, until_era = ?4, until_ms = ?5, pinned = ?6,
                 touched = ?7 WHERE kind = ?1 AND id = ?2",
            )?
            .execute(values)?;
        if replaced > 0 {
            return Ok(());
        }
        self.transaction
            .prepare_cached("INSERT INTO record VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?
            .execute(values)?;
        self.count(key.table.as_str(), 1)
    }

    fn remove_row(&mut self, kind: &str, id: &str) -> rusqlite::Result<()> {
        let removed = self
            .transaction
            .prepare_cached("DELETE FROM record WHERE kind = ?1 AND id = ?2")?
            .execute([kind, id])?;
        if removed > 0 {
            self.count(kind, -1)?;
        }
        Ok(())
    }

    fn count(&mut self, kind: &str, by: i64) -> rusqlite::Result<()> {
        self.transaction
            .prepare_cached(
                "INSERT INTO tally VALUES (?1, ?2)
                 ON CONFLICT (kind) DO UPDATE SET rows = rows + excluded.rows",
            )?
            .execute(params![kind, by])?;
        Ok(())
    }
}

impl Store for SqliteStore {
    fn read(&self, keys: &[Key]) -> Result<View, StoreError> {
        check_keys(keys)?;
        let Some(mut open) = self.opened(false)? else {
            return Ok(self.nothing(keys));
        };
        let Some(opened) = &mut *open else {
            return Ok(self.nothing(keys));
        };
        let connection = &mut opened.connection;
        let work = self.begin(connection, TransactionBehavior::Deferred)?;
        let (view, any_over) = work.view(keys).map_err(|error| self.failed(&error))?;
        drop(work);
        if any_over {
            // What was once seen to be over stays so, whatever becomes of the clock.
            let work = self.begin(connection, TransactionBehavior::Immediate)?;
            self.keep(work, Vec::new())?;
            self.fold_in(opened);
        }
        Ok(view)
    }

    fn update(
        &self,
        keys: &[Key],
        step: &mut dyn FnMut(&View) -> Vec<Change>,
    ) -> Result<(), StoreError> {
        check_keys(keys)?;
        let open = match self.opened(false)? {
            None if step(&self.nothing(keys)).is_empty() => return Ok(()),
            None => self.opened(true)?,
            open => open,
        };
        let Some(mut open) = open else {
            return Ok(());
        };
        let Some(opened) = &mut *open else {
            return Ok(());
        };
        let work = self.begin(&mut opened.connection, TransactionBehavior::Immediate)?;
        let (view, any_over) = work.view(keys).map_err(|error| self.failed(&error))?;
        let changes = step(&view);
        check_changes(keys, &changes)?;
        if changes.is_empty() && !any_over {
            return Ok(());
        }
        self.keep(work, changes)?;
        self.fold_in(opened);
        Ok(())
    }

    fn scan(
        &self,
        table: Table,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(Key, String)>, StoreError> {
        let Some(mut open) = self.opened(false)? else {
            return Ok(Vec::new());
        };
        let Some(opened) = &mut *open else {
            return Ok(Vec::new());
        };
        let work = self.begin(&mut opened.connection, TransactionBehavior::Deferred)?;
        scanned(&work, table, after, limit).map_err(|error| self.failed(&error))
    }
}

fn scanned(
    work: &Work<'_>,
    table: Table,
    after: Option<&str>,
    limit: usize,
) -> rusqlite::Result<Vec<(Key, String)>> {
    let mut statement = work.transaction.prepare(
        "SELECT id, body FROM record
         WHERE kind = ?1 AND (?2 IS NULL OR id > ?2)
         AND (until_ms IS NULL OR (until_era = ?3 AND until_ms > ?4))
         ORDER BY id LIMIT ?5",
    )?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let era = number(work.now.era);
    let rows = statement.query_map(
        params![table.as_str(), after, era, number(work.now.ms), limit],
        |row| Ok((Key::new(table, row.get::<_, String>(0)?), row.get(1)?)),
    )?;
    rows.collect()
}

/// SQLite's numbers have a sign.
fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn until(era: Option<i64>, ms: Option<i64>) -> Option<Moment> {
    Some(Moment {
        era: u64::try_from(era?).unwrap_or(0),
        ms: u64::try_from(ms?).unwrap_or(0),
    })
}
