//! One-use grants.

use crate::support::{Says, World, again, deletes, said};
use countersign_broker::store::Table;
use countersign_broker::{GrantRefusal, Presented, Token, consume, grants};
use countersign_core::AuditKind;

/// P1, P2, P3; seeds 2.1, 2.3 and 2.9: a grant is spent once, by its call, in its session, before its instant.
#[test]
fn a_grant_is_spent_once() {
    let mut world = World::new();
    world.grants = true;
    let call = again(&deletes("a"), "1");
    let grant = world.call(&call, Says::Allow).grant.unwrap();
    let other = world
        .call(&again(&deletes("b"), "1"), Says::Allow)
        .grant
        .unwrap();
    let text = grant.token.reveal();
    assert_eq!(Token::parse(&text).as_ref(), Some(&grant.token));
    assert_eq!(format!("{:?}", grant.token), "Token(..)");
    let present = |world: &mut World, token: &Token, digest, session| {
        consume(
            &*world.store,
            &mut world.log,
            &Presented {
                token,
                digest,
                session,
                source: "test",
            },
        )
    };
    let unknown = Token::from_random([9; 32]);
    for (token, digest, session, expected) in [
        (&unknown, &grant.digest, "s", GrantRefusal::Unknown),
        (&grant.token, &other.digest, "s", GrantRefusal::Mismatch),
        (&grant.token, &grant.digest, "other", GrantRefusal::Mismatch),
    ] {
        assert_eq!(present(&mut world, token, digest, session), Err(expected));
        assert_eq!(
            world.log.events.last().unwrap().kind,
            AuditKind::GrantRefused
        );
    }
    assert_eq!(
        present(&mut world, &grant.token, &grant.digest, "s"),
        Ok(())
    );
    assert_eq!(
        world.log.events.last().unwrap().kind,
        AuditKind::GrantConsumed
    );
    let reused = present(&mut world, &grant.token, &grant.digest, "s");
    assert_eq!(reused, Err(GrantRefusal::Reused));
    assert_eq!(
        world.log.events.last().unwrap().kind,
        AuditKind::GrantReused
    );

    world.clock.pass(59_999);
    let late = world
        .call(&again(&deletes("c"), "1"), Says::Allow)
        .grant
        .unwrap();
    world.clock.pass(1);
    let refused = present(&mut world, &other.token, &other.digest, "s");
    assert_eq!(
        refused,
        Err(GrantRefusal::Expired),
        "expired at its instant"
    );
    world.log.good_for = Some(world.log.events.len());
    let refused = present(&mut world, &late.token, &late.digest, "s");
    assert!(
        matches!(refused, Err(GrantRefusal::Unknowable(_))),
        "not recorded, so not granted"
    );
    world.log.good_for = None;
    let reused = present(&mut world, &late.token, &late.digest, "s");
    assert_eq!(reused, Err(GrantRefusal::Reused), "and spent");

    let states: Vec<&str> = grants_of(&world);
    assert_eq!(states.len(), 3);
    assert_eq!(states.iter().filter(|state| **state == "spent").count(), 2);
    assert_eq!(
        states.iter().filter(|state| **state == "expired").count(),
        1
    );
    for row in world.store.scan(Table::Grant, None, 9).unwrap() {
        let text = format!("{row:?}");
        assert!(
            !text.contains(&grant.token.reveal()[5..20]),
            "the token is kept nowhere"
        );
    }
}

fn grants_of(world: &World) -> Vec<&'static str> {
    let views = grants(&*world.store, 10).unwrap();
    views.into_iter().map(|view| view.state).collect()
}

/// Texts that are no token.
#[test]
fn tokens_are_read_strictly() {
    let token = Token::from_random([0x5a; 32]).reveal();
    for text in [
        "",
        "csg1_",
        &token[..token.len() - 1],
        &token.to_uppercase(),
        &format!("{token}0"),
        &token.replacen("5a", "5b", 1),
        &token.replacen("csg1_", "csg2_", 1),
        &token.replacen("5a5a", "+a5a", 1),
        &token.replacen("5a5a", "é5a", 1),
    ] {
        assert_eq!(Token::parse(text), None, "{text}");
    }
}

/// No grant leaves with anything but an allow, or unrecorded.
#[test]
fn a_grant_needs_an_allow_and_its_record() {
    for says in [
        Says::Defer,
        Says::Revise,
        Says::Deny,
        Says::Fails,
        Says::Abstains,
    ] {
        let mut world = World::new();
        world.grants = true;
        assert_eq!(world.call(&deletes("a"), says).grant, None, "{says:?}");
    }
    for good_for in [0, 1] {
        let mut world = World::new();
        world.grants = true;
        world.log.good_for = Some(good_for);
        let decided = world.call(&deletes("a"), Says::Allow);
        assert_eq!(said(&decided), "deny audit-unavailable");
        assert_eq!(decided.grant, None);
    }
}
