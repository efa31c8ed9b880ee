//! Parked approvals under everything that races: a reference model, and schedules of threads.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::shuttle_store::ShuttleStore;
use crate::stand::{Holder, OWNER, Port, digest, id, memory, pending};
use countersign_broker::store::Store;
use countersign_broker::store::conformance::TestClock;
use countersign_broker::{
    Answer, Eviction, Exit, Mismatch, Outcome, ParkLimits, Parking, Reply, answers,
};
use countersign_core::{AuditEvent, AuditKind};
use proptest::prelude::*;
use shuttle::thread;
use std::sync::Arc;

const TTL: u64 = 300_000;
const LATE: u64 = 3_600_000;

fn parking(store: &dyn Store) -> Parking<'_> {
    Parking {
        store,
        limits: ParkLimits::default(),
    }
}

/// One thing that happens. Each uses nothing but the store: between any two of them the process
/// may have been another one, and nobody is ever told that anything happened.
#[derive(Debug, Clone, Copy)]
enum Event {
    Answer(Answer),
    WrongHash,
    Poll,
    PollMismatched,
    Sweep,
    Evict(Eviction),
    EndSession,
    Pass(u64),
    MachineRestarts,
}

fn event() -> impl Strategy<Value = Event> {
    use Event::{
        Answer as Answers, EndSession, Evict, MachineRestarts, Pass, Poll, PollMismatched, Sweep,
        WrongHash,
    };
    prop_oneof![
        4 => prop_oneof![Just(Answers(Answer::Allow)), Just(Answers(Answer::Deny))],
        1 => Just(WrongHash),
        3 => Just(Poll),
        1 => Just(PollMismatched),
        2 => Just(Sweep),
        2 => prop_oneof![
            Just(Evict(Eviction::Unanswered)),
            Just(Evict(Eviction::Aborted)),
            Just(Evict(Eviction::HolderGone)),
        ],
        1 => Just(EndSession),
        4 => prop_oneof![Just(Pass(1)), Just(Pass(TTL / 2)), Just(Pass(TTL)), Just(Pass(LATE))],
        1 => Just(MachineRestarts),
    ]
}

/// What ought to happen, in the fewest words.
#[derive(Debug)]
struct Model {
    passed: u64,
    void: bool,
    answer: Option<Answer>,
    exit: Option<Exit>,
    kept: Vec<Answer>,
}

impl Model {
    fn is_heard(&self) -> bool {
        !self.void && self.passed < TTL + LATE
    }

    fn expire(&mut self) {
        if self.exit.is_none() && self.passed >= TTL {
            self.exit = Some(Exit::Expired);
            self.kept.extend(self.answer);
        }
    }

    fn apply(&mut self, event: Event) {
        match event {
            Event::Pass(ms) => self.passed += ms,
            Event::MachineRestarts => self.void = true,
            // What is void or forgotten ends by the sweep alone, and its answer is lost.
            Event::Sweep if !self.is_heard() => {
                if self.exit.is_none() {
                    self.exit = Some(Exit::Expired);
                }
            }
            Event::Sweep => self.expire(),
            _ if !self.is_heard() => {}
            Event::WrongHash => {}
            Event::Answer(answer) => {
                let late = self.passed >= TTL;
                let ended = self.exit.is_some_and(|exit| exit != Exit::Expired);
                if self.answer.is_none() && !ended {
                    if late {
                        self.exit = Some(Exit::Expired);
                        self.kept.push(answer);
                    }
                    self.answer = Some(answer);
                }
            }
            Event::Poll | Event::PollMismatched => {
                self.expire();
                if let (None, Some(answer)) = (self.exit, self.answer) {
                    self.exit = Some(match (event, answer) {
                        (Event::PollMismatched, _) => {
                            self.kept.push(answer);
                            Exit::Evicted(Eviction::Mismatch(Mismatch::Request))
                        }
                        (_, Answer::Allow) => Exit::Resumed,
                        (_, Answer::Deny) => Exit::Rejected,
                    });
                }
            }
            Event::Evict(why) => self.evict(why),
            Event::EndSession => self.evict(Eviction::SessionEnded),
        }
    }

