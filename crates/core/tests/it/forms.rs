//! Frozen: a change of any of these snapshots is a change of the API.

use countersign_core::{
    AgentMode, AuditEvent, AuditKind, Authorization, Certainty, CommandView, Decision, DeferKind,
    Digest, Effect, EffectKind, Facts, Judgement, PathFact, PathKind, Person, Place, Query,
    RepositoryFact, Request, Review, Risk, RuleHit, Severity, Stage, Surface, Target, Tier,
    Verdict, Zone,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::{Debug, Write as _};

/// The form as text; read back, it is the same value.
#[track_caller]
fn form<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
    let text = serde_json::to_string_pretty(value).expect("it has a form");
    let back: T = serde_json::from_str(&text).expect("its form can be read");
    assert_eq!(&back, value);
    text
}

fn request() -> Request {
    let mut request = Request::command("r-1", "claude-code", "/home/u/p", "rm -rf ~/x");
    request.path = Some("a".to_owned());
    request.resolved_path = Some("/home/u/p/a".to_owned());
    request.destination = Some("example.org".to_owned());
    request.tool_name = Some("Bash".to_owned());
    request.tool_call_id = Some("toolu_1".to_owned());
    request.skill_name = Some("s".to_owned());
    request.input = Some(serde_json::Map::from_iter([(
        "command".to_owned(),
        "rm -rf ~/x".into(),
    )]));
    request.matched_policy = Some(serde_json::Map::from_iter([(
        "rule".to_owned(),
        "ask".into(),
    )]));
    request.agent = Some("general".to_owned());
    request.session = Some("s-1".to_owned());
    request.scope = Some("s-1:p-1".to_owned());
    request
}

fn facts() -> Facts {
    let mut facts = Facts::at("/home/u", &["/home/u/p"]);
    facts.temp_roots = vec!["/tmp".to_owned()];
    facts.own = vec!["/home/u/.config/countersign".to_owned()];
    facts.mode = AgentMode::AcceptEdits;
    facts.person = Person::Parkable;
    facts.shell = Some("zsh".to_owned());
    let fact = PathFact {
        real: "/data/x".to_owned(),
        kind: PathKind::Directory,
    };
    facts.paths.insert("/home/u/x".to_owned(), fact);
    let executes = vec!["core.fsmonitor".to_owned()];
    let repository = RepositoryFact {
        root: Some("/home/u/p".to_owned()),
        executes,
        branch: Some("main".to_owned()),
    };
    facts
        .repositories
        .insert("/home/u/p".to_owned(), repository);
    facts
        .contents
        .insert("/home/u/p/a.sh".to_owned(), "00ff".to_owned());
    facts
}

fn hit() -> RuleHit {
    RuleHit {
        rule: "filesystem.delete-outside".to_owned(),
        severity: Severity::Soft,
        command: Some(0),
        target: Some("~/x".to_owned()),
        resolved: Some("/home/u/x".to_owned()),
        why: "deletes files outside the workspace".to_owned(),
        safer: Some("ask the user".to_owned()),
    }
}

fn review() -> Review {
    Review {
        reviewer: None,
        verdict: Verdict::Revise,
        risk: Risk::High,
        authorization: Authorization::Low,
        tier: Tier::SoftDeny,
        rationale: "not asked for".to_owned(),
        instruction: Some("name the folder".to_owned()),
        replacement: None,
    }
}

fn decision() -> Decision {
    let mut decision = Decision::new(Verdict::Defer, Stage::Undecided, "flagged")
        .with_defer(DeferKind::Flagged)
        .with_reasons(vec![hit()])
        .with_diagnostic("a note");
    decision.review = Some(review());
    decision
}

#[test]
fn requests_and_facts() {
    insta::assert_snapshot!("request", form(&request()));
    insta::assert_snapshot!(
        "smallest_request",
        form(&Request::new("r", "s", Surface::Mcp, "call", "/"))
    );
    insta::assert_snapshot!("facts", form(&facts()));
    insta::assert_snapshot!(
        "queries",
        form(&vec![
            Query::Path("/a".to_owned()),
            Query::Repository("/b".to_owned()),
            Query::Contents("/c".to_owned()),
        ])
    );
}

