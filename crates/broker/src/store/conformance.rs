//! What every store must do, as tests that its author calls.
//!
//! ```
//! use countersign_broker::store::conformance::{self, TestClock};
//! use countersign_broker::store::{Capacity, MemoryStore, Store};
//!
//! let open = |clock: TestClock, capacity: Capacity| -> Box<dyn Store> {
//!     Box::new(MemoryStore::new(Box::new(clock), capacity))
//! };
//! conformance::all(&open);
//! ```
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::disallowed_methods,
    clippy::arithmetic_side_effects,
    reason = "these are tests, and run threads of their own"
)]

use super::{
    Capacity, Change, Key, MAX_BODY_BYTES, MAX_ID_BYTES, MAX_KEYS, Moment, Reading, Row, Store,
    StoreClock, StoreErrorKind, Table,
};
use std::sync::{Arc, Mutex};

/// A clock that a test sets.
#[derive(Debug, Clone)]
pub struct TestClock(Arc<Mutex<Reading>>);

impl Default for TestClock {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Reading {
            wall: 1_000_000,
            since_start: 5_000,
            start: "first".to_owned(),
        })))
    }
}

impl TestClock {
    /// Real time passes.
    pub fn pass(&self, ms: u64) {
        let mut reading = self.0.lock().unwrap();
        reading.wall += ms;
        reading.since_start += ms;
    }

    /// Somebody sets the system's clock.
    pub fn set_wall(&self, ms: u64) {
        self.0.lock().unwrap().wall = ms;
    }

    /// The machine starts again, with its clock at `wall`.
    pub fn restart(&self, wall: u64) {
        let mut reading = self.0.lock().unwrap();
        reading.start.push('+');
        reading.since_start = 0;
        reading.wall = wall;
    }
}

impl StoreClock for TestClock {
    fn read(&self) -> Reading {
        self.0.lock().unwrap().clone()
    }
}

/// Opens an empty store with this clock.
pub type Open<'a> = &'a dyn Fn(TestClock, Capacity) -> Box<dyn Store>;

/// Every test here, for a store whose clock can be set.
pub fn all(open: Open<'_>) {
    timeless(&|| open(TestClock::default(), Capacity::default()));
    room(open);
    time(open);
}

/// The tests that need neither a clock that can be set nor a small store.
pub fn timeless(open: &dyn Fn() -> Box<dyn Store>) {
    rows_are_kept(&*open());
    a_step_is_whole(&*open());
    misuse_is_refused(&*open());
    a_scan_is_in_order(&*open());
    nobody_steps_between(&*open());
    one_of_many_spends(&*open());
}

fn key(id: &str) -> Key {
    Key::new(Table::Scope, id)
}

fn change(key: &Key, body: &str) -> Change {
    Change {
        key: key.clone(),
        row: Some(Row {
            body: body.to_owned(),
            until: None,
            pinned: false,
        }),
    }
}

fn put(store: &dyn Store, key: &Key, body: &str) {
    store
        .update(std::slice::from_ref(key), &mut |_| vec![change(key, body)])
        .unwrap();
}

fn body(store: &dyn Store, key: &Key) -> Option<String> {
    store.read(std::slice::from_ref(key)).unwrap().bodies[0].clone()
}

fn rows_are_kept(store: &dyn Store) {
    let (one, other) = (key("one"), Key::new(Table::Window, "one"));
    assert_eq!(body(store, &one), None);
    for text in [r#"{"a":1}"#, "{}", "\"\u{0}\u{1f}é\u{202e}\u{1f600}'\\\""] {
        put(store, &one, text);
        assert_eq!(body(store, &one).as_deref(), Some(text));
        assert_eq!(body(store, &other), None, "tables do not meet");
    }
    for id in ["", "a\u{0}b", "é", "'; DROP TABLE x; --", "%", "_"] {
        put(store, &key(id), id);
        assert_eq!(body(store, &key(id)).as_deref(), Some(id));
    }
    store
        .update(std::slice::from_ref(&one), &mut |_| {
            vec![Change {
                key: key("one"),
                row: None,
            }]
        })
        .unwrap();
    assert_eq!(body(store, &one), None);
    let view = store.read(&[key("é"), one, key("%")]).unwrap();
    assert_eq!(view.bodies, [Some("é".into()), None, Some("%".into())]);
}

