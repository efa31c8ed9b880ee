use super::Ground;
use crate::analysis::Findings;
use crate::pattern::{Family, Pattern};
use countersign_core::{Effect, EffectKind, Request, RuleHit, Severity, Surface, Target, Zone};

/// The owner's deny and ask patterns that a call meets.
pub(crate) fn owner_hits(request: &Request, found: &Findings, ground: Ground<'_>) -> Vec<RuleHit> {
    let settings = ground.settings;
    let deny = settings
        .deny
        .iter()
        .map(|pattern| (pattern, Severity::Deny, "permissions.deny"));
    let ask = settings
        .ask
        .iter()
        .map(|pattern| (pattern, Severity::Ask, "permissions.ask"));
    deny.chain(ask)
        .filter_map(|(pattern, severity, list)| {
            let Met { command } = meets(pattern, request, found, ground)?;
            Some(RuleHit {
                rule: list.to_owned(),
                severity,
                command,
                target: Some(pattern.as_str().to_owned()),
                resolved: None,
                why: "the owner's rule matches this call".to_owned(),
                safer: None,
            })
        })
        .collect()
}

/// A pattern was met, with this command where it was one.
struct Met {
    command: Option<u32>,
}

/// Whether a call meets a pattern, and with which command.
fn meets(
    pattern: &Pattern,
    request: &Request,
    found: &Findings,
    ground: Ground<'_>,
) -> Option<Met> {
    let index = |at: usize| Met {
        command: u32::try_from(at).ok(),
    };
    match pattern.family() {
        Family::Command => found
            .calls
            .iter()
            .position(|called| {
                !called.words.is_empty()
                    && pattern.holds_for_command(ground.commands, &called.words, false)
            })
            .map(index),
        Family::Read => effect_on_path(pattern, found, ground, |kind| {
            matches!(kind, EffectKind::Read | EffectKind::Move)
        }),
        Family::Write => effect_on_path(pattern, found, ground, |kind| {
            matches!(
                kind,
                EffectKind::Write | EffectKind::Delete | EffectKind::Move | EffectKind::Permission
            )
        }),
        Family::Fetch => found
            .effects
            .iter()
            .find(|effect| match &effect.target {
                Some(Target::Host { host }) => pattern.holds_for_host(host),
                _ => false,
            })
            .map(|effect| Met {
                command: Some(effect.command),
            }),
        Family::Other => {
            let tool = request.tool_name.as_deref()?;
            (pattern.names_tool(tool) && pattern.holds_for_input(&input(request)))
                .then_some(Met { command: None })
        }
    }
}

fn effect_on_path(
    pattern: &Pattern,
    found: &Findings,
    ground: Ground<'_>,
    kind: impl Fn(EffectKind) -> bool,
) -> Option<Met> {
    let facts = ground.facts;
    found
        .effects
        .iter()
        .filter(|effect| kind(effect.kind))
        .find(|effect| match &effect.target {
            Some(Target::Path {
                resolved: Some(path),
                ..
            }) => pattern.holds_for_path(path, &facts.home, &facts.roots),
            // A bare `Write` holds for every write, also to where nobody knows.
            _ => pattern.is_bare(),
        })
        .map(|effect| Met {
            command: Some(effect.command),
        })
}