    fn evict(&mut self, why: Eviction) {
        self.expire();
        let spared = why == Eviction::Unanswered && self.answer.is_some();
        if self.exit.is_none() && !spared {
            self.exit = Some(Exit::Evicted(why));
            if why == Eviction::HolderGone {
                self.kept.extend(self.answer);
            }
        }
    }
}

/// The same on the real thing, with nothing carried from one event to the next.
fn happen(event: Event, parking: &Parking<'_>, clock: &TestClock, audit: &mut Port) {
    let id = id(1);
    match event {
        Event::Pass(ms) => clock.pass(ms),
        Event::MachineRestarts => clock.restart(1_000_000),
        Event::Answer(_) | Event::WrongHash => {
            let Some(question) = parking.question(&id).unwrap() else {
                return;
            };
            let shown = question.shown().clone();
            let reply = match event {
                Event::Answer(answer) => Reply { answer, shown },
                _ => Reply {
                    answer: Answer::Allow,
                    shown: digest("another"),
                },
            };
            let _refused = question.answer(parking, &reply, audit);
        }
        Event::Poll | Event::PollMismatched => {
            let Some(parked) = parking.held(&id).unwrap() else {
                return;
            };
            let mut holder = Holder::of("call-1");
            if matches!(event, Event::PollMismatched) {
                holder.request = digest("another");
            }
            let _outcome = parked.poll(parking, &holder.live(), audit).unwrap();
        }
        Event::Sweep => {
            parking.sweep(audit).unwrap();
        }
        Event::Evict(why) => {
            parking.evict(&id, why, audit).unwrap();
        }
        Event::EndSession => {
            parking.end_session("s", audit).unwrap();
        }
    }
}

fn exits(events: &[AuditEvent]) -> Vec<(AuditKind, &str)> {
    let is_exit = |kind| {
        matches!(
            kind,
            AuditKind::Resumed | AuditKind::Rejected | AuditKind::Expired | AuditKind::Evicted
        )
    };
    let exits = events.iter().filter(|event| is_exit(event.kind));
    exits
        .map(|event| (event.kind, event.note.as_deref().unwrap_or_default()))
        .collect()
}

fn stored(events: &[AuditEvent]) -> usize {
    let stored = |event: &&AuditEvent| event.kind == AuditKind::AnswerStored;
    events.iter().filter(stored).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Whatever happens in whatever order, the call ends at most once, in the way and at the moment
    /// that the model says, and so many answers are kept.
    #[test]
    fn a_parked_call_does_what_the_model_says(events in proptest::collection::vec(event(), 0..14)) {
        let clock = TestClock::default();
        let store = memory(&clock);
        let parking = parking(&store);
        let mut audit = Port::default();
        drop(pending("call-1").park(&parking, id(1), &mut audit).unwrap());
        let mut model = Model { passed: 0, void: false, answer: None, exit: None, kept: Vec::new() };
        for event in events {
            happen(event, &parking, &clock, &mut audit);
            model.apply(event);
            let expected: Vec<&str> = model.exit.iter().map(|exit| exit.words()).collect();
            let real: Vec<&str> = exits(&audit.events).into_iter().map(|(_, note)| note).collect();
            prop_assert_eq!(real, expected);
            prop_assert_eq!(stored(&audit.events), model.kept.len());
            prop_assert!(model.kept.len() <= 1);
        }
    }
}

/// What one thread saw: the records that it wrote, and whether the call went on by its hand.
type Seen = (Vec<AuditEvent>, usize);

