//! Which calls belong to one family.

use crate::support::deletes;
use countersign_broker::intent;
use countersign_core::{
    Certainty, CommandView, Effect, EffectKind, Judgement, Place, Request, Target,
};

/// A command with effects, each on a name or on nothing that has one.
fn call(command: &str, effects: &[(EffectKind, Option<&str>)]) -> (Request, Judgement) {
    let mut call = deletes("x");
    call.0.command = Some(command.to_owned());
    call.1.commands = vec![CommandView::plain(command)];
    call.1.effects = effects
        .iter()
        .map(|(kind, name)| Effect {
            kind: *kind,
            target: name.map(|name| Target::Name {
                name: name.to_owned(),
            }),
            command: 0,
            certainty: Certainty::Always,
            place: Place::Here,
            tags: Vec::new(),
        })
        .collect();
    call
}

#[test]
fn a_reworded_call_keeps_its_intent() {
    use EffectKind::{Delete, Opaque, Read, Run, Send, WorkspaceCode};
    let deletes_build = call("rm -rf build", &[(Delete, Some("build"))]);
    let make = call("make a", &[(WorkspaceCode, None)]);
    let reads = call("cat a", &[(Read, Some("a"))]);
    let rows = [
        (
            "other words",
            &deletes_build,
            call("find build -delete", &[(Delete, Some("build"))]),
            true,
        ),
        (
            "a read before it",
            &deletes_build,
            call(
                "ls; rm -r build",
                &[(Read, Some(".")), (Delete, Some("build"))],
            ),
            true,
        ),
        (
            "through a wrapper",
            &deletes_build,
            call(
                "env rm build",
                &[(Run, Some("rm")), (Delete, Some("build"))],
            ),
            true,
        ),
        (
            "said twice",
            &deletes_build,
            call(
                "rm build build",
                &[(Delete, Some("build")), (Delete, Some("build"))],
            ),
            true,
        ),
        (
            "another target",
            &deletes_build,
            call("rm -rf src", &[(Delete, Some("src"))]),
            false,
        ),
        (
            "another effect",
            &deletes_build,
            call("scp build h:", &[(Send, Some("build"))]),
            false,
        ),
        (
            "more of it",
            &deletes_build,
            call(
                "rm -rf build src",
                &[(Delete, Some("build")), (Delete, Some("src"))],
            ),
            false,
        ),
        (
            "options",
            &make,
            call("make -j4 a", &[(WorkspaceCode, None)]),
            true,
        ),
        (
            "another make target",
            &make,
            call("make b", &[(WorkspaceCode, None)]),
            false,
        ),
        ("not known", &make, call("make a", &[(Opaque, None)]), false),
        (
            "a read of the same",
            &reads,
            call("head a", &[(Read, Some("a"))]),
            true,
        ),
        (
            "a read of another",
            &reads,
            call("cat b", &[(Read, Some("b"))]),
            false,
        ),
    ];
    for (what, one, other, same) in rows {
        let intents = [one, &other].map(|call| intent(&call.0, &call.1).unwrap());
        assert_eq!(intents[0] == intents[1], same, "{what}");
    }
}