fn a_step_is_whole(store: &dyn Store) {
    let (one, two) = (key("1"), key("2"));
    let keys = [one.clone(), two.clone()];
    let mut ran = 0;
    store
        .update(&keys, &mut |view| {
            ran += 1;
            assert_eq!(view.bodies, [None, None]);
            vec![change(&one, "a"), change(&two, "b")]
        })
        .unwrap();
    assert!(ran > 0);
    // One change of several that cannot be kept keeps them all away.
    let long = "x".repeat(MAX_BODY_BYTES + 1);
    let error = store
        .update(&keys, &mut |_| vec![change(&one, "c"), change(&two, &long)])
        .unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Full);
    assert_eq!(body(store, &one).as_deref(), Some("a"));
    store.update(&keys, &mut |_| Vec::new()).unwrap();
    assert_eq!(body(store, &two).as_deref(), Some("b"));
}

fn misuse_is_refused(store: &dyn Store) {
    let named = key("named");
    let unnamed = key("unnamed");
    let many: Vec<Key> = (0..=MAX_KEYS).map(|at| key(&at.to_string())).collect();
    let long = key(&"x".repeat(MAX_ID_BYTES + 1));
    for keys in [
        many.as_slice(),
        std::slice::from_ref(&long),
        &[named.clone(), named.clone()],
    ] {
        assert_eq!(store.read(keys).unwrap_err().kind, StoreErrorKind::Misused);
        let error = store
            .update(keys, &mut |_| panic!("this step must not run"))
            .unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Misused);
    }
    for changes in [
        vec![change(&named, "a"), change(&unnamed, "a")],
        vec![change(&named, "a"), change(&named, "b")],
    ] {
        let error = store
            .update(std::slice::from_ref(&named), &mut |_| changes.clone())
            .unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Misused);
        assert_eq!(body(store, &named), None);
        assert_eq!(body(store, &unnamed), None);
    }
}

fn a_scan_is_in_order(store: &dyn Store) {
    for id in ["b", "a", "é", "c", "B"] {
        put(store, &key(id), id);
    }
    put(store, &Key::new(Table::Window, "x"), "x");
    let ids = |after: Option<&str>, limit| -> Vec<String> {
        let rows = store.scan(Table::Scope, after, limit).unwrap();
        rows.into_iter()
            .map(|(key, body)| {
                assert_eq!((key.table, &key.id), (Table::Scope, &body));
                key.id
            })
            .collect()
    };
    assert_eq!(ids(None, 10), ["B", "a", "b", "c", "é"]);
    assert_eq!(ids(None, 2), ["B", "a"]);
    assert_eq!(ids(Some("a"), 2), ["b", "c"]);
    assert_eq!(ids(Some("aa"), 10), ["b", "c", "é"]);
    assert!(ids(Some("é"), 10).is_empty());
    assert!(ids(None, 0).is_empty());
}

/// Counts up from several threads: no count is lost.
fn nobody_steps_between(store: &dyn Store) {
    let counter = key("counter");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..50 {
                    store
                        .update(std::slice::from_ref(&counter), &mut |view| {
                            let count: u32 = view.bodies[0]
                                .as_ref()
                                .map_or(0, |body| body.parse().unwrap());
                            vec![change(&counter, &(count + 1).to_string())]
                        })
                        .unwrap();
                }
            });
        }
    });
    assert_eq!(body(store, &counter).as_deref(), Some("400"));
}

/// Each of some tickets is taken by one of several threads.
fn one_of_many_spends(store: &dyn Store) {
    let tickets: Vec<Key> = (0..25).map(|at| key(&format!("ticket {at}"))).collect();
    for ticket in &tickets {
        put(store, ticket, "unused");
    }
    let won = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for ticket in &tickets {
                    let mut mine = false;
                    store
                        .update(std::slice::from_ref(ticket), &mut |view| {
                            mine = view.bodies[0].as_deref() == Some("unused");
                            if mine {
                                vec![change(ticket, "used")]
                            } else {
                                Vec::new()
                            }
                        })
                        .unwrap();
                    if mine {
                        won.lock().unwrap().push(ticket.id.clone());
                    }
                }
            });
        }
    });
    let mut won = won.into_inner().unwrap();
    won.sort();
    let mut all: Vec<String> = tickets.into_iter().map(|ticket| ticket.id).collect();
    all.sort();
    assert_eq!(won, all);
}

