//! Parked approvals, one after another. `park_model.rs` has what races.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::stand::{Holder, OWNER, Port, Switched, TURN, digest, held, id, memory, pending, said};
use countersign_broker::store::conformance::TestClock;
use countersign_broker::store::{Capacity, MemoryStore, Store, StoreErrorKind};
use countersign_broker::{
    APPROVED_EXECUTION_RESULT_UNKNOWN, Answer, AnswerLimits, Answered, DEFERRED_NOT_EXECUTED,
    Evicted, Eviction, Exit, Guard, HeldCall, History, INTERRUPTED_NOT_EXECUTED, Mismatch,
    NotAnswered, NotParkedKind, OpenCall, Outcome, ParkId, ParkLimits, Parked, Parking, PauseLatch,
    Pending, Reply, Ttl, answers,
};
use countersign_core::{AuditKind, Digest};
use serde_json::json;

fn parking(store: &dyn Store) -> Parking<'_> {
    Parking {
        store,
        limits: ParkLimits::default(),
    }
}

fn park(parking: &Parking<'_>, call: &str, number: u8, audit: &mut Port) -> Parked {
    pending(call).park(parking, id(number), audit).unwrap()
}

fn reply(
    parking: &Parking<'_>,
    number: u8,
    answer: Answer,
    audit: &mut Port,
) -> Result<Answered, NotAnswered> {
    let question = parking.question(&id(number)).unwrap();
    let question = question.ok_or(NotAnswered::Unknown)?;
    let shown = question.shown().clone();
    question.answer(parking, &Reply { answer, shown }, audit)
}

/// The stored decision for the call that tests park, if there is one.
fn stored(store: &dyn Store) -> Option<Answer> {
    let taken = answers::take(store, &OWNER, &digest("retry key")).unwrap();
    taken.record(&mut Port::default()).unwrap()
}

#[test]
fn an_approved_call_goes_on_and_a_denied_one_does_not() {
    // Seed 3.7: park approve / deny.
    let store = memory(&TestClock::default());
    let parking = parking(&store);
    let mut audit = Port::default();
    let holder = Holder::of("call-1");
    let parked = park(&parking, "call-1", 1, &mut audit);
    // Nobody was told that there is an answer: whoever looks finds it.
    let Outcome::Waiting(parked) = parked.poll(&parking, &holder.live(), &mut audit).unwrap()
    else {
        panic!("nobody answered");
    };
    assert_eq!(
        reply(&parking, 1, Answer::Allow, &mut audit),
        Ok(Answered::Noted)
    );
    let Outcome::Resumed(right) = parked.poll(&parking, &holder.live(), &mut audit).unwrap() else {
        panic!("a person allowed it");
    };
    right.go_on(|call, request| {
        assert_eq!((call, request), ("call-1", &digest("request of call-1")));
    });

    let parked = park(&parking, "call-2", 2, &mut audit);
    reply(&parking, 2, Answer::Deny, &mut audit).unwrap();
    let outcome = parked
        .poll(&parking, &Holder::of("call-2").live(), &mut audit)
        .unwrap();
    let Outcome::Rejected(rejected) = outcome else {
        panic!("a person denied it");
    };
    assert_eq!(rejected.tool_call_id(), "call-2");
    assert_eq!(
        stored(&store),
        None,
        "an answer that was used is not kept as well"
    );
    assert_eq!(parking.ids(None).unwrap(), []);
    insta::assert_snapshot!(format!("{}\n{}", rejected.text(), audit.text()));
    assert!(audit.events.iter().all(|event| event.subject.is_some()));
}

#[test]
fn an_approved_call_of_the_hosts_has_its_allowance_before_it_goes_on() {
    let store = memory(&TestClock::default());
    let parking = parking(&store);
    let guard = Guard {
        store: &store,
        limits: countersign_broker::AllowanceLimits::default(),
    };
    for room in [usize::MAX, 3] {
        let mut audit = Port {
            room,
            ..Port::default()
        };
        let parked = park(&parking, "call-1", u8::from(room == 3), &mut audit);
        reply(&parking, u8::from(room == 3), Answer::Allow, &mut audit).unwrap();
        let live = Holder::of("call-1");
        let Outcome::Resumed(right) = parked.poll(&parking, &live.live(), &mut audit).unwrap()
        else {
            panic!("a person allowed it");
        };
        let sent = right.go_on_guarded(&guard, &TURN, &mut audit, |_, _, _allowed| ());
        assert_eq!(sent.is_ok(), room > 3, "no allowance without a record");
        if sent.is_ok() {
            assert_eq!(audit.kinds().last(), Some(&AuditKind::AllowanceRecorded));
        }
    }
}

