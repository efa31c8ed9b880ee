//! The walk, stage by stage.
#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

use countersign_broker::{AuditError, AuditPort, Call, Situation, decide};
use countersign_core::{
    AgentMode, AuditEvent, Authorization, Decision, DeferKind, Effect, EffectKind, Facts,
    Judgement, Person, Request, Review, Risk, RuleHit, Severity, Tier, Verdict,
};
use std::fmt::Write as _;

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
    let mut port = Port {
        events: Vec::new(),
        broken: false,
    };
    let request = request();
    let call = Call {
        request: &request,
        judgement,
        review,
        digest: None,
        situation,
    };
    let decision = decide(&call, &mut port);
    assert_eq!(port.events.len(), 1, "every exit is recorded once");
    assert_eq!(port.events[0].decision.as_ref(), Some(&decision));
    decision
}

fn plain(judgement: &Judgement) -> Decision {
    decided(judgement, None, Situation::default())
}

fn review(verdict: Verdict, authorization: Authorization) -> Review {
    Review {
        verdict,
        risk: Risk::Low,
        authorization,
        tier: Tier::None,
        rationale: "r".to_owned(),
        instruction: None,
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
            review: None,
            digest: None,
            situation: Situation::default(),
        };
        let decision = decide(
            &call,
            &mut Port {
                events: Vec::new(),
                broken: false,
            },
        );
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
            review: None,
            digest: None,
            situation: Situation::default(),
        };
        let decision = decide(
            &call,
            &mut Port {
                events: Vec::new(),
                broken: true,
            },
        );
        assert_eq!(decision.verdict, Verdict::Deny);
        assert!(
            decision
                .diagnostics
                .iter()
                .any(|text| text.contains("disk full"))
        );
    }
}
