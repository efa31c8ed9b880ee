//! Random calls, against a model that keeps all of them and counts.

use crate::support::{cases, restarted};
use countersign_budget::{
    ExtensionRefused, KeyError, MAX_EXTENSION, MAX_KEY_BYTES, MAX_REVISIONS, ReviseBudget,
    ReviseLimits, RevisionRefused, Room, Standing,
};
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Call {
    Ask(String, String),
    Revise(String, String),
    Extend(String, u32),
    Restart,
}

/// What happened, the refused left out.
enum Event {
    Revised(String, String),
    Extended(String, u32),
}

struct Model {
    per_intent: u32,
    per_scope: u32,
    events: Vec<Event>,
}

impl Model {
    fn count(&self, which: impl Fn(&Event) -> u32) -> u32 {
        self.events.iter().map(which).sum()
    }

    fn room(&self, intent: &str) -> Room {
        let of_intent = self.count(|it| matches!(it, Event::Revised(i, _) if i == intent).into());
        let of_scope = self.count(|it| matches!(it, Event::Revised(..)).into());
        let more = self.count(|it| match it {
            Event::Extended(i, by) if i == intent => *by,
            _ => 0,
        });
        Room {
            intent: self.per_intent + more - of_intent,
            scope: self.per_scope + self.extended() - of_scope,
        }
    }

    fn extended(&self) -> u32 {
        self.count(|it| match it {
            Event::Extended(_, by) => *by,
            Event::Revised(..) => 0,
        })
    }

    fn standing(&self, intent: &str, request: &str) -> Result<Standing, KeyError> {
        key(intent)?;
        key(request)?;
        let same = |it: &Event| matches!(it, Event::Revised(i, r) if i == intent && r == request);
        Ok(match self.room(intent) {
            _ if self.events.iter().any(same) => Standing::Identical,
            Room { intent: 0, .. } => Standing::IntentExhausted,
            Room { scope: 0, .. } => Standing::ScopeExhausted,
            room => Standing::Room(room),
        })
    }

    fn revise(&mut self, intent: &str, request: &str) -> Result<Room, RevisionRefused> {
        match self.standing(intent, request)? {
            Standing::Room(_) => {
                self.events
                    .push(Event::Revised(intent.to_owned(), request.to_owned()));
                Ok(self.room(intent))
            }
            Standing::Identical => Err(RevisionRefused::Identical),
            Standing::IntentExhausted => Err(RevisionRefused::IntentExhausted),
            Standing::ScopeExhausted => Err(RevisionRefused::ScopeExhausted),
        }
    }

    fn extend(&mut self, intent: &str, by: u32) -> Result<Room, ExtensionRefused> {
        key(intent)?;
        if !(1..=MAX_EXTENSION).contains(&by) {
            return Err(ExtensionRefused::Size { asked: by });
        }
        if self.per_scope + self.extended() + by > MAX_REVISIONS {
            return Err(ExtensionRefused::Full);
        }
        self.events.push(Event::Extended(intent.to_owned(), by));
        Ok(self.room(intent))
    }
}

fn key(key: &str) -> Result<(), KeyError> {
    match key.len() {
        0 => Err(KeyError::Empty),
        bytes if bytes > MAX_KEY_BYTES => Err(KeyError::TooLong { bytes }),
        _ => Ok(()),
    }
}

/// Few names, so that they meet; seldom one that is none.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        40 => "[a-e]",
        1 => Just(String::new()),
        1 => Just("k".repeat(MAX_KEY_BYTES)),
        1 => Just("k".repeat(MAX_KEY_BYTES + 1)),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        4 => (name(), name()).prop_map(|(intent, request)| Call::Ask(intent, request)),
        8 => (name(), name()).prop_map(|(intent, request)| Call::Revise(intent, request)),
        1 => (name(), 0..MAX_EXTENSION + 2).prop_map(|(intent, by)| Call::Extend(intent, by)),
        2 => Just(Call::Restart),
    ]
}