#[test]
fn what_is_held_must_be_what_was_parked() {
    // Seed 3.6, 3.7: the checks in their order; edited history, expired mount, another call.
    type Break = fn(&mut Holder);
    let breaks: [(Mismatch, Break); 5] = [
        (Mismatch::Gate, |holder| holder.gates = vec!["other"]),
        (Mismatch::Call, |holder| holder.tool_call_id.push('x')),
        (Mismatch::Request, |holder| {
            holder.request = digest("another");
        }),
        (Mismatch::History, |holder| {
            holder.history = said(&["deploy it "]);
        }),
        (Mismatch::Unreachable, |holder| holder.reachable = false),
    ];
    let mut texts = String::new();
    for (at, (mismatch, _)) in breaks.iter().enumerate() {
        for answer in [Answer::Allow, Answer::Deny] {
            let store = memory(&TestClock::default());
            let parking = parking(&store);
            let mut audit = Port::default();
            let parked = park(&parking, "call-1", 1, &mut audit);
            reply(&parking, 1, answer, &mut audit).unwrap();
            // Everything after it is wrong as well: the first is named.
            let mut holder = Holder::of("call-1");
            for (_, break_it) in &breaks[at..] {
                break_it(&mut holder);
            }
            let outcome = parked.poll(&parking, &holder.live(), &mut audit).unwrap();
            let exit = Exit::Evicted(Eviction::Mismatch(*mismatch));
            let kept = Some(answer);
            assert_eq!(outcome, Outcome::Ended { exit, kept });
            assert_eq!(stored(&store), Some(answer), "for the next identical call");
            assert_eq!(stored(&store), None, "once");
            if answer == Answer::Allow {
                texts.push_str(&audit.text());
            }
        }
    }
    insta::assert_snapshot!(texts);
}

#[test]
fn a_call_waits_for_its_time_and_an_answer_after_it_is_kept() {
    // Seed 3.6, 3.7: TTL, then cold.
    let clock = TestClock::default();
    let store = memory(&clock);
    let parking = parking(&store);
    let mut audit = Port::default();
    let holder = Holder::of("call-1");
    let parked = park(&parking, "call-1", 1, &mut audit);
    clock.pass(299_999);
    let Outcome::Waiting(parked) = parked.poll(&parking, &holder.live(), &mut audit).unwrap()
    else {
        panic!("its time is not over");
    };
    clock.pass(1);
    assert!(parking.question(&id(1)).unwrap().unwrap().is_late());
    assert_eq!(
        reply(&parking, 1, Answer::Allow, &mut audit),
        Ok(Answered::Kept)
    );
    assert_eq!(
        reply(&parking, 1, Answer::Allow, &mut audit),
        Err(NotAnswered::Unknown)
    );
    let outcome = parked.poll(&parking, &holder.live(), &mut audit).unwrap();
    assert_eq!(outcome, Outcome::Over(Exit::Expired));
    assert_eq!(stored(&store), Some(Answer::Allow));
    assert_eq!(stored(&store), None);

    // In time, and nobody looked: the answer is for the next call as well.
    let parked = park(&parking, "call-2", 2, &mut audit);
    reply(&parking, 2, Answer::Deny, &mut audit).unwrap();
    clock.pass(300_000);
    let outcome = parked
        .poll(&parking, &Holder::of("call-2").live(), &mut audit)
        .unwrap();
    let kept = Some(Answer::Deny);
    assert_eq!(
        outcome,
        Outcome::Ended {
            exit: Exit::Expired,
            kept
        }
    );
    assert_eq!(stored(&store), Some(Answer::Deny));

    // Nobody answered, and an hour later nobody is heard.
    let parked = park(&parking, "call-3", 3, &mut audit);
    clock.pass(300_000);
    assert_eq!(parking.sweep(&mut audit), Ok(1));
    assert_eq!(parking.sweep(&mut audit), Ok(0));
    clock.pass(3_600_000);
    assert_eq!(parking.question(&id(3)).unwrap(), None);
    let outcome = parked
        .poll(&parking, &Holder::of("call-3").live(), &mut audit)
        .unwrap();
    assert_eq!(outcome, Outcome::Gone);
    insta::assert_snapshot!(audit.text());
}

