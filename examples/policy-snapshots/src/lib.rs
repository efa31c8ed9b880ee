//! A policy of one's own: the built-in rules, a pack of rules and a few permissions.

use countersign_broker::{AuditError, AuditPort, Call, Situation, decide};
use countersign_core::{AuditEvent, Decision, Facts, Judgement, Request};
use countersign_policy::{Pack, Pattern, PatternError, Policy, Settings};
use std::error::Error;

/// Where the calls are made.
pub const PROJECT: &str = "/home/user/project";

/// The policy that the snapshots are about.
///
/// # Errors
/// When the pack or a pattern cannot be read.
pub fn policy() -> Result<Policy, Box<dyn Error>> {
    let patterns = |list: &[&str]| -> Result<Vec<Pattern>, PatternError> {
        list.iter().map(|text| Pattern::parse(text)).collect()
    };
    Ok(Policy::new(Settings {
        deny: patterns(&["Bash(cargo publish:*)"])?,
        allow: patterns(&["Bash(cargo test:*)"])?,
        packs: vec![Pack::parse(include_str!("../config/rules/acme.toml"))?],
        ..Settings::default()
    }))
}

/// A machine with nothing on it: no file, no repository, the same everywhere.
pub fn nothing_on_the_machine() -> Facts {
    Facts::virtual_at("/home/user", &[PROJECT])
}

/// What is found about a call, and what is decided.
pub fn judged(policy: &Policy, request: &Request, facts: &Facts) -> (Judgement, Decision) {
    let judgement = policy.judge(request, facts);
    let call = Call {
        request,
        judgement: &judgement,
        panel: None,
        keeping: None,
        situation: Situation::default(),
    };
    let decision = decide(&call, &mut NothingIsRun).decision;
    (judgement, decision)
}

/// No call here is a real one, so no decision need be recorded.
struct NothingIsRun;

impl AuditPort for NothingIsRun {
    fn record(&mut self, _event: &AuditEvent) -> Result<(), AuditError> {
        Ok(())
    }
}
