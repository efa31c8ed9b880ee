//! What builtins do to the shell that runs them.

use super::arguments::{Arguments, Given, is_assignment};
use super::assign;
use super::builtins::declared;
use super::call::Calling;
use super::held::Held;
use super::parameter::list_words;
use super::{Analysis, Frame, State, Value};
use crate::knowledge::{Node, Role};
use crate::paths;
use countersign_core::Place;
use countersign_lexer::{Scope, ScopeKind, Script};

impl Analysis<'_> {
    /// Builtins that take the name of a variable evaluate a subscript in it, substitutions included,
    /// even where the shell passed the word on as it was.
    pub(super) fn subscripts(&mut self, calling: &Calling<'_, '_>, node: &Node, state: &State) {
        let name = node.names.first().copied().unwrap_or_default();
        if !SUBSCRIPTED.contains(&name) {
            return;
        }
        for word in calling.words.iter().skip(1) {
            // `declare -a 'x=($(cmd))'` is expanded, as is `compgen -W '$(cmd)'`.
            let read = word.text.contains('[') || word.text.contains("=(") || name == "complete";
            if word.literal && holds_code(&word.text) && read {
                self.code_in_text(calling, &word.text, state);
            }
        }
    }

    /// The words of `[[ ]]` and `for` are read as numbers and names just so.
    pub(super) fn subscripts_in_compounds(&mut self, script: &Script, frame: &Frame) {
        for scope in script.scopes() {
            let texts = match scope.kind() {
                ScopeKind::TestExpression => in_single_quotes(script, &scope),
                ScopeKind::For { .. } | ScopeKind::Select { .. } => scope
                    .words()
                    .filter_map(|word| word.literal().map(text_of))
                    .collect(),
                _ => continue,
            };
            for text in texts {
                if text.contains('[') && holds_code(&text) {
                    let index = self.note_opaque(text.as_bytes(), frame, "dynamic-code");
                    let calling = Calling::without_words(index, frame.depth);
                    self.code_in_text(&calling, &text, &frame.state);
                }
            }
        }
    }

    /// Text whose substitutions run.
    fn code_in_text(&mut self, calling: &Calling<'_, '_>, text: &str, state: &State) {
        self.found.opaque(calling.index, "dynamic-code");
        let frame = Frame {
            probe: true,
            ..self.frame(calling, "arith-eval", state, Place::Here)
        };
        self.script(format!(": \"{text}\"").as_bytes(), &frame);
    }

    /// Builtins that set variables.
    pub(super) fn declares(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        state: &mut State,
    ) {
        let index = calling.index;
        let name = arguments.node.names.first().copied().unwrap_or_default();
        let declares = matches!(
            name,
            "export" | "declare" | "typeset" | "local" | "readonly"
        );
        for &operand in &arguments.operands {
            let Some(word) = arguments.word(operand).filter(|_| declares) else {
                continue;
            };
            if let Some((variable, inside)) = array(word) {
                let held = Held::one(list_words(inside, state));
                state.assign(variable, held);
                continue;
            }
            if !is_assignment(word) {
                continue;
            }
            let (variable, text) = word.text.split_once('=').unwrap_or((&word.text, ""));
            // With an attribute, the value that is read back is another.
            let plain = arguments
                .options
                .iter()
                .all(|given| matches!(given.name, "-x" | "-r" | "-g"));
            let plain = plain && arguments.unknown.is_empty();
            let mut held = if plain {
                declared(calling, word, variable)
            } else {
                Held::unknown()
            };
            if word.source.contains("=~") && text.starts_with('~') {
                // The tilde behind the `=` expands.
                let path = format!("{}{}", state.home, text.get(1..).unwrap_or_default());
                held = Held::one(Some(vec![Value::derived(&path)]));
            }
            let names = arguments
                .unknown
                .iter()
                .any(|word| word.exact() == Some("-n"));
            held.stands_for = (names && name != "export").then(|| text.to_owned());
            let value = assign::text_of(&held);
            self.environment(index, variable, value.as_deref(), name == "export");
            // A subscript is looked at elsewhere, as is a value where there are attributes.
            self.code_in_variable(calling, variable, value.as_deref(), state);
            state.assign(variable, held);
        }
        if name == "hash" && arguments.has(&["-p"]) {
            let to = |given: &Given<'_>| given.value.as_ref().map(|value| value.text.clone());
            let to = arguments.options.iter().find_map(to).unwrap_or_default();
            let words = arguments
                .operands
                .iter()
                .filter_map(|&at| arguments.word(at))
                .filter(|word| *word.text != *paths::base_name(&to));
            state
                .rebound
                .extend(words.map(|word| word.text.to_string()));
        }
        if name == "alias" {
            for &operand in &arguments.operands {
                let text = arguments
                    .word(operand)
                    .and_then(|word| word.text.split_once('='));
                if let Some((_, source)) = text {
                    let frame = self.frame(calling, "alias", state, Place::Here);
                    self.script(source.to_owned().as_bytes(), &frame);
                }
            }
        }
    }
}

/// `name=(words)`.
fn array(word: &Value) -> Option<(&str, &str)> {
    let (name, rest) = word.source.split_once("=(")?;
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let inside = rest.strip_suffix(')').filter(|_| plain && !word.literal)?;
    Some((name, inside))
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
        let source = |role| code.contains(&role) || super::languages::table(role).is_some();
        given.option.value.is_some_and(source) && given.value.is_some()
    });
    if role == Role::CodeSql {
        // The first operand names the database, where it is no statement.
        let first = arguments.node.operands.first();
        let states = first.is_some_and(|slot| slot.role == Role::CodeSql);
        return !given && arguments.operands.len() <= usize::from(!states);
    }
    let first = arguments
        .operands
        .first()
        .and_then(|&index| arguments.word(index));
    let none = first.is_none_or(|word| word.exact() == Some("-"));
    !given && (none || arguments.has(&["-s"]))
}

/// The texts in single quotes of `[[ ]]`, whose words have no view of their own.
fn in_single_quotes(script: &Script, scope: &Scope<'_>) -> Vec<String> {
    let span = scope.span();
    let source = script.source().get(span.start..span.end);
    let source = text_of(source.unwrap_or_default());
    source
        .split('\'')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

fn text_of(bytes: &[u8]) -> String {
    super::text_of(bytes).into_owned()
}

fn holds_code(text: &str) -> bool {
    text.contains("$(") || text.contains('`') || text.contains("${ ")
}

/// Builtins that take the names of variables (bash(1), "Arrays").
const SUBSCRIPTED: &[&str] = &[
    "complete", "declare", "export", "getopts", "let", "printf", "read", "set", "test", "unset",
    "wait",
];

/// Whether a script keeps what a command prints, and reads something as a number or a subscript: which
/// of them flows where is not looked at.
pub(super) fn calculates(source: &[u8]) -> bool {
    let text = super::text_of(source);
    let has = |text: &str, marks: &[&str]| marks.iter().any(|mark| text.contains(mark));
    let keeps = ["$(", "`", "${ ", "read", "mapfile"];
    let numbers = [
        "((", "$[", "[$", "[\"$", "[`", " -eq ", " -ne ", " -lt ", " -le ", " -gt ", " -ge ",
    ];
    has(&text, &keeps) && has(&text, &numbers) && has(&text.replace("$((", "(("), &keeps)
}
