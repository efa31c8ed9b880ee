//! Stored decisions.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::shuttle_store::ShuttleStore;
use crate::stand::{OWNER, Port, Switched, digest, memory};
use countersign_broker::store::conformance::TestClock;
use countersign_broker::store::{Moment, Store};
use countersign_broker::{Answer, AnswerLimits, Answers, KeepError, NoRoom, Owner, Ttl, answers};
use countersign_core::AuditKind;
use proptest::prelude::*;
use shuttle::thread;
use std::collections::VecDeque;
use std::sync::Arc;

fn keep(store: &dyn Store, key: &str, answer: Answer) {
    let limits = AnswerLimits::default();
    answers::keep(
        store,
        &OWNER,
        &digest(key),
        answer,
        &limits,
        &mut Port::default(),
    )
    .unwrap();
}

fn take(store: &dyn Store, key: &str) -> Option<Answer> {
    let taken = answers::take(store, &OWNER, &digest(key)).unwrap();
    taken.record(&mut Port::default()).unwrap()
}

#[test]
fn first_in_first_out_and_each_once() {
    // Seed 3.3, 3.7: FIFO decisions, taken once.
    let store = memory(&TestClock::default());
    for answer in [Answer::Allow, Answer::Deny, Answer::Allow] {
        keep(&store, "a", answer);
    }
    keep(&store, "b", Answer::Deny);
    assert_eq!(take(&store, "a"), Some(Answer::Allow));
    // Seed 3.8: a deny that was used came back, and denied a later identical call.
    assert_eq!(take(&store, "a"), Some(Answer::Deny));
    assert_eq!(take(&store, "a"), Some(Answer::Allow));
    assert_eq!(take(&store, "a"), None);
    assert_eq!(take(&store, "b"), Some(Answer::Deny));
    assert_eq!(take(&store, "b"), None);
}

#[test]
fn a_decision_is_of_its_session_and_call_alone() {
    // Seed 3.7: what an earlier turn answered does not satisfy another call.
    let store = memory(&TestClock::default());
    keep(&store, "a", Answer::Allow);
    let elsewhere = Owner {
        session: "another",
        ..OWNER
    };
    let other = answers::take(&store, &elsewhere, &digest("a")).unwrap();
    assert_eq!(other.record(&mut Port::default()), Ok(None));
    assert_eq!(take(&store, "b"), None);
    answers::forget(&store, "another").unwrap();
    assert_eq!(take(&store, "a"), Some(Answer::Allow));
    keep(&store, "a", Answer::Allow);
    answers::forget(&store, "s").unwrap();
    assert_eq!(take(&store, "a"), None);
}

#[test]
fn a_decision_is_over_at_its_instant() {
    let clock = TestClock::default();
    let store = memory(&clock);
    keep(&store, "a", Answer::Allow);
    clock.pass(60_000);
    keep(&store, "a", Answer::Deny);
    clock.pass(840_000 - 1);
    assert_eq!(take(&store, "b"), None, "looking changes nothing");
    clock.pass(1);
    assert_eq!(take(&store, "a"), Some(Answer::Deny));
    keep(&store, "a", Answer::Allow);
    clock.restart(1_000_000);
    assert_eq!(
        take(&store, "a"),
        None,
        "void when the machine starts again"
    );
}

#[test]
fn there_is_room_for_so_many_and_none_is_dropped_for_another() {
    let store = memory(&TestClock::default());
    let limits = AnswerLimits {
        per_key: 2,
        per_session: 3,
        ..AnswerLimits::default()
    };
    let mut audit = Port::default();
    let mut put = |key: &str| {
        answers::keep(
            &store,
            &OWNER,
            &digest(key),
            Answer::Deny,
            &limits,
            &mut audit,
        )
    };
    put("a").unwrap();
    put("a").unwrap();
    assert_eq!(put("a"), Err(KeepError::NoRoom(NoRoom)));
    put("b").unwrap();
    assert_eq!(put("c"), Err(KeepError::NoRoom(NoRoom)));
    insta::assert_snapshot!(audit.text());
    assert_eq!(take(&store, "a"), Some(Answer::Deny));
    assert_eq!(take(&store, "a"), Some(Answer::Deny));
    assert_eq!(take(&store, "b"), Some(Answer::Deny));
    assert_eq!(take(&store, "c"), None);
}

