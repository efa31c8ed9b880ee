use countersign_core::{
    Authorization, Case, Clock, Facts, FailureKind, Judgement, OnFailure, Person, Request, Review,
    ReviewContext, ReviewFailure, Reviewer, Risk, Tier, Verdict,
};
use countersign_reviewers::chain::{Chain, ChainError, Member, Mode};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Time that passes when somebody waits.
#[derive(Default)]
struct Hand(Mutex<Duration>);

impl Clock for Hand {
    fn now(&self) -> Duration {
        *self.0.lock().unwrap()
    }

    fn sleep(&self, time: Duration) {
        *self.0.lock().unwrap() += time;
    }
}

/// Answers a word at a time: the last one for ever.
struct Script {
    words: Vec<&'static str>,
    asked: Arc<AtomicUsize>,
}

impl Reviewer for Script {
    fn review(
        &self,
        _case: &Case,
        context: &ReviewContext<'_>,
    ) -> Result<Option<Review>, ReviewFailure> {
        let turn = self.asked.fetch_add(1, Ordering::Relaxed);
        answer(self.words[turn.min(self.words.len() - 1)], context)
    }
}

fn answer(word: &str, context: &ReviewContext<'_>) -> Result<Option<Review>, ReviewFailure> {
    let failure = |kind| Err(ReviewFailure::new(kind, "as told"));
    let again = |kind| Err(ReviewFailure::new(kind, "as told").retryable());
    match word {
        "none" => Ok(None),
        "fail" => failure(FailureKind::Unauthorized),
        "too-big" => failure(FailureKind::TooBig),
        "again" => again(FailureKind::Server),
        "wait-1s" | "wait-9s" => again(FailureKind::RateLimited).map_err(|failure| ReviewFailure {
            retry_after_ms: Some(if word == "wait-1s" { 1_000 } else { 9_000 }),
            ..failure
        }),
        "panic" => panic!("as told"),
        "late" => {
            context.clock.sleep(Duration::from_secs(60));
            Ok(Some(review(Verdict::Allow)))
        }
        "critical" => Ok(Some(Review {
            risk: Risk::Critical,
            ..review(Verdict::Allow)
        })),
        "allow" => Ok(Some(review(Verdict::Allow))),
        "sure" => Ok(Some(Review {
            authorization: Authorization::High,
            ..review(Verdict::Allow)
        })),
        "risky" => Ok(Some(Review {
            risk: Risk::Medium,
            ..review(Verdict::Allow)
        })),
        "deny" => Ok(Some(review(Verdict::Deny))),
        "revise" => Ok(Some(review(Verdict::Revise))),
        "defer" => Ok(Some(review(Verdict::Defer))),
        other => panic!("no such word: {other}"),
    }
}

fn review(verdict: Verdict) -> Review {
    Review {
        reviewer: Some("somebody else".to_owned()),
        verdict,
        risk: Risk::Low,
        authorization: Authorization::Unknown,
        tier: Tier::None,
        rationale: "as told".to_owned(),
        instruction: (verdict == Verdict::Revise).then(|| "so".to_owned()),
        replacement: None,
    }
}

