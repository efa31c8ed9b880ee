//! Limits, keys, extensions and damaged states, case by case.

use countersign_budget::{
    ExtensionRefused, IntentState, KeyError, MAX_EXTENSION, MAX_KEY_BYTES, MAX_REVISIONS,
    ReviseBudget, ReviseLimits, ReviseState, RevisionRefused, Room, STATE_VERSION, Standing,
    StateError,
};

fn limits(per_intent: u32, per_scope: u32) -> ReviseLimits {
    ReviseLimits::new(per_intent, per_scope).expect("a limit")
}

#[test]
fn limits_have_the_defaults_of_the_design_and_a_bound() {
    let default = ReviseLimits::default();
    assert_eq!((default.per_intent(), default.per_scope()), (2, 6));
    for (per_intent, per_scope, taken) in [
        (0, 0, true),
        (5, 1, true),
        (MAX_REVISIONS, MAX_REVISIONS, true),
        (MAX_REVISIONS + 1, 6, false),
        (2, MAX_REVISIONS + 1, false),
        (u32::MAX, u32::MAX, false),
    ] {
        let made = ReviseLimits::new(per_intent, per_scope);
        assert_eq!(made.is_ok(), taken, "{per_intent} and {per_scope}");
    }
    insta::assert_snapshot!(
        ReviseLimits::new(2, 5_000).expect_err("too high"),
        @"a limit of 5000 revisions is too high; give at most 1000"
    );
}

#[test]
fn a_limit_of_nought_is_exhausted_at_once_and_the_smaller_one_holds() {
    for (per_intent, per_scope, expected) in [
        (0, 6, Standing::IntentExhausted),
        (2, 0, Standing::ScopeExhausted),
        (0, 0, Standing::IntentExhausted),
        (
            5,
            1,
            Standing::Room(Room {
                intent: 5,
                scope: 1,
            }),
        ),
    ] {
        let budget = ReviseBudget::new(limits(per_intent, per_scope));
        assert_eq!(budget.standing("i", "r"), Ok(expected));
    }
}

#[test]
fn a_key_that_names_nothing_or_too_much_is_refused_everywhere() {
    let longest = "k".repeat(MAX_KEY_BYTES);
    let long = "k".repeat(MAX_KEY_BYTES + 1);
    // Bytes count, not characters.
    let wide = "é".repeat(MAX_KEY_BYTES / 2 + 1);
    let bytes = MAX_KEY_BYTES + 1;
    for (key, expected) in [
        (longest.as_str(), None),
        ("", Some(KeyError::Empty)),
        (long.as_str(), Some(KeyError::TooLong { bytes })),
        (wide.as_str(), Some(KeyError::TooLong { bytes: bytes + 1 })),
    ] {
        let mut budget = ReviseBudget::new(ReviseLimits::default());
        let before = budget.clone();
        assert_eq!(budget.standing(key, "r").err(), expected);
        assert_eq!(budget.standing("i", key).err(), expected);
        if expected.is_some() {
            let refused = expected.map(RevisionRefused::Key);
            assert_eq!(budget.revised(key, "r").err(), refused);
            assert_eq!(budget.revised("i", key).err(), refused);
            let refused = expected.map(ExtensionRefused::Key);
            assert_eq!(budget.extended_by_person(key, 1).err(), refused);
            assert_eq!(budget, before, "a refusal changes nothing");
        }
    }
}

#[test]
fn a_revision_without_room_is_refused_and_changes_nothing() {
    let mut budget = ReviseBudget::new(limits(2, 3));
    assert_eq!(
        budget.revised("a", "1"),
        Ok(Room {
            intent: 1,
            scope: 2
        })
    );
    assert_eq!(
        budget.revised("a", "2"),
        Ok(Room {
            intent: 0,
            scope: 1
        })
    );
    assert_eq!(
        budget.revised("b", "1"),
        Ok(Room {
            intent: 1,
            scope: 0
        })
    );
    let before = budget.clone();
    for (intent, request, refused) in [
        ("a", "1", RevisionRefused::Identical),
        ("a", "3", RevisionRefused::IntentExhausted),
        ("b", "1", RevisionRefused::Identical),
        ("b", "2", RevisionRefused::ScopeExhausted),
        ("c", "1", RevisionRefused::ScopeExhausted),
    ] {
        assert_eq!(budget.revised(intent, request), Err(refused));
        assert_eq!(budget, before, "{intent} {request}");
    }
}

