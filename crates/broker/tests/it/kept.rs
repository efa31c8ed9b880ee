//! What outlives a call: breakers, overrides, revise budgets, grants.

use crate::support::{Says, World, again, deletes, hit, said};
use countersign_broker::{
    ApprovalRefusal, Challenge, DenialView, approve, breakers, budgets, denials, extend_budget,
    human_spoke, reset_breaker,
};
use countersign_core::{
    AgentMode, AuditKind, Judgement, OnFailure, Person, Request, Severity, Surface, Verdict,
    retry_key,
};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

fn newest(world: &World) -> DenialView {
    denials(&*world.store, 100).unwrap().remove(0)
}

fn approve_newest(world: &mut World) -> Result<(), ApprovalRefusal> {
    let view = newest(world);
    let shown = view.denial.key.clone();
    approve(&*world.store, &mut world.log, &view, &shown)
}

/// Says line by line what becomes of a conversation.
struct Talk {
    world: World,
    text: String,
}

impl Talk {
    fn new(world: World) -> Self {
        Self {
            world,
            text: String::new(),
        }
    }

    fn call(&mut self, what: &str, of: &(Request, Judgement), says: Says) -> &mut Self {
        let since = self.world.log.events.len();
        let decided = self.world.call(of, says);
        let asked = self.world.asked.get();
        let _ = writeln!(
            self.text,
            "{what:<34} reviewer: {:<9} → {:<34} {}",
            if asked > 0 {
                format!("{says:?}")
            } else {
                "-".to_owned()
            },
            said(&decided),
            self.world.events(since)[1..].join(" "),
        );
        for line in &decided.decision.diagnostics {
            let _ = writeln!(self.text, "    {line}");
        }
        self
    }

    fn person(&mut self, what: &str, outcome: impl std::fmt::Debug) -> &mut Self {
        let _ = writeln!(self.text, "{what:<34} person → {outcome:?}");
        self
    }
}

#[test]
fn a_conversation_over_a_breaker() {
    let mut talk = Talk::new(World::new());
    let (a, b, c, d) = (deletes("a"), deletes("b"), deletes("c"), deletes("d"));
    talk.call("rm a", &a, Says::Deny)
        .call("rm b", &b, Says::Deny)
        .call("rm c", &c, Says::Defer)
        .call("rm d", &d, Says::Fails)
        .call("rm c again: a defer ends no row", &c, Says::Deny)
        .call("rm d: open, nobody is asked", &d, Says::Allow)
        .call("rm a: denied here before", &again(&a, "2"), Says::Allow);
    let outcome = approve_newest(&mut talk.world);
    talk.person("approve the newest", outcome)
        .call("rm c retried", &again(&c, "3"), Says::Deny)
        .call("rm c once more", &again(&c, "4"), Says::Deny);
    let outcome = approve_newest(&mut talk.world);
    talk.person("approve it again", outcome);
    insta::assert_snapshot!(talk.text);
}

#[test]
fn a_conversation_over_revisions() {
    let mut talk = Talk::new(World::new());
    let reworded = |words: &str| {
        let mut call = deletes("build");
        call.0.command = Some(words.to_owned());
        call
    };
    talk.call("rm -rf build", &reworded("rm -rf build"), Says::Revise)
        .call(
            "the same again",
            &again(&reworded("rm -rf build"), "2"),
            Says::Allow,
        )
        .call("unlink build", &reworded("unlink build"), Says::Revise)
        .call(
            "find build -delete",
            &reworded("find build -delete"),
            Says::Allow,
        );
    let view = budgets(&*talk.world.store, &talk.world.limits, 10)
        .unwrap()
        .remove(0);
    let left = extend_budget(
        &*talk.world.store,
        &mut talk.world.log,
        &view,
        1,
        &talk.world.limits,
    );
    talk.person("one revision more", left)
        .call(
            "find build -delete",
            &reworded("find build -delete"),
            Says::Revise,
        )
        .call("rm -r ./build", &reworded("rm -r ./build"), Says::Revise);
    for file in ["a", "b", "c", "d", "e"] {
        talk.call(&format!("rm {file}"), &deletes(file), Says::Revise);
    }
    talk.world.person = Person::Unattended;
    talk.call(
        "rm -r ./build, nobody there",
        &reworded("rm -r ./build"),
        Says::Revise,
    );
    insta::assert_snapshot!(talk.text);
}