#[test]
fn an_answer_must_bring_the_hash_that_was_shown() {
    let store = memory(&TestClock::default());
    let parking = parking(&store);
    let mut audit = Port::default();
    let parked = park(&parking, "call-1", 1, &mut audit);
    let question = parking.question(&id(1)).unwrap().unwrap();
    assert_eq!(*question.shown(), pending("call-1").shown());
    assert_eq!(json!(question.input()), json!({"to": "production"}));
    let wrong = Reply {
        answer: Answer::Allow,
        shown: digest("another"),
    };
    let NotAnswered::WrongHash(question) =
        question.answer(&parking, &wrong, &mut audit).unwrap_err()
    else {
        panic!("the hash was another");
    };
    let right = Reply {
        answer: Answer::Allow,
        shown: question.shown().clone(),
    };
    assert_eq!(
        question.answer(&parking, &right, &mut audit),
        Ok(Answered::Noted)
    );
    let outcome = parked
        .poll(&parking, &Holder::of("call-1").live(), &mut audit)
        .unwrap();
    assert!(matches!(outcome, Outcome::Resumed(_)), "nothing was spent");
    insta::assert_snapshot!(audit.text());
}

#[test]
fn what_is_shown_is_bound_to_the_tool_the_input_the_call_and_the_request() {
    type Change = fn(&mut HeldCall);
    let changes: [Change; 4] = [
        |call| call.tool = crate::stand::tool("destroy"),
        |call| call.input = crate::stand::input(json!({"to": "production "})),
        |call| call.tool_call_id.push('1'),
        |call| call.request = digest("another"),
    ];
    let mut seen: Vec<Digest> = vec![pending("call-1").shown()];
    for change in changes {
        let mut call = held("call-1");
        change(&mut call);
        let shown = Pending::new(call).shown();
        assert!(!seen.contains(&shown));
        seen.push(shown);
    }
}

#[test]
fn a_second_answer_does_not_count() {
    // Seed 3.6, 3.7: answered at most once; a duplicate gives one response.
    let store = memory(&TestClock::default());
    let parking = parking(&store);
    let mut audit = Port::default();
    let parked = park(&parking, "call-1", 1, &mut audit);
    let twice = [(); 3].map(|()| parking.question(&id(1)).unwrap().unwrap());
    let [first, second, third] = twice;
    let shown = first.shown().clone();
    let deny = Reply {
        answer: Answer::Deny,
        shown: shown.clone(),
    };
    let allow = Reply {
        answer: Answer::Allow,
        shown,
    };
    first.answer(&parking, &deny, &mut audit).unwrap();
    assert_eq!(
        second.answer(&parking, &allow, &mut audit),
        Err(NotAnswered::Twice)
    );
    let outcome = parked
        .poll(&parking, &Holder::of("call-1").live(), &mut audit)
        .unwrap();
    assert!(matches!(outcome, Outcome::Rejected(_)));
    assert_eq!(
        third.answer(&parking, &allow, &mut audit),
        Err(NotAnswered::Twice)
    );
    // The holder looks twice as well, from another process.
    assert_eq!(parking.held(&id(1)).unwrap(), None);
    assert_eq!(stored(&store), None);
}

#[test]
fn the_same_call_is_parked_once() {
    // Seed 3.7: a repark never clobbers a newer one nor resurrects one that ended.
    let store = memory(&TestClock::default());
    let parking = parking(&store);
    let mut audit = Port::default();
    let _first = park(&parking, "call-1", 1, &mut audit);
    let twice = pending("call-1")
        .park(&parking, id(2), &mut audit)
        .unwrap_err();
    assert_eq!(
        twice.why,
        NotParkedKind::Twice,
        "the same call under another id"
    );
    let clash = pending("call-2")
        .park(&parking, id(1), &mut audit)
        .unwrap_err();
    assert_eq!(
        clash.why,
        NotParkedKind::Twice,
        "another call under the same id"
    );
    assert_eq!(
        clash.pending,
        pending("call-2"),
        "it comes back to be refused"
    );
    parking
        .evict(&id(1), Eviction::Aborted, &mut audit)
        .unwrap();
    let over = pending("call-1")
        .park(&parking, id(1), &mut audit)
        .unwrap_err();
    assert_eq!(over.why, NotParkedKind::Twice, "the id of one that ended");
    assert!(pending("call-1").park(&parking, id(3), &mut audit).is_ok());
}

