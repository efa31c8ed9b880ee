//! Reads a command file and says what is wrong with it: where, what, and what to write instead. The
//! build reads what is built in with it, `owner.rs` an owner's own files.

use super::file::{
    EffectName, ExampleFile, ModeFile, NodeFile, OperandFile, OptionFile, ParseStyle, Role,
};
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use serde::de::value::{Error, StrDeserializer};
use std::collections::BTreeSet;

/// Reads a file.
///
/// # Errors
/// With everything that is wrong with it, a line each.
pub(crate) fn read(text: &str) -> Result<NodeFile, Vec<String>> {
    let file: NodeFile =
        toml::from_str(text).map_err(|error| vec![super::words::said(text, &error)])?;
    let problems = problems(&file);
    if problems.is_empty() {
        Ok(file)
    } else {
        Err(problems)
    }
}

/// What the shape alone cannot hold.
fn problems(file: &NodeFile) -> Vec<String> {
    let mut check = Check::default();
    check.node(file, &file.name, &[]);
    if file.summary.trim().is_empty() {
        check.say(
            "the file",
            "has no summary; add `summary = \"…\"`, a fragment such as \"removes files\"",
        );
    }
    if file.all_names().iter().any(|name| name.contains('/')) {
        check.say(
            "the file",
            "has a name with `/`; write the program's base name",
        );
    }
    if !has_examples(file) {
        check.say(
            "the file",
            "has no example; add an `[[example]]` with `run` and what is to be found: the most dangerous form, the most common harmless one, and one between",
        );
    }
    check.problems
}

fn has_examples(node: &NodeFile) -> bool {
    let mut nodes = vec![node];
    while let Some(node) = nodes.pop() {
        if !node.examples.is_empty() {
            return true;
        }
        nodes.extend(&node.subcommands);
    }
    false
}

#[derive(Debug, Default)]
struct Check {
    problems: Vec<String>,
}

impl Check {
    fn say(&mut self, at: &str, problem: &str) {
        self.problems.push(format!("{at} {problem}"));
    }

    /// A program or subcommand. `outer` are the options that those around it share with it.
    fn node(&mut self, node: &NodeFile, path: &str, outer: &[&OptionFile]) {
        let at = format!("`{path}`");
        let names = node.all_names();
        self.once(&at, "the name", &names);
        if names.iter().any(|name| !is_word(name)) {
            self.say(
                &at,
                "has a name that is empty or holds a blank; write one word",
            );
        }
        self.reading(&at, node.reads, &node.effects);
        self.operands(&at, &node.operands);
        for option in &node.options {
            self.option(&at, option, node.parse);
        }
        let options = node.options.iter().flat_map(|option| &option.names);
        self.once(&at, "the option", options);
        let known: Vec<&OptionFile> = node.options.iter().chain(outer.iter().copied()).collect();
        for mode in &node.modes {
            self.mode(&at, mode, &known);
        }
        for example in &node.examples {
            self.example(&at, example);
        }
        let subcommands = node.subcommands.iter().flat_map(NodeFile::all_names);
        self.once(&at, "the subcommand", &subcommands.collect::<Vec<_>>());
        let shared = node.options.iter().filter(|option| option.global);
        let outer: Vec<&OptionFile> = outer.iter().copied().chain(shared).collect();
        for subcommand in &node.subcommands {
            self.node(subcommand, &format!("{path} {}", subcommand.name), &outer);
        }
    }

