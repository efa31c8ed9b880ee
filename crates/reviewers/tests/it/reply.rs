use countersign_core::{FailureKind, Review, ReviewFailure, Verdict};
use countersign_reviewers::reply::{encode, parse};

const PARTS: &str = r#""risk":"low","authorization":"unknown","tier":"none","rationale":"because""#;

const ALLOW: &str = r#""verdict":"allow","#;

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
fn what_is_no_reply() {
    let deep = format!(
        r#"{{"v":1,"review":{}null{}}}"#,
        "[".repeat(100),
        "]".repeat(100)
    );
    for text in [
        "",
        "null",
        "[]",
        "\u{0}",
        r#"{"v":1}"#,
        r#"{"review":null}"#,
        r#"{"v":2,"review":null}"#,
        r#"{"v":"1","review":null}"#,
        r#"{"v":1.5,"review":null}"#,
        r#"{"v":1,"v":1,"review":null}"#,
        r#"{"v":1,"review":null,"review":null}"#,
        r#"{"v":1,"review":null} {"v":1,"review":null}"#,
        r#"{"v":1,"review":"allow"}"#,
        r#"{"v":1,"review":{}}"#,
        &deep,
    ] {
        assert_eq!(kind(text), Err(FailureKind::Malformed), "{text}");
    }
    let no_text = parse(b"{\"v\":1,\"review\":\xff}");
    assert_eq!(no_text.unwrap_err().kind, FailureKind::Malformed);
}

#[test]
fn what_is_no_review() {
    use FailureKind::{Contradictory, Malformed};
    let (blank, long) = ("  ", "x".repeat(601));
    let instead = |from: &str, to: &str| PARTS.replace(from, to);
    for (verdict, parts, expected) in [
        (r#""verdict":"Allow","#, PARTS.to_owned(), Malformed),
        (r#""verdict":"approve","#, PARTS.to_owned(), Malformed),
        (r#""verdict":null,"#, PARTS.to_owned(), Malformed),
        (
            r#""verdict":"deny","verdict":"allow","#,
            PARTS.to_owned(),
            Malformed,
        ),
        (
            r#""verdict":"allow","confidence":NaN,"#,
            PARTS.to_owned(),
            Malformed,
        ),
        ("", PARTS.to_owned(), Malformed),
        (ALLOW, instead("\"low\"", "\"none\""), Malformed),
        (ALLOW, instead("\"none\"", "\"other\""), Malformed),
        (ALLOW, instead("because", &long), Contradictory),
        (ALLOW, instead("because", blank), Contradictory),
        (ALLOW, instead("low", "critical"), Contradictory),
        (ALLOW, instead("low", "high"), Contradictory),
        (ALLOW, instead("\"none\"", "\"soft_deny\""), Contradictory),
        (
            r#""verdict":"allow","instruction":"x","#,
            PARTS.to_owned(),
            Contradictory,
        ),
        (r#""verdict":"revise","#, PARTS.to_owned(), Contradictory),
        (
            r#""verdict":"revise","instruction":" ","#,
            PARTS.to_owned(),
            Contradictory,
        ),
    ] {
        let text = format!(r#"{{"v":1,"review":{{{verdict}{parts}}}}}"#);
        assert_eq!(kind(&text), Err(expected), "{text}");
    }
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