/// The keys that a budget keeps, and their bytes.
fn kept(budget: &ReviseBudget) -> (usize, usize) {
    let keys = budget.state().intents.iter();
    let keys = keys.flat_map(|it| std::iter::once(&it.intent).chain(&it.requests));
    keys.fold((0, 0), |(keys, bytes), key| (keys + 1, bytes + key.len()))
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn every_answer_is_that_of_the_model(
        (per_intent, per_scope) in (0..4_u32, 0..8_u32),
        calls in prop::collection::vec(call(), 0..60),
    ) {
        let limits = ReviseLimits::new(per_intent, per_scope).expect("limits");
        let mut budget = ReviseBudget::new(limits);
        let mut model = Model { per_intent, per_scope, events: Vec::new() };
        for call in calls {
            match &call {
                Call::Ask(i, r) => prop_assert_eq!(budget.standing(i, r), model.standing(i, r)),
                Call::Revise(i, r) => prop_assert_eq!(budget.revised(i, r), model.revise(i, r)),
                Call::Extend(i, by) => {
                    prop_assert_eq!(budget.extended_by_person(i, *by), model.extend(i, *by));
                }
                Call::Restart => budget = restarted(&budget),
            }
        }
    }

    #[test]
    fn there_are_never_more_revisions_than_the_limits_and_what_persons_gave(
        (per_intent, per_scope) in (0..4_u32, 0..8_u32),
        calls in prop::collection::vec(call(), 0..60),
    ) {
        let limits = ReviseLimits::new(per_intent, per_scope).expect("limits");
        let mut budget = ReviseBudget::new(limits);
        let (mut revised, mut given) = (0, 0);
        for call in calls {
            match call {
                Call::Revise(i, r) => revised += u32::from(budget.revised(&i, &r).is_ok()),
                Call::Extend(i, by) if budget.extended_by_person(&i, by).is_ok() => given += by,
                _ => {}
            }
            prop_assert!(revised <= per_scope + given);
            for known in &budget.state().intents {
                prop_assert!(known.requests.len() <= (per_intent + known.extended) as usize);
            }
        }
    }

    #[test]
    fn a_restart_anywhere_changes_nothing(
        calls in prop::collection::vec(call(), 0..60),
        at in any::<prop::sample::Index>(),
    ) {
        let mut one = ReviseBudget::new(ReviseLimits::default());
        let mut other = one.clone();
        let at = at.index(calls.len() + 1);
        for (nth, call) in calls.iter().enumerate() {
            if nth == at {
                other = restarted(&other);
            }
            for budget in [&mut one, &mut other] {
                match call {
                    Call::Revise(i, r) => {
                        let _ = budget.revised(i, r);
                    }
                    Call::Extend(i, by) => {
                        let _ = budget.extended_by_person(i, *by);
                    }
                    Call::Ask(..) | Call::Restart => {}
                }
            }
            prop_assert_eq!(&one, &other);
        }
    }
}

#[test]
fn memory_is_bounded_whatever_is_asked() {
    let most = MAX_REVISIONS as usize;
    let mut budget = ReviseBudget::new(ReviseLimits::new(3, 10).expect("limits"));
    for nth in 0..4 * most {
        let key = format!("{nth:0>MAX_KEY_BYTES$}");
        let other = format!("x{key}");
        let _ = budget.standing(&key, &key);
        let _ = budget.revised(&key, &key);
        let _ = budget.revised(&other, &other);
        let _ = budget.extended_by_person(&format!("{nth:x>MAX_KEY_BYTES$}"), 1);
    }
    let (keys, bytes) = kept(&budget);
    assert!(keys > most, "the budget was not filled: {keys} keys");
    assert!(keys <= 3 * most, "{keys} keys");
    assert!(bytes <= 3 * most * MAX_KEY_BYTES, "{bytes} bytes");
    assert_eq!(restarted(&budget), budget);
}
