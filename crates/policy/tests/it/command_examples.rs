#[path = "../../src/knowledge/file.rs"]
#[expect(dead_code, reason = "only the examples are read here")]
mod file;

use crate::support;
use countersign_core::{Effect, Judgement};
use file::{ExampleFile, NodeFile};
use std::fmt::Write as _;

#[test]
fn every_example_of_a_command_file_holds() {
    let mut wrong = String::new();
    let mut rows = 0;
    for (name, program) in support::files::<NodeFile>("commands") {
        let mut nodes = vec![&program];
        while let Some(node) = nodes.pop() {
            nodes.extend(&node.subcommands);
            for example in &node.examples {
                rows += 1;
                for problem in problems(example, &support::judge(&example.run)) {
                    let _infallible = writeln!(wrong, "{name}: `{}`: {problem}", example.run);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(rows > 500, "only {rows} examples were found");
}

#[test]
fn every_command_file_has_an_example() {
    for (name, program) in support::files::<NodeFile>("commands") {
        assert!(!program.examples.is_empty(), "{name} has no example");
    }
}

#[test]
fn every_command_file_stands_under_its_first_letter() {
    for (path, program) in support::files::<NodeFile>("commands") {
        let file = path.rsplit('/').next().expect("a path has a last part");
        let letter = file
            .chars()
            .next()
            .map(|first| first.to_ascii_lowercase())
            .filter(char::is_ascii_lowercase)
            .unwrap_or('0');
        assert_eq!(path, format!("commands/{letter}/{file}"));
        assert!(!program.summary.is_empty(), "{path} has no summary");
    }
}

fn problems(example: &ExampleFile, judgement: &Judgement) -> Vec<String> {
    let mut problems = Vec::new();
    if example.reads && !judgement.read_only {
        problems.push(format!("is not read-only: {}", shown(judgement)));
    }
    for wanted in &example.effects {
        if !judgement.effects.iter().any(|effect| is(effect, wanted)) {
            problems.push(format!("has no effect `{wanted}`: {}", shown(judgement)));
        }
    }
    for tag in &example.tags {
        if !judgement
            .effects
            .iter()
            .any(|effect| effect.tags.iter().any(|known| known == tag))
        {
            problems.push(format!("has no tag `{tag}`: {}", shown(judgement)));
        }
    }
    let changes = example
        .effects
        .iter()
        .any(|effect| !effect.starts_with("read"));
    if changes && judgement.read_only {
        problems.push("is read-only".to_owned());
    }
    problems
}

fn is(effect: &Effect, wanted: &str) -> bool {
    let (kind, target) = wanted
        .split_once(' ')
        .map_or((wanted, None), |(kind, rest)| (kind, Some(rest)));
    effect.kind.as_str() == kind
        && target.is_none_or(|target| {
            effect
                .target
                .as_ref()
                .is_some_and(|found| found.typed() == target)
        })
}

fn shown(judgement: &Judgement) -> String {
    judgement
        .effects
        .iter()
        .map(|effect| {
            let target = effect.target.as_ref().map_or("", |target| target.typed());
            format!("{} {target} {:?}", effect.kind, effect.tags)
        })
        .collect::<Vec<_>>()
        .join("; ")
}