/// A chain of members `a`, `b`, …: what each says, `!` in front of one with a fallback.
fn chain(mode: Mode, members: &[&'static str], retries: u32) -> (Chain, Vec<Arc<AtomicUsize>>) {
    let mut asked = Vec::new();
    let members = members
        .iter()
        .zip(["a", "b", "c", "d"])
        .map(|(words, name)| {
            let count = Arc::new(AtomicUsize::new(0));
            asked.push(Arc::clone(&count));
            Member {
                retries,
                fallback: words.starts_with('!'),
                ..Member::new(
                    name,
                    Box::new(Script {
                        words: words.trim_start_matches('!').split(' ').collect(),
                        asked: count,
                    }),
                )
            }
        })
        .collect();
    (Chain::new(mode, members).expect("a chain"), asked)
}

/// What a chain comes to: who said what, or which failure whose.
fn outcome(mode: Mode, members: &[&'static str], on_failure: OnFailure) -> String {
    ask(&chain(mode, members, 0).0, on_failure)
}

fn ask(chain: &Chain, on_failure: OnFailure) -> String {
    let (clock, cancelled) = (Hand::default(), AtomicBool::new(false));
    let context = ReviewContext {
        person: Person::Attended,
        on_failure,
        ..ReviewContext::within(Duration::from_secs(10), &clock, &cancelled)
    };
    told(chain.review(&case(), &context))
}

fn told(opinion: Result<Option<Review>, ReviewFailure>) -> String {
    match opinion {
        Ok(None) => "none".to_owned(),
        Ok(Some(review)) => format!(
            "{} {}",
            review.reviewer.as_deref().unwrap_or("-"),
            review.verdict
        ),
        Err(failure) => format!(
            "{} {:?}",
            failure.reviewer.as_deref().unwrap_or("-"),
            failure.kind
        ),
    }
}

fn case() -> Case {
    let facts = Facts::virtual_at("/home/u", &["/p"]);
    Case::new(
        Request::command("r", "test", "/p", "make"),
        Judgement::empty(facts, "test"),
    )
}

#[test]
fn the_first_with_an_opinion() {
    for (members, expected) in [
        (&["allow", "deny"][..], "a allow"),
        (&["none", "deny"], "b deny"),
        (&["none", "none"], "none"),
        (&["fail", "allow"], "a Unauthorized"),
        (&["!fail", "allow"], "b allow"),
        (&["!fail", "none"], "a Unauthorized"),
        (&["!fail", "none", "allow"], "c allow"),
        (&["none", "!fail"], "b Unauthorized"),
        (&["!fail", "!fail"], "b Unauthorized"),
        (&["!too-big", "allow"], "a TooBig"),
        (&["panic", "allow"], "a Panicked"),
        (&["!panic", "allow"], "b allow"),
        (&["critical", "allow"], "a Contradictory"),
        (&["late", "allow"], "a TimedOut"),
        // Nothing is left of the time for the next one.
        (&["!late", "allow"], "b TimedOut"),
    ] {
        let got = outcome(Mode::First, members, OnFailure::Ask);
        assert_eq!(got, expected, "{members:?}");
    }
}

#[test]
fn the_most_restrictive_of_all() {
    use OnFailure::{Ask, Deny};
    for (members, on_failure, expected) in [
        (&["allow", "allow"][..], Ask, "a allow"),
        (&["allow", "deny"], Ask, "b deny"),
        (&["deny", "allow"], Ask, "a deny"),
        // What lies under an allow is lifted by authorization: the least of them counts.
        (&["sure", "allow"], Ask, "b allow"),
        (&["allow", "sure"], Ask, "a allow"),
        (&["allow", "risky"], Ask, "b allow"),
        (&["defer", "revise"], Ask, "b revise"),
        (&["none", "allow"], Ask, "b allow"),
        (&["none", "none"], Ask, "none"),
        (&["allow", "fail"], Ask, "b Unauthorized"),
        (&["fail", "none"], Ask, "a Unauthorized"),
        (&["fail", "defer"], Ask, "b defer"),
        (&["fail", "revise"], Ask, "b revise"),
        (&["fail", "deny"], Ask, "b deny"),
        (&["fail", "revise"], Deny, "a Unauthorized"),
        (&["fail", "deny"], Deny, "b deny"),
        (&["panic", "allow"], Ask, "a Panicked"),
        (&["too-big", "revise"], Ask, "a TooBig"),
        (&["critical", "allow"], Ask, "a Contradictory"),
    ] {
        assert_eq!(
            outcome(Mode::All, members, on_failure),
            expected,
            "{members:?} {on_failure:?}"
        );
    }
}

#[test]
fn what_a_quorum_shares() {
    let two = Mode::Quorum(NonZeroUsize::new(2).expect("two"));
    for (members, expected) in [
        (&["allow", "allow", "deny"][..], "a allow"),
        (&["deny", "allow", "allow"], "b allow"),
        (&["sure", "allow", "deny"], "b allow"),
        (&["allow", "deny", "deny"], "b deny"),
        (&["allow", "allow", "deny", "deny"], "c deny"),
        (&["allow", "deny", "revise"], "- defer"),
        (&["allow", "none", "none"], "- defer"),
        (&["none", "none", "none"], "none"),
        (&["allow", "fail", "allow"], "a allow"),
        (&["allow", "fail", "none"], "b Unauthorized"),
        (&["fail", "fail", "fail"], "a Unauthorized"),
        (&["panic", "allow", "deny"], "a Panicked"),
    ] {
        assert_eq!(
            outcome(two, members, OnFailure::Ask),
            expected,
            "{members:?}"
        );
    }
}

#[test]
fn tries_again_where_that_may_mend_it() {
    for (words, retries, calls, expected) in [
        ("again allow", 0, 1, "a Server"),
        ("again allow", 1, 2, "a allow"),
        ("again", 2, 3, "a Server"),
        ("again again allow", 2, 3, "a allow"),
        ("fail allow", 2, 1, "a Unauthorized"),
        ("wait-1s allow", 1, 2, "a allow"),
        ("wait-9s allow", 1, 1, "a RateLimited"),
        ("panic allow", 1, 1, "a Panicked"),
        ("critical allow", 1, 1, "a Contradictory"),
    ] {
        let (chain, asked) = chain(Mode::First, &[words], retries);
        assert_eq!(ask(&chain, OnFailure::Ask), expected, "{words}");
        assert_eq!(asked[0].load(Ordering::Relaxed), calls, "{words}");
    }
}

#[test]
fn nobody_is_asked_who_is_not_waited_for() {
    let (chain, asked) = chain(Mode::First, &["allow"], 3);
    let clock = Hand::default();
    let cancelled = AtomicBool::new(true);
    let context = ReviewContext::within(Duration::from_secs(10), &clock, &cancelled);
    assert_eq!(told(chain.review(&case(), &context)), "a Cancelled");
    let over = AtomicBool::new(false);
    let context = ReviewContext::within(Duration::ZERO, &clock, &over);
    assert_eq!(told(chain.review(&case(), &context)), "a TimedOut");
    assert_eq!(asked[0].load(Ordering::Relaxed), 0);
}

#[test]
fn chains_that_cannot_be() {
    let member = || {
        Member::new(
            "a",
            Box::new(Script {
                words: vec!["none"],
                asked: Arc::default(),
            }),
        )
    };
    assert_eq!(
        Chain::new(Mode::All, Vec::new()).unwrap_err(),
        ChainError::Empty
    );
    let two = Mode::Quorum(NonZeroUsize::new(2).expect("two"));
    assert_eq!(
        Chain::new(two, vec![member()]).unwrap_err(),
        ChainError::Quorum {
            quorum: 2,
            members: 1
        }
    );
}
