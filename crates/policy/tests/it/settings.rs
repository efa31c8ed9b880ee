use crate::support::{judge_with, rules};
use countersign_policy::{Exception, Pattern, Settings};

fn patterns(texts: &[&str]) -> Vec<Pattern> {
    texts
        .iter()
        .map(|text| Pattern::parse(text).expect(text))
        .collect()
}

#[test]
fn nothing_touches_a_denied_path() {
    let settings = Settings {
        denied: vec!["~/work/private".to_owned()],
        ..Settings::default()
    };
    for command in [
        "cat ~/work/private/a",
        "rm ~/work/private",
        "cp x ~/work/private/y",
        "cd ~/work && cat private/a",
    ] {
        let judgement = judge_with(settings.clone(), command);
        assert_eq!(
            judgement.hits.first().map(|hit| hit.rule.as_str()),
            Some("paths.denied"),
            "{command}"
        );
    }
    assert!(!rules(&judge_with(settings, "cat ~/work/public")).contains(&"paths.denied"));
}

#[test]
fn allow_rules_must_cover_every_command() {
    let settings = Settings {
        allow: patterns(&["Bash(make:*)", "Bash(cargo test:*)"]),
        ..Settings::default()
    };
    for (command, expected) in [
        ("make", true),
        ("make all && cargo test --lib", true),
        ("timeout 5 make", true),
        ("ls && make", true),
        ("ls", false),
        ("make; ./other", false),
        ("make \"$X\"", false),
        ("make > out", false),
        ("make $(./other)", false),
        ("make & ./other", false),
        // What decides which programs run, and with which settings.
        ("PATH=/tmp/evil:$PATH; make", false),
        ("PATH=/tmp/evil:$PATH make", false),
        ("HOME=/tmp/evil; cargo test", false),
        ("CARGO_HOME=/tmp/evil cargo test", false),
        ("XDG_CONFIG_HOME=x cargo test", false),
        ("export GIT_DIR=x; make", false),
        ("RUST_BACKTRACE=1 cargo test", true),
        ("CARGO_TARGET_DIR=target/x cargo test", true),
        ("bash -c 'make'", true),
        ("bash -c 'make; ./other'", false),
    ] {
        assert_eq!(
            judge_with(settings.clone(), command).rule_allowed,
            expected,
            "{command}"
        );
    }
}

#[test]
fn an_exception_holds_for_its_rule_and_place_only() {
    let exception = |rule: &str, path: &str| Settings {
        exceptions: vec![Exception {
            rule: rule.to_owned(),
            path: Some(path.to_owned()),
            host: None,
            reason: "test".to_owned(),
        }],
        ..Settings::default()
    };
    let hard = |settings: Settings, command: &str| {
        rules(&judge_with(settings, command)).contains(&"filesystem.delete-root")
    };
    let excepted = exception("filesystem.delete-root", "/etc/ssl");
    assert!(!hard(excepted.clone(), "rm -rf /etc/ssl"));
    assert!(hard(excepted, "rm -rf /etc"));
    assert!(hard(
        exception("persistence.profile", "/etc/ssl"),
        "rm -rf /etc/ssl"
    ));
}

#[test]
fn fetching_from_a_listed_host_is_reading() {
    let settings = Settings {
        read_hosts: vec!["docs.rs".to_owned(), "*.example.org".to_owned()],
        ..Settings::default()
    };
    for (command, expected) in [
        ("curl https://docs.rs/x", true),
        ("curl https://a.example.org/", true),
        ("curl https://example.org/", false),
        ("curl https://docs.rs.evil.example/", false),
        ("curl -d x https://docs.rs/", false),
        ("curl -o x https://docs.rs/", false),
        ("curl https://docs.rs https://evil.example", false),
    ] {
        assert_eq!(
            judge_with(settings.clone(), command).read_only,
            expected,
            "{command}"
        );
    }
}
