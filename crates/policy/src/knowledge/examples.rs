//! The examples of a command file: calls with what they must be found to do.

use super::file::{ExampleFile, NodeFile};
use crate::policy::Policy;
use countersign_core::{Effect, EffectKind, Facts, Judgement, Request, Target};
use std::fmt::Write as _;

/// Every example of a file, those of its subcommands among them.
pub(super) fn all(file: &NodeFile) -> Vec<ExampleFile> {
    let mut nodes = vec![file];
    let mut found = Vec::new();
    while let Some(node) = nodes.pop() {
        nodes.extend(&node.subcommands);
        found.extend(node.examples.iter().cloned());
    }
    found
}

/// What does not hold of these, judged in `/home/user/project` with nothing on the machine.
pub(super) fn wrong(examples: &[ExampleFile], policy: &Policy) -> Vec<String> {
    const ROOT: &str = "/home/user/project";
    let facts = Facts::virtual_at("/home/user", &[ROOT]);
    let judge = |example: &ExampleFile| {
        let request = Request::command("example", "example", ROOT, &example.run);
        let problems = problems(example, &policy.judge(&request, &facts));
        let said = |problem| format!("`{}` {problem}", example.run);
        problems.into_iter().map(said).collect::<Vec<_>>()
    };
    examples.iter().flat_map(judge).collect()
}

fn problems(example: &ExampleFile, judgement: &Judgement) -> Vec<String> {
    let mut problems = Vec::new();
    let found = || {
        let shown = shown(judgement);
        if shown.is_empty() {
            "nothing is found".to_owned()
        } else {
            format!("found is {shown}")
        }
    };
    if example.reads && !judgement.read_only {
        problems.push(format!("is not read-only: {}", found()));
    }
    for wanted in &example.effects {
        if !judgement.effects.iter().any(|effect| is(effect, wanted)) {
            problems.push(format!("has no effect `{wanted}`: {}", found()));
        }
    }
    for tag in &example.tags {
        let mut effects = judgement.effects.iter();
        if !effects.any(|effect| effect.tags.iter().any(|known| known == tag)) {
            problems.push(format!("has no tag `{tag}`: {}", found()));
        }
    }
    let mut effects = example.effects.iter();
    if effects.any(|effect| !effect.starts_with("read")) && judgement.read_only {
        problems.push("is read-only".to_owned());
    }
    problems
}

fn is(effect: &Effect, wanted: &str) -> bool {
    let (kind, target) = wanted
        .split_once(' ')
        .map_or((wanted, None), |(kind, rest)| (kind, Some(rest)));
    let found = || effect.target.as_ref().map(Target::typed);
    effect.kind.as_str() == kind && target.is_none_or(|target| found() == Some(target))
}

fn shown(judgement: &Judgement) -> String {
    let effects: Vec<String> = judgement.effects.iter().map(shown_effect).collect();
    effects.join("; ")
}

/// One effect, and for one that stands for what a file does not say, what to add to it.
fn shown_effect(effect: &Effect) -> String {
    let has = |tag: &str| effect.tags.iter().any(|known| known == tag);
    let mut text = effect.kind.to_string();
    if let Some(target) = &effect.target {
        text.push(' ');
        text.push_str(target.typed());
    }
    if !effect.tags.is_empty() {
        let _infallible = write!(text, " [{}]", effect.tags.join(", "));
    }
    text.push_str(match (effect.kind, &effect.target) {
        (EffectKind::Run, _) if has("unknown-option") => {
            " (the file has no such option: add an `[[option]]`)"
        }
        (EffectKind::Run, _) if has("unknown-operand") => {
            " (the file has no operand in this place: add an `[[operand]]`, or `many = true`)"
        }
        (EffectKind::Run, Some(Target::Name { .. })) => {
            " (the file does not say what this form does: give it `reads` or `effects`)"
        }
        _ => "",
    });
    text
}
