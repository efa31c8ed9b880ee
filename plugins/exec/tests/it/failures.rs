//! A program that fails has given no opinion, whatever it printed before.

use crate::{ABSTAINS, ALLOWS, House, review, tested};
use countersign_reviewers::core::FailureKind;
use countersign_reviewers::plugin::serde_json::json;
use countersign_reviewers::testkit::insta;

#[test]
fn a_code_other_than_zero_is_never_an_allow() {
    let house = House::new();
    let table = house.answers(&[
        format!("{ALLOWS}; exit 1"),
        format!(
            "{ALLOWS}; printf 'Traceback:\\n  at line 3\\nno \\033[31mrules`\\n \\n' >&2; exit 42"
        ),
        format!("{ALLOWS}; exec >&- 2>&-; sleep 0.1; exit 3"),
    ]);
    insta::assert_snapshot!(table, @r"
    ALLOWS; exit 1
        failed: the reviewer failed: `HOUSE/review` ended with code 1 and said nothing on standard error
    ALLOWS; printf 'Traceback:\n  at line 3\nno \033[31mrules`\n \n' >&2; exit 42
        failed: the reviewer failed: `HOUSE/review` ended with code 42: `no  [31mrules'`
    ALLOWS; exec >&- 2>&-; sleep 0.1; exit 3
        failed: the reviewer failed: `HOUSE/review` ended with code 3 and said nothing on standard error
    ");
    let long = house.answer("head -c 100000 /dev/zero | tr '\\0' x >&2; exit 1");
    assert_eq!(long.matches('x').count(), 200, "{long}");
}

#[test]
fn the_last_line_is_told_however_much_came_before() {
    let house = House::new();
    for before in [60_000, 1_000_000] {
        let lines = format!("yes before | head -c {before} >&2");
        let answer = house.answer(&format!("{lines}; printf '\nlast\n\n' >&2; exit 1"));
        assert!(answer.ends_with("ended with code 1: `last`\n"), "{answer}");
    }
}

#[test]
fn a_signal_is_a_crash() {
    let table = House::new().answers(&[
        format!("{ALLOWS}; kill -SEGV $$"),
        format!("{ALLOWS}; kill -KILL 0"),
    ]);
    insta::assert_snapshot!(table, @r"
    ALLOWS; kill -SEGV $$
        failed: the reviewer crashed: `HOUSE/review` was ended by signal 11 (SIGSEGV)
    ALLOWS; kill -KILL 0
        failed: the reviewer crashed: `HOUSE/review` was ended by signal 9 (SIGKILL)
    ");
}

#[test]
fn what_is_no_reply_is_no_review() {
    let house = House::new();
    let kind = |body: &str| {
        let answer = review(&json!({"program": house.script(body)}));
        answer.expect_err(body).kind
    };
    for body in [
        "true",
        "echo",
        "echo allow",
        "printf '\\377'",
        "echo '{}'",
        "echo '[]'",
        "echo '{\"v\":1}'",
        "echo '{\"v\":2,\"review\":null}'",
        "echo '{\"v\":1,\"v\":1,\"review\":null}'",
        &format!("{ALLOWS}; {ALLOWS}"),
        &format!("{ALLOWS}; echo done"),
        &format!("{ALLOWS} | head -c 60"),
        &ALLOWS.replace(",\"rationale\":\"it is fine\"", ""),
        &ALLOWS.replace("\"verdict\"", "\"verdict\":\"deny\",\"verdict\""),
        &ALLOWS.replace("\"allow\"", "\"approve\""),
    ] {
        assert_eq!(kind(body), FailureKind::Malformed, "{body}");
    }
    for body in [
        ALLOWS.replace("\"low\"", "\"critical\""),
        ALLOWS.replace("\"none\"", "\"soft_deny\""),
        ALLOWS.replace("it is fine", ""),
    ] {
        assert_eq!(kind(&body), FailureKind::Contradictory, "{body}");
    }
    insta::assert_snapshot!(house.answer("true"), @"failed: the reviewer gave an answer that is no review: `HOUSE/review` printed nothing");
}

#[test]
fn a_program_that_changes_while_it_runs_has_not_answered() {
    let house = House::new();
    let table = house.answers(&[
        format!("{ALLOWS}; echo '#' >> \"$0\""),
        format!("{ALLOWS}; cp -p \"$0\" \"$0.new\"; mv \"$0.new\" \"$0\""),
        format!("{ALLOWS}; rm \"$0\""),
    ]);
    insta::assert_snapshot!(table, @r#"
    ALLOWS; echo '#' >> "$0"
        failed: the reviewer is not available: `HOUSE/review` was changed or replaced while it ran
    ALLOWS; cp -p "$0" "$0.new"; mv "$0.new" "$0"
        failed: the reviewer is not available: `HOUSE/review` was changed or replaced while it ran
    ALLOWS; rm "$0"
        failed: the reviewer is not available: `HOUSE/review` was changed or replaced while it ran
    "#);
}

#[test]
fn a_program_that_cannot_be_started_is_missing() {
    let house = House::new();
    let answer = |name: &str, text: &str| {
        house.text(&review(&json!({"program": house.program(name, text)})))
    };
    insta::assert_snapshot!(answer("interpreter", "#!/no/such/shell\n"), @"failed: the reviewer is not available: `HOUSE/interpreter` cannot be started: No such file or directory (os error 2); is the interpreter that its first line names there?");
    insta::assert_snapshot!(answer("binary", "\u{7f}ELF and nothing more"), @"failed: the reviewer is not available: `HOUSE/binary` cannot be started: Exec format error (os error 8); if it is a script, name its interpreter on the first line");
}

#[test]
fn health_says_whether_it_could_be_run() {
    let house = House::new();
    let good = tested(&json!({"program": house.script(ABSTAINS)}));
    assert_eq!(good.health(), Ok(json!({"v": 1, "ok": true})));
    let missing = tested(&json!({"program": "/no/such/program"}));
    assert_eq!(
        missing.health(),
        Ok(json!({"v": 1, "ok": false, "message": "/no does not exist"}))
    );
}
