use super::support::{HOSTILE, ask, hostile, image, plugin, settings, word};
use countersign_plugin_testing::library::example;
use countersign_reviewers::load::{Isolation, Plugin, Settings};
use std::fmt::Write as _;
use std::time::Duration;

/// Enough for an answer on a busy machine, and short enough to wait for in vain.
const LIMIT: Duration = Duration::from_millis(1500);

/// What every way of misbehaving comes to in a process of its own. `allow` stands only where the
/// plugin did answer allow.
const IN_A_PROCESS: &[(&str, &str)] = &[
    ("good", "allow"),
    ("deny", "deny"),
    ("abstain", "abstains"),
    ("slow", "allow"),
    ("drop-panic", "allow"),
    ("raw-drop-panic", "allow"),
    ("panic", "Panicked"),
    ("panic-drop", "Panicked"),
    ("thread-panic", "deny"),
    ("raw-panic", "Crashed"),
    ("abort", "Crashed"),
    ("segv", "Crashed"),
    ("exit0", "Crashed"),
    ("exit0-raw", "Crashed"),
    ("stack", "Crashed"),
    ("bomb", "Crashed"),
    ("loop", "TimedOut"),
    ("sleep", "TimedOut"),
    ("stop", "TimedOut"),
    ("late", "TimedOut"),
    ("cancel", "TimedOut"),
    ("flood", "TimedOut"),
    ("print", "deny"),
    ("close", "Crashed"),
    ("write-fds", "Malformed"),
    ("partial", "TimedOut"),
    ("escape", "Crashed"),
    ("leave", "TimedOut"),
    ("fork", "Crashed"),
    ("fork-good", "allow"),
    ("chdir", "deny"),
    ("env", "deny"),
    ("empty", "Malformed"),
    ("garbage", "Malformed"),
    ("not-utf8", "Malformed"),
    ("huge", "Malformed"),
    ("nan", "Malformed"),
    ("unknown-verdict", "Malformed"),
    ("duplicate-key", "Malformed"),
    ("wrong-v", "Malformed"),
    ("no-review-key", "Malformed"),
    ("allow-critical", "Contradictory"),
    ("create-panic", "Panicked"),
    ("create-exit0", "Crashed"),
    ("create-hang", "TimedOut"),
    ("create-bad-config", "Configuration"),
];

/// The same for what happens while the library is loaded.
const WHILE_LOADING: &[(&str, &str)] = &[
    ("ctor_exit", "Crashed"),
    ("ctor_segv", "Crashed"),
    ("ctor_hang", "TimedOut"),
    ("ctor_print", "allow"),
    ("wrong_name", "Missing"),
    ("layout", "Missing"),
    ("no_symbol", "Missing"),
    ("panic_abort", "allow"),
];

/// What cannot be let into this process at all is not in here: see the table in `docs/plugins.md`.
const IN_PROCESS: &[(&str, &str)] = &[
    ("good", "allow"),
    ("deny", "deny"),
    ("abstain", "abstains"),
    ("slow", "allow"),
    ("drop-panic", "allow"),
    ("panic", "Panicked"),
    ("panic-drop", "Panicked"),
    ("thread-panic", "deny"),
    ("sleep", "TimedOut"),
    ("late", "TimedOut"),
    ("cancel", "TimedOut"),
    ("empty", "Malformed"),
    ("garbage", "Malformed"),
    ("not-utf8", "Malformed"),
    ("huge", "Malformed"),
    ("nan", "Malformed"),
    ("unknown-verdict", "Malformed"),
    ("duplicate-key", "Malformed"),
    ("wrong-v", "Malformed"),
    ("no-review-key", "Malformed"),
    ("allow-critical", "Contradictory"),
    ("create-panic", "Panicked"),
    ("create-bad-config", "Configuration"),
];

fn check(name: &str, plugin: &Plugin, expected: &str, wrong: &mut Vec<String>) {
    let (opinion, took) = ask(plugin, LIMIT);
    let got = word(&opinion);
    if got != expected {
        wrong.push(format!("{name}: {got}, not {expected} ({opinion:?})"));
    }
    // Nobody waits past the deadline, whatever happens.
    if took > LIMIT + Duration::from_millis(100) {
        wrong.push(format!("{name}: took {took:?}"));
    }
}

#[test]
fn nothing_a_plugin_does_becomes_an_allow() {
    let good = plugin("good");
    let mut wrong = Vec::new();
    for (mode, expected) in IN_A_PROCESS {
        check(mode, &plugin(mode), expected, &mut wrong);
        check(&format!("good, after {mode}"), &good, "allow", &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn nothing_a_library_does_while_it_loads_becomes_an_allow() {
    let mut wrong = Vec::new();
    for (name, expected) in WHILE_LOADING {
        let bytes = std::fs::read(example(HOSTILE, name)).expect("the library");
        let plugin = Plugin::new(
            image(&bytes).expect("nothing runs before it is asked"),
            settings("good"),
        );
        check(name, &plugin.expect("may run so"), expected, &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_can_be_caught_in_process_is() {
    let mut wrong = Vec::new();
    for (mode, expected) in IN_PROCESS {
        let settings = Settings {
            isolation: Isolation::InProcess,
            ..settings(mode)
        };
        let plugin = Plugin::new(image(hostile()).expect("a good file"), settings);
        check(mode, &plugin.expect("it is pinned"), expected, &mut wrong);
    }
    let bytes = std::fs::read(example(HOSTILE, "panic_abort")).expect("the library");
    let settings = Settings {
        isolation: Isolation::InProcess,
        ..settings("good")
    };
    let plugin = Plugin::new(image(&bytes).expect("a good file"), settings).expect("it is pinned");
    check("panic_abort", &plugin, "Missing", &mut wrong);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What each failure says to a person.
#[test]
fn what_failures_say() {
    let mut text = String::new();
    for mode in [
        "panic",
        "panic-drop",
        "raw-panic",
        "abort",
        "segv",
        "exit0",
        "stack",
        "sleep",
        "huge",
        "unknown-verdict",
        "duplicate-key",
        "allow-critical",
        "create-bad-config",
        "create-exit0",
        "env",
        "fork",
    ] {
        let limit = if mode == "sleep" {
            Duration::from_millis(300)
        } else {
            LIMIT
        };
        let line = match ask(&plugin(mode), limit).0 {
            Err(failure) => failure.to_string(),
            Ok(review) => review.map(|review| review.rationale).unwrap_or_default(),
        };
        let _infallible = writeln!(text, "{mode:<18} {line}");
    }
    insta::assert_snapshot!(text);
}