#[test]
fn what_cannot_be_recorded_is_not_kept_and_what_is_taken_is_gone() {
    let store = memory(&TestClock::default());
    let kept = answers::keep(
        &store,
        &OWNER,
        &digest("a"),
        Answer::Allow,
        &AnswerLimits::default(),
        &mut Port::broken(),
    );
    assert!(matches!(kept, Err(KeepError::Unrecorded(_))));
    assert_eq!(take(&store, "a"), None);

    keep(&store, "a", Answer::Allow);
    let taken = answers::take(&store, &OWNER, &digest("a")).unwrap();
    assert_eq!(taken.events()[0].kind, AuditKind::AnswerConsumed);
    assert!(taken.record(&mut Port::broken()).is_err());
    assert_eq!(take(&store, "a"), None, "spent, though nobody had it");
}

#[test]
fn a_store_that_fails_keeps_and_gives_nothing() {
    let store = Switched::new(&TestClock::default());
    keep(&store, "a", Answer::Allow);
    store.off();
    assert!(answers::take(&store, &OWNER, &digest("a")).is_err());
}

#[test]
fn records_name_what_was_kept_and_used() {
    let store = memory(&TestClock::default());
    let mut audit = Port::default();
    for answer in [Answer::Allow, Answer::Deny] {
        let limits = AnswerLimits::default();
        answers::keep(&store, &OWNER, &digest("a"), answer, &limits, &mut audit).unwrap();
    }
    for _ in 0..3 {
        let taken = answers::take(&store, &OWNER, &digest("a")).unwrap();
        taken.record(&mut audit).unwrap();
    }
    insta::assert_snapshot!(audit.text());
    assert!(
        audit
            .events
            .iter()
            .all(|event| event.session.as_deref() == Some("s"))
    );
    assert!(
        audit
            .events
            .iter()
            .all(|event| event.digest == Some(digest("a")))
    );
    assert!(
        audit
            .events
            .iter()
            .all(countersign_core::AuditEvent::must_be_flushed)
    );
}

#[test]
fn a_time_to_live_has_bounds() {
    for seconds in [1, 300, 3_600] {
        assert!(Ttl::seconds(seconds).is_ok());
    }
    for seconds in [0, 3_601, u32::MAX] {
        let error = Ttl::seconds(seconds).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{seconds} seconds to live are out of range; write from 1 to 3600")
        );
    }
}

proptest! {
    /// The row behaves as a queue for each key, of what is not over.
    #[test]
    fn the_row_is_a_queue_for_each_call(
        steps in proptest::collection::vec((0..3_u8, any::<bool>(), any::<bool>(), 0..400_u64), 0..60)
    ) {
        let limits = AnswerLimits { ttl: Ttl::seconds(1).unwrap(), ..AnswerLimits::default() };
        let mut row = Answers::default();
        let mut model: Vec<VecDeque<(u64, Answer)>> = vec![VecDeque::new(); 3];
        let mut ms = 0;
        for (which, puts, allow, passes) in steps {
            ms += passes;
            let now = Moment { era: 1, ms };
            let queue = &mut model[usize::from(which)];
            queue.retain(|(until, _)| *until > ms);
            let key = digest(&which.to_string());
            if puts {
                let answer = if allow { Answer::Allow } else { Answer::Deny };
                let put = row.put(&key, answer, now, &limits);
                prop_assert_eq!(put.is_ok(), queue.len() < limits.per_key);
                if put.is_ok() {
                    queue.push_back((ms + 1_000, answer));
                }
            } else {
                let expected = queue.pop_front().map(|(_, answer)| answer);
                prop_assert_eq!(row.take(&key, now), expected);
            }
            let json = serde_json::to_string(&row).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Answers>(&json).unwrap(), &row);
        }
    }
}

fn one_decision_several_takers(store: ShuttleStore, several: usize) {
    keep(&store, "a", Answer::Allow);
    let store = Arc::new(store);
    let takers: Vec<_> = (0..several)
        .map(|_| {
            let store = Arc::clone(&store);
            thread::spawn(move || usize::from(take(&*store, "a").is_some()))
        })
        .collect();
    let taken: usize = takers.into_iter().map(|taker| taker.join().unwrap()).sum();
    assert_eq!(taken, 1, "taken more than once");
}

/// Every schedule of two, and some of four.
#[test]
fn one_of_several_takes_a_decision() {
    let model = |several| {
        move || {
            let clock = Box::new(TestClock::default());
            one_decision_several_takers(ShuttleStore::whole(clock), several);
        }
    };
    shuttle::check_dfs(model(2), None);
    shuttle::check_random(model(4), 300);
}

#[test]
#[should_panic(expected = "taken more than once")]
fn the_model_finds_a_step_that_is_torn() {
    let model = || {
        let clock = Box::new(TestClock::default());
        one_decision_several_takers(ShuttleStore::torn(clock), 2);
    };
    shuttle::check_dfs(model, None);
}
