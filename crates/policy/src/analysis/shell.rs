//! What builtins do to the shell that runs them.

use super::arguments::{Arguments, is_assignment};
use super::call::Calling;
use super::flow::Output;
use super::state::Cwd;
use super::{Analysis, Frame, Known, State, Value};
use crate::knowledge::{Node, Role};
use countersign_core::Place;

impl Analysis<'_> {
    /// Builtins that take the name of a variable evaluate a subscript in it, substitutions included,
    /// even where the shell passed the word on as it was.
    pub(super) fn subscripts(&mut self, calling: &Calling<'_, '_>, node: &Node, state: &State) {
        let name = node.names.first().copied().unwrap_or_default();
        if !SUBSCRIPTED.contains(&name) {
            return;
        }
        for word in calling.words.iter().skip(1) {
            let holds_code = word.text.contains("$(") || word.text.contains('`');
            if word.literal && holds_code && word.text.contains('[') {
                self.found.opaque(calling.index, "dynamic-code");
                let frame = Frame {
                    probe: true,
                    ..self.frame(calling, "arith-eval", state, Place::Here)
                };
                self.script(format!(": \"{}\"", word.text).as_bytes(), &frame);
            }
        }
    }

    /// Builtins that set variables.
    pub(super) fn declares(&mut self, index: u32, arguments: &Arguments<'_>, state: &mut State) {
        let name = arguments.node.names.first().copied().unwrap_or_default();
        let declares = matches!(
            name,
            "export" | "declare" | "typeset" | "local" | "readonly"
        );
        for &operand in &arguments.operands {
            let Some(word) = arguments
                .word(operand)
                .filter(|word| declares && is_assignment(word))
            else {
                continue;
            };
            let (variable, text) = word.text.split_once('=').unwrap_or((&word.text, ""));
            // With an attribute, the value that is read back is another.
            let plain = arguments
                .options
                .iter()
                .all(|given| matches!(given.name, "-x" | "-r" | "-g"));
            let plain = plain && arguments.unknown.is_empty() && word.known == Known::Whole;
            let value = (plain && !word.glob).then(|| text.to_owned());
            self.environment(index, variable, value.as_deref(), name == "export");
            state.assign(variable, value);
        }
        if name == "alias" {
            for &operand in &arguments.operands {
                let text = arguments
                    .word(operand)
                    .and_then(|word| word.text.split_once('='));
                if let Some((_, source)) = text {
                    let calling = Calling {
                        index,
                        words: &[],
                        stdin: None,
                        substituted: Output::default(),
                        depth: 1,
                    };
                    let frame = self.frame(&calling, "alias", state, Place::Here);
                    self.script(source.to_owned().as_bytes(), &frame);
                }
            }
        }
    }
}

/// `cd` and its like change where the commands after them work.
pub(super) fn changes_directory(arguments: &Arguments<'_>, words: &[Value], state: &mut State) {
    let Some(name) = words.first().and_then(Value::exact) else {
        return;
    };
    let to = arguments
        .operands
        .first()
        .and_then(|&index| arguments.word(index));
    match (name, to) {
        ("cd", None) => {
            let home = state.home.clone();
            state.cwd.change(Some(&home));
        }
        ("cd" | "pushd", Some(word)) => {
            state
                .cwd
                .change(word.exact().filter(|text| !matches!(*text, "-" | "+")));
        }
        ("popd" | "pushd", _) => state.cwd = Cwd::unknown(),
        _ => {}
    }
}

/// Whether a call runs something in the shell itself, which may change its variables and its
/// directory.
pub(super) fn runs_in_this_shell(arguments: &Arguments<'_>) -> bool {
    let program = |index: &usize| arguments.word(*index).and_then(Value::exact);
    match arguments.node.names.first() {
        Some(&("source" | "." | "eval")) => true,
        Some(&("builtin" | "command")) => !arguments
            .operands
            .first()
            .and_then(program)
            .is_some_and(|name| !CHANGES_SHELL.contains(&name) && !name.contains('$')),
        _ => false,
    }
}

/// Builtins that change the shell that runs them.
const CHANGES_SHELL: &[&str] = &[
    ".",
    "alias",
    "builtin",
    "cd",
    "command",
    "declare",
    "eval",
    "exec",
    "export",
    "getopts",
    "hash",
    "let",
    "local",
    "mapfile",
    "popd",
    "printf",
    "pushd",
    "read",
    "readarray",
    "readonly",
    "set",
    "shopt",
    "source",
    "trap",
    "typeset",
    "unalias",
    "unset",
];

/// A shell runs what it reads when it is given nothing else to run.
pub(super) fn reads_code_from_stdin(arguments: &Arguments<'_>, role: Role) -> bool {
    let given = arguments.options.iter().any(|given| {
        let code = [Role::CodeSh, Role::Code, Role::CodeSql, Role::Script];
        given.option.value.is_some_and(|role| code.contains(&role)) && given.value.is_some()
    });
    if role == Role::CodeSql {
        // The first operand names the database.
        return !given && arguments.operands.len() <= 1;
    }
    let first = arguments
        .operands
        .first()
        .and_then(|&index| arguments.word(index));
    let none = first.is_none_or(|word| word.exact() == Some("-"));
    !given && (none || arguments.has(&["-s"]))
}

/// Builtins that take the names of variables (bash(1), "Arrays").
const SUBSCRIPTED: &[&str] = &[
    "declare", "export", "getopts", "let", "printf", "read", "test", "unset", "wait",
];
