//! The walk, stage by stage.

use countersign_broker::{AuditError, AuditPort, Call, Panel, Situation, decide};
use countersign_core::{
    AgentMode, AuditEvent, Authorization, Case, Clock, Decision, DeferKind, Effect, EffectKind,
    Evidence, Facts, FailureKind, Guidance, Judgement, OnFailure, Person, Request, Review,
    ReviewContext, ReviewFailure, Reviewer, Risk, RuleHit, Severity, Stage, Tier, Verdict,
};
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Answers every case alike.
struct Fixed(Result<Option<Review>, ReviewFailure>);

impl Reviewer for Fixed {
    fn review(
        &self,
        case: &Case,
        _context: &ReviewContext<'_>,
    ) -> Result<Option<Review>, ReviewFailure> {
        assert_eq!(case.guidance.hard_deny, ["never this"]);
        self.0.clone()
    }
}

/// Time does not pass.
struct Still;

impl Clock for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn sleep(&self, _time: Duration) {}
}

/// Keeps events, or fails.
struct Port {
    events: Vec<AuditEvent>,
    broken: bool,
}

impl AuditPort for Port {
    fn record(&mut self, event: &AuditEvent) -> Result<(), AuditError> {
        if self.broken {
            return Err(AuditError {
                message: "disk full".to_owned(),
            });
        }
        self.events.push(event.clone());
        Ok(())
    }
}

fn request() -> Request {
    Request::command("r", "test", "/p", "make")
}

fn judgement() -> Judgement {
    Judgement::empty(Facts::virtual_at("/home/u", &["/p"]), "test")
}

fn with(severity: Severity) -> Judgement {
    let mut judgement = judgement();
    judgement.hits.push(RuleHit {
        rule: format!("test.{severity:?}").to_lowercase(),
        severity,
        command: Some(0),
        target: None,
        resolved: None,
        why: "test".to_owned(),
        safer: None,
    });
    judgement
}

fn decided(judgement: &Judgement, review: Option<&Review>, situation: Situation) -> Decision {
    let fixed = review.map(|review| Fixed(Ok(Some(review.clone()))));
    answered(judgement, fixed.as_ref(), OnFailure::Ask, situation)
}

fn answered(
    judgement: &Judgement,
    reviewer: Option<&Fixed>,
    on_failure: OnFailure,
    situation: Situation,
) -> Decision {
    let guidance = Guidance {
        hard_deny: vec!["never this".to_owned()],
        ..Guidance::default()
    };
    let cancelled = AtomicBool::new(false);
    let mut port = Port {
        events: Vec::new(),
        broken: false,
    };
    let request = request();
    let call = Call {
        request: &request,
        judgement,
        panel: reviewer.map(|reviewer| Panel {
            reviewer,
            context: ReviewContext {
                person: judgement.observed.person,
                on_failure,
                ..ReviewContext::within(Duration::from_secs(1), &Still, &cancelled)
            },
            guidance: &guidance,
            evidence: &Evidence::default,
            trusted_override: None,
            redact: &str::to_owned,
            bounded: &[],
            rejudge: None,
        }),
        keeping: None,
        situation,
    };
    let decision = decide(&call, &mut port).decision;
    assert_eq!(port.events.len(), 1, "every exit is recorded once");
    assert_eq!(port.events[0].decision.as_ref(), Some(&decision));
    decision
}

fn plain(judgement: &Judgement) -> Decision {
    decided(judgement, None, Situation::default())
}

fn review(verdict: Verdict, authorization: Authorization) -> Review {
    Review {
        reviewer: None,
        verdict,
        risk: Risk::Low,
        authorization,
        tier: Tier::None,
        rationale: "r".to_owned(),
        instruction: (verdict == Verdict::Revise).then(|| "do it so".to_owned()),
        replacement: None,
    }
}

#[test]
fn stages_in_order() {
    let rows: Vec<(&str, Judgement, Situation)> = vec![
        ("nothing found", judgement(), Situation::default()),
        (
            "read-only",
            Judgement {
                read_only: true,
                ..judgement()
            },
            Situation::default(),
        ),
        (
            "read-only with an ask rule",
            Judgement {
                read_only: true,
                ..with(Severity::Ask)
            },
            Situation::default(),
        ),
        (
            "allowed by rule",
            Judgement {
                rule_allowed: true,
                ..judgement()
            },
            Situation::default(),
        ),
        (
            "allowed by rule with a soft deny",
            Judgement {
                rule_allowed: true,
                ..with(Severity::Soft)
            },
            Situation::default(),
        ),
        (
            "no effect",
            Judgement {
                no_effect: true,
                ..judgement()
            },
            Situation::default(),
        ),
        ("ask rule", with(Severity::Ask), Situation::default()),
        ("soft deny", with(Severity::Soft), Situation::default()),
        ("owner's deny", with(Severity::Deny), Situation::default()),
        ("hard deny", with(Severity::Hard), Situation::default()),
        (
            "hard deny of a read",
            Judgement {
                read_only: true,
                rule_allowed: true,
                ..with(Severity::Hard)
            },
            Situation::default(),
        ),
        (
            "lockdown",
            Judgement {
                read_only: true,
                ..judgement()
            },
            Situation {
                lockdown: true,
                ..Situation::default()
            },
        ),
        (
            "cancelled",
            Judgement {
                read_only: true,
                ..judgement()
            },
            Situation {
                cancelled: true,
                lockdown: true,
            },
        ),
    ];
    let mut table = String::new();
    for (name, judgement, situation) in rows {
        let decision = decided(&judgement, None, situation);
        let defer = decision.defer.map_or("", DeferKind::as_str);
        let _infallible = writeln!(
            table,
            "{name:<34}{:<7}{defer:<11}{:<12}{}",
            decision.verdict,
            decision.stage.as_str(),
            decision.code
        );
    }
    insta::assert_snapshot!(table);
}

