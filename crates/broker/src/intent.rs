use countersign_core::{
    CommandView, Digest, EffectKind, JsonError, Judgement, Request, Target, canonical,
};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The family that a call and its retries belong to: what it would change, and where. A retry in
/// other words keeps its intent, so no new hash escapes a count.
///
/// Reading and running are left out where the call does anything else: they are what words change
/// first. An effect without a target, such as running the workspace's code, is named by the command's
/// words but its options. Where nothing is known of its effects, the call's own fields name the intent.
///
/// # Errors
/// When the request has no canonical form.
pub fn intent(request: &Request, judgement: &Judgement) -> Result<Digest, JsonError> {
    let all = atoms(judgement, |_| true);
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

fn atoms(
    judgement: &Judgement,
    counts: impl Fn(EffectKind) -> bool,
) -> BTreeSet<(&str, Cow<'_, str>)> {
    let effects = judgement
        .effects
        .iter()
        .filter(|effect| counts(effect.kind));
    effects
        .map(|effect| {
            let target = match &effect.target {
                Some(Target::Path {
                    typed, resolved, ..
                }) => resolved.as_deref().unwrap_or(typed).into(),
                Some(target) => target.typed().into(),
                None => usize::try_from(effect.command)
                    .ok()
                    .and_then(|at| judgement.commands.get(at))
                    .map_or_else(Cow::default, named),
            };
            (effect.kind.as_str(), target)
        })
        .collect()
}

/// The words of a command that are no options.
fn named(command: &CommandView) -> Cow<'_, str> {
    let words = command.argv.iter().map(String::as_str);
    let words: Vec<&str> = words.filter(|word| !word.starts_with('-')).collect();
    words.join(" ").into()
}
