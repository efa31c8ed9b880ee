//! Programs of other languages that stand in an argument: sed, awk, jq, SQL.

use super::arguments::Arguments;
use super::call::Calling;
use super::{Analysis, PathEffect, State, Value, path_effect};
use crate::knowledge::Role;
use crate::language;
use countersign_core::{EffectKind, Place};

impl Analysis<'_> {
    pub(super) fn text_program(
        &mut self,
        calling: &Calling<'_, '_>,
        value: &Value,
        check: fn(&str) -> bool,
    ) {
        match value.exact() {
            Some(program) if check(program) => {}
            _ => self.found.opaque(calling.index, "inline-code"),
        }
    }

    /// The shell lines that keys run.
    pub(super) fn bindings(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        value: &Value,
        state: &State,
    ) {
        let Some(lines) = value.exact().and_then(language::fzf) else {
            self.found.add(calling.index, EffectKind::Run, None, &[]);
            return;
        };
        for line in lines {
            let line = [Value::whole(&line)];
            self.word(calling, arguments, Role::CodeSh, &line, state);
        }
    }

    /// Statements that change something, or that cannot be read, are flagged; reading ones are not.
    pub(super) fn statements(&mut self, index: u32, value: &Value) {
        match value.exact() {
            Some(text) if language::sql(text) => {}
            _ => self.found.add(index, EffectKind::Run, None, &["sql"]),
        }
    }

    pub(super) fn sed_script(&mut self, calling: &Calling<'_, '_>, value: &Value, state: &State) {
        let Some(program) = value.exact() else {
            // A replacement text from a variable is common and can hide commands all the same.
            self.found
                .add(calling.index, EffectKind::Run, None, &["dynamic-code"]);
            return;
        };
        for action in language::sed(program) {
            match action {
                language::SedAction::Write(path) => {
                    let value = Value::whole(&path);
                    let effect = PathEffect {
                        kind: EffectKind::Write,
                        value: &value,
                        tags: &["truncate"],
                    };
                    path_effect(self, calling.index, &effect, &state.cwd);
                }
                language::SedAction::Read(path) => {
                    let value = Value::whole(&path);
                    let effect = PathEffect {
                        kind: EffectKind::Read,
                        value: &value,
                        tags: &[],
                    };
                    path_effect(self, calling.index, &effect, &state.cwd);
                }
                language::SedAction::Run(source) => {
                    self.found.opaque(calling.index, "inline-code");
                    let frame = self.frame(calling, "shell:sed", state, Place::Here);
                    self.script(source.as_bytes(), &frame);
                }
                language::SedAction::Unknown => self.found.opaque(calling.index, "inline-code"),
            }
        }
    }
}
