//! P4 and P5: every port fails in every way, at every stage: nothing is allowed that would not be, everything
//! has a reason, and what is kept stays consistent.

use crate::support::{Says, World, again, deletes, hit, said};
use countersign_broker::store::conformance::TestClock;
use countersign_broker::store::{
    Capacity, Change, Key, MemoryStore, Store, StoreError, StoreErrorKind, Table, View,
};
use countersign_broker::{Decided, Presented, approve, consume, denials};
use countersign_core::{Judgement, Request, Severity, Stage, Verdict};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};

/// How a store fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// Not at all.
    None,
    /// It cannot be reached, by readers either.
    Gone,
    /// Everybody waits for a lock until the time is up.
    Hangs,
    /// Rows hold something else than was written.
    Garbage,
    /// Rows are read, and none is written.
    ReadOnly,
    /// There is no room for what is written.
    Full,
    /// A change is kept, and the store says that it failed.
    KeptUnknown,
    /// A change is not kept, and the store says that it failed.
    LostUnknown,
}

const FAULTS: [Fault; 7] = [
    Fault::Gone,
    Fault::Hangs,
    Fault::Garbage,
    Fault::ReadOnly,
    Fault::Full,
    Fault::KeptUnknown,
    Fault::LostUnknown,
];

struct Faulty {
    inner: MemoryStore,
    fault: Arc<AtomicU8>,
}

impl Faulty {
    fn fault(&self) -> Fault {
        let at = self.fault.load(Ordering::Relaxed);
        FAULTS
            .get(usize::from(at).wrapping_sub(1))
            .copied()
            .unwrap_or(Fault::None)
    }

    fn fails(kind: StoreErrorKind) -> StoreError {
        StoreError::new(kind, "test")
    }

    fn seen(&self, view: &View) -> View {
        let mut view = view.clone();
        if self.fault() == Fault::Garbage {
            for body in view.bodies.iter_mut().flatten() {
                body.insert(0, '{');
            }
        }
        view
    }
}

impl Store for Faulty {
    fn read(&self, keys: &[Key]) -> Result<View, StoreError> {
        match self.fault() {
            Fault::Gone => Err(Self::fails(StoreErrorKind::Unavailable)),
            Fault::Hangs => Err(Self::fails(StoreErrorKind::Busy)),
            _ => Ok(self.seen(&self.inner.read(keys)?)),
        }
    }

    fn update(
        &self,
        keys: &[Key],
        step: &mut dyn FnMut(&View) -> Vec<Change>,
    ) -> Result<(), StoreError> {
        let lost = |step: &mut dyn FnMut(&View) -> Vec<Change>| {
            self.inner.update(keys, &mut |view| {
                step(&self.seen(view));
                Vec::new()
            })
        };
        match self.fault() {
            Fault::None | Fault::Garbage => {
                self.inner.update(keys, &mut |view| step(&self.seen(view)))
            }
            Fault::Gone | Fault::ReadOnly => Err(Self::fails(StoreErrorKind::Unavailable)),
            Fault::Hangs => Err(Self::fails(StoreErrorKind::Busy)),
            Fault::Full => {
                lost(step)?;
                Err(Self::fails(StoreErrorKind::Full))
            }
            Fault::LostUnknown => {
                lost(step)?;
                Err(Self::fails(StoreErrorKind::Unavailable))
            }
            Fault::KeptUnknown => {
                self.inner.update(keys, step)?;
                Err(Self::fails(StoreErrorKind::Unavailable))
            }
        }
    }

