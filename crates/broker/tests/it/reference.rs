//! P3, P8 and P10; seeds 2.3: the broker beside a decider that is too simple to be wrong: the whole history in lists, every
//! question answered by looking through all of it.

use crate::support::{Says, World, deletes, hit, said};
use countersign_broker::{Breaker, BreakerLimits, approve, breakers, denials, reset_breaker};
use countersign_core::Severity;
use proptest::collection::vec;
use proptest::prelude::*;

#[derive(Debug, Clone, Copy)]
enum Act {
    Call { file: u8, scope: u8, says: Says },
    Hard { file: u8, scope: u8 },
    Approve,
    Pass(u64),
    ClockBack,
    Restart,
    ResetScopes,
    ResetWindow,
}

fn act() -> impl Strategy<Value = Act> {
    let says = prop_oneof![
        4 => Just(Says::Deny),
        3 => Just(Says::Allow),
        2 => Just(Says::Revise),
        1 => Just(Says::Defer),
        1 => Just(Says::Fails),
        1 => Just(Says::Abstains),
    ];
    prop_oneof![
        12 => (0..5_u8, 0..2_u8, says).prop_map(|(file, scope, says)| Act::Call { file, scope, says }),
        1 => (0..5_u8, 0..2_u8).prop_map(|(file, scope)| Act::Hard { file, scope }),
        2 => Just(Act::Approve),
        1 => prop_oneof![Just(1), Just(59_999), Just(60_000), Just(300_000)].prop_map(Act::Pass),
        1 => Just(Act::ClockBack),
        1 => Just(Act::Restart),
        1 => Just(Act::ResetScopes),
        1 => Just(Act::ResetWindow),
    ]
}

/// Something that happened to a file's deletion in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Past {
    Denied {
        file: u8,
        scope: u8,
    },
    Allowed {
        scope: u8,
    },
    Revised {
        file: u8,
        scope: u8,
    },
    Failed {
        scope: u8,
        at: u64,
    },
    Reviewed {
        scope: u8,
    },
    Approved {
        file: u8,
        scope: u8,
        at: u64,
        era: u64,
    },
    Used {
        file: u8,
    },
    ScopeReset {
        scope: u8,
    },
    WindowReset,
    /// A breaker opened: it stays so until it is reset.
    ScopeOpened {
        scope: u8,
    },
    WindowOpened,
}

#[derive(Default)]
struct Reference {
    past: Vec<Past>,
    now: u64,
    era: u64,
    /// File and scope of the denials that are kept, newest first.
    kept: Vec<(u8, u8)>,
}

impl Reference {
    fn since_reset(&self, scope: u8) -> &[Past] {
        let at = self.past.iter().rposition(|it| {
            matches!(it, Past::ScopeReset { scope: s } | Past::Approved { scope: s, .. } if *s == scope)
        });
        &self.past[at.map_or(0, |at| at + 1)..]
    }

    fn since_window_reset(&self) -> &[Past] {
        let at = self.past.iter().rposition(|it| *it == Past::WindowReset);
        &self.past[at.map_or(0, |at| at + 1)..]
    }

    fn open(&self, scope: u8) -> bool {
        self.since_reset(scope)
            .contains(&Past::ScopeOpened { scope })
            || self.since_window_reset().contains(&Past::WindowOpened)
    }

    fn denied(&mut self, file: u8, scope: u8) {
        let closed = |past: &[Past], opened| !past.contains(&opened);
        self.past.push(Past::Denied { file, scope });
        let outcomes: Vec<bool> = self
            .since_reset(scope)
            .iter()
            .filter_map(|it| match it {
                Past::Denied { scope: s, .. } if *s == scope => Some(true),
                Past::Allowed { scope: s } if *s == scope => Some(false),
                _ => None,
            })
            .collect();
        let row = outcomes.iter().rev().take_while(|denied| **denied).count();
        let last = outcomes
            .iter()
            .rev()
            .take(50)
            .filter(|denied| **denied)
            .count();
        let opened = Past::ScopeOpened { scope };
        if (row >= 3 || last >= 10) && closed(self.since_reset(scope), opened) {
            self.past.push(opened);
        }
        let outcomes: Vec<bool> = self
            .since_window_reset()
            .iter()
            .filter_map(|it| match it {
                Past::Denied { .. } => Some(true),
                Past::Allowed { .. } => Some(false),
                _ => None,
            })
            .collect();
        let last = outcomes
            .iter()
            .rev()
            .take(200)
            .filter(|denied| **denied)
            .count();
        if last >= 30 && closed(self.since_window_reset(), Past::WindowOpened) {
            self.past.push(Past::WindowOpened);
        }
    }

