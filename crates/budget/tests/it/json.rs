//! The kept forms, and that nothing else is taken for one.

use countersign_budget::{
    Amount, Cost, DAY_MILLIS, DaySpend, ReviseBudget, ReviseLimits, ReviseState, SessionSpend,
    SpendBudget, SpendLimits,
};

const ONE: Amount = Amount {
    calls: 1,
    tokens: 100,
    millis: 2_500,
    micros: 1_200,
};

fn pretty(state: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(state).expect("a state has a JSON form")
}

#[test]
fn the_forms_are_these() {
    let mut revise = ReviseBudget::new(ReviseLimits::default());
    revise.revised("push", "force").expect("room");
    revise.extended_by_person("push", 3).expect("an extension");
    insta::assert_snapshot!("revise_state", pretty(revise.state()));
    let mut spend = SpendBudget::new(SpendLimits::default(), ONE);
    spend.charge(20_000 * DAY_MILLIS, Cost::Unknown);
    insta::assert_snapshot!("session_spend", pretty(spend.session()));
    insta::assert_snapshot!("day_spend", pretty(spend.day()));
}

#[test]
fn what_is_not_the_form_is_an_error_and_never_an_empty_budget() {
    const SPENT: &str = r#"{"calls":1,"tokens":1,"millis":1,"micros":1}"#;
    let revise = [
        "",
        "null",
        "{}",
        "[]",
        r#"{"v":1,"per_intent":2,"per_scope":6}"#,
        r#"{"per_intent":2,"per_scope":6,"intents":[]}"#,
        r#"{"v":1,"per_intent":2,"per_scope":6,"intents":null}"#,
        r#"{"v":1,"per_intent":2,"per_scope":6,"intents":[],"more":0}"#,
        r#"{"v":1,"v":1,"per_intent":2,"per_scope":6,"intents":[]}"#,
        r#"{"v":"1","per_intent":2,"per_scope":6,"intents":[]}"#,
        r#"{"v":1,"per_intent":-2,"per_scope":6,"intents":[]}"#,
        r#"{"v":1,"per_intent":2,"per_scope":4294967296,"intents":[]}"#,
        r#"{"v":1,"per_intent":2,"per_scope":6,"intents":[{"intent":"a","extended":0}]}"#,
        r#"{"v":1,"per_intent":2,"per_scope":6,"intents":[{"intent":"a","requests":["1"]}]}"#,
        r#"{"v":1,"per_intent":2,"per_scope":6,"intents":[{"intent":"a","extended":0,"requests":["1"],"x":0}]}"#,
        r#"{"v":1,"per_intent":2,"per_scope":6,"intents":[]"#,
    ];
    for text in revise {
        assert!(serde_json::from_str::<ReviseState>(text).is_err(), "{text}");
    }
    for (text, taken) in [
        (format!(r#"{{"v":1,"spent":{SPENT}}}"#), true),
        (format!(r#"{{"spent":{SPENT}}}"#), false),
        (r#"{"v":1}"#.to_owned(), false),
        (r#"{"v":1,"spent":{}}"#.to_owned(), false),
        (
            r#"{"v":1,"spent":{"calls":1,"tokens":1,"millis":1}}"#.to_owned(),
            false,
        ),
        (format!(r#"{{"v":1,"spent":{SPENT},"day":1}}"#), false),
        (
            format!(r#"{{"v":1,"spent":{}}}"#, SPENT.replace(":1}", ":-1}")),
            false,
        ),
    ] {
        assert_eq!(
            serde_json::from_str::<SessionSpend>(&text).is_ok(),
            taken,
            "{text}"
        );
    }
    for (text, taken) in [
        (format!(r#"{{"v":1,"day":9,"spent":{SPENT}}}"#), true),
        (format!(r#"{{"v":1,"spent":{SPENT}}}"#), false),
        (format!(r#"{{"v":1,"day":-1,"spent":{SPENT}}}"#), false),
        (format!(r#"{{"v":1,"day":9,"spent":{SPENT},"x":1}}"#), false),
    ] {
        assert_eq!(
            serde_json::from_str::<DaySpend>(&text).is_ok(),
            taken,
            "{text}"
        );
    }
}

#[test]
fn a_form_of_another_version_is_read_and_refused() {
    let text = r#"{"v":2,"per_intent":2,"per_scope":6,"intents":[]}"#;
    let state: ReviseState = serde_json::from_str(text).expect("the fields are there");
    assert!(ReviseBudget::restore(state).is_err());
}