#[test]
fn a_malformed_request_is_denied_before_anything_else() {
    let judgement = Judgement {
        read_only: true,
        ..judgement()
    };
    for (request, code) in [
        (
            Request {
                id: " ".to_owned(),
                ..request()
            },
            "invalid-request",
        ),
        (
            Request {
                cwd: "p".to_owned(),
                ..request()
            },
            "invalid-request",
        ),
        (
            Request {
                command: Some("x".repeat(5 << 20)),
                ..request()
            },
            "too-big",
        ),
    ] {
        let call = Call {
            request: &request,
            judgement: &judgement,
            panel: None,
            keeping: None,
            situation: Situation::default(),
        };
        let decision = decide(
            &call,
            &mut Port {
                events: Vec::new(),
                broken: false,
            },
        )
        .decision;
        assert_eq!(
            (decision.verdict, decision.code.as_str()),
            (Verdict::Deny, code)
        );
    }
}

#[test]
fn a_review_is_joined_with_the_floors() {
    use Authorization::{High, Low, Medium, Unknown};
    use Verdict::{Allow, Defer, Deny, Revise};
    let mut opaque = judgement();
    opaque.effects.push(Effect {
        kind: EffectKind::Opaque,
        target: None,
        command: 0,
        certainty: countersign_core::Certainty::Always,
        place: countersign_core::Place::Here,
        tags: Vec::new(),
    });
    let mut plan = judgement();
    plan.observed.mode = AgentMode::Plan;
    for (name, judgement, verdict, authorization, expected) in [
        ("nothing", judgement(), Allow, Unknown, Allow),
        ("ask", with(Severity::Ask), Allow, High, Defer),
        ("soft", with(Severity::Soft), Allow, Unknown, Defer),
        ("soft", with(Severity::Soft), Allow, Low, Defer),
        ("soft, lifted", with(Severity::Soft), Allow, Medium, Allow),
        ("soft, lifted", with(Severity::Soft), Allow, High, Allow),
        ("opaque", opaque, Allow, High, Defer),
        ("plan mode", plan, Allow, High, Defer),
        (
            "stricter than the floor",
            with(Severity::Ask),
            Deny,
            High,
            Deny,
        ),
        (
            "stricter than the floor",
            with(Severity::Ask),
            Revise,
            High,
            Revise,
        ),
        ("hard", with(Severity::Hard), Allow, High, Deny),
        ("owner's deny", with(Severity::Deny), Allow, High, Deny),
    ] {
        let found = decided(
            &judgement,
            Some(&review(verdict, authorization)),
            Situation::default(),
        );
        assert_eq!(
            found.verdict, expected,
            "{name}, {verdict}, {authorization:?}"
        );
    }
}

#[test]
fn what_nobody_can_be_asked_about_is_denied_and_says_so() {
    for person in [Person::Attended, Person::Parkable, Person::Unattended] {
        let mut flagged = with(Severity::Soft);
        flagged.observed.person = person;
        let decision = plain(&flagged);
        if person == Person::Unattended {
            assert_eq!(decision.verdict, Verdict::Deny);
            assert_eq!(
                decision.diagnostics,
                ["a person would have to decide this, and nobody can be asked here"]
            );
        } else {
            assert_eq!(decision.verdict, Verdict::Defer);
        }
        let mut nothing = judgement();
        nothing.observed.person = person;
        assert_eq!(
            plain(&nothing).defer,
            Some(DeferKind::Undecided),
            "undecided is not flagged"
        );
    }
}

#[test]
fn in_plan_mode_rules_allow_nothing() {
    let mut allowed = Judgement {
        rule_allowed: true,
        ..judgement()
    };
    allowed.observed.mode = AgentMode::Plan;
    assert_eq!(plain(&allowed).verdict, Verdict::Defer);
    allowed.read_only = true;
    assert_eq!(plain(&allowed).verdict, Verdict::Allow);
}