#[test]
fn a_full_pool_turns_the_new_call_away_and_never_gives_up_one_that_waits() {
    // Seed 3.6, 3.7: a call that waits is never the victim.
    let clock = TestClock::default();
    let store = memory(&clock);
    let parking = Parking {
        limits: ParkLimits {
            most: 3,
            per_session: 2,
            ..ParkLimits::default()
        },
        ..parking(&store)
    };
    let mut audit = Port::default();
    let mut try_park = |call: &str, session: &str, number: u8| {
        let held = HeldCall {
            session: session.to_owned(),
            ..held(call)
        };
        let parked = Pending::new(held).park(&parking, id(number), &mut audit);
        parked.map(|_| ()).map_err(|refused| refused.why)
    };
    assert_eq!(try_park("a", "one", 1), Ok(()));
    assert_eq!(try_park("b", "one", 2), Ok(()));
    assert_eq!(try_park("c", "one", 3), Err(NotParkedKind::SessionFull));
    assert_eq!(try_park("c", "two", 3), Ok(()));
    assert_eq!(try_park("d", "two", 4), Err(NotParkedKind::Full));
    assert_eq!(parking.ids(None).unwrap(), [id(1), id(2), id(3)]);
    assert_eq!(parking.ids(Some("one")).unwrap(), [id(1), id(2)]);
    assert_eq!(parking.questions(Some("two")).unwrap().len(), 1);
    // Time makes room, and nothing else does.
    clock.pass(300_000);
    assert_eq!(try_park("d", "two", 4), Ok(()));
    assert_eq!(parking.ids(None).unwrap(), [id(4)]);
    insta::assert_snapshot!(format!(
        "{}\n{}\n{}\n{}\n{}",
        NotParkedKind::Full,
        NotParkedKind::SessionFull,
        NotParkedKind::Twice,
        NotParkedKind::TooBig,
        audit.text()
    ));
}

#[test]
fn a_store_without_room_forgets_what_ended_and_nothing_that_waits() {
    // Room for the pool and three calls.
    let store = MemoryStore::new(Box::new(TestClock::default()), Capacity(4));
    let parking = parking(&store);
    let mut audit = Port::default();
    let _waits = park(&parking, "call-1", 1, &mut audit);
    reply(&parking, 1, Answer::Allow, &mut audit).unwrap();
    for number in 2..8 {
        drop(park(&parking, "other", number, &mut audit));
        parking
            .evict(&id(number), Eviction::Aborted, &mut audit)
            .unwrap();
    }
    assert!(parking.held(&id(1)).unwrap().is_some());
    let _more = [2, 3].map(|at| park(&parking, &format!("call-{at}"), at + 100, &mut audit));
    let refused = pending("call-4")
        .park(&parking, id(4), &mut audit)
        .unwrap_err();
    assert!(
        matches!(refused.why, NotParkedKind::Store(error) if error.kind == StoreErrorKind::Full)
    );
    assert_eq!(parking.questions(None).unwrap().len(), 2);
}

#[test]
fn an_input_that_nobody_could_be_shown_is_not_parked() {
    let store = memory(&TestClock::default());
    let call = HeldCall {
        input: crate::stand::input(json!({"x": "y".repeat(200_000)})),
        ..held("call-1")
    };
    let parked = Pending::new(call).park(&parking(&store), id(1), &mut Port::default());
    assert_eq!(parked.unwrap_err().why, NotParkedKind::TooBig);
}

