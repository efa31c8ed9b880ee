//! Whole conversations, held by snapshots. Each is told again with a restart after any of its
//! steps, and after all.

use crate::support::restarted;
use countersign_budget::{ReviseBudget, ReviseLimits, Standing};
use std::fmt::Write as _;

/// Where the program starts anew.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Restart {
    Never,
    After(usize),
    Always,
}

fn answer(budget: &mut ReviseBudget, step: &str) -> String {
    let words: Vec<&str> = step.split_whitespace().collect();
    match *words.as_slice() {
        ["ask", intent, request] => match budget.standing(intent, request).expect("keys") {
            Standing::Room(left) => {
                format!(
                    "room: {} for the intent, {} for the scope",
                    left.intent, left.scope
                )
            }
            Standing::Identical => "identical".to_owned(),
            Standing::IntentExhausted => "the intent is exhausted".to_owned(),
            Standing::ScopeExhausted => "the scope is exhausted".to_owned(),
        },
        ["revise", intent, request] => match budget.revised(intent, request) {
            Ok(left) => format!(
                "left: {} for the intent, {} for the scope",
                left.intent, left.scope
            ),
            Err(error) => format!("refused: {error}"),
        },
        ["extend", intent, by] => {
            match budget.extended_by_person(intent, by.parse().expect("a number")) {
                Ok(left) => {
                    format!(
                        "left: {} for the intent, {} for the scope",
                        left.intent, left.scope
                    )
                }
                Err(error) => format!("refused: {error}"),
            }
        }
        _ => panic!("no step: `{step}`"),
    }
}

fn told(talk: &str, restart: Restart) -> String {
    let mut budget = ReviseBudget::new(ReviseLimits::default());
    let mut text = String::new();
    for (nth, step) in talk
        .lines()
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .enumerate()
    {
        let said = answer(&mut budget, step);
        writeln!(text, "{step:<22} {said}").expect("a string takes text");
        if restart == Restart::Always || restart == Restart::After(nth) {
            budget = restarted(&budget);
        }
    }
    text
}

fn held(talk: &str) -> String {
    let text = told(talk, Restart::Never);
    for nth in 0..text.lines().count() {
        assert_eq!(told(talk, Restart::After(nth)), text, "after step {nth}");
    }
    assert_eq!(told(talk, Restart::Always), text);
    text
}

#[test]
fn a_request_is_reworded_until_a_person_decides() {
    insta::assert_snapshot!(held(
        "ask push force
         revise push force
         ask push with-lease
         revise push with-lease
         ask push mirror
         revise push mirror
         extend push 2
         ask push mirror
         revise push mirror
         ask push all
         revise push all
         ask push tags
         ask fetch all"
    ));
}

#[test]
fn what_comes_back_unchanged_is_a_denial_whatever_is_left() {
    insta::assert_snapshot!(held(
        "revise push force
         ask push force
         revise push force
         ask push force
         ask push with-lease
         revise push with-lease
         ask push force
         ask push with-lease
         extend push 1
         ask push force
         ask push with-lease
         ask push mirror
         ask fetch force"
    ));
}

#[test]
fn a_scope_is_exhausted_over_several_intents() {
    insta::assert_snapshot!(held(
        "revise a 1
         revise a 2
         revise b 1
         revise b 2
         revise c 1
         ask c 2
         ask d 1
         revise d 1
         ask c 2
         revise c 2
         ask e 1
         ask a 3
         ask a 1
         extend e 1
         ask e 1
         ask c 2
         revise c 2
         ask e 1"
    ));
}

#[test]
fn only_so_much_is_given_at_once_and_a_question_costs_nothing() {
    insta::assert_snapshot!(held(
        "ask a 1
         ask a 1
         ask a 2
         extend a 0
         extend a 17
         extend a 16
         extend b 1
         ask a 1
         ask b 1
         ask c 1"
    ));
}