#[test]
fn an_extension_is_bounded_and_a_refused_one_changes_nothing() {
    let mut budget = ReviseBudget::new(limits(2, MAX_REVISIONS - 20));
    for (by, refused) in [
        (0, Some(ExtensionRefused::Size { asked: 0 })),
        (
            MAX_EXTENSION + 1,
            Some(ExtensionRefused::Size {
                asked: MAX_EXTENSION + 1,
            }),
        ),
        (u32::MAX, Some(ExtensionRefused::Size { asked: u32::MAX })),
        (MAX_EXTENSION, None),
        (5, Some(ExtensionRefused::Full)),
        (4, None),
        (1, Some(ExtensionRefused::Full)),
    ] {
        let before = budget.clone();
        assert_eq!(budget.extended_by_person("a", by).err(), refused, "by {by}");
        assert_eq!(budget == before, refused.is_some(), "by {by}");
    }
}

#[test]
fn what_is_refused_says_what_to_do() {
    let texts = [
        RevisionRefused::Key(KeyError::Empty).to_string(),
        RevisionRefused::Key(KeyError::TooLong { bytes: 200 }).to_string(),
        RevisionRefused::Identical.to_string(),
        RevisionRefused::IntentExhausted.to_string(),
        RevisionRefused::ScopeExhausted.to_string(),
        ExtensionRefused::Key(KeyError::Empty).to_string(),
        ExtensionRefused::Size { asked: 99 }.to_string(),
        ExtensionRefused::Full.to_string(),
        StateError::Version { found: 7 }.to_string(),
        StateError::Damaged {
            what: "an intent stands there twice",
        }
        .to_string(),
    ];
    insta::assert_snapshot!(texts.join("\n"));
}

fn intent(intent: &str, extended: u32, requests: &[&str]) -> IntentState {
    IntentState {
        intent: intent.to_owned(),
        extended,
        requests: requests.iter().map(|&it| it.to_owned()).collect(),
    }
}

fn state(intents: Vec<IntentState>) -> ReviseState {
    ReviseState {
        v: STATE_VERSION,
        per_intent: 2,
        per_scope: 3,
        intents,
    }
}

#[test]
fn a_state_that_no_calls_lead_to_is_refused() {
    let long = "k".repeat(MAX_KEY_BYTES + 1);
    let many: Vec<String> = (0..=MAX_REVISIONS).map(|nth| nth.to_string()).collect();
    let rows: Vec<(&str, ReviseState)> = vec![
        ("", state(vec![])),
        (
            "",
            state(vec![intent("a", 0, &["1", "2"]), intent("b", 0, &["1"])]),
        ),
        ("", state(vec![intent("a", 3, &["1", "2", "3", "4", "5"])])),
        ("", state(vec![intent("a", 1, &[])])),
        ("a key", state(vec![intent("", 0, &["1"])])),
        ("a key", state(vec![intent("a", 0, &[""])])),
        ("a key", state(vec![intent(&long, 0, &["1"])])),
        ("a key", state(vec![intent("a", 0, &[&long])])),
        (
            "an intent stands there twice",
            state(vec![intent("a", 0, &["1"]), intent("a", 0, &["2"])]),
        ),
        (
            "a request stands there twice",
            state(vec![intent("a", 0, &["1", "1"])]),
        ),
        (
            "neither revised nor extended",
            state(vec![intent("a", 0, &[])]),
        ),
        (
            "an intent was revised more often",
            state(vec![intent("a", 0, &["1", "2", "3"])]),
        ),
        // What a person gave one intent is no room for another.
        (
            "an intent was revised more often",
            state(vec![intent("a", 1, &[]), intent("b", 0, &["1", "2", "3"])]),
        ),
        (
            "the scope was revised more often",
            state(vec![
                intent("a", 0, &["1", "2"]),
                intent("b", 0, &["1", "2"]),
            ]),
        ),
        (
            "the scope was revised more often",
            state(many.iter().map(|it| intent(it, 0, &["1"])).collect()),
        ),
        (
            "more revisions than there may be",
            state(vec![intent("a", MAX_REVISIONS, &[])]),
        ),
        (
            "more revisions than there may be",
            state(vec![intent("a", u32::MAX, &[]), intent("b", u32::MAX, &[])]),
        ),
        (
            "more revisions than there may be",
            ReviseState {
                per_intent: MAX_REVISIONS + 1,
                ..state(vec![])
            },
        ),
        (
            "more revisions than there may be",
            ReviseState {
                per_scope: u32::MAX,
                ..state(vec![])
            },
        ),
        (
            "version 0",
            ReviseState {
                v: 0,
                ..state(vec![])
            },
        ),
        (
            "version 2",
            ReviseState {
                v: 2,
                ..state(vec![])
            },
        ),
    ];
    for (wrong, state) in rows {
        let said = match ReviseBudget::restore(state.clone()) {
            Ok(budget) => {
                assert_eq!(budget.state(), &state);
                String::new()
            }
            Err(error) => error.to_string(),
        };
        assert!(said.contains(wrong), "{said}: {state:?}");
        assert_eq!(wrong.is_empty(), said.is_empty(), "{said}: {state:?}");
    }
}