#[test]
fn several_calls_of_a_turn_end_each_on_its_own() {
    // Seed 3.9: partial answers; the others are carried on.
    let store = memory(&TestClock::default());
    let parking = parking(&store);
    let mut audit = Port::default();
    let names = ["call-1", "call-2", "call-3"];
    let parked = [(names[0], 1), (names[1], 2), (names[2], 3)]
        .map(|(name, number)| park(&parking, name, number, &mut audit));
    let holders = names.map(Holder::of);
    reply(&parking, 1, Answer::Allow, &mut audit).unwrap();
    reply(&parking, 3, Answer::Deny, &mut audit).unwrap();
    let calls = parked
        .into_iter()
        .zip(&holders)
        .map(|(call, holder)| (call, holder.live()));
    let continued = parking.continue_turn(calls.collect(), &mut audit);
    let ended: Vec<&str> = continued
        .ended
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(ended, ["call-1", "call-3"]);
    assert!(matches!(continued.ended[0].1, Ok(Outcome::Resumed(_))));
    assert!(matches!(continued.ended[1].1, Ok(Outcome::Rejected(_))));
    assert_eq!(continued.carried.len(), 1);
    assert_eq!(continued.carried[0].tool_call_id(), "call-2");

    // The turn goes on again, and now nobody has answered: what is left is given up.
    let calls = continued
        .carried
        .into_iter()
        .map(|call| (call, holders[1].live()));
    let continued = parking.continue_turn(calls.collect(), &mut audit);
    let exit = Exit::Evicted(Eviction::Unanswered);
    let expected = Outcome::Ended { exit, kept: None };
    assert_eq!(continued.ended, [("call-2".to_owned(), Ok(expected))]);
    assert!(continued.carried.is_empty());
    assert_eq!(
        reply(&parking, 2, Answer::Allow, &mut audit),
        Err(NotAnswered::Unknown)
    );
    insta::assert_snapshot!(audit.text());
}

#[test]
fn one_answer_that_comes_as_the_turn_is_given_up_is_not_lost() {
    let store = memory(&TestClock::default());
    let parking = parking(&store);
    let mut audit = Port::default();
    let parked = park(&parking, "call-1", 1, &mut audit);
    reply(&parking, 1, Answer::Allow, &mut audit).unwrap();
    // As `continue_turn` does when it saw no answer a moment ago.
    let evicted = parking.evict(parked.id(), Eviction::Unanswered, &mut audit);
    assert_eq!(evicted, Ok(Evicted::Answered));
    let outcome = parked
        .poll(&parking, &Holder::of("call-1").live(), &mut audit)
        .unwrap();
    assert!(matches!(outcome, Outcome::Resumed(_)));
}

#[test]
fn a_call_is_given_up_once_and_its_answer_goes_with_it_or_not() {
    let cases = [
        (Eviction::SessionEnded, None),
        (Eviction::Aborted, None),
        (Eviction::HolderGone, Some(Answer::Allow)),
    ];
    for (why, kept) in cases {
        let store = memory(&TestClock::default());
        let parking = parking(&store);
        let mut audit = Port::default();
        let parked = park(&parking, "call-1", 1, &mut audit);
        let late = parking.question(&id(1)).unwrap().unwrap();
        reply(&parking, 1, Answer::Allow, &mut audit).unwrap();
        let ended = Evicted::Ended(Exit::Evicted(why));
        assert_eq!(parking.evict(&id(1), why, &mut audit), Ok(ended));
        let over = Evicted::Over(Exit::Evicted(why));
        assert_eq!(
            parking.evict(&id(1), Eviction::Aborted, &mut audit),
            Ok(over)
        );
        assert_eq!(stored(&store), kept, "{why:?}");
        let outcome = parked
            .poll(&parking, &Holder::of("call-1").live(), &mut audit)
            .unwrap();
        assert_eq!(outcome, Outcome::Over(Exit::Evicted(why)));
        let reply = Reply {
            answer: Answer::Allow,
            shown: late.shown().clone(),
        };
        let refused = late.answer(&parking, &reply, &mut audit).unwrap_err();
        assert_eq!(refused, NotAnswered::Over(Exit::Evicted(why)));
    }
    let store = memory(&TestClock::default());
    let unknown = parking(&store).evict(&id(9), Eviction::Aborted, &mut Port::default());
    assert_eq!(unknown, Ok(Evicted::Unknown));
}

#[test]
fn a_session_that_ends_takes_its_calls_and_decisions_with_it() {
    let store = memory(&TestClock::default());
    let parking = parking(&store);
    let mut audit = Port::default();
    let _calls = [1, 2].map(|number| park(&parking, &format!("call-{number}"), number, &mut audit));
    let other = HeldCall {
        session: "other".to_owned(),
        ..held("call-1")
    };
    let _other = Pending::new(other)
        .park(&parking, id(3), &mut audit)
        .unwrap();
    let limits = AnswerLimits::default();
    answers::keep(
        &store,
        &OWNER,
        &digest("retry key"),
        Answer::Allow,
        &limits,
        &mut audit,
    )
    .unwrap();
    assert_eq!(parking.end_session("s", &mut audit), Ok(2));
    assert_eq!(parking.ids(None).unwrap(), [id(3)]);
    assert_eq!(stored(&store), None);
    assert_eq!(parking.end_session("s", &mut audit), Ok(0));
}