/// Seeds 2.2, step 2: a hard deny is denied without a question, counts, and is no recent denial.
#[test]
fn hard_denies_count_and_cannot_be_overridden() {
    let mut world = World::new();
    for (file, tripped) in [("a", false), ("b", false), ("c", true)] {
        let mut call = deletes(file);
        call.1.hits.push(hit(Severity::Hard));
        let since = world.log.events.len();
        assert_eq!(said(&world.call(&call, Says::Allow)), "deny hard-deny");
        assert_eq!(world.asked.get(), 0);
        let events = world.events(since);
        assert_eq!(events.contains(&"breaker-tripped"), tripped, "{events:?}");
    }
    assert!(denials(&*world.store, 10).unwrap().is_empty());
    assert_eq!(
        said(&world.call(&deletes("d"), Says::Allow)),
        "defer breaker"
    );
}

/// Seeds 2.2, steps 4 to 7: what counts, and what does not.
#[test]
fn what_counts() {
    // A call, what a reviewer says, whether it counts, whether it ends a row.
    let rule = |severity| {
        let mut call = deletes("x");
        call.1.hits.push(hit(severity));
        call
    };
    let mut read = deletes("x");
    read.1.effects.clear();
    read.1.read_only = true;
    let mut allowed = deletes("x");
    allowed.1.rule_allowed = true;
    let rows = [
        ("reviewer denies", deletes("x"), Says::Deny, 1),
        ("hard deny", rule(Severity::Hard), Says::Allow, 1),
        ("rule deny", rule(Severity::Deny), Says::Allow, 0),
        ("review fails", deletes("x"), Says::Fails, 0),
        ("reviewer defers", deletes("x"), Says::Defer, 0),
        ("reviewer sends back", deletes("x"), Says::Revise, 0),
        ("reviewer abstains", deletes("x"), Says::Abstains, 0),
        ("only reads", read, Says::Deny, 0),
        ("allowed by rule", allowed, Says::Deny, 0),
        (
            "ask rule, allowed by review",
            rule(Severity::Ask),
            Says::Allow,
            0,
        ),
        ("allowed by review", deletes("x"), Says::Allow, -2),
    ];
    for (what, call, says, counts) in rows {
        let mut world = World::new();
        world.call(&deletes("a"), Says::Deny);
        world.call(&deletes("b"), Says::Deny);
        world.call(&call, says);
        let view = breakers(&*world.store, 10).unwrap().remove(0);
        assert_eq!(i64::from(view.in_a_row), 2 + counts, "{what}");
        assert_eq!(view.open, counts > 0, "{what}");
    }
}

/// Seeds 2.3: ten of the last fifty open it too, however they lie.
#[test]
fn ten_of_fifty() {
    let mut world = World::new();
    for n in 0..9 {
        world.call(&deletes(&format!("d{n}")), Says::Deny);
        world.call(&deletes(&format!("a{n}")), Says::Allow);
    }
    assert_eq!(
        said(&world.call(&deletes("x"), Says::Allow)),
        "allow reviewed"
    );
    assert_eq!(
        said(&world.call(&deletes("y"), Says::Deny)),
        "deny reviewed"
    );
    assert_eq!(
        said(&world.call(&deletes("z"), Says::Allow)),
        "defer breaker"
    );

    // Spread over more than fifty outcomes they do not.
    let mut world = World::new();
    for n in 0..25 {
        world.call(&deletes(&format!("d{n}")), Says::Deny);
        for m in 0..5 {
            world.call(&deletes(&format!("a{n}.{m}")), Says::Allow);
        }
    }
    assert_eq!(
        said(&world.call(&deletes("x"), Says::Allow)),
        "allow reviewed"
    );
}

