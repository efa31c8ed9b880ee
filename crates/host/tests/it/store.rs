//! The store on disk: what the port promises, who may read it, and every way it fails.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use countersign::store::SqliteStore;
use countersign_broker::store::conformance::{self, TestClock};
use countersign_broker::store::{
    Capacity, Change, Key, Row, Store, StoreError, StoreErrorKind, Table,
};
use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;
use tempfile::TempDir;

fn store_in(dir: &Path) -> SqliteStore {
    SqliteStore::new(
        dir.join("state/store.db"),
        Box::new(TestClock::default()),
        Capacity::default(),
    )
}

fn put(store: &SqliteStore, id: &str) -> Result<(), StoreError> {
    let key = Key::new(Table::Scope, id);
    store.update(std::slice::from_ref(&key), &mut |_| {
        vec![Change {
            key: key.clone(),
            row: Some(Row {
                body: id.to_owned(),
                until: None,
                pinned: false,
            }),
        }]
    })
}

fn get(store: &SqliteStore, id: &str) -> Result<Option<String>, StoreError> {
    let view = store.read(&[Key::new(Table::Scope, id)])?;
    Ok(view.bodies[0].clone())
}

#[test]
fn it_conforms() {
    let dirs = Mutex::new(Vec::<TempDir>::new());
    let open = |clock: TestClock, capacity: Capacity| -> Box<dyn Store> {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("state/store.db");
        dirs.lock().unwrap().push(dir);
        Box::new(SqliteStore::new(file, Box::new(clock), capacity))
    };
    conformance::all(&open);
}

#[test]
fn it_is_made_by_the_first_change_and_private() {
    let dir = tempfile::tempdir().unwrap();
    let store = store_in(dir.path());
    assert_eq!(get(&store, "a").unwrap(), None);
    assert!(store.scan(Table::Scope, None, 9).unwrap().is_empty());
    store
        .update(&[Key::new(Table::Scope, "a")], &mut |_| Vec::new())
        .unwrap();
    assert!(!dir.path().join("state").exists(), "looking makes nothing");
    put(&store, "a").unwrap();
    let mode = |name: &str| {
        let found = std::fs::metadata(dir.path().join(name)).unwrap();
        found.mode() & 0o777
    };
    assert_eq!(mode("state"), 0o700);
    for name in ["store.db", "store.db-wal", "store.db-shm"] {
        assert_eq!(mode(&format!("state/{name}")), 0o600, "{name}");
    }
    drop(store);
    assert_eq!(
        get(&store_in(dir.path()), "a").unwrap().as_deref(),
        Some("a")
    );
}

type Spoil = fn(&Path);

/// What stands in the way, the error's kind, the words that it must hold, and how it comes about.
const FAULTS: &[(&str, StoreErrorKind, &str, Spoil)] = &[
    (
        "it was emptied",
        StoreErrorKind::Damaged,
        "it was emptied",
        |state| {
            for name in ["store.db-wal", "store.db-shm"] {
                std::fs::remove_file(state.join(name)).unwrap();
            }
            std::fs::write(state.join("store.db"), "").unwrap();
        },
    ),
    (
        "others may read the file",
        StoreErrorKind::Unavailable,
        "chmod 600",
        |state| {
            std::fs::set_permissions(state.join("store.db"), Permissions::from_mode(0o640))
                .unwrap();
        },
    ),
    (
        "others may enter the folder",
        StoreErrorKind::Unavailable,
        "chmod 700",
        |state| {
            std::fs::set_permissions(state, Permissions::from_mode(0o755)).unwrap();
        },
    ),
    (
        "the file is a link",
        StoreErrorKind::Unavailable,
        "not a regular file",
        |state| {
            std::fs::rename(state.join("store.db"), state.join("elsewhere")).unwrap();
            symlink("elsewhere", state.join("store.db")).unwrap();
        },
    ),
    (
        "the file is a folder",
        StoreErrorKind::Unavailable,
        "not a regular file",
        |state| {
            std::fs::remove_file(state.join("store.db")).unwrap();
            std::fs::create_dir(state.join("store.db")).unwrap();
        },
    ),
    (
        "it holds something else",
        StoreErrorKind::Damaged,
        "move it away",
        |state| {
            for name in ["store.db-wal", "store.db-shm"] {
                std::fs::remove_file(state.join(name)).unwrap();
            }
            std::fs::write(
                state.join("store.db"),
                "not a database, but long enough to be one: ".repeat(200),
            )
            .unwrap();
        },
    ),
    (
        "it is of a newer version",
        StoreErrorKind::Damaged,
        "use the newer program",
        |state| {
            let connection = rusqlite::Connection::open(state.join("store.db")).unwrap();
            connection.pragma_update(None, "user_version", 99).unwrap();
        },
    ),
    (
        "its clock is garbage",
        StoreErrorKind::Damaged,
        "its clock cannot be read",
        |state| {
            let connection = rusqlite::Connection::open(state.join("store.db")).unwrap();
            connection
                .execute("UPDATE state SET mark = '{'", ())
                .unwrap();
        },
    ),
    (
        "its tables are gone",
        StoreErrorKind::Damaged,
        "no such table",
        |state| {
            let connection = rusqlite::Connection::open(state.join("store.db")).unwrap();
            connection.execute("DROP TABLE record", ()).unwrap();
        },
    ),
];

