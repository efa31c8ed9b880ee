//! Loops that start processes without end.

use super::Analysis;
use super::script::Lowered;
use crate::paths;
use countersign_core::EffectKind;
use countersign_lexer::{Command, Context, Scope, ScopeId, ScopeKind, Script};

/// How many loops of one script are looked at; one that holds more is taken for what is looked for.
const MOST_LOOPS: usize = 200;

impl Analysis<'_> {
    /// A loop that never ends, and in each round starts a job that it does not wait for.
    pub(super) fn endless_jobs(&mut self, lowered: &Lowered<'_>) {
        let script = lowered.script;
        let body = |scope: &Scope<'_>| matches!(scope.kind(), ScopeKind::Loop);
        for (number, body) in script.scopes().filter(body).enumerate() {
            if number >= MOST_LOOPS {
                // Looking at each takes as long as the whole script.
                let first = u32::try_from(lowered.first).unwrap_or(u32::MAX);
                self.found
                    .add(first, EffectKind::Process, None, &["endless"]);
                return;
            }
            if !never_ends(script, &body) || leaves(script, &body) {
                continue;
            }
            if let Some(index) =
                unbounded_job(script, &body).and_then(|command| lowered.index(command.id()))
            {
                self.found
                    .add(index, EffectKind::Process, None, &["endless"]);
            }
        }
    }
}

/// Whether the condition of a loop holds whatever happens.
fn never_ends(script: &Script, body: &Scope<'_>) -> bool {
    let Some(around) = body.parent().and_then(|id| script.scope(id)) else {
        return false;
    };
    let beside = |kind: fn(&ScopeKind<'_>) -> bool| {
        script
            .scopes()
            .find(|scope| scope.parent() == Some(around.id()) && kind(&scope.kind()))
    };
    let starts = |word: &[u8]| source(script, &around).starts_with(word);
    if starts(b"for") {
        let arithmetic = beside(|kind| matches!(kind, ScopeKind::Arithmetic));
        return arithmetic.is_some_and(|scope| {
            let mut parts = source(script, &scope).split(|byte| *byte == b';');
            parts
                .nth(1)
                .is_some_and(|test| test.trim_ascii().is_empty())
        });
    }
    let Some(condition) = beside(|kind| matches!(kind, ScopeKind::Condition)) else {
        return false;
    };
    let mut commands = script
        .commands()
        .filter(|command| is_inside(script, command, condition.id()));
    let (Some(test), None) = (commands.next(), commands.next()) else {
        return false;
    };
    let holds: &[&str] = if starts(b"until") {
        &["false"]
    } else {
        &["true", ":"]
    };
    named(&test, holds)
}

/// Whether something in the loop may leave it.
fn leaves(script: &Script, body: &Scope<'_>) -> bool {
    script.commands().any(|command| {
        named(&command, &["break", "exec", "exit", "return"])
            && is_inside(script, &command, body.id())
    })
}

/// A command of a job that no `wait` of the loop itself comes after.
fn unbounded_job<'s>(script: &'s Script, body: &Scope<'_>) -> Option<Command<'s>> {
    let last_wait = script
        .commands()
        .filter(|command| command.scope() == body.id() && named(command, &["wait"]))
        .map(|command| command.span().start)
        .max();
    script.commands().find(|command| {
        let Some(job) = job(script, command, body.id()) else {
            return false;
        };
        let waited = last_wait.is_some_and(|wait| wait > command.span().start);
        !waited || job == Job::OfSubshell
    })
}

#[derive(PartialEq, Eq)]
enum Job {
    /// The loop's own, which it can wait for.
    OfLoop,
    /// A subshell's: nobody can wait for it when that has ended.
    OfSubshell,
}

/// What kind of job a command in a loop runs as, if it is one.
fn job(script: &Script, command: &Command<'_>, body: ScopeId) -> Option<Job> {
    let mut in_background = command.context() == Context::Background;
    let mut in_subshell = false;
    let mut at = Some(command.scope());
    while let Some(scope) = at.and_then(|id| script.scope(id)) {
        if scope.id() == body {
            let job = if in_subshell {
                Job::OfSubshell
            } else {
                Job::OfLoop
            };
            return in_background.then_some(job);
        }
        if matches!(scope.kind(), ScopeKind::Function { .. }) {
            return None;
        }
        let after = script.source().get(scope.span().end..).unwrap_or_default();
        let after = after.trim_ascii_start();
        if after.starts_with(b"&") && !after.starts_with(b"&&") {
            (in_background, in_subshell) = (true, false);
        } else if matches!(scope.kind(), ScopeKind::Subshell) {
            in_subshell = true;
        }
        at = scope.parent();
    }
    None
}

fn named(command: &Command<'_>, names: &[&str]) -> bool {
    let first = command.words().next().and_then(|word| word.literal());
    first
        .and_then(|name| std::str::from_utf8(name).ok())
        .is_some_and(|name| names.contains(&paths::base_name(name)))
}

fn is_inside(script: &Script, command: &Command<'_>, outer: ScopeId) -> bool {
    let mut at = Some(command.scope());
    while let Some(id) = at {
        if id == outer {
            return true;
        }
        at = script.scope(id).and_then(|scope| scope.parent());
    }
    false
}

fn source<'s>(script: &'s Script, scope: &Scope<'_>) -> &'s [u8] {
    let span = scope.span();
    script
        .source()
        .get(span.start..span.end)
        .unwrap_or_default()
}