/// A full table makes room by what was changed longest ago, and never by what is pinned.
pub fn room(open: Open<'_>) {
    let store = open(TestClock::default(), Capacity(3));
    let pin = |id: &str| {
        let key = key(id);
        store.update(std::slice::from_ref(&key), &mut |_| {
            vec![Change {
                key: key.clone(),
                row: Some(Row {
                    body: id.to_owned(),
                    until: None,
                    pinned: true,
                }),
            }]
        })
    };
    pin("p").unwrap();
    put(&*store, &key("a"), "a");
    put(&*store, &key("b"), "b");
    put(&*store, &key("a"), "a again");
    put(&*store, &Key::new(Table::Window, "other"), "other");
    put(&*store, &key("c"), "c");
    assert_eq!(body(&*store, &key("b")), None, "the longest unchanged goes");
    assert_eq!(body(&*store, &key("a")).as_deref(), Some("a again"));
    pin("a").unwrap();
    pin("c").unwrap();
    let error = pin("d").unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Full);
    for id in ["p", "a", "c"] {
        assert_eq!(body(&*store, &key(id)).as_deref(), Some(id));
    }
    pin("a").unwrap();
    // What a step takes away makes room for what it brings.
    let (gone, new) = (key("c"), key("d"));
    store
        .update(&[gone.clone(), new.clone()], &mut |_| {
            let removed = Change {
                key: gone.clone(),
                row: None,
            };
            vec![change(&new, "d"), removed]
        })
        .unwrap();
    assert_eq!(body(&*store, &key("d")).as_deref(), Some("d"));
    assert_eq!(body(&*store, &key("a")).as_deref(), Some("a"));
    assert_eq!(
        body(&*store, &Key::new(Table::Window, "other")).as_deref(),
        Some("other")
    );
}

/// P3: what is over is over at its instant, and nothing that happens to clocks brings it back.
pub fn time(open: Open<'_>) {
    let expiring = |clock: &TestClock| {
        let store = open(clock.clone(), Capacity::default());
        let one = key("one");
        let mut until = Moment::default();
        store
            .update(std::slice::from_ref(&one), &mut |view| {
                until = view.now.after(1_000);
                vec![Change {
                    key: one.clone(),
                    row: Some(Row {
                        body: "x".to_owned(),
                        until: Some(until),
                        pinned: true,
                    }),
                }]
            })
            .unwrap();
        store
    };
    let there = |store: &dyn Store| {
        let here = body(store, &key("one")).is_some();
        let seen = !store.scan(Table::Scope, None, 9).unwrap().is_empty();
        assert_eq!(here, seen);
        let mut stepped = None;
        store
            .update(&[key("one")], &mut |view| {
                stepped = Some(view.bodies[0].is_some());
                Vec::new()
            })
            .unwrap();
        assert_eq!(stepped, Some(here));
        here
    };

    let clock = TestClock::default();
    let store = expiring(&clock);
    clock.pass(999);
    assert!(there(&*store));
    clock.pass(1);
    assert!(!there(&*store), "over at its instant");
    clock.set_wall(0);
    assert!(!there(&*store), "not brought back by a clock set back");

    let clock = TestClock::default();
    let store = expiring(&clock);
    clock.set_wall(0);
    clock.pass(999);
    assert!(there(&*store));
    clock.pass(1);
    assert!(!there(&*store), "not extended by a clock set back");

    let clock = TestClock::default();
    let store = expiring(&clock);
    clock.set_wall(9_000_000);
    assert!(!there(&*store), "a clock set forward ends it early");
    clock.set_wall(1_000_000);
    assert!(!there(&*store), "and for good");

    let clock = TestClock::default();
    let store = expiring(&clock);
    clock.restart(1_000_000);
    assert!(!there(&*store), "over when the machine starts again");
    let first = store.now().unwrap();
    clock.set_wall(0);
    assert!(store.now().unwrap() >= first, "time never goes back");
}