/// The owner's allow patterns that together cover every command of a call; none when one command
/// is left over.
pub(crate) fn allowed(
    request: &Request,
    found: &Findings,
    ground: Ground<'_>,
) -> Option<Vec<RuleHit>> {
    let patterns = &ground.settings.allow;
    let mut used: Vec<&Pattern> = Vec::new();
    if found.effects.iter().any(redirects_programs) {
        return None;
    }
    if request.surface == Surface::Command {
        for (at, called) in found.calls.iter().enumerate() {
            let index = u32::try_from(at).ok()?;
            if called.words.is_empty() || called.transparent || only_reads(found, index) {
                if writes_a_file(found, index) {
                    return None;
                }
                continue;
            }
            let covers = |pattern: &&Pattern| {
                pattern.family() == Family::Command
                    && pattern.holds_for_command(ground.commands, &called.words, true)
            };
            // A redirection is no part of what the pattern speaks of.
            if redirected(found, index) {
                return None;
            }
            used.push(patterns.iter().find(covers)?);
        }
        if used.is_empty() {
            return None;
        }
    } else {
        used.push(
            patterns
                .iter()
                .find(|pattern| covers_tool(pattern, request, found, ground))?,
        );
    }
    let hit = |pattern: &&Pattern| RuleHit {
        rule: "permissions.allow".to_owned(),
        severity: Severity::Allow,
        command: None,
        target: Some(pattern.as_str().to_owned()),
        resolved: None,
        why: "the owner's rule allows this call".to_owned(),
        safer: None,
    };
    used.dedup();
    Some(used.iter().map(hit).collect())
}

fn covers_tool(pattern: &Pattern, request: &Request, found: &Findings, ground: Ground<'_>) -> bool {
    let Some(tool) = request.tool_name.as_deref() else {
        return false;
    };
    let facts = ground.facts;
    let writes = pattern.family() == Family::Write && request.surface == Surface::FilesystemWrite;
    if !writes && !pattern.names_tool(tool) {
        return false;
    }
    let every_target = |fits: &dyn Fn(&Target) -> bool| {
        !found.effects.is_empty()
            && found
                .effects
                .iter()
                .all(|effect| effect.target.as_ref().is_some_and(fits))
    };
    match pattern.family() {
        Family::Read | Family::Write => every_target(&|target| match target {
            Target::Path {
                resolved: Some(path),
                ..
            } => pattern.holds_for_path(path, &facts.home, &facts.roots),
            _ => false,
        }),
        Family::Fetch => every_target(&|target| match target {
            Target::Host { host } => pattern.holds_for_host(host),
            _ => false,
        }),
        Family::Other => pattern.holds_for_input(&input(request)),
        Family::Command => false,
    }
}

/// Whether an effect sets a variable that decides which programs run, or which settings they run
/// with: the pattern speaks of those that the owner knows.
fn redirects_programs(effect: &Effect) -> bool {
    let Some(Target::Name { name }) = &effect.target else {
        return false;
    };
    let says_where = matches!(
        &**name,
        "PATH" | "HOME" | "SHELL" | "IFS" | "ENV" | "CDPATH"
    ) || ["_HOME", "_PATH", "_DIR"]
        .iter()
        .any(|end| name.ends_with(end))
        || name.contains("CONFIG")
        || name.starts_with("GIT_");
    let harmless = matches!(
        &**name,
        "CARGO_TARGET_DIR" | "TARGET_DIR" | "OUT_DIR" | "BUILD_DIR"
    );
    let runs = effect.tags.iter().any(|tag| tag == "executes");
    effect.kind == EffectKind::Environment && (runs || (says_where && !harmless))
}

fn only_reads(found: &Findings, index: u32) -> bool {
    found
        .of(index)
        .all(|effect| effect.kind == EffectKind::Read)
}

fn writes_a_file(found: &Findings, index: u32) -> bool {
    found.of(index).any(is_file_write)
}

/// Whether a command's output is redirected to a file.
fn redirected(found: &Findings, index: u32) -> bool {
    found
        .of(index)
        .any(|effect| is_file_write(effect) && effect.tags.iter().any(|tag| tag == "redirect"))
}

fn is_file_write(effect: &Effect) -> bool {
    let null = matches!(
        effect.target,
        Some(Target::Path {
            zone: Zone::Null,
            ..
        })
    );
    effect.kind == EffectKind::Write && !null
}

fn input(request: &Request) -> String {
    request
        .input
        .as_ref()
        .map(|input| serde_json::Value::Object(input.clone()).to_string())
        .unwrap_or_default()
}