    fn approved(&self, file: u8) -> bool {
        let at = self
            .past
            .iter()
            .rposition(|it| matches!(it, Past::Approved { file: f, .. } if *f == file));
        let Some(at) = at else { return false };
        let Past::Approved { at: since, era, .. } = self.past[at] else {
            return false;
        };
        era == self.era
            && self.now < since + 60_000
            && !self.past[at..].contains(&Past::Used { file })
    }

    fn failures(&self, scope: u8) -> (usize, u64) {
        let mut failures = 0;
        let mut last = 0;
        for it in self.since_reset(scope) {
            match it {
                Past::Failed { scope: s, at } if *s == scope => {
                    failures += 1;
                    last = *at;
                }
                Past::Reviewed { scope: s } if *s == scope => failures = 0,
                _ => {}
            }
        }
        (failures, last)
    }

    /// An approval forgets the call's own answers and those of its whole scope.
    fn answered(&self, file: u8, scope: u8) -> Option<bool> {
        self.since_reset(scope)
            .iter()
            .rev()
            .find_map(|it| match it {
                Past::Denied { file: f, scope: s } if (*f, *s) == (file, scope) => Some(true),
                Past::Revised { file: f, scope: s } if (*f, *s) == (file, scope) => Some(false),
                _ => None,
            })
    }

    fn revised(&self, file: Option<u8>, scope: u8) -> usize {
        self.past
            .iter()
            .filter(|it| matches!(it, Past::Revised { file: f, scope: s } if *s == scope && file.is_none_or(|file| file == *f)))
            .count()
    }

    fn call(&mut self, file: u8, scope: u8, says: Says) -> String {
        if self.approved(file) {
            self.past.push(Past::Used { file });
            return "allow approved".to_owned();
        }
        if self.open(scope) {
            let before = self.answered(file, scope) == Some(true);
            return if before {
                "deny denied-before"
            } else {
                "defer breaker"
            }
            .to_owned();
        }
        if self.answered(file, scope).is_some() {
            self.past.push(Past::Reviewed { scope });
            self.denied(file, scope);
            return "deny resubmitted".to_owned();
        }
        // Each file is one call, so its second revision would be the same call again, which an
        // approval may bring about.
        if self.revised(Some(file), scope) > 0 {
            return "?".to_owned();
        }
        let (failures, last) = self.failures(scope);
        if failures >= 2 && self.now < last + 300_000 {
            return "defer review-suspended".to_owned();
        }
        let reviewed = Past::Reviewed { scope };
        match says {
            Says::Fails => {
                self.past.push(Past::Failed {
                    scope,
                    at: self.now,
                });
                "defer review-unavailable".to_owned()
            }
            Says::Abstains => "defer undecided".to_owned(),
            Says::Defer => {
                self.past.push(reviewed);
                "defer reviewed".to_owned()
            }
            Says::Allow => {
                self.past.push(reviewed);
                self.past.push(Past::Allowed { scope });
                "allow reviewed".to_owned()
            }
            Says::Revise => {
                self.past.push(reviewed);
                if self.revised(None, scope) >= 6 {
                    return "defer revise-budget-exhausted".to_owned();
                }
                self.past.push(Past::Revised { file, scope });
                "revise reviewed".to_owned()
            }
            Says::Deny | Says::Critical => {
                self.past.push(reviewed);
                self.kept.retain(|kept| *kept != (file, scope));
                self.kept.insert(0, (file, scope));
                self.kept.truncate(10);
                self.denied(file, scope);
                "deny reviewed".to_owned()
            }
        }
    }

