use super::support::{ask, case, hostile, image, plugin, settings, word};
use countersign_abi::op;
use countersign_core::{FailureKind, ReviewContext, Reviewer as _};
use countersign_reviewers::Monotonic;
use countersign_reviewers::load::{Plugin, Settings};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(5);

#[test]
fn three_crashes_open_the_circuit() {
    let plugin = plugin("abort");
    let words: Vec<String> = (0..4).map(|_| word(&ask(&plugin, LIMIT).0)).collect();
    assert_eq!(words, ["Crashed", "Crashed", "Crashed", "CircuitOpen"]);
    let (opinion, took) = ask(&plugin, LIMIT);
    assert_eq!(word(&opinion), "CircuitOpen");
    assert!(
        took < Duration::from_millis(50),
        "nothing is started: {took:?}"
    );
}

#[test]
fn a_start_that_fails_counts_as_a_crash() {
    let plugin = plugin("create-exit0");
    let words: Vec<String> = (0..4).map(|_| word(&ask(&plugin, LIMIT).0)).collect();
    assert_eq!(words, ["Crashed", "Crashed", "Crashed", "CircuitOpen"]);
}

#[test]
fn a_wrong_configuration_is_no_crash() {
    let plugin = plugin("create-bad-config");
    for _ in 0..5 {
        assert_eq!(word(&ask(&plugin, LIMIT).0), "Configuration");
    }
}

#[test]
fn the_plugin_gets_what_it_asks_for_and_is_granted() {
    let environment = BTreeMap::from(
        ["HOSTILE_GRANTED", "SECRET_OF_ANOTHER"].map(|name| (name.to_owned(), "x".to_owned())),
    );
    let settings = Settings {
        environment,
        ..settings("env")
    };
    let plugin = Plugin::new(image(hostile()).expect("a good file"), settings).expect("may run so");
    let review = ask(&plugin, LIMIT)
        .0
        .expect("a review")
        .expect("an opinion");
    assert_eq!(review.rationale, "variables: HOSTILE_GRANTED");
}

#[test]
fn many_calls_at_once() {
    let plugin = plugin("slow");
    ask(&plugin, LIMIT).0.expect("it starts");
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(word(&ask(&plugin, LIMIT).0), "allow"));
        }
    });
    // Each takes 200 ms.
    assert!(
        began.elapsed() < Duration::from_millis(1200),
        "{:?}",
        began.elapsed()
    );
}

/// Whoever finds it being started waits no longer than their own time.
#[test]
fn nobody_waits_for_somebody_elses_start() {
    let plugin = plugin("create-hang");
    std::thread::scope(|scope| {
        scope.spawn(|| ask(&plugin, Duration::from_secs(2)));
        std::thread::sleep(Duration::from_millis(200));
        let (opinion, took) = ask(&plugin, Duration::from_millis(300));
        assert_eq!(word(&opinion), "TimedOut");
        assert!(took < Duration::from_millis(400), "{took:?}");
    });
}

#[test]
fn time_without_end_is_no_trouble() {
    let plugin = plugin("good");
    assert_eq!(word(&ask(&plugin, Duration::MAX).0), "allow");
}

/// Replies that arrive together are each somebody's.
#[test]
fn no_reply_is_lost_among_many() {
    let plugin = plugin("good");
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                for _ in 0..50 {
                    assert_eq!(word(&ask(&plugin, LIMIT).0), "allow");
                }
            });
        }
    });
}

/// One that hangs takes the process with it; the others fail as crashed, and try again.
#[test]
fn a_call_that_hangs_ends_the_others() {
    let plugin = plugin("sleep");
    std::thread::scope(|scope| {
        let short = scope.spawn(|| word(&ask(&plugin, Duration::from_millis(600)).0));
        std::thread::sleep(Duration::from_millis(200));
        let long = scope.spawn(|| ask(&plugin, LIMIT));
        assert_eq!(short.join().expect("no panic"), "TimedOut");
        let (opinion, took) = long.join().expect("no panic");
        let failure = opinion.expect_err("no answer");
        assert_eq!(failure.kind, FailureKind::Crashed);
        assert!(failure.retryable);
        assert!(took < Duration::from_secs(1), "{took:?}");
    });
}

#[test]
fn a_cancelled_call_is_let_go_at_once() {
    for (mode, running) in [("cancel", true), ("sleep", false)] {
        let plugin = plugin(mode);
        let (clock, cancelled) = (Monotonic::default(), AtomicBool::new(false));
        let context = ReviewContext::within(Duration::from_secs(20), &clock, &cancelled);
        let began = Instant::now();
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| plugin.review(&case(), &context));
            std::thread::sleep(Duration::from_millis(300));
            cancelled.store(true, Ordering::Release);
            let failure = asked.join().expect("no panic").expect_err("no answer");
            assert_eq!(failure.kind, FailureKind::Cancelled, "{mode}: {failure}");
        });
        assert!(
            began.elapsed() < Duration::from_secs(2),
            "{mode}: {:?}",
            began.elapsed()
        );
        // One that listens lives on, one that does not is ended.
        assert_eq!(plugin.is_running(), running, "{mode}");
    }
}

#[test]
fn a_case_that_is_too_big_is_its_own_fault() {
    let plugin = plugin("good");
    let payload = vec![b' '; (8 << 20) + 1];
    let failure = plugin
        .operate(op::REVIEW, &payload, LIMIT, LIMIT, &AtomicBool::new(false))
        .expect_err("too big");
    assert_eq!(failure.kind, FailureKind::TooBig);
}

#[test]
fn describes_itself_and_says_how_it_is() {
    let plugin = plugin("good");
    assert_eq!(
        plugin.describe(LIMIT).expect("it does").operations,
        ["review", "describe", "health"]
    );
    assert_eq!(plugin.health(LIMIT), Ok(()));
}

/// The process ends with the plugin's value, and with the host's.
#[test]
fn no_process_is_left_behind() {
    let plugin = plugin("good");
    ask(&plugin, LIMIT).0.expect("it answers");
    let running = || {
        let mine = std::process::id().to_string();
        std::fs::read_dir("/proc")
            .expect("proc")
            .flatten()
            .filter_map(|entry| std::fs::read_to_string(entry.path().join("status")).ok())
            .filter(|status| status.lines().any(|line| line == format!("PPid:\t{mine}")))
            .count()
    };
    let before = running();
    drop(plugin);
    assert!(running() < before, "{before} before");
}