#[test]
fn every_fault_has_its_words() {
    for (what, kind, words, spoil) in FAULTS {
        let dir = tempfile::tempdir().unwrap();
        put(&store_in(dir.path()), "a").unwrap();
        spoil(&dir.path().join("state"));
        for (how, error) in [
            ("read", get(&store_in(dir.path()), "a").map(drop)),
            ("update", put(&store_in(dir.path()), "a")),
        ] {
            let error = error.expect_err(what);
            assert_eq!(error.kind, *kind, "{what}, {how}: {error}");
            let text = error.to_string();
            assert!(text.contains(words), "{what}, {how}: {text}");
            assert!(
                text.contains("store.db") || text.contains("state"),
                "{what}: {text}"
            );
        }
    }
}

#[test]
fn it_is_refused_in_a_workspace() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let home = |path: &str| PathBuf::from(path);
    let inside = store_in(&root).outside(vec![root.clone()], &home("/home/u"));
    let error = put(&inside, "a").unwrap_err();
    assert!(error.to_string().contains("is in the workspace"), "{error}");
    for (workspaces, home) in [
        // Somebody who works in their home folder.
        (vec![root.clone()], root.join("home")),
        (vec![root.join("project")], home("/home/u")),
        // A path that only begins alike.
        (
            vec![PathBuf::from(
                root.display().to_string().replace("tmp", "t"),
            )],
            home("/home/u"),
        ),
    ] {
        put(&store_in(&root).outside(workspaces, &home), "a").unwrap();
    }
}

#[test]
fn a_file_that_is_taken_away_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let store = store_in(dir.path());
    put(&store, "a").unwrap();
    std::fs::rename(dir.path().join("state/store.db"), dir.path().join("gone")).unwrap();
    for _again in 0..2 {
        let error = put(&store, "b").unwrap_err();
        assert!(error.to_string().contains("removed or replaced"), "{error}");
    }
}

#[test]
fn a_held_lock_ends_in_an_error_and_not_in_waiting() {
    let dir = tempfile::tempdir().unwrap();
    let store = store_in(dir.path()).patient_for(Duration::from_millis(300));
    put(&store, "a").unwrap();
    let other = rusqlite::Connection::open(dir.path().join("state/store.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(
        get(&store, "a").unwrap().as_deref(),
        Some("a"),
        "readers go on"
    );
    let error = put(&store, "b").unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Busy, "{error}");
    other.execute_batch("ROLLBACK").unwrap();
    put(&store, "b").unwrap();
}

#[test]
fn a_full_disk_loses_nothing_that_was_said_to_be_kept() {
    let dir = tempfile::tempdir().unwrap();
    let store = store_in(dir.path());
    put(&store, "first").unwrap();
    drop(store);
    // As little room as SQLite can be told of: a few pages.
    let connection = rusqlite::Connection::open(dir.path().join("state/store.db")).unwrap();
    let pages: i64 = connection
        .query_row("PRAGMA page_count", (), |row| row.get(0))
        .unwrap();
    drop(connection);
    let script = format!(
        "ulimit -f {}; trap '' XFSZ; exec \"$0\" store::fills_the_disk --exact --ignored",
        pages * 8 + 64
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .arg(std::env::current_exe().unwrap())
        .env("COUNTERSIGN_FULL", dir.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let kept: usize = std::fs::read_to_string(dir.path().join("kept"))
        .unwrap()
        .parse()
        .unwrap();
    assert!(kept > 0);
    let store = store_in(dir.path());
    for at in 0..kept {
        assert!(
            get(&store, &format!("row {at}")).unwrap().is_some(),
            "{at} of {kept}"
        );
    }
    assert_eq!(get(&store, "first").unwrap().as_deref(), Some("first"));
}

/// The part that runs with a limit on the size of files; not a test by itself.
#[test]
#[ignore = "run by a_full_disk_loses_nothing_that_was_said_to_be_kept"]
fn fills_the_disk() {
    let Some(dir) = std::env::var_os("COUNTERSIGN_FULL").map(PathBuf::from) else {
        return;
    };
    let store = store_in(&dir);
    let failed = (0..100_000).find(|at| put(&store, &format!("row {at}")).is_err());
    let kept = failed.expect("the disk is never full");
    let error = put(&store, "one more").unwrap_err();
    assert!(
        matches!(
            error.kind,
            StoreErrorKind::Full | StoreErrorKind::Unavailable
        ),
        "{error}"
    );
    std::fs::write(dir.join("kept"), kept.to_string()).unwrap();
}

#[test]
fn the_log_stays_short_when_processes_come_one_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("state/store.db-wal");
    let mut longest = 0;
    for round in 0..200 {
        put(&store_in(dir.path()), &round.to_string()).unwrap();
        longest = longest.max(std::fs::metadata(&log).unwrap().len());
    }
    assert!(longest < 400 << 10, "{longest}");
    // Somebody who is reading is not waited for, and sees what it saw.
    let reader = rusqlite::Connection::open(dir.path().join("state/store.db")).unwrap();
    let count = "SELECT count(*) FROM record";
    let rows = |connection: &rusqlite::Connection| -> i64 {
        connection.query_row(count, (), |row| row.get(0)).unwrap()
    };
    reader.execute_batch("BEGIN").unwrap();
    assert_eq!(rows(&reader), 200);
    for round in 200..300 {
        put(&store_in(dir.path()), &round.to_string()).unwrap();
    }
    assert_eq!(rows(&reader), 200);
    reader.execute_batch("COMMIT").unwrap();
    assert_eq!(rows(&reader), 300);
    drop(reader);
    put(&store_in(dir.path()), "last").unwrap();
    assert!(std::fs::metadata(&log).unwrap().len() < 400 << 10);
    assert_eq!(
        get(&store_in(dir.path()), "7").unwrap().as_deref(),
        Some("7")
    );
}
