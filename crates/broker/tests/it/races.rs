//! P1 and P10: grants, authorised retries and breakers under schedules of threads; each model finds the race that
//! a store with torn steps has.

use crate::kept::Shared;
use crate::shuttle_store::ShuttleStore;
use crate::support::{Log, Says, World, again, deletes, said};
use countersign_broker::store::Store;
use countersign_broker::store::conformance::TestClock;
use countersign_broker::{
    GrantRefusal, Presented, Token, approve, breakers, consume, denials, issue,
};
use countersign_core::Digest;
use shuttle::thread;
use std::sync::Arc;

type New = fn(&TestClock) -> ShuttleStore;

fn whole(clock: &TestClock) -> ShuttleStore {
    ShuttleStore::whole(Box::new(clock.clone()))
}

fn torn(clock: &TestClock) -> ShuttleStore {
    ShuttleStore::torn(Box::new(clock.clone()))
}

/// Some threads present one grant at once: one of them gets it, and the others are told that it was
/// used.
fn spends(new: New, threads: usize) -> impl Fn() + Send + Sync + 'static {
    move || {
        let store: Arc<dyn Store> = Arc::new(new(&TestClock::default()));
        let token = Token::from_random([7; 32]);
        let (request, _) = deletes("a");
        let digest = Digest::of("test", b"call");
        issue(
            &*store,
            token.clone(),
            &request,
            &digest,
            countersign_broker::GRANT_TTL,
        )
        .unwrap();
        let holders: Vec<_> = (0..threads)
            .map(|_| {
                let (store, token, digest) = (Arc::clone(&store), token.clone(), digest.clone());
                thread::spawn(move || {
                    let presented = Presented {
                        token: &token,
                        digest: &digest,
                        session: "s",
                        source: "test",
                    };
                    consume(&*store, &mut Log::default(), &presented)
                })
            })
            .collect();
        let mut outcomes: Vec<_> = holders.into_iter().map(|it| it.join().unwrap()).collect();
        outcomes.sort_by_key(Result::is_err);
        assert_eq!(outcomes[0], Ok(()));
        assert!(
            outcomes[1..]
                .iter()
                .all(|it| *it == Err(GrantRefusal::Reused))
        );
    }
}

/// A world of one thread over a store of several.
fn world(clock: &TestClock, store: &Arc<dyn Store>) -> World {
    World::over(clock.clone(), Box::new(Shared(Arc::clone(store))))
}

/// An approved retry that comes twice at once runs once.
fn retries(new: New) -> impl Fn() + Send + Sync + 'static {
    move || {
        let clock = TestClock::default();
        let store: Arc<dyn Store> = Arc::new(new(&clock));
        let mut first = world(&clock, &store);
        first.call(&deletes("a"), Says::Deny);
        let view = denials(&*store, 1).unwrap().remove(0);
        approve(&*store, &mut first.log, &view, &view.denial.key).unwrap();
        let retries: Vec<_> = ["2", "3"]
            .map(|id| {
                let mut world = world(&clock, &store);
                thread::spawn(move || said(&world.call(&again(&deletes("a"), id), Says::Defer)))
            })
            .into_iter()
            .collect();
        let said: Vec<_> = retries.into_iter().map(|it| it.join().unwrap()).collect();
        let ran = said.iter().filter(|it| *it == "allow approved").count();
        assert_eq!(ran, 1, "{said:?}");
    }
}

/// Three denials at once open the breaker: none is lost.
fn denies(new: New) -> impl Fn() + Send + Sync + 'static {
    move || {
        let clock = TestClock::default();
        let store: Arc<dyn Store> = Arc::new(new(&clock));
        let calls: Vec<_> = ["a", "b", "c"]
            .map(|file| {
                let mut world = world(&clock, &store);
                thread::spawn(move || said(&world.call(&deletes(file), Says::Deny)))
            })
            .into_iter()
            .collect();
        for call in calls {
            assert_eq!(call.join().unwrap(), "deny reviewed");
        }
        let view = breakers(&*store, 9).unwrap().remove(0);
        assert!(view.open && view.in_a_row == 3, "{view:?}");
    }
}

#[test]
fn a_grant_is_spent_once_under_every_schedule() {
    shuttle::check_dfs(spends(whole, 2), None);
    shuttle::check_random(spends(whole, 4), 300);
}

#[test]
#[should_panic(expected = "assertion")]
fn the_model_of_grants_finds_a_torn_step() {
    shuttle::check_random(spends(torn, 3), 5_000);
}

#[test]
fn an_approved_retry_runs_once_under_any_schedule() {
    shuttle::check_random(retries(whole), 300);
    shuttle::check_pct(retries(whole), 300, 3);
}

#[test]
#[should_panic(expected = "assertion")]
fn the_model_of_retries_finds_a_torn_step() {
    shuttle::check_random(retries(torn), 5_000);
}

#[test]
fn no_denial_is_lost_under_any_schedule() {
    shuttle::check_random(denies(whole), 300);
    shuttle::check_pct(denies(whole), 300, 3);
}

#[test]
#[should_panic(expected = "open: false")]
fn the_model_of_breakers_finds_a_torn_step() {
    shuttle::check_random(denies(torn), 5_000);
}
