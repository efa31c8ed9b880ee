//! The execution guard.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::shuttle_store::ShuttleStore;
use crate::stand::{OWNER, Port, Switched, TURN, input, key, memory, redacted, tool};
use countersign_broker::store::Store;
use countersign_broker::store::conformance::TestClock;
use countersign_broker::{
    AllowError, AllowanceLimits, Guard, NoAllowanceRoom, PresentedCall, Refusal, RefusalKind, Turn,
};
use countersign_core::{AuditKind, CallKey, Verdict};
use serde_json::{Value, json};
use shuttle::thread;
use std::fmt::Write as _;
use std::sync::Arc;

fn guard(store: &dyn Store) -> Guard<'_> {
    Guard {
        store,
        limits: AllowanceLimits::default(),
    }
}

fn allow(store: &dyn Store, key: &CallKey) {
    let _sent = guard(store)
        .allow(&TURN, key, &mut Port::default())
        .unwrap();
}

/// A record of a call, as it lies where anybody could have put it.
fn presented(name: &str, json: Value) -> PresentedCall {
    PresentedCall::new(tool(name), Some("call-1".to_owned()), input(json))
}

fn admit(
    store: &dyn Store,
    turn: &Turn<'_>,
    call: PresentedCall,
    verdict: Verdict,
) -> Result<Value, Refusal> {
    let right = guard(store).admit(turn, call, verdict, &mut Port::default())?;
    Ok(right.run(|_, input| Value::Object(input)))
}

fn deploy() -> Value {
    json!({"to": "production"})
}

#[test]
fn what_a_person_must_allow_runs_once_for_each_allowance() {
    // Seed 3.5, 3.7: granted executes once, a replay is denied, a forged record is denied.
    let store = memory(&TestClock::default());
    let ask = |json| admit(&store, &TURN, presented("deploy", json), Verdict::Defer);
    assert_eq!(
        ask(deploy()).unwrap_err().kind,
        RefusalKind::NotApproved,
        "forged"
    );
    allow(&store, &key("deploy", deploy()));
    assert_eq!(
        ask(deploy()).unwrap(),
        deploy(),
        "what runs is what was presented"
    );
    assert_eq!(
        ask(deploy()).unwrap_err().kind,
        RefusalKind::NotApproved,
        "replayed"
    );
    allow(&store, &key("deploy", deploy()));
    allow(&store, &key("deploy", deploy()));
    assert!(ask(deploy()).is_ok());
    assert!(ask(deploy()).is_ok());
    assert!(ask(deploy()).is_err());
}

#[test]
fn an_allowance_is_for_exactly_one_call_of_one_turn() {
    let store = memory(&TestClock::default());
    let shell = json!({"command": "ls"});
    allow(&store, &key("bash", shell.clone()));
    let others = [
        ("bash", json!({"command": "ls", "cwd": "/etc"})),
        ("bash", json!({"command": "ls "})),
        ("bash", json!({"command": {"x": 1}})),
        ("bash", json!({})),
        ("Bash", shell.clone()),
    ];
    for (name, json) in others {
        let refused = admit(&store, &TURN, presented(name, json), Verdict::Defer);
        assert_eq!(refused.unwrap_err().kind, RefusalKind::NotApproved);
    }
    let mut other_session = TURN;
    other_session.owner.session = "st";
    let other_turns = [
        Turn { turn: "u", ..TURN },
        Turn {
            turn: "",
            ..other_session
        },
        other_session,
    ];
    for turn in other_turns {
        let call = presented("bash", shell.clone());
        assert!(admit(&store, &turn, call, Verdict::Defer).is_err());
    }
    // None of these spent it.
    assert!(admit(&store, &TURN, presented("bash", shell), Verdict::Defer).is_ok());
}

