use super::{JsonErrorKind, canonical, parse_strict};

#[track_caller]
fn refused(text: &str, expected: &str) {
    let error = parse_strict(text.as_bytes()).expect_err(text);
    assert_eq!(error.to_string(), expected, "{text}");
}

#[track_caller]
fn canonical_of(text: &str) -> String {
    let value = parse_strict(text.as_bytes()).expect(text);
    String::from_utf8(canonical(&value).expect(text)).expect("canonical JSON is UTF-8")
}

#[test]
fn refuses_what_two_readers_could_understand_differently() {
    refused(r#"{"a":1,"a":2}"#, "duplicate key `a` at line 1 column 10");
    refused(
        r#"{"a":1,"\u0061":2}"#,
        "duplicate key `a` at line 1 column 15",
    );
    refused(
        r#"[{"b":{"a":1,"a":1}}]"#,
        "duplicate key `a` at line 1 column 16",
    );
    refused(
        "9007199254740992",
        "number 9007199254740992 is beyond the integers that JSON readers agree on at line 1 column 16",
    );
    refused(
        "-9007199254740992",
        "number -9007199254740992 is beyond the integers that JSON readers agree on at line 1 column 17",
    );
    for number in ["1e300", "18446744073709551616", "9007199254740993.0"] {
        let error = parse_strict(number.as_bytes()).expect_err(number);
        assert!(
            matches!(error.kind(), JsonErrorKind::Number(_)),
            "{number}: {error}"
        );
    }
}

#[test]
fn refuses_what_is_not_json() {
    for text in [
        "",
        "{",
        "{\"a\":",
        "nul",
        "\"\\ud800\"",
        "1 2",
        "{\"a\":1}}",
        "1e400",
        "\u{0}",
    ] {
        let error = parse_strict(text.as_bytes()).expect_err(text);
        assert!(
            matches!(error.kind(), JsonErrorKind::Syntax(_)),
            "{text}: {error}"
        );
    }
    assert!(parse_strict(b"\"\xff\"").is_err());
}

#[test]
fn depth_is_bounded_exactly() {
    let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    assert!(parse_strict(nested(super::MAX_DEPTH).as_bytes()).is_ok());
    refused(
        &nested(super::MAX_DEPTH + 1),
        "nested deeper than 64 levels at line 1 column 66",
    );
    assert!(parse_strict("[".repeat(1_000_000).as_bytes()).is_err());
}

#[test]
fn canonical_form_follows_rfc_8785() {
    assert_eq!(
        canonical_of(r#"{"b":1,"a":[1.0,2.50,-0]}"#),
        r#"{"a":[1,2.5,0],"b":1}"#
    );
    assert_eq!(
        canonical_of(r#"{"\u20ac":"\u0010","1":"\/"}"#),
        "{\"1\":\"/\",\"€\":\"\\u0010\"}"
    );
    // Keys sort by UTF-16 code units: an emoji's surrogate comes before U+FB33.
    assert_eq!(
        canonical_of("{\"\u{fb33}\":1,\"\u{1f600}\":2}"),
        "{\"\u{1f600}\":2,\"\u{fb33}\":1}"
    );
}