    fn approve(&mut self) -> &'static str {
        let Some(&(file, scope)) = self.kept.first() else {
            return "none";
        };
        if self.past.contains(&Past::Used { file }) {
            return "used";
        }
        if self.approved(file) {
            return "pending";
        }
        let (at, era) = (self.now, self.era);
        self.past.push(Past::Approved {
            file,
            scope,
            at,
            era,
        });
        "approved"
    }
}

fn real(file: u8, scope: u8) -> (countersign_core::Request, countersign_core::Judgement) {
    let mut call = deletes(&file.to_string());
    call.0.scope = Some(format!("s:{scope}"));
    call
}

fn approve_newest(world: &mut World) -> &'static str {
    use countersign_broker::ApprovalRefusal::{Pending, Used};
    let Some(view) = denials(&*world.store, 100).unwrap().into_iter().next() else {
        return "none";
    };
    match approve(&*world.store, &mut world.log, &view, &view.denial.key) {
        Ok(()) => "approved",
        Err(Used) => "used",
        Err(Pending) => "pending",
        Err(_) => "other",
    }
}

fn reset(world: &mut World, kind: &str) {
    for view in breakers(&*world.store, 100).unwrap() {
        if view.kind == kind {
            reset_breaker(&*world.store, &mut world.log, &view).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_broker_decides_as_the_reference(acts in vec(act(), 1..80)) {
        let mut world = World::new();
        let mut reference = Reference::default();
        for act in acts {
            let (got, expected) = match act {
                Act::Call { file, scope, says } => {
                    let expected = reference.call(file, scope, says);
                    (said(&world.call(&real(file, scope), says)), expected)
                }
                Act::Hard { file, scope } => {
                    let mut call = real(file + 100, scope);
                    call.1.hits.push(hit(Severity::Hard));
                    reference.past.push(Past::Reviewed { scope });
                    reference.denied(file + 100, scope);
                    (said(&world.call(&call, Says::Allow)), "deny hard-deny".to_owned())
                }
                Act::Approve => {
                    let expected = reference.approve();
                    (approve_newest(&mut world).to_owned(), expected.to_owned())
                }
                Act::Pass(ms) => {
                    world.clock.pass(ms);
                    reference.now += ms;
                    continue;
                }
                Act::ClockBack => {
                    // What passed is known all the same.
                    world.clock.set_wall(0);
                    continue;
                }
                Act::Restart => {
                    world.store.now().unwrap();
                    world.clock.restart(0);
                    reference.era += 1;
                    continue;
                }
                Act::ResetScopes => {
                    for scope in 0..2 {
                        let counted = breakers(&*world.store, 9).unwrap();
                        if counted.iter().any(|it| it.kind == "scope" && it.of[1] == format!("s:{scope}")) {
                            reference.past.push(Past::ScopeReset { scope });
                        }
                    }
                    reset(&mut world, "scope");
                    continue;
                }
                Act::ResetWindow => {
                    reset(&mut world, "window");
                    reference.past.push(Past::WindowReset);
                    continue;
                }
            };
            // Rows that the reference leaves open end the comparison.
            if expected == "?" {
                return Ok(());
            }
            prop_assert_eq!(got, expected, "{:?}", act);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// A breaker beside the whole list of its outcomes.
    #[test]
    fn a_breaker_opens_as_its_history_says(
        outcomes in vec(prop::bool::weighted(0.2), 0..300),
        (in_a_row, denials, last) in (1..5_u32, 1..15_u32, 1..60_u32),
    ) {
        let limits = BreakerLimits { in_a_row, denials, last };
        let mut breaker = Breaker::default();
        let mut open = false;
        for at in 0..outcomes.len() {
            let history = &outcomes[..=at];
            if history[at] {
                let row = history.iter().rev().take_while(|denied| **denied).count();
                let among = history.iter().rev().take(last as usize).filter(|denied| **denied).count();
                let opens = !open && (row >= in_a_row as usize || among >= denials as usize);
                open |= opens;
                prop_assert_eq!(breaker.denied(&limits), opens);
            } else {
                breaker.allowed(&limits);
            }
            prop_assert_eq!(breaker.is_open(), open);
            let text = serde_json::to_string(&breaker).unwrap();
            prop_assert!(text.len() < 64 + 8 * denials as usize, "{}", text);
            breaker = serde_json::from_str(&text).unwrap();
        }
    }
}
