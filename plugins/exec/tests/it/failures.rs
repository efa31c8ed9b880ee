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
        format!("{ALLOWS}; echo >&2; printf 'no \\033[31mrules`\\nsecond' >&2; exit 42"),
        format!("{ALLOWS}; exec >&- 2>&-; sleep 0.1; exit 3"),
    ]);
    insta::assert_snapshot!(table, @r"
    ALLOWS; exit 1
        failed: the reviewer failed: `HOUSE/review` ended with code 1 and said nothing on standard error
    ALLOWS; echo >&2; printf 'no \033[31mrules`\nsecond' >&2; exit 42
        failed: the reviewer failed: `HOUSE/review` ended with code 42: `no  [31mrules'`
    ALLOWS; exec >&- 2>&-; sleep 0.1; exit 3
        failed: the reviewer failed: `HOUSE/review` ended with code 3 and said nothing on standard error
    ");
    let long = house.answer("head -c 100000 /dev/zero | tr '\\0' x >&2; exit 1");
    assert_eq!(long.matches('x').count(), 200, "{long}");
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
    let table = House::new().answers(&[
        "true".to_owned(),
        "echo allow".to_owned(),
        "printf '\\377'".to_owned(),
        "echo '{}'".to_owned(),
        "echo '[]'".to_owned(),
        "echo '{\"v\":1}'".to_owned(),
        "echo '{\"v\":2,\"review\":null}'".to_owned(),
        format!("{ALLOWS}; {ALLOWS}"),
        format!("{ALLOWS} | head -c 60"),
        ALLOWS.replace(",\"rationale\":\"it is fine\"", ""),
        ALLOWS.replace("\"verdict\"", "\"verdict\":\"deny\",\"verdict\""),
        ALLOWS.replace("\"allow\"", "\"approve\""),
        ALLOWS.replace("\"low\"", "\"critical\""),
        ALLOWS.replace("\"none\"", "\"soft_deny\""),
    ]);
    insta::assert_snapshot!(table, @r#"
    true
        failed: the reviewer gave an answer that is no review: `HOUSE/review` printed nothing
    echo allow
        failed: the reviewer gave an answer that is no review: it is not valid JSON: expected value at line 1 column 1
    printf '\377'
        failed: the reviewer gave an answer that is no review: it is not valid JSON: expected value at line 1 column 1
    echo '{}'
        failed: the reviewer gave an answer that is no review: its `v` is not 1
    echo '[]'
        failed: the reviewer gave an answer that is no review: it is not a JSON object
    echo '{"v":1}'
        failed: the reviewer gave an answer that is no review: it has no `review`
    echo '{"v":2,"review":null}'
        failed: the reviewer gave an answer that is no review: its `v` is not 1
    ALLOWS; ALLOWS
        failed: the reviewer gave an answer that is no review: it is not valid JSON: trailing characters at line 2 column 1
    ALLOWS | head -c 60
        failed: the reviewer gave an answer that is no review: it is not valid JSON: EOF while parsing a string at line 1 column 60
    echo '{"v":1,"review":{"verdict":"allow","risk":"low","authorization":"high","tier":"none"}}'
        failed: the reviewer gave an answer that is no review: its review has missing field `rationale`
    echo '{"v":1,"review":{"verdict":"deny","verdict":"allow","risk":"low","authorization":"high","tier":"none","rationale":"it is fine"}}'
        failed: the reviewer gave an answer that is no review: it is duplicate key `verdict` at line 1 column 43
    echo '{"v":1,"review":{"verdict":"approve","risk":"low","authorization":"high","tier":"none","rationale":"it is fine"}}'
        failed: the reviewer gave an answer that is no review: its review has unknown variant `approve`, expected one of `allow`, `defer`, `revise`, `deny`
    echo '{"v":1,"review":{"verdict":"allow","risk":"critical","authorization":"high","tier":"none","rationale":"it is fine"}}'
        failed: the reviewer contradicted itself: it allows a critical risk
    echo '{"v":1,"review":{"verdict":"allow","risk":"low","authorization":"high","tier":"soft_deny","rationale":"it is fine"}}'
        failed: the reviewer contradicted itself: it allows what it says the owner denies
    "#);
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
        failed: the reviewer not available: `HOUSE/review` was changed or replaced while it ran
    ALLOWS; cp -p "$0" "$0.new"; mv "$0.new" "$0"
        failed: the reviewer not available: `HOUSE/review` was changed or replaced while it ran
    ALLOWS; rm "$0"
        failed: the reviewer not available: `HOUSE/review` was changed or replaced while it ran
    "#);
}

#[test]
fn a_program_that_cannot_be_started_is_missing() {
    let house = House::new();
    let answer = |name: &str, text: &str| {
        house.text(&review(&json!({"program": house.program(name, text)})))
    };
    insta::assert_snapshot!(answer("interpreter", "#!/no/such/shell\n"), @"failed: the reviewer not available: `HOUSE/interpreter` cannot be started: No such file or directory (os error 2); is the interpreter that its first line names there?");
    insta::assert_snapshot!(answer("binary", "\u{7f}ELF and nothing more"), @"failed: the reviewer not available: `HOUSE/binary` cannot be started: Exec format error (os error 8); if it is a script, name its interpreter on the first line");
}

#[test]
fn health_says_whether_it_could_be_run() {
    let house = House::new();
    let good = tested(&json!({"program": house.script(ABSTAINS)}));
    assert_eq!(good.health(), Ok(json!({"v": 1, "ok": true})));
    let missing = tested(&json!({"program": "/no/such/program"}));
    assert_eq!(
        missing.health(),
        Ok(json!({"v": 1, "ok": false, "message": "/no/such/program does not exist"}))
    );
}

#[test]
fn no_failure_but_those_of_the_wire_asks_for_another_try() {
    let house = House::new();
    let failure = |body: &str| {
        let answer = review(&json!({"program": house.script(body)}));
        let failure = answer.expect_err("a failure");
        (failure.kind, failure.retryable)
    };
    assert_eq!(failure("exit 1"), (FailureKind::Failed, false));
    assert_eq!(failure("kill -SEGV $$"), (FailureKind::Crashed, false));
    assert_eq!(failure("echo allow"), (FailureKind::Malformed, true));
}