    fn scan(
        &self,
        table: Table,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(Key, String)>, StoreError> {
        self.inner.scan(table, after, limit)
    }
}

/// How a call comes to its stage: what happens before it, the call, what a reviewer would say.
struct Scene {
    name: &'static str,
    before: fn(&mut World),
    call: fn() -> (Request, Judgement),
    says: Option<Says>,
    grants: bool,
}

fn with(severity: Severity) -> (Request, Judgement) {
    let mut call = deletes("x");
    call.1.hits.push(hit(severity));
    call
}

fn denied_and_approved(world: &mut World) {
    world.call(&deletes("x"), Says::Deny);
    let view = denials(&*world.store, 1).unwrap().remove(0);
    approve(&*world.store, &mut world.log, &view, &view.denial.key).unwrap();
}

fn scenes() -> Vec<Scene> {
    let plain = |name, call, says| Scene {
        name,
        before: |_| {},
        call,
        says,
        grants: false,
    };
    vec![
        plain(
            "request: malformed",
            || {
                let mut call = deletes("x");
                call.0.id.clear();
                call
            },
            None,
        ),
        plain("deny: hard", || with(Severity::Hard), Some(Says::Allow)),
        plain("deny: rule", || with(Severity::Deny), Some(Says::Allow)),
        plain(
            "read-only",
            || {
                let mut call = deletes("x");
                call.1.effects.clear();
                call.1.read_only = true;
                call
            },
            Some(Says::Deny),
        ),
        plain(
            "rule-allow",
            || {
                let mut call = deletes("x");
                call.1.rule_allowed = true;
                call
            },
            Some(Says::Deny),
        ),
        Scene {
            before: denied_and_approved,
            ..plain("override: approved", || deletes("x"), Some(Says::Deny))
        },
        Scene {
            before: |world| {
                for file in ["a", "b", "c"] {
                    world.call(&deletes(file), Says::Deny);
                }
            },
            ..plain("breaker: open", || deletes("x"), Some(Says::Allow))
        },
        Scene {
            before: |world| {
                world.call(&deletes("x"), Says::Revise);
            },
            ..plain(
                "revise-budget: resubmitted",
                || deletes("x"),
                Some(Says::Allow),
            )
        },
        plain("join: allow", || deletes("x"), Some(Says::Allow)),
        Scene {
            grants: true,
            ..plain("join: allow, granted", || deletes("x"), Some(Says::Allow))
        },
        plain("join: revise", || deletes("x"), Some(Says::Revise)),
        plain("join: defer", || deletes("x"), Some(Says::Defer)),
        plain("join: deny", || deletes("x"), Some(Says::Deny)),
        plain("review: fails", || deletes("x"), Some(Says::Fails)),
        plain("undecided", || deletes("x"), None),
        plain("undecided: flagged", || with(Severity::Ask), None),
    ]
}

fn world(fault: &Arc<AtomicU8>) -> World {
    let clock = TestClock::default();
    let store = Faulty {
        inner: MemoryStore::new(Box::new(clock.clone()), Capacity::default()),
        fault: Arc::clone(fault),
    };
    World::over(clock, Box::new(store))
}

fn play(world: &mut World, scene: &Scene) -> Decided {
    world.grants = scene.grants;
    match scene.says {
        Some(says) => world.call(&(scene.call)(), says),
        None => world.unreviewed(&(scene.call)()),
    }
}

#[test]
fn the_store_fails_at_every_stage() {
    let mut text = String::new();
    for scene in scenes() {
        let fault = Arc::new(AtomicU8::new(0));
        let mut sound = world(&fault);
        (scene.before)(&mut sound);
        let good = play(&mut sound, &scene);
        let _ = writeln!(text, "{}: {}", scene.name, said(&good));
        for (at, kind) in (1..).zip(FAULTS) {
            let mut world = world(&fault);
            (scene.before)(&mut world);
            fault.store(at, Ordering::Relaxed);
            let decided = play(&mut world, &scene);
            fault.store(0, Ordering::Relaxed);
            let note = decided
                .decision
                .diagnostics
                .last()
                .map_or("", String::as_str);
            let _ = writeln!(
                text,
                "  {:<12} {:<28} {note}",
                format!("{kind:?}"),
                said(&decided)
            );
            check(&good, &decided, scene.name);
            mended(&mut world, &scene, kind, &decided);
        }
    }
    insta::assert_snapshot!(text);
}

/// A fault makes nothing laxer, and leaves a reason.
fn check(good: &Decided, decided: &Decided, scene: &str) {
    let decision = &decided.decision;
    if decision == &good.decision {
        return;
    }
    assert_eq!(decision.verdict, Verdict::Deny, "{scene}");
    assert!(!decision.diagnostics.is_empty(), "{scene}");
    assert_eq!(decided.grant, None, "{scene}");
    if good.decision.verdict != Verdict::Deny {
        assert_eq!(decision.stage, Stage::Failure, "{scene}");
    }
}

/// With the fault gone all goes on from a consistent state: what may be spent once was spent at most
/// once, and the same calls come to the same answers as before.
fn mended(world: &mut World, scene: &Scene, fault: Fault, faulty: &Decided) {
    let mut allowed = usize::from(faulty.decision.verdict == Verdict::Allow);
    if scene.name.starts_with("override") {
        for id in ["2", "3"] {
            let decided = world.call(&again(&(scene.call)(), id), Says::Defer);
            allowed += usize::from(decided.decision.verdict == Verdict::Allow);
        }
        assert!(
            allowed <= 1,
            "{fault:?}: an approved retry ran {allowed} times"
        );
    }
    let decided = world.call(&deletes("another"), Says::Defer);
    assert_eq!(
        decided.decision.verdict,
        Verdict::Defer,
        "{} {fault:?}",
        scene.name
    );
}

/// The audit port fails from its first, second, … record on.
#[test]
fn the_log_fails_at_every_stage() {
    let mut text = String::new();
    for scene in scenes() {
        for good_for in 0..3 {
            let fault = Arc::new(AtomicU8::new(0));
            let mut world = world(&fault);
            (scene.before)(&mut world);
            let since = world.log.events.len();
            world.log.good_for = Some(since + good_for);
            let decided = play(&mut world, &scene);
            let wanted = world.log.events.len() - since;
            if wanted < good_for {
                break;
            }
            let _ = writeln!(
                text,
                "{:<28} fails at {good_for}: {}",
                scene.name,
                said(&decided)
            );
            let failed = decided
                .decision
                .diagnostics
                .iter()
                .any(|it| it.contains("disk full"));
            if failed {
                assert_eq!(decided.decision.verdict, Verdict::Deny, "{}", scene.name);
                assert_eq!(decided.grant, None);
            }
            world.log.good_for = None;
            mended(&mut world, &scene, Fault::None, &decided);
        }
    }
    insta::assert_snapshot!(text);
}

/// A grant whose spending fails in any way counts as spent with its holder, and is spent once at most.
#[test]
fn a_grant_is_spent_once_whatever_fails() {
    for (at, kind) in (1..).zip(FAULTS) {
        let fault = Arc::new(AtomicU8::new(0));
        let mut world = world(&fault);
        world.grants = true;
        let grant = world.call(&deletes("x"), Says::Allow).grant.unwrap();
        let presented = Presented {
            token: &grant.token,
            digest: &grant.digest,
            session: "s",
            source: "test",
        };
        fault.store(at, Ordering::Relaxed);
        let first = consume(&*world.store, &mut world.log, &presented);
        assert!(first.is_err(), "{kind:?}");
        fault.store(0, Ordering::Relaxed);
        let wins: Vec<bool> = (0..3)
            .map(|_| consume(&*world.store, &mut world.log, &presented).is_ok())
            .collect();
        let won = wins.iter().filter(|won| **won).count();
        assert_eq!(won, usize::from(kind != Fault::KeptUnknown), "{kind:?}");
    }
}

/// A step that panics changes nothing, and the store goes on.
#[test]
fn a_step_that_panics_changes_nothing() {
    let clock = TestClock::default();
    let store = MemoryStore::new(Box::new(clock), Capacity::default());
    let key = [Key::new(Table::Scope, "x")];
    let ran = Mutex::new(false);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        store.update(&key, &mut |_| {
            *ran.lock().unwrap() = true;
            panic!("in the middle")
        })
    }));
    assert!(outcome.is_err() && *ran.lock().unwrap());
    assert_eq!(store.read(&key).unwrap().bodies, [None]);
}
