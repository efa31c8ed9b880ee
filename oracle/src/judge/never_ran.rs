//! A command that is reported with certain words, and that nothing can have kept from running, ran.

use super::claims::Claim;
use super::matching::matches;
use super::{Kind, Verdict};
use crate::answer::Runs;
use countersign_lexer::{Command, ScopeKind, Script, Status};

/// After these, what follows may not run, or not be seen.
const STOPPERS: &[&str] = &[
    "exit", "exec", "return", "break", "continue", "set", "shopt", "kill", "trap", "logout",
    "suspend", "source", ".", "eval", "builtin", "command", "enable", "ulimit", "cd", "read",
    "unset", "readonly", "wait", "hash", "umask", "fc", "bind", "alias", "unalias",
];

pub(crate) fn judge(script: &Script, claims: &[Claim], runs: &Runs, verdict: &mut Verdict) {
    let clean = !runs.truncated && runs.message.is_empty();
    let understood = matches!(script.status(), Status::Complete | Status::Warnings);
    let decided = hides_messages(script)
        || claims.iter().any(stops)
        || sets_what_matters(script)
        || writes_to_nobody(script, runs);
    if !clean || !understood || decided || !lists_are_simple(script, claims, runs) {
        return;
    }
    for claim in claims.iter().filter(|claim| claim.is_exact()) {
        let Some(command) = claim.command.and_then(|id| script.command(id)) else {
            continue;
        };
        if !is_certain(script, &command) {
            continue;
        }
        if !runs.ran.iter().any(|ran| matches(&claim.slots, &ran.argv)) {
            let ran: Vec<_> = runs.ran.iter().map(|ran| &ran.argv).collect();
            let detail = format!("reported {}, bash ran {ran:?}", claim.shown());
            verdict.add(Kind::NeverRan, detail);
        }
    }
}

fn stops(claim: &Claim) -> bool {
    claim
        .head()
        .is_none_or(|head| STOPPERS.iter().any(|stopper| stopper.as_bytes() == head))
}

/// Whether an error that ends the shell may have been told elsewhere.
fn hides_messages(script: &Script) -> bool {
    let signs: [&[u8]; 4] = [b"2>", b"2<", b"&>", b">&"];
    let has = |part: &&[u8]| script.source().windows(part.len()).any(|it| it == *part);
    signs.iter().any(has)
}

fn sets_what_matters(script: &Script) -> bool {
    script
        .commands()
        .flat_map(|command| command.assignments().collect::<Vec<_>>())
        .any(|assignment| matches!(assignment.name(), b"PATH" | b"IFS" | b"POSIXLY_CORRECT"))
}

/// Whether it stands where nothing decides about it but the exit status of its neighbours.
fn is_certain(script: &Script, command: &Command<'_>) -> bool {
    let mut at = Some(command.scope());
    while let Some(scope) = at.and_then(|id| script.scope(id)) {
        let plain = matches!(
            scope.kind(),
            ScopeKind::Script
                | ScopeKind::PipelineStage { .. }
                | ScopeKind::Group
                | ScopeKind::Subshell
        );
        if !plain {
            return false;
        }
        at = scope.parent();
    }
    true
}

/// Whether a builtin may die of writing to a pipeline that nobody reads.
fn writes_to_nobody(script: &Script, runs: &Runs) -> bool {
    let is_stage = |kind| matches!(kind, ScopeKind::PipelineStage { .. });
    let pipes = script.scopes().any(|scope| is_stage(scope.kind()));
    pipes && runs.ran.iter().any(|ran| ran.traced)
}

/// Whether the scripted exit statuses lead through all branches: one kind of operator, programs
/// only.
fn lists_are_simple(script: &Script, claims: &[Claim], runs: &Runs) -> bool {
    let has = |part: &[u8]| script.source().windows(part.len()).any(|it| it == part);
    let programs_only = claims.iter().all(|claim| {
        runs.ran
            .iter()
            .any(|ran| !ran.traced && matches(&claim.slots, &ran.argv))
    });
    let both = has(b"&&") && has(b"||");
    !both && !has(b"!") && (programs_only || !(has(b"&&") || has(b"||")))
}
