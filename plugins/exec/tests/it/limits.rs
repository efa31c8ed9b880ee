//! Nothing that a program does makes us wait or grow.

use crate::{ABSTAINS, ALLOWS, Answer, House, case, review, tested};
use countersign_reviewers::core::FailureKind;
use countersign_reviewers::plugin::serde_json::json;
use countersign_reviewers::testkit::{self, insta};
use std::time::{Duration, Instant};

/// The answer of a script that has 300 ms, which must be there soon after; on a busy machine a little
/// later.
fn hurried(house: &House, body: &str) -> Answer {
    let tested = tested(&json!({"program": house.script(body)}));
    let start = Instant::now();
    let answer = tested.review_within(&case(), 300);
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(2), "{body}: {taken:?}");
    answer
}

#[test]
fn a_program_that_does_not_end_is_killed_at_the_deadline() {
    let house = House::new();
    for body in [
        "sleep 60",
        "exec >&- 2>&- <&-; sleep 60",
        "trap '' TERM INT HUP; while :; do :; done",
        "yes >&2",
        &format!("{ALLOWS}; sleep 60"),
        &format!("{ALLOWS}; exec >&- 2>&-; sleep 60"),
    ] {
        let failure = hurried(&house, body).expect_err("it is too late");
        assert_eq!(failure.kind, FailureKind::TimedOut, "{body}");
    }
    let late = house.text(&hurried(&house, "sleep 60"));
    insta::assert_snapshot!(late, @"failed: the reviewer timed out: `HOUSE/review` gave no answer in 0.3 s and was killed");
}

#[test]
fn one_that_prints_for_ever_is_killed_at_once() {
    let house = House::new();
    let start = Instant::now();
    let table = house.answers(&["yes".to_owned(), format!("{ALLOWS}; yes ''")]);
    insta::assert_snapshot!(table, @r"
    yes
        failed: the reviewer gave an answer that is no review: `HOUSE/review` printed more than 65536 bytes and was killed; raise `max_output_bytes` if it must
    ALLOWS; yes ''
        failed: the reviewer gave an answer that is no review: `HOUSE/review` printed more than 65536 bytes and was killed; raise `max_output_bytes` if it must
    ");
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn the_bound_on_output_is_exact() {
    let house = House::new();
    let script = house.script(ABSTAINS);
    let within = |max: usize| {
        let tested = tested(&json!({"program": script, "max_output_bytes": max}));
        tested.review(&case())
    };
    let length = "{\"v\":1,\"review\":null}\n".len();
    assert_eq!(within(length), Ok(None));
    insta::assert_snapshot!(house.text(&within(length - 1)), @"failed: the reviewer gave an answer that is no review: `HOUSE/review` printed more than 21 bytes and was killed; raise `max_output_bytes` if it must");
}

#[test]
fn what_a_program_does_not_read_does_not_hold_us() {
    let house = House::new();
    let big = testkit::case("git push").user(&"x".repeat(1 << 20)).build();
    let asked = |body: &str| {
        let tested = tested(&json!({"program": house.script(body)}));
        tested.review_within(&big, 5_000)
    };
    assert_eq!(asked(ABSTAINS), Ok(None));
    assert_eq!(asked(&format!("exec <&-; sleep 0.1; {ABSTAINS}")), Ok(None));
    assert_eq!(
        asked(&format!("head -c 100000 > /dev/null; {ABSTAINS}")),
        Ok(None)
    );
    // It reads, but only after it has filled its own output's pipe.
    assert_eq!(
        asked(&format!(
            "head -c 60000 /dev/zero | tr '\\0' ' '; head -c 60000 /dev/zero >&2; cat > /dev/null; {ABSTAINS}"
        )),
        Ok(None)
    );
}

#[test]
fn whoever_keeps_the_pipes_open_does_not_hold_us() {
    let house = House::new();
    let start = Instant::now();
    let prompt = |body: &str| review(&json!({"program": house.script(body)}));
    assert_eq!(prompt(&format!("sleep 60 & {ABSTAINS}")), Ok(None));
    assert_eq!(prompt(&format!("setsid sleep 5 & {ABSTAINS}")), Ok(None));
    assert!(start.elapsed() < Duration::from_secs(4));
    let late = hurried(&house, &format!("setsid sleep 5 & {ALLOWS}; sleep 60"));
    assert!(late.is_err(), "{late:?}");
}

#[test]
fn its_children_end_with_it() {
    let house = House::new();
    let mark = house.path().join("mark");
    let child = format!("(sleep 0.5; touch {}) &", mark.display());
    assert!(hurried(&house, &format!("{child} {ALLOWS}; sleep 60")).is_err());
    assert_eq!(
        review(&json!({"program": house.script(&format!("{child} {ABSTAINS}"))})),
        Ok(None)
    );
    std::thread::sleep(Duration::from_secs(1));
    assert!(!mark.exists(), "a child outlived the review");
}

#[test]
fn a_cancelled_call_ends_at_once() {
    let house = House::new();
    let tested = tested(&json!({"program": house.script("sleep 60")}));
    let host = tested.host().clone();
    let start = Instant::now();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        host.cancel();
    });
    let answer = tested.review(&case());
    canceller.join().expect("it ends");
    assert!(start.elapsed() < Duration::from_secs(2));
    insta::assert_snapshot!(house.text(&answer), @"failed: the reviewer was cancelled: `HOUSE/review` was killed");
}

#[test]
fn several_calls_at_once_do_not_mix() {
    let house = House::new();
    let script = house.script(
        r#"cat > /dev/null; printf '{"v":1,"review":{"verdict":"deny","risk":"low","authorization":"unknown","tier":"none","rationale":"%s"}}' "$1""#,
    );
    std::thread::scope(|scope| {
        for number in 0..8 {
            let script = &script;
            scope.spawn(move || {
                let word = format!("number {number}");
                let tested = tested(&json!({"program": script, "args": [word]}));
                for _ in 0..5 {
                    let review = tested.review(&case()).expect("an answer");
                    assert_eq!(review.expect("a review").rationale, word);
                }
            });
        }
    });
}