/// The longer window: thirty denials over many scopes open it, and no new prompt closes it.
#[test]
fn the_longer_window_is_a_persons() {
    let mut world = World::new();
    let scoped = |n: usize| {
        let mut call = deletes(&format!("f{n}"));
        call.0.session = Some(format!("s{n}"));
        call.0.scope = Some(format!("s{n}:1"));
        call
    };
    for n in 0..30 {
        assert_eq!(said(&world.call(&scoped(n), Says::Deny)), "deny reviewed");
    }
    let decided = world.call(&scoped(99), Says::Allow);
    assert_eq!(said(&decided), "defer breaker");
    assert!(decided.decision.diagnostics[0].contains("countersign breaker reset"));
    world.person = Person::Unattended;
    assert_eq!(said(&world.call(&scoped(99), Says::Allow)), "deny breaker");
    let window = breakers(&*world.store, 100)
        .unwrap()
        .into_iter()
        .find(|view| view.kind == "window")
        .unwrap();
    assert_eq!(window.of, ["u", "test", "/p"]);
    reset_breaker(&*world.store, &mut world.log, &window).unwrap();
    assert_eq!(
        said(&world.call(&scoped(99), Says::Allow)),
        "allow reviewed"
    );
}

/// A message of the human begins the scope anew; the adapter that sees prompts puts no scope in.
#[test]
fn the_human_speaks() {
    let mut world = World::new();
    let call = |file| {
        let mut call = deletes(file);
        call.0.scope = None;
        call
    };
    for file in ["a", "b", "c"] {
        world.call(&call(file), Says::Deny);
    }
    assert_eq!(said(&world.call(&call("d"), Says::Allow)), "defer breaker");
    for (source, session) in [("test", "other"), ("other", "s"), ("test", "")] {
        human_spoke(&*world.store, &mut world.log, source, session).unwrap();
        assert_eq!(said(&world.call(&call("d"), Says::Allow)), "defer breaker");
    }
    human_spoke(&*world.store, &mut world.log, "test", "s").unwrap();
    assert_eq!(
        world.log.events.last().unwrap().kind,
        AuditKind::BreakerReset
    );
    assert_eq!(said(&world.call(&call("d"), Says::Allow)), "allow reviewed");
    assert_eq!(said(&world.call(&call("a"), Says::Allow)), "allow reviewed");
}

/// P10; seeds 2.11: an allow that is ready after concurrent reviews have opened the breaker does not pass.
#[test]
fn no_allow_passes_an_open_breaker() {
    let world = Arc::new(std::sync::Mutex::new(World::new()));
    let mut outer = World::new();
    let inner = Arc::clone(&world);
    // Both worlds share one store.
    let clock = outer.clock.clone();
    let store: Arc<dyn countersign_broker::store::Store> = Arc::from(std::mem::replace(
        &mut outer.store,
        Box::new(countersign_broker::store::MemoryStore::new(
            Box::new(clock),
            countersign_broker::store::Capacity::default(),
        )),
    ));
    outer.store = Box::new(Shared(Arc::clone(&store)));
    inner.lock().unwrap().store = Box::new(Shared(store));
    outer.grants = true;
    let reviewer = crate::support::Scripted {
        says: Says::Allow,
        asked: AtomicUsize::new(0),
        meanwhile: Some(Box::new(move || {
            for file in ["a", "b", "c"] {
                inner.lock().unwrap().call(&deletes(file), Says::Deny);
            }
        })),
    };
    let decided = outer.ask(&deletes("d"), Some(&reviewer));
    assert_eq!(said(&decided), "defer breaker");
    assert_eq!(decided.grant, None);
}