    fn once<'n>(&mut self, at: &str, what: &str, names: impl IntoIterator<Item = &'n String>) {
        let mut seen = BTreeSet::new();
        let mut twice: Vec<&String> = names
            .into_iter()
            .filter(|name| !seen.insert(*name))
            .collect();
        twice.dedup();
        for name in twice {
            self.say(at, &format!("has {what} `{name}` twice; keep one of them"));
        }
    }

    /// `reads` is a promise that effects must not break.
    fn reading(&mut self, at: &str, reads: bool, effects: &[EffectName]) {
        let changes =
            |effect: &&EffectName| !matches!(effect, EffectName::Read | EffectName::Receive);
        if let Some(effect) = effects.iter().find(changes).filter(|_| reads) {
            let effect = word(*effect);
            self.say(
                at,
                &format!("says `reads = true` beside the effect `{effect}`; a form that does that does not only read: take one of them out"),
            );
        }
    }

    fn operands(&mut self, at: &str, operands: &[OperandFile]) {
        let many = |operand: &&OperandFile| operand.many && operand.role != Role::Assign;
        if operands.iter().filter(many).count() > 1 {
            self.say(
                at,
                "has more than one operand with `many`; keep it on the one that takes any number: those after it are counted from the end",
            );
        }
        let takes_rest = |operand: &OperandFile| {
            operand.role == Role::Run || (operand.role == Role::CodeSh && operand.many)
        };
        let last = operands.len().saturating_sub(1);
        if let Some((number, operand)) = (1_usize..)
            .zip(operands)
            .find(|(number, operand)| takes_rest(operand) && *number <= last)
        {
            let role = if operand.role == Role::Run {
                "run"
            } else {
                "code-sh"
            };
            self.say(
                at,
                &format!("has an operand after the one of role `{role}` (number {number}), which takes every word that is left; put it before, or take it out"),
            );
        }
    }

    fn option(&mut self, at: &str, option: &OptionFile, parse: ParseStyle) {
        let Some(first) = option.names.first() else {
            self.say(
                at,
                "has an `[[option]]` without names; add `names = [\"--…\"]`",
            );
            return;
        };
        for name in &option.names {
            if !is_word(name) {
                self.say(
                    at,
                    &format!("has the option `{name}`, which is empty or holds a blank; write the name alone, and `value` for what follows it"),
                );
            }
            let dashed = name.starts_with(['-', '+']);
            match parse {
                ParseStyle::Gnu | ParseStyle::Words if !dashed => {
                    let long = parse == ParseStyle::Gnu && name.chars().count() > 1;
                    let dashes = if long { "--" } else { "-" };
                    self.say(
                        at,
                        &format!("has the option `{name}` without a dash; write `{dashes}{name}`, or make it an `[[operand]]` or a `[[subcommand]]`"),
                    );
                }
                ParseStyle::Raw => self.say(
                    at,
                    &format!("has the option `{name}` beside `parse = \"raw\"`, which knows no options; take one of them out"),
                ),
                _ => {}
            }
        }
        if option.value.is_none() {
            for (key, given) in [
                ("optional", option.optional),
                ("values", !option.values.is_empty()),
                ("except", !option.except.is_empty()),
            ] {
                if given {
                    self.say(
                        at,
                        &format!("has the option `{first}` with `{key}` but without `value`; say what the value means: `value = \"text\"`"),
                    );
                }
            }
        }
    }

    fn mode(&mut self, at: &str, mode: &ModeFile, known: &[&OptionFile]) {
        let Some(first) = mode.options.first() else {
            self.say(at, "has a `[[mode]]` that names no option; add `options = [\"--…\"]`, those that select it");
            return;
        };
        let at = format!("{at}, mode `{first}`,");
        self.once(&at, "the option", &mode.options);
        self.reading(&at, mode.reads, &mode.effects);
        self.operands(&at, mode.operands.as_deref().unwrap_or_default());
        let table = |name: &String| known.iter().find(|option| option.names.contains(name));
        let names = || known.iter().flat_map(|option| &option.names);
        // `--name=value` is the option with that value alone.
        let with_value = |name: &String| {
            let option = name.split_once('=').map(|(option, _)| option.to_owned());
            option.is_some_and(|option| table(&option).is_some())
        };
        let selecting = mode.options.iter().filter(|name| !with_value(name));
        for name in selecting.chain(mode.values.keys()) {
            if table(name).is_none() {
                let instead = super::words::instead(name, names().map(String::as_str));
                self.say(
                    &at,
                    &format!("names `{name}`, which is not an option of it; {instead}add an `[[option]]` with that name"),
                );
            }
        }
        for name in &mode.options {
            let beside = table(name).into_iter().flat_map(|option| &option.names);
            for missing in beside.filter(|beside| !mode.options.contains(beside)) {
                self.say(
                    &at,
                    &format!("names `{name}` but not `{missing}`, which stands in the same `[[option]]`; name both, or give each an `[[option]]` of its own"),
                );
            }
        }
        for name in mode.values.keys() {
            if table(name).is_some_and(|option| option.value.is_none()) {
                self.say(
                    &at,
                    &format!("says what the value of `{name}` means, which takes none; give its `[[option]]` a `value`"),
                );
            }
        }
    }

    fn example(&mut self, at: &str, example: &ExampleFile) {
        let run = &example.run;
        if run.trim().is_empty() {
            self.say(at, "has an example with an empty `run`; write a call of it");
        }
        for effect in &example.effects {
            let kind = effect.split(' ').next().unwrap_or_default();
            let reader: StrDeserializer<'_, Error> = kind.into_deserializer();
            if let Err(error) = EffectName::deserialize(reader) {
                let problem = super::words::of_message(&error.to_string());
                self.say(at, &format!("has the example `{run}`: {problem}"));
            }
            if example.reads && !matches!(kind, "read" | "receive" | "write") {
                self.say(
                    at,
                    &format!("has the example `{run}`, which says `reads = true` beside the effect `{effect}`; take one of them out"),
                );
            }
        }
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_whitespace)
}

/// An effect as it is typed.
fn word(effect: EffectName) -> String {
    let mut text = String::new();
    for c in format!("{effect:?}").chars() {
        if c.is_ascii_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}