#[test]
fn session_and_turn_do_not_run_into_each_other() {
    let store = memory(&TestClock::default());
    let turn = |session, turn| Turn {
        owner: countersign_broker::Owner { session, ..OWNER },
        turn,
    };
    let key = key("deploy", deploy());
    let _sent = guard(&store)
        .allow(&turn("ab", "c"), &key, &mut Port::default())
        .unwrap();
    let call = presented("deploy", deploy());
    assert!(admit(&store, &turn("a", "bc"), call, Verdict::Defer).is_err());
}

#[test]
fn the_rules_verdict_decides_first() {
    // Seed 3.5, 3.7: the author's allow executes without a grant; deny is refused, a grant or not.
    let store = memory(&TestClock::default());
    let ask = |verdict| admit(&store, &TURN, presented("deploy", deploy()), verdict);
    assert!(ask(Verdict::Allow).is_ok());
    allow(&store, &key("deploy", deploy()));
    assert!(ask(Verdict::Allow).is_ok());
    for verdict in [Verdict::Deny, Verdict::Revise] {
        assert_eq!(ask(verdict).unwrap_err().kind, RefusalKind::Denied);
    }
    assert!(ask(Verdict::Defer).is_ok(), "neither spent the allowance");
    assert!(ask(Verdict::Defer).is_err());
}

#[test]
fn an_allowance_is_keyed_without_what_the_host_sets() {
    // Seed 3.7: a grant keyed on redacted arguments matches the record.
    let store = memory(&TestClock::default());
    allow(&store, &key("deploy", deploy()));
    let record = redacted(
        json!({"to": "production", "auth": {"token": "x"}}),
        &["auth.token"],
    );
    let call = PresentedCall::new(tool("deploy"), None, record);
    assert_eq!(
        admit(&store, &TURN, call, Verdict::Defer).unwrap(),
        deploy()
    );
}

#[test]
fn an_allowance_is_over_at_its_instant_and_with_its_turn() {
    let clock = TestClock::default();
    let store = memory(&clock);
    let ask = || admit(&store, &TURN, presented("deploy", deploy()), Verdict::Defer);
    allow(&store, &key("deploy", deploy()));
    clock.pass(899_999);
    assert!(ask().is_ok());
    allow(&store, &key("deploy", deploy()));
    clock.pass(900_000);
    assert!(ask().is_err());
    // Each is over by itself, though the row that holds them is not.
    allow(&store, &key("deploy", deploy()));
    clock.pass(60_000);
    allow(&store, &key("deploy", deploy()));
    clock.pass(840_000);
    assert!(ask().is_ok());
    assert!(ask().is_err());
    allow(&store, &key("deploy", deploy()));
    clock.restart(9_000_000);
    assert!(ask().is_err());
    allow(&store, &key("deploy", deploy()));
    guard(&store).end_turn(&TURN).unwrap();
    assert!(ask().is_err());
}

#[test]
fn there_is_room_for_so_many() {
    let store = memory(&TestClock::default());
    let guard = Guard {
        store: &store,
        limits: AllowanceLimits {
            per_key: 2,
            per_turn: 3,
            ..AllowanceLimits::default()
        },
    };
    let mut audit = Port::default();
    let mut put = |name: &str| {
        guard
            .allow(&TURN, &key(name, json!({})), &mut audit)
            .map(|_| ())
    };
    put("a").unwrap();
    put("a").unwrap();
    assert_eq!(put("a"), Err(AllowError::NoRoom(NoAllowanceRoom)));
    put("b").unwrap();
    assert_eq!(put("c"), Err(AllowError::NoRoom(NoAllowanceRoom)));
    insta::assert_snapshot!(audit.text());
}