#[test]
fn a_parked_call_survives_the_process_that_parked_it_and_not_the_machine() {
    let clock = TestClock::default();
    let store = memory(&clock);
    let mut audit = Port::default();
    drop(park(&parking(&store), "call-1", 1, &mut audit));
    // Another process: nothing but the store is left.
    let parking = parking(&store);
    let parked = parking.held(&id(1)).unwrap().unwrap();
    assert_eq!(parked.tool_call_id(), "call-1");
    clock.restart(1_000_000);
    assert_eq!(
        reply(&parking, 1, Answer::Allow, &mut audit),
        Err(NotAnswered::Unknown)
    );
    let outcome = parked
        .poll(&parking, &Holder::of("call-1").live(), &mut audit)
        .unwrap();
    assert_eq!(outcome, Outcome::Gone);
    assert_eq!(parking.sweep(&mut audit), Ok(1));
    assert_eq!(audit.kinds(), [AuditKind::Parked, AuditKind::Expired]);
    assert_eq!(parking.ids(None).unwrap(), []);
    assert_eq!(stored(&store), None);
}

#[test]
fn what_cannot_be_recorded_is_spent_and_nothing_goes_on() {
    // At the park, the answer and the resume in turn.
    for room in 0..3 {
        let store = memory(&TestClock::default());
        let parking = parking(&store);
        let mut audit = Port {
            room,
            ..Port::default()
        };
        let parked = pending("call-1").park(&parking, id(1), &mut audit);
        if room == 0 {
            let refused = parked.unwrap_err();
            assert!(matches!(refused.why, NotParkedKind::Unrecorded(_)));
            assert_eq!(parking.question(&id(1)).unwrap(), None);
            continue;
        }
        let parked = parked.unwrap();
        let answered = reply(&parking, 1, Answer::Allow, &mut audit);
        assert_eq!(answered.is_ok(), room > 1);
        let outcome = parked.poll(&parking, &Holder::of("call-1").live(), &mut audit);
        match room {
            1 => assert_eq!(
                outcome,
                Ok(Outcome::Over(Exit::Evicted(Eviction::Unrecorded)))
            ),
            _ => assert!(outcome.is_err()),
        }
        // It was spent: with the log mended, nothing comes of it.
        let mut audit = Port::default();
        assert_eq!(parking.held(&id(1)).unwrap(), None);
        assert!(reply(&parking, 1, Answer::Allow, &mut audit).is_err());
        assert_eq!(parking.sweep(&mut audit), Ok(0));
        assert_eq!(stored(&store), None);
    }
}

#[test]
fn a_late_answer_that_cannot_be_recorded_is_not_kept() {
    // The records are: parked, answered, expired, answer-stored.
    for room in 1..4 {
        let clock = TestClock::default();
        let store = memory(&clock);
        let parking = parking(&store);
        let mut audit = Port {
            room,
            ..Port::default()
        };
        let _parked = park(&parking, "call-1", 1, &mut audit);
        clock.pass(300_000);
        let answered = reply(&parking, 1, Answer::Allow, &mut audit);
        assert!(
            matches!(answered, Err(NotAnswered::Unrecorded(_))),
            "{room}"
        );
        assert_eq!(stored(&store), None);
    }
}

#[test]
fn a_late_answer_without_room_is_not_kept_and_says_so() {
    let clock = TestClock::default();
    let store = memory(&clock);
    let mut parking = parking(&store);
    parking.limits.answers.per_session = 0;
    let mut audit = Port::default();
    let _parked = park(&parking, "call-1", 1, &mut audit);
    clock.pass(300_000);
    assert_eq!(
        reply(&parking, 1, Answer::Deny, &mut audit),
        Err(NotAnswered::NoRoom)
    );
    assert_eq!(stored(&store), None);
}

