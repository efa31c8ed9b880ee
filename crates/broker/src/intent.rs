use countersign_core::{Digest, EffectKind, JsonError, Judgement, Request, Target, canonical};
use std::collections::BTreeSet;

/// The family that a call and its retries belong to: what it would change, and where. A retry in
/// other words keeps its intent, so no new hash escapes a count.
///
/// Reading and running are left out where the call does anything else: they are what words change
/// first. Where nothing is known of its effects, the call's own fields name the intent.
///
/// # Errors
/// When the request has no canonical form.
pub fn intent(request: &Request, judgement: &Judgement) -> Result<Digest, JsonError> {
    let all: BTreeSet<(&str, &str)> = atoms(judgement, |_| true);
    let changing = atoms(judgement, |kind| {
        !matches!(
            kind,
            EffectKind::Read | EffectKind::Run | EffectKind::Environment
        )
    });
    let effects = if changing.is_empty() { all } else { changing };
    let surface = request.surface.as_str();
    let tool = request.tool_name.as_deref();
    let form = if effects.is_empty() {
        canonical(&(
            surface,
            tool,
            &request.operation,
            &request.command,
            &request.path,
            &request.destination,
        ))
    } else {
        canonical(&(surface, &effects))
    };
    Ok(Digest::of("countersign.intent.v1", &form?))
}

fn atoms(judgement: &Judgement, counts: impl Fn(EffectKind) -> bool) -> BTreeSet<(&str, &str)> {
    let effects = judgement
        .effects
        .iter()
        .filter(|effect| counts(effect.kind));
    effects
        .map(|effect| {
            let target = match &effect.target {
                Some(Target::Path {
                    typed, resolved, ..
                }) => resolved.as_deref().unwrap_or(typed),
                Some(target) => target.typed(),
                None => "",
            };
            (effect.kind.as_str(), target)
        })
        .collect()
}