#[test]
fn no_allowance_without_a_record_and_no_run_without_one() {
    let store = memory(&TestClock::default());
    let guard = guard(&store);
    let key = key("deploy", deploy());
    assert!(guard.allow(&TURN, &key, &mut Port::broken()).is_err());
    assert!(admit(&store, &TURN, presented("deploy", deploy()), Verdict::Defer).is_err());
    allow(&store, &key);
    let refused = guard
        .admit(
            &TURN,
            presented("deploy", deploy()),
            Verdict::Defer,
            &mut Port::broken(),
        )
        .unwrap_err();
    assert!(matches!(refused.kind, RefusalKind::Unrecorded(_)));
    let again = admit(&store, &TURN, presented("deploy", deploy()), Verdict::Defer);
    assert_eq!(
        again.unwrap_err().kind,
        RefusalKind::NotApproved,
        "it was spent"
    );
    // A refusal is one, recorded or not.
    let refused = guard
        .admit(
            &TURN,
            presented("deploy", deploy()),
            Verdict::Deny,
            &mut Port::broken(),
        )
        .unwrap_err();
    assert_eq!(refused.kind, RefusalKind::Denied);
    assert!(refused.unrecorded.is_some());
}

#[test]
fn a_store_that_fails_lets_nothing_run_that_a_person_must_allow() {
    let store = Switched::new(&TestClock::default());
    let key = key("deploy", deploy());
    allow(&store, &key);
    store.off();
    let refused = admit(&store, &TURN, presented("deploy", deploy()), Verdict::Defer);
    assert!(matches!(refused.unwrap_err().kind, RefusalKind::Store(_)));
    let allowed = guard(&store).allow(&TURN, &key, &mut Port::default());
    assert!(matches!(allowed, Err(AllowError::Store(_))));
}

#[test]
fn what_the_agent_is_told_and_what_is_recorded() {
    // Seed 3.9: texts say what happened, that retrying will not help, and to ask the user.
    let store = Switched::new(&TestClock::default());
    let mut audit = Port::default();
    let guard = guard(&store);
    let mut texts = String::new();
    let mut ask = |verdict, audit: &mut Port| match guard.admit(
        &TURN,
        presented("deploy", deploy()),
        verdict,
        audit,
    ) {
        Ok(right) => right.run(|_, _| texts.push_str("it ran\n")),
        Err(refusal) => {
            let _infallible = writeln!(texts, "{refusal}");
        }
    };
    ask(Verdict::Deny, &mut audit);
    ask(Verdict::Defer, &mut audit);
    let _sent = guard
        .allow(&TURN, &key("deploy", deploy()), &mut audit)
        .unwrap();
    ask(Verdict::Defer, &mut audit);
    store.off();
    ask(Verdict::Defer, &mut audit);
    insta::assert_snapshot!(format!("{texts}\n{}", audit.text()));
    assert_eq!(audit.kinds()[1], AuditKind::ExecutionRefused);
}

fn one_allowance_several_records(store: ShuttleStore, several: usize) {
    allow(&store, &key("deploy", deploy()));
    let store = Arc::new(store);
    let executors: Vec<_> = (0..several)
        .map(|_| {
            let store = Arc::clone(&store);
            thread::spawn(move || {
                let call = presented("deploy", deploy());
                usize::from(admit(&*store, &TURN, call, Verdict::Defer).is_ok())
            })
        })
        .collect();
    let ran: usize = executors.into_iter().map(|it| it.join().unwrap()).sum();
    assert_eq!(ran, 1, "ran more than once");
}

/// Every schedule of two, and some of four.
#[test]
fn of_several_replays_one_runs() {
    let model = |several| {
        move || {
            let clock = Box::new(TestClock::default());
            one_allowance_several_records(ShuttleStore::whole(clock), several);
        }
    };
    shuttle::check_dfs(model(2), None);
    shuttle::check_random(model(4), 300);
}

#[test]
#[should_panic(expected = "ran more than once")]
fn the_model_finds_a_step_that_is_torn() {
    let model = || {
        let clock = Box::new(TestClock::default());
        one_allowance_several_records(ShuttleStore::torn(clock), 2);
    };
    shuttle::check_dfs(model, None);
}
