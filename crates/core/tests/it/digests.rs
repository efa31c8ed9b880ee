use countersign_core::{Digest, Facts, PathFact, PathKind, Request, digest, retry_key};
use serde_json::Map;

/// A field, and a change of it.
type Change = (&'static str, fn(&mut Request));

fn request() -> Request {
    let mut request = Request::command("r-1", "claude-code", "/p", "git push");
    request.tool_name = Some("Bash".to_owned());
    request.tool_call_id = Some("call-1".to_owned());
    request.input = Some(Map::from_iter([
        ("command".to_owned(), "git push".into()),
        ("n".to_owned(), 1.into()),
    ]));
    request
}

fn facts() -> Facts {
    Facts::at("/home/u", &["/p"])
}

fn key(request: &Request) -> Digest {
    retry_key(request, &facts(), "0.1.0+rules").expect("it has a form")
}

#[test]
fn a_retried_call_keeps_its_key() {
    let mut retried = request();
    retried.id = "r-2".to_owned();
    retried.tool_call_id = Some("call-2".to_owned());
    retried.session = Some("another".to_owned());
    retried.scope = Some("another".to_owned());
    assert_eq!(key(&retried), key(&request()));
    let digest_of =
        |request: &Request| digest(&key(request), request.tool_call_id.as_deref()).expect("a form");
    assert_ne!(digest_of(&retried), digest_of(&request()));
    assert_ne!(
        digest(&key(&request()), None),
        digest(&key(&request()), Some(""))
    );
}

#[test]
fn whatever_identifies_the_action_changes_the_key() {
    let changes: [Change; 13] = [
        ("source", |request| {
            request.source = "x".to_owned();
        }),
        ("surface", |request| {
            request.surface = "mcp".to_owned().into();
        }),
        ("operation", |request| {
            request.operation = "x".to_owned();
        }),
        ("cwd", |request| request.cwd = "/x".to_owned()),
        ("command", |request| {
            request.command = Some("git push ".to_owned());
        }),
        ("path", |request| request.path = Some("x".to_owned())),
        ("resolved_path", |request| {
            request.resolved_path = Some("x".to_owned());
        }),
        ("destination", |request| {
            request.destination = Some("x".to_owned());
        }),
        ("tool_name", |request| {
            request.tool_name = Some("x".to_owned());
        }),
        ("skill_name", |request| {
            request.skill_name = Some("x".to_owned());
        }),
        ("input", |request| {
            request.input = Some(Map::from_iter([("n".to_owned(), 2.into())]));
        }),
        ("matched_policy", |request| {
            request.matched_policy = Some(Map::new());
        }),
        ("agent", |request| request.agent = Some("x".to_owned())),
    ];
    for (field, change) in changes {
        let mut changed = request();
        change(&mut changed);
        assert_ne!(key(&changed), key(&request()), "{field}");
    }
}

#[test]
fn the_facts_used_and_the_policy_change_the_key() {
    let mut seen = facts();
    seen.paths.insert(
        "/p/x".to_owned(),
        PathFact {
            real: "/etc/x".to_owned(),
            kind: PathKind::File,
        },
    );
    let mut script = facts();
    script
        .contents
        .insert("/p/x.sh".to_owned(), "00".to_owned());
    for changed in [seen, script] {
        assert_ne!(
            retry_key(&request(), &changed, "0.1.0+rules"),
            Ok(key(&request()))
        );
    }
    assert_ne!(
        retry_key(&request(), &facts(), "0.1.0+other"),
        Ok(key(&request()))
    );
}

#[test]
fn fields_do_not_run_into_each_other() {
    let mut first = request();
    first.path = Some("ab".to_owned());
    first.destination = Some("c".to_owned());
    let mut second = request();
    second.path = Some("a".to_owned());
    second.destination = Some("bc".to_owned());
    assert_ne!(key(&first), key(&second));
}

/// Frozen: stored keys must still be found by the next release.
#[test]
fn digests_are_frozen() {
    assert_eq!(
        Digest::of("test", b"abc").as_str(),
        "e9266133719d7b9604220b0fbd5f8cf488817baca82a909deebefdc1d695305c",
    );
}

/// A field that came later changes no digest where it is absent, and counts where it is there.
#[test]
fn what_a_server_says_of_its_tool_is_part_of_the_call() {
    let mut said = request();
    said.annotations = Some(countersign_core::Annotations::default());
    assert_ne!(key(&request()), key(&said));
    let text = serde_json::to_string(&request()).expect("it has a form");
    assert!(!text.contains("annotations"));
    said.annotations = serde_json::from_str(r#"{"readOnlyHint":true,"title":"x"}"#).expect("hints");
    let text = serde_json::to_string(&said).expect("it has a form");
    assert_eq!(Request::from_json(text.as_bytes()), Ok(said));
}