type Act = fn(&Parking<'_>, &TestClock, &mut Port) -> usize;

fn answer(parking: &Parking<'_>, answer: Answer, audit: &mut Port) {
    if let Some(question) = parking.question(&id(1)).unwrap() {
        let shown = question.shown().clone();
        let _refused = question.answer(parking, &Reply { answer, shown }, audit);
    }
}

fn poll(parking: &Parking<'_>, audit: &mut Port) -> usize {
    let Some(parked) = parking.held(&id(1)).unwrap() else {
        return 0;
    };
    let outcome = parked.poll(parking, &Holder::of("call-1").live(), audit);
    usize::from(matches!(outcome.unwrap(), Outcome::Resumed(_)))
}

const ACTS: [Act; 6] = [
    |parking, _, audit| {
        answer(parking, Answer::Allow, audit);
        poll(parking, audit)
    },
    |parking, _, audit| {
        answer(parking, Answer::Deny, audit);
        poll(parking, audit)
    },
    |parking, _, audit| {
        answer(parking, Answer::Allow, audit);
        0
    },
    |parking, _, audit| poll(parking, audit),
    |parking, clock, audit| {
        clock.pass(TTL);
        parking.sweep(audit).unwrap();
        0
    },
    |parking, _, audit| {
        parking.evict(&id(1), Eviction::HolderGone, audit).unwrap();
        0
    },
];

/// Everything at once on one parked call; then what came of it.
fn race(store: ShuttleStore, clock: &TestClock, acts: &[Act]) {
    let store = Arc::new(store);
    let mut audit = Port::default();
    drop(
        pending("call-1")
            .park(&parking(&*store), id(1), &mut audit)
            .unwrap(),
    );
    let threads: Vec<_> = acts
        .iter()
        .map(|&act| {
            let (store, clock) = (Arc::clone(&store), clock.clone());
            thread::spawn(move || -> Seen {
                let mut audit = Port::default();
                let ran = act(&parking(&*store), &clock, &mut audit);
                (audit.events, ran)
            })
        })
        .collect();
    let (mut events, mut ran) = (audit.events, 0);
    for thread in threads {
        let (seen, went_on) = thread.join().unwrap();
        events.extend(seen);
        ran += went_on;
    }
    let taken = (0..3)
        .filter(|_| {
            let taken = answers::take(&*store, &OWNER, &digest("retry key")).unwrap();
            taken.record(&mut Port::default()).unwrap().is_some()
        })
        .count();
    let ends = exits(&events);
    let kept = stored(&events);
    assert!(
        ends.len() <= 1 && ran + taken <= 1 && taken == kept,
        "a promise is broken: ended as {ends:?}, went on {ran} times, {kept} answers kept, {taken} taken"
    );
}

fn whole(acts: &'static [Act]) -> impl Fn() + Send + Sync + 'static {
    move || {
        let clock = TestClock::default();
        race(ShuttleStore::whole(Box::new(clock.clone())), &clock, acts);
    }
}

fn torn(acts: &'static [Act]) -> impl Fn() + Send + Sync + 'static {
    move || {
        let clock = TestClock::default();
        race(ShuttleStore::torn(Box::new(clock.clone())), &clock, acts);
    }
}

#[test]
fn a_parked_call_ends_once_whatever_races() {
    shuttle::check_random(whole(&ACTS), 300);
    shuttle::check_pct(whole(&ACTS), 300, 4);
}

#[test]
fn an_answer_and_a_second_one_are_not_both_used() {
    const TWO: [Act; 2] = [ACTS[0], ACTS[1]];
    shuttle::check_random(whole(&TWO), 200);
}

#[test]
fn an_answer_at_the_end_of_time_is_used_once() {
    const TWO: [Act; 2] = [ACTS[0], ACTS[4]];
    shuttle::check_random(whole(&TWO), 200);
}

#[test]
#[should_panic(expected = "a promise is broken")]
fn the_model_finds_a_step_that_reads_first_and_writes_later() {
    shuttle::check_random(torn(&ACTS), 5_000);
}

#[test]
fn one_of_several_that_look_records_the_end_of_a_call_that_the_machine_forgot() {
    let model = || {
        let clock = TestClock::default();
        let store = Arc::new(ShuttleStore::whole(Box::new(clock.clone())));
        drop(
            pending("call-1")
                .park(&parking(&*store), id(1), &mut Port::default())
                .unwrap(),
        );
        clock.restart(1_000_000);
        let sweepers: Vec<_> = (0..2)
            .map(|_| {
                let store = Arc::clone(&store);
                thread::spawn(move || {
                    let mut audit = Port::default();
                    parking(&*store).sweep(&mut audit).unwrap();
                    audit.events.len()
                })
            })
            .collect();
        let recorded: usize = sweepers.into_iter().map(|it| it.join().unwrap()).sum();
        assert_eq!(recorded, 1);
    };
    shuttle::check_random(model, 300);
}