pub(crate) struct Shared(pub(crate) Arc<dyn countersign_broker::store::Store>);

impl countersign_broker::store::Store for Shared {
    fn read(
        &self,
        keys: &[countersign_broker::store::Key],
    ) -> Result<countersign_broker::store::View, countersign_broker::store::StoreError> {
        self.0.read(keys)
    }

    fn update(
        &self,
        keys: &[countersign_broker::store::Key],
        step: &mut dyn FnMut(
            &countersign_broker::store::View,
        ) -> Vec<countersign_broker::store::Change>,
    ) -> Result<(), countersign_broker::store::StoreError> {
        self.0.update(keys, step)
    }

    fn scan(
        &self,
        table: countersign_broker::store::Table,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(countersign_broker::store::Key, String)>, countersign_broker::store::StoreError>
    {
        self.0.scan(table, after, limit)
    }
}

/// Seeds 2.2, step 4: two failures in a row ask persons for a while, and are no denials.
#[test]
fn failures_are_counted_apart() {
    for (person, on_failure, verdict) in [
        (Person::Attended, OnFailure::Ask, "defer"),
        (Person::Unattended, OnFailure::Ask, "deny"),
        (Person::Attended, OnFailure::Deny, "deny"),
    ] {
        let mut world = World::new();
        world.person = person;
        world.on_failure = on_failure;
        let failed = format!("{verdict} review-unavailable");
        assert_eq!(said(&world.call(&deletes("a"), Says::Fails)), failed);
        assert_eq!(
            said(&world.call(&deletes("a"), Says::Allow)),
            "allow reviewed"
        );
        assert_eq!(said(&world.call(&deletes("a"), Says::Fails)), failed);
        assert_eq!(said(&world.call(&deletes("b"), Says::Fails)), failed);
        let suspended = format!("{verdict} review-suspended");
        assert_eq!(said(&world.call(&deletes("c"), Says::Allow)), suspended);
        assert_eq!(world.asked.get(), 0);
        world.clock.pass(5 * 60 * 1000);
        assert_eq!(
            said(&world.call(&deletes("c"), Says::Allow)),
            "allow reviewed"
        );
        assert!(breakers(&*world.store, 10).unwrap().is_empty());
        assert!(denials(&*world.store, 10).unwrap().is_empty());
    }
}

/// Seeds 2.9 and 2.11: an override is honoured, once, by a retry under a new id.
#[test]
fn an_approved_retry_is_honoured_once() {
    let mut world = World::new();
    let call = again(&deletes("a"), "call-1");
    assert_eq!(said(&world.call(&call, Says::Deny)), "deny reviewed");
    approve_newest(&mut world).unwrap();
    assert_eq!(approve_newest(&mut world), Err(ApprovalRefusal::Pending));
    let retry = again(&call, "call-2");
    assert_eq!(said(&world.call(&retry, Says::Deny)), "allow approved");
    assert_eq!(world.asked.get(), 0);
    assert_eq!(said(&world.call(&retry, Says::Deny)), "deny reviewed");
    assert_eq!(approve_newest(&mut world), Err(ApprovalRefusal::Used));
}

/// Seeds 3.1 and 3.3: a decision that a person gave before decides the next identical call, once, and
/// a rule is not lifted by one.
#[test]
fn a_stored_decision_is_honoured_once() {
    use countersign_broker::answers::keep;
    use countersign_broker::{Answer, AnswerLimits, Owner};
    let owner = Owner {
        source: "test",
        session: "s",
    };
    let kept = |world: &mut World, answer| {
        let (request, judgement) = deletes("a");
        let key = retry_key(&request, &judgement.observed, &judgement.policy).unwrap();
        let limits = AnswerLimits::default();
        keep(&*world.store, &owner, &key, answer, &limits, &mut world.log).unwrap();
    };
    for (answer, code) in [
        (Answer::Allow, "allow answered"),
        (Answer::Deny, "deny answered"),
    ] {
        let mut world = World::new();
        kept(&mut world, answer);
        assert_eq!(
            said(&world.call(&deletes("b"), Says::Defer)),
            "defer reviewed"
        );
        let since = world.log.events.len();
        assert_eq!(
            said(&world.call(&again(&deletes("a"), "2"), Says::Defer)),
            code
        );
        assert_eq!(world.asked.get(), 0);
        assert_eq!(world.events(since), ["decision", "answer-consumed"]);
        assert_eq!(
            said(&world.call(&again(&deletes("a"), "3"), Says::Defer)),
            "defer reviewed"
        );
    }
    let mut world = World::new();
    kept(&mut world, Answer::Allow);
    let mut hard = deletes("a");
    hard.1.hits.push(hit(Severity::Hard));
    assert_eq!(said(&world.call(&hard, Says::Allow)), "deny hard-deny");
}

/// P2; seeds 2.4 and 2.9: what makes another call of it.
#[test]
fn an_override_is_for_one_exact_call() {
    type Change = fn(&mut (Request, Judgement));
    let same: &[(&str, Change)] = &[
        ("id", |it| it.0.id = "other".into()),
        ("call id", |it| it.0.tool_call_id = Some("other".into())),
        ("scope", |it| it.0.scope = Some("s:2".into())),
    ];
    let other: &[(&str, Change)] = &[
        ("session", |it| it.0.session = Some("other".into())),
        ("command", |it| it.0.command = Some("rm a ".into())),
        ("cwd", |it| it.0.cwd = "/q".into()),
        ("path", |it| it.0.path = Some("/x".into())),
        ("resolved path", |it| it.0.resolved_path = Some("/x".into())),
        ("destination", |it| it.0.destination = Some("x".into())),
        ("agent", |it| it.0.agent = Some("sub".into())),
        ("skill", |it| it.0.skill_name = Some("x".into())),
        ("source", |it| it.0.source = "other".into()),
        ("operation", |it| it.0.operation = "x".into()),
        ("tool", |it| it.0.tool_name = Some("x".into())),
        ("surface", |it| it.0.surface = Surface::Network),
        ("input", |it| {
            it.0.input = serde_json::json!({"a": 1}).as_object().cloned();
        }),
        ("matched policy", |it| {
            it.0.matched_policy = serde_json::json!({"a": 1}).as_object().cloned();
        }),
        ("script", |it| {
            it.1.observed.contents.insert("/p/x.sh".into(), "00".into());
        }),
        ("policy", |it| it.1.policy = "other".into()),
    ];
    for (what, change, honoured) in same
        .iter()
        .map(|(what, change)| (what, change, true))
        .chain(other.iter().map(|(what, change)| (what, change, false)))
    {
        let mut world = World::new();
        world.call(&deletes("a"), Says::Deny);
        approve_newest(&mut world).unwrap();
        let mut retry = deletes("a");
        change(&mut retry);
        let decided = world.call(&retry, Says::Defer);
        assert_eq!(said(&decided) == "allow approved", honoured, "{what}");
        if !honoured {
            assert_eq!(
                said(&world.call(&deletes("a"), Says::Defer)),
                "allow approved",
                "{what}"
            );
        }
    }
}

/// P3 and P8; seeds 2.3: an override lifts nothing that a rule says, and waits a minute.
#[test]
fn what_an_override_does_not_do() {
    for (severity, code) in [
        (Severity::Hard, "deny hard-deny"),
        (Severity::Deny, "deny rule-deny"),
    ] {
        let mut world = World::new();
        world.call(&deletes("a"), Says::Deny);
        approve_newest(&mut world).unwrap();
        let mut retry = deletes("a");
        retry.1.hits.push(hit(severity));
        assert_eq!(said(&world.call(&retry, Says::Allow)), code);
        assert_eq!(
            said(&world.call(&deletes("a"), Says::Deny)),
            "allow approved"
        );
    }
    let mut world = World::new();
    world.call(&deletes("a"), Says::Deny);
    approve_newest(&mut world).unwrap();
    let mut plan = deletes("a");
    plan.1.observed.mode = AgentMode::Plan;
    assert_eq!(said(&world.call(&plan, Says::Allow)), "defer reviewed");
    world.clock.pass(59_999);
    assert_eq!(
        said(&world.call(&deletes("a"), Says::Deny)),
        "allow approved"
    );

    let mut world = World::new();
    world.call(&deletes("a"), Says::Deny);
    approve_newest(&mut world).unwrap();
    world.clock.pass(60_000);
    assert_eq!(
        said(&world.call(&deletes("a"), Says::Deny)),
        "deny reviewed"
    );
    approve_newest(&mut world).expect("one that was not used may be given again");
    world.clock.restart(0);
    assert_eq!(
        said(&world.call(&deletes("a"), Says::Deny)),
        "deny reviewed"
    );
}

/// Seeds 2.3: ten denials of a session are kept, newest first, whatever other sessions do.
#[test]
fn ten_denials_a_session() {
    let mut world = World::new();
    for n in 0..12 {
        let mut call = deletes(&format!("f{n}"));
        call.0.scope = Some(format!("s:{n}"));
        world.call(&call, Says::Deny);
    }
    let mut call = deletes("f11");
    call.0.scope = Some("s:11".to_owned());
    call.0.session = Some("other".to_owned());
    world.call(&call, Says::Deny);
    let views = denials(&*world.store, 100).unwrap();
    let of = |session: &str| -> Vec<String> {
        let views = views.iter().filter(|view| view.session == session);
        views.map(|view| view.denial.call.clone()).collect()
    };
    let expected: Vec<String> = (2..12)
        .rev()
        .map(|n| format!("command\nrm f{n}\nin /p"))
        .collect();
    assert_eq!(of("s"), expected);
    assert_eq!(of("other").len(), 1);
}

/// P7: an approval submits the hash that was shown, of a denial that is still there.
#[test]
fn an_approval_is_of_what_was_shown() {
    let mut world = World::new();
    world.call(&deletes("a"), Says::Deny);
    world.call(&deletes("b"), Says::Deny);
    let views = denials(&*world.store, 10).unwrap();
    let wrong = views[0].denial.key.clone();
    let refused = approve(&*world.store, &mut world.log, &views[1], &wrong);
    assert_eq!(refused, Err(ApprovalRefusal::Changed));
    let mut forged = views[1].clone();
    forged.denial.key = wrong.clone();
    let refused = approve(&*world.store, &mut world.log, &forged, &wrong);
    assert_eq!(refused, Err(ApprovalRefusal::Changed));
    forged.denial.id = "none".to_owned();
    let refused = approve(&*world.store, &mut world.log, &forged, &wrong);
    assert_eq!(refused, Err(ApprovalRefusal::Unknown));
    forged = views[1].clone();
    forged.session = "other".to_owned();
    let refused = approve(&*world.store, &mut world.log, &forged, &wrong);
    assert_eq!(refused, Err(ApprovalRefusal::Unknown));
    world.log.good_for = Some(world.log.events.len());
    let refused = approve_newest(&mut world);
    assert!(matches!(refused, Err(ApprovalRefusal::Failed(_))));
    world.log.good_for = None;
    assert_eq!(
        said(&world.call(&deletes("b"), Says::Deny)),
        "deny resubmitted"
    );
}

/// Seeds 2.10 (0.8.0): breaking the glass.
#[test]
fn breaking_the_glass() {
    let mut world = World::new();
    world.call(&deletes("a"), Says::Critical);
    assert_eq!(approve_newest(&mut world), Err(ApprovalRefusal::Critical));
    let begin = |world: &World| Challenge::begin(&*world.store, newest(world), [0xab, 1, 0xff]);

    let challenge = begin(&world).unwrap();
    assert_eq!(challenge.code(), "BREAK-GLASS AB01FF");
    let refused = challenge.typed(&*world.store, &mut world.log, "BREAK-GLASS AB01FE");
    assert_eq!(refused, Err(ApprovalRefusal::Code));

    let challenge = begin(&world).unwrap();
    world.clock.pass(60_000);
    let refused = challenge.typed(&*world.store, &mut world.log, "BREAK-GLASS AB01FF");
    assert_eq!(refused, Err(ApprovalRefusal::Code));

    let challenge = begin(&world).unwrap();
    challenge
        .typed(&*world.store, &mut world.log, " BREAK-GLASS AB01FF\n")
        .unwrap();
    let last = world.log.events.last().unwrap();
    assert_eq!(last.kind, AuditKind::BreakGlassAuthorized);
    assert!(last.must_be_flushed());
    let breaker = breakers(&*world.store, 10).unwrap().remove(0);
    assert_eq!(breaker.in_a_row, 1, "breaking the glass closes no breaker");
    let since = world.log.events.len();
    assert_eq!(
        said(&world.call(&again(&deletes("a"), "2"), Says::Deny)),
        "allow break-glass"
    );
    assert_eq!(world.events(since), ["decision", "break-glass-consumed"]);
    assert_eq!(
        said(&world.call(&deletes("a"), Says::Critical)),
        "deny reviewed"
    );
    assert_eq!(
        begin(&world)
            .unwrap()
            .typed(&*world.store, &mut world.log, "BREAK-GLASS AB01FF"),
        Err(ApprovalRefusal::Used)
    );

    let mut world = World::new();
    world.call(&deletes("a"), Says::Critical);
    world.clock.pass(5 * 60 * 1000);
    assert_eq!(begin(&world).unwrap_err(), ApprovalRefusal::TooOld);
    world.call(&deletes("b"), Says::Deny);
    assert_eq!(begin(&world).unwrap_err(), ApprovalRefusal::NotCritical);
}

/// P8; seeds 2.8: a surface whose calls no reviewer may allow.
#[test]
fn bounded_delegation() {
    let mut world = World::new();
    world.bounded = vec![Surface::Command];
    let decided = world.call(&deletes("a"), Says::Allow);
    assert_eq!(said(&decided), "defer reviewed");
    assert!(decided.decision.diagnostics[0].contains("a reviewer alone"));
    assert_eq!(
        said(&world.call(&deletes("a"), Says::Deny)),
        "deny reviewed"
    );
    world.bounded = vec![Surface::Network];
    assert_eq!(
        said(&world.call(&deletes("b"), Says::Allow)),
        "allow reviewed"
    );
}

/// P12: secrets do not reach the store.
#[test]
fn what_is_kept_is_redacted() {
    let mut world = World::new();
    let mut call = deletes("a");
    call.0.command = Some("curl -u me:hunter2 https://example.org".to_owned());
    world.call(&call, Says::Deny);
    for table in countersign_broker::store::Table::ALL {
        for (_, body) in world.store.scan(table, None, 100).unwrap() {
            assert!(!body.contains("hunter2"), "{body}");
        }
    }
    assert!(newest(&world).denial.call.contains("[redacted]"));
}

/// A tool without an effect of its own is nobody's business, whatever stands against the scope.
#[test]
fn no_effect_no_question() {
    let mut world = World::new();
    for file in ["a", "b", "c"] {
        world.call(&deletes(file), Says::Deny);
    }
    let mut call = deletes("d");
    call.1.effects.clear();
    call.1.no_effect = true;
    let decided = world.unreviewed(&call);
    assert_eq!(said(&decided), "defer no-effect");
    assert_eq!(decided.decision.verdict, Verdict::Defer);
}