#[test]
fn nothing_leaves_unrecorded_but_a_deny() {
    for judgement in [
        Judgement {
            read_only: true,
            ..judgement()
        },
        Judgement {
            rule_allowed: true,
            ..judgement()
        },
        Judgement {
            no_effect: true,
            ..judgement()
        },
        judgement(),
        with(Severity::Soft),
        with(Severity::Hard),
    ] {
        let request = request();
        let call = Call {
            request: &request,
            judgement: &judgement,
            panel: None,
            keeping: None,
            situation: Situation::default(),
        };
        let decision = decide(
            &call,
            &mut Port {
                events: Vec::new(),
                broken: true,
            },
        )
        .decision;
        assert_eq!(decision.verdict, Verdict::Deny);
        assert!(
            decision
                .diagnostics
                .iter()
                .any(|text| text.contains("disk full"))
        );
    }
}

#[test]
fn a_failed_review_is_never_an_allow() {
    let mut unattended = judgement();
    unattended.observed.person = Person::Unattended;
    let mut parkable = judgement();
    parkable.observed.person = Person::Parkable;
    let kinds = [
        (FailureKind::Missing, "review-unavailable"),
        (FailureKind::Crashed, "review-unavailable"),
        (FailureKind::TimedOut, "review-unavailable"),
        (FailureKind::Malformed, "review-unavailable"),
        (FailureKind::TooBig, "too-big"),
        (FailureKind::Cancelled, "cancelled"),
    ];
    for (kind, code) in kinds {
        let fixed = Fixed(Err(ReviewFailure::new(kind, "broken")));
        let own_fault = code != "review-unavailable";
        for (judgement, on_failure, asks) in [
            (judgement(), OnFailure::Ask, true),
            (parkable.clone(), OnFailure::Ask, true),
            (unattended.clone(), OnFailure::Ask, false),
            (judgement(), OnFailure::Deny, false),
        ] {
            let decision = answered(&judgement, Some(&fixed), on_failure, Situation::default());
            let expected = if asks && !own_fault {
                (Verdict::Defer, Some(DeferKind::Flagged))
            } else {
                (Verdict::Deny, None)
            };
            assert_eq!((decision.verdict, decision.defer), expected, "{kind:?}");
            assert_eq!(
                (decision.stage, decision.code.as_str()),
                (Stage::Review, code)
            );
            assert_eq!(
                decision.failure.as_ref().map(|failure| failure.kind),
                Some(kind)
            );
        }
    }
}

#[test]
fn a_review_that_contradicts_itself_is_a_failure() {
    let allow = review(Verdict::Allow, Authorization::Unknown);
    let broken = [
        Review {
            risk: Risk::Critical,
            ..allow.clone()
        },
        Review {
            risk: Risk::High,
            ..allow.clone()
        },
        Review {
            tier: Tier::HardDeny,
            ..allow.clone()
        },
        Review {
            tier: Tier::SoftDeny,
            ..allow.clone()
        },
        Review {
            rationale: " ".to_owned(),
            ..allow.clone()
        },
        Review {
            rationale: "é".repeat(601),
            ..allow.clone()
        },
        Review {
            instruction: Some("do".to_owned()),
            ..allow.clone()
        },
        Review {
            replacement: Some(serde_json::Map::new()),
            ..allow.clone()
        },
        Review {
            instruction: None,
            ..review(Verdict::Revise, Authorization::High)
        },
    ];
    for review in broken {
        let decision = decided(&judgement(), Some(&review), Situation::default());
        assert_eq!(decision.verdict, Verdict::Defer, "{review:?}");
        assert_eq!(
            decision.failure.map(|failure| failure.kind),
            Some(FailureKind::Contradictory),
            "{review:?}"
        );
    }
    let edge = Review {
        rationale: "é".repeat(600),
        ..allow
    };
    assert_eq!(
        decided(&judgement(), Some(&edge), Situation::default()).verdict,
        Verdict::Allow
    );
}

#[test]
fn whoever_abstains_leaves_the_call_undecided() {
    let abstains = Fixed(Ok(None));
    let ask = |judgement: &Judgement| {
        answered(
            judgement,
            Some(&abstains),
            OnFailure::Deny,
            Situation::default(),
        )
    };
    assert_eq!(ask(&judgement()).defer, Some(DeferKind::Undecided));
    assert_eq!(ask(&with(Severity::Soft)).defer, Some(DeferKind::Flagged));
}

#[test]
fn a_tool_without_effects_is_not_reviewed() {
    let fixed = Fixed(Err(ReviewFailure::new(FailureKind::Crashed, "asked")));
    let no_effect = Judgement {
        no_effect: true,
        ..judgement()
    };
    let decision = answered(
        &no_effect,
        Some(&fixed),
        OnFailure::Deny,
        Situation::default(),
    );
    assert_eq!(decision.code, "no-effect");
}