#[test]
fn judgements_and_decisions() {
    let mut judgement = Judgement::empty(facts(), "0.1.0+0123");
    judgement.commands.push(CommandView {
        argv: vec!["rm".to_owned(), "~/x".to_owned()],
        dynamic: vec![false, true],
        context: "top".to_owned(),
        place: Place::Here,
        span: (0, 6),
        parent: None,
        known: true,
    });
    let target = |target| Some(target);
    let resolved = Some("/home/u/x".to_owned());
    for (kind, target, place) in [
        (
            EffectKind::Delete,
            target(Target::Path {
                typed: "~/x".to_owned(),
                resolved,
                zone: Zone::InHome,
            }),
            Place::Here,
        ),
        (
            EffectKind::Send,
            target(Target::Host {
                host: "example.org".to_owned(),
            }),
            Place::Remote,
        ),
        (
            EffectKind::Run,
            target(Target::Name {
                name: "make".to_owned(),
            }),
            Place::Container,
        ),
        (EffectKind::Opaque, None, Place::Here),
    ] {
        judgement.effects.push(Effect {
            kind,
            target,
            command: 0,
            certainty: Certainty::Maybe,
            place,
            tags: vec!["recursive".into()],
        });
    }
    judgement.hits.push(hit());
    judgement.diagnostics.push("a note".to_owned());
    insta::assert_snapshot!("judgement", form(&judgement));
    insta::assert_snapshot!("review", form(&review()));
    insta::assert_snapshot!("decision", form(&decision()));
    insta::assert_snapshot!(
        "smallest_decision",
        form(&Decision::new(Verdict::Allow, Stage::ReadOnly, "read-only"))
    );
}

#[test]
fn audit_events() {
    let mut event = AuditEvent::decided(&request(), &decision());
    event.programs = vec!["rm".to_owned()];
    event.digest = Some(Digest::of("test", b"x"));
    insta::assert_snapshot!("audit_event", form(&event));
    insta::assert_snapshot!(
        "audit_note",
        form(&AuditEvent::note(AuditKind::Switch, "countersign", "off"))
    );
}

/// Every word of every enumeration.
#[test]
fn words() {
    let mut text = String::new();
    let mut words = |name: &str, words: &[String]| {
        let _infallible = writeln!(text, "{name}: {}", words.join(" "));
    };
    macro_rules! all {
        ($name:ident: $($variant:ident)*) => {
            words(stringify!($name), &[$(form(&$name::$variant).trim_matches('"').to_owned()),*]);
        };
    }
    all!(Verdict: Allow Defer Revise Deny);
    all!(DeferKind: Undecided Flagged);
    all!(Severity: Allow Ask Soft Deny Hard);
    all!(Risk: Low Medium High Critical);
    all!(Authorization: Unknown Low Medium High);
    all!(Tier: HardDeny SoftDeny Allow ExplicitIntent None);
    all!(Stage: Request Switch Deny ReadOnly RuleAllow Join Undecided Failure);
    all!(EffectKind: Read Run WorkspaceCode Write Delete Move Permission Send Receive Listen Environment Privilege Persistence Process VcsWrite Opaque);
    all!(Zone: Root System Device Home InHome WorkspaceRoot Workspace Build Temp TempRoot Null Elsewhere Unknown);
    all!(Place: Here Remote Container);
    all!(Person: Attended Unattended Parkable);
    all!(PathKind: File Empty Directory Special Missing Unknown);
    all!(AgentMode: Default AcceptEdits Plan BypassPermissions DontAsk Auto);
    all!(Surface: Command FilesystemRead FilesystemWrite Network Mcp Skill);
    all!(AuditKind: Decision Switch ConfigChange SessionStart Recovered);
    insta::assert_snapshot!(text);
}

#[test]
fn verdicts_join_to_the_most_restrictive() {
    use Verdict::{Allow, Defer, Deny, Revise};
    let all = [Allow, Defer, Revise, Deny];
    for (at, a) in all.into_iter().enumerate() {
        for (bt, b) in all.into_iter().enumerate() {
            assert_eq!(a.join(b), all[at.max(bt)]);
        }
    }
}
