use countersign_core::{FailureKind, Review, ReviewFailure, Verdict};
use countersign_reviewers::reply::{encode, parse};

const PARTS: &str = r#""risk":"low","authorization":"unknown","tier":"none","rationale":"because""#;

fn kind(text: &str) -> Result<Option<Verdict>, FailureKind> {
    parse(text.as_bytes())
        .map(|review| review.map(|review| review.verdict))
        .map_err(|failure: ReviewFailure| failure.kind)
}

#[test]
fn what_is_a_review() {
    for (text, expected) in [
        (r#"{"v":1,"review":null}"#.to_owned(), None),
        (
            format!(r#"{{"v":1,"review":{{"verdict":"allow",{PARTS}}}}}"#),
            Some(Verdict::Allow),
        ),
        (
            format!(r#" {{"review":{{"verdict":"deny",{PARTS}}},"v":1}} "#),
            Some(Verdict::Deny),
        ),
        (
            format!(r#"{{"v":1,"review":{{"verdict":"defer",{PARTS}}}}}"#),
            Some(Verdict::Defer),
        ),
        (
            format!(r#"{{"v":1,"review":{{"verdict":"revise","instruction":"do",{PARTS}}}}}"#),
            Some(Verdict::Revise),
        ),
        // What a newer reviewer says beside it.
        (
            format!(
                r#"{{"v":1,"cost":{{"usd":0.1}},"review":{{"verdict":"allow","confidence":0.5,{PARTS}}}}}"#
            ),
            Some(Verdict::Allow),
        ),
    ] {
        assert_eq!(kind(&text), Ok(expected), "{text}");
    }
}

/// Whatever is wrong with a reply, it is a failed review and no verdict.
#[test]
fn what_is_none() {
    use FailureKind::{Contradictory, Malformed};
    let review = |inner: &str| format!(r#"{{"v":1,"review":{{{inner}}}}}"#);
    let long = format!(
        r#""verdict":"allow",{}"#,
        PARTS.replace("because", &"x".repeat(601))
    );
    for (text, expected) in [
        (String::new(), Malformed),
        ("null".to_owned(), Malformed),
        ("[]".to_owned(), Malformed),
        ("\u{0}".to_owned(), Malformed),
        (r#"{"v":1}"#.to_owned(), Malformed),
        (r#"{"review":null}"#.to_owned(), Malformed),
        (r#"{"v":2,"review":null}"#.to_owned(), Malformed),
        (r#"{"v":"1","review":null}"#.to_owned(), Malformed),
        (r#"{"v":1.5,"review":null}"#.to_owned(), Malformed),
        (r#"{"v":1,"v":1,"review":null}"#.to_owned(), Malformed),
        (
            r#"{"v":1,"review":null,"review":null}"#.to_owned(),
            Malformed,
        ),
        (
            r#"{"v":1,"review":null} {"v":1,"review":null}"#.to_owned(),
            Malformed,
        ),
        (r#"{"v":1,"review":"allow"}"#.to_owned(), Malformed),
        (r#"{"v":1,"review":{}}"#.to_owned(), Malformed),
        (review(&format!(r#""verdict":"Allow",{PARTS}"#)), Malformed),
        (
            review(&format!(r#""verdict":"approve",{PARTS}"#)),
            Malformed,
        ),
        (review(&format!(r#""verdict":null,{PARTS}"#)), Malformed),
        (
            review(&format!(r#""verdict":"deny","verdict":"allow",{PARTS}"#)),
            Malformed,
        ),
        (
            review(&format!(r#""verdict":"allow","confidence":NaN,{PARTS}"#)),
            Malformed,
        ),
        (review(PARTS), Malformed),
        (
            review(&format!(
                r#""verdict":"allow",{}"#,
                PARTS.replace("\"low\"", "\"none\"")
            )),
            Malformed,
        ),
        (
            review(&format!(
                r#""verdict":"allow",{}"#,
                PARTS.replace("\"none\"", "\"other\"")
            )),
            Malformed,
        ),
        (review(&long), Contradictory),
        (
            review(&format!(
                r#""verdict":"allow",{}"#,
                PARTS.replace("because", "  ")
            )),
            Contradictory,
        ),
        (
            review(&format!(
                r#""verdict":"allow",{}"#,
                PARTS.replace("low", "critical")
            )),
            Contradictory,
        ),
        (
            review(&format!(
                r#""verdict":"allow",{}"#,
                PARTS.replace("low", "high")
            )),
            Contradictory,
        ),
        (
            review(&format!(
                r#""verdict":"allow",{}"#,
                PARTS.replace("\"none\"", "\"soft_deny\"")
            )),
            Contradictory,
        ),
        (
            review(&format!(r#""verdict":"allow","instruction":"x",{PARTS}"#)),
            Contradictory,
        ),
        (
            review(&format!(r#""verdict":"revise",{PARTS}"#)),
            Contradictory,
        ),
        (
            review(&format!(r#""verdict":"revise","instruction":" ",{PARTS}"#)),
            Contradictory,
        ),
    ] {
        assert_eq!(kind(&text), Err(expected), "{text}");
    }
    let deep = format!(
        r#"{{"v":1,"review":{}null{}}}"#,
        "[".repeat(100),
        "]".repeat(100)
    );
    assert_eq!(kind(&deep), Err(Malformed));
    assert_eq!(
        parse(b"{\"v\":1,\"review\":\xff}").unwrap_err().kind,
        Malformed
    );
}

#[test]
fn a_reviewer_cannot_sign_for_another() {
    let text = format!(r#"{{"v":1,"review":{{"reviewer":"boss","verdict":"allow",{PARTS}}}}}"#);
    assert_eq!(parse(text.as_bytes()).unwrap().unwrap().reviewer, None);
}

#[test]
fn what_is_written_is_read() {
    let review = Review {
        reviewer: None,
        verdict: Verdict::Revise,
        risk: countersign_core::Risk::High,
        authorization: countersign_core::Authorization::Medium,
        tier: countersign_core::Tier::SoftDeny,
        rationale: "a \"quoted\" word\n".to_owned(),
        instruction: Some("push to a branch".to_owned()),
        replacement: serde_json::json!({"command": "git push"})
            .as_object()
            .cloned(),
    };
    for review in [None, Some(review)] {
        assert_eq!(parse(&encode(review.as_ref()).unwrap()), Ok(review));
    }
}