#[test]
fn a_store_that_fails_parks_and_resumes_nothing() {
    let store = Switched::new(&TestClock::default());
    let parking = parking(&store);
    let mut audit = Port::default();
    let parked = park(&parking, "call-1", 1, &mut audit);
    let question = parking.question(&id(1)).unwrap().unwrap();
    store.off();
    let reply = Reply {
        answer: Answer::Allow,
        shown: question.shown().clone(),
    };
    assert!(matches!(
        question.answer(&parking, &reply, &mut audit),
        Err(NotAnswered::Store(_))
    ));
    assert!(
        parked
            .poll(&parking, &Holder::of("call-1").live(), &mut audit)
            .is_err()
    );
    let refused = pending("call-2")
        .park(&parking, id(2), &mut audit)
        .unwrap_err();
    assert!(matches!(refused.why, NotParkedKind::Store(_)));
}

#[test]
fn a_history_is_what_the_user_wrote_and_which_calls_there_were() {
    let history = |messages: &[&[&str]], calls: &[&str]| {
        let mut history = History::new();
        for texts in messages {
            history.user_message(texts.iter().copied());
        }
        for call in calls {
            history.call(*call);
        }
        history.fingerprint()
    };
    let base = history(&[&["a"], &["b"]], &["c1", "c2"]);
    assert_eq!(
        history(&[&["a"], &["b"]], &["c1", "c2", "c1"]),
        base,
        "deduplicated"
    );
    let others = [
        history(&[&["a"], &["b"]], &["c1"]),
        history(&[&["a"], &["b"]], &["c1", "c2", "c3"]),
        history(&[&["a"], &["b"]], &["c1c2"]),
        history(&[&["a", "b"]], &["c1", "c2"]),
        history(&[&["ab"], &[]], &["c1", "c2"]),
        history(&[&["a"], &["b"], &[]], &["c1", "c2"]),
        history(&[&["b"], &["a"]], &["c1", "c2"]),
        history(&[&["a"], &["b "]], &["c1", "c2"]),
        history(&[&["a"], &["b"], &["c1"]], &["c2"]),
    ];
    for other in others {
        assert_ne!(other, base);
    }
}

#[test]
fn several_calls_that_wait_pause_their_turn_once() {
    // Seed 3.4, 3.7: two concurrent gates, one pause.
    let latch = PauseLatch::new();
    assert!(!latch.is_paused());
    let pauses: usize = std::thread::scope(|scope| {
        let gates: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| usize::from(latch.pause().is_some())))
            .collect();
        gates.into_iter().map(|gate| gate.join().unwrap()).sum()
    });
    assert_eq!(pauses, 1);
    assert!(latch.is_paused());
}

#[test]
fn calls_beside_one_that_waits_are_told_the_truth() {
    // Seed 3.9: allowed executions and answered denies are left alone by the sweep.
    let table = [
        (
            OpenCall::NotBegun,
            Some(DEFERRED_NOT_EXECUTED),
            Some(INTERRUPTED_NOT_EXECUTED),
        ),
        (OpenCall::Waiting, None, Some(INTERRUPTED_NOT_EXECUTED)),
        (
            OpenCall::Allowed,
            None,
            Some(APPROVED_EXECUTION_RESULT_UNKNOWN),
        ),
        (OpenCall::Refused, None, None),
    ];
    for (call, at_pause, at_end) in table {
        assert_eq!(
            (call.at_pause(), call.at_end()),
            (at_pause, at_end),
            "{call:?}"
        );
    }
    insta::assert_snapshot!(format!(
        "{DEFERRED_NOT_EXECUTED}\n\n{APPROVED_EXECUTION_RESULT_UNKNOWN}\n\n{INTERRUPTED_NOT_EXECUTED}"
    ));
}

#[test]
fn an_id_is_random_bytes_or_none() {
    for length in [0, 15, 65] {
        assert!(ParkId::random(&vec![7; length]).is_err());
    }
    let id = ParkId::random(&[0xab; 16]).unwrap();
    assert_eq!(ParkId::parse(id.as_str()), Ok(id));
    for text in [
        "",
        "pool",
        &"AB".repeat(16),
        &"a".repeat(31),
        &"a".repeat(33),
        &"ab".repeat(65),
    ] {
        assert!(ParkId::parse(text).is_err(), "{text}");
    }
    assert!(Ttl::seconds(300).is_ok());
}
