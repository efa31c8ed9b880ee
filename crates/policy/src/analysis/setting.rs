//! `NAME=value` and `key=value` in an argument: variables and settings.

use super::arguments::Arguments;
use super::call::Calling;
use super::variables::{Variable, classify};
use super::{Analysis, Known, State, Value};
use crate::paths;
use countersign_core::{EffectKind, Place, Target};

impl Analysis<'_> {
    pub(super) fn assign_word(&mut self, calling: &Calling<'_, '_>, value: &Value, state: &State) {
        let (name, text) = value.text.split_once('=').unwrap_or((&value.text, ""));
        let known = (value.known == Known::Whole).then_some(text);
        self.environment(calling.index, name, known, true);
        // What only reads as a number is of no use to another program.
        let code = known.filter(|text| classify(name, Some(text)) == Variable::Executes);
        self.code_in_variable(calling, name, code, state);
    }

    /// `key=value` of a configuration. What is no ordinary key may run its value.
    pub(super) fn setting(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        value: &Value,
        state: &State,
    ) {
        let (key, text) = value.text.split_once('=').unwrap_or((&value.text, ""));
        let key = key.to_lowercase();
        let ordinary = arguments.node.ordinary_settings.iter().chain(
            calling
                .words
                .first()
                .and_then(Value::exact)
                .and_then(|name| self.commands.program(paths::base_name(name)))
                .map_or(&[][..], |program| program.ordinary_settings),
        );
        let known = value.known == Known::Whole;
        if known
            && ordinary
                .into_iter()
                .any(|pattern| paths::matches(&pattern.to_lowercase(), &key))
        {
            return;
        }
        let target = Some(Target::Name { name: key.clone() });
        let off = matches!(text.to_lowercase().as_str(), "false" | "0" | "no" | "off");
        if key.ends_with("sslverify") && (off || !known) {
            self.found.add(
                calling.index,
                EffectKind::Environment,
                target,
                &["insecure"],
            );
            return;
        }
        self.found
            .add(calling.index, EffectKind::Run, target, &["setting"]);
        let source = text.strip_prefix('!').unwrap_or(text);
        if source.contains(|c: char| c.is_whitespace() || c == '/') || text.starts_with('!') {
            let frame = self.frame(calling, "setting", state, Place::Here);
            self.script(source.as_bytes(), &frame);
        }
    }
}
