//! Programs that apply a patch: what it changes, where the patch is in sight.

use super::arguments::Arguments;
use super::call::Calling;
use super::{Analysis, State, Value};
use crate::tool;
use countersign_core::{EffectKind, Target};

impl Analysis<'_> {
    /// Where every patch that the call reads was written in the same source, the files are those
    /// that it names. Else they are not in sight, unless the call names the one file itself.
    pub(super) fn patched(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        state: &State,
        tags: &mut Vec<&'static str>,
    ) {
        if !tags.contains(&"applies-patch") {
            return;
        }
        tags.retain(|tag| *tag != "applies-patch");
        let named = arguments.node.names.contains(&"patch") && !arguments.operands.is_empty();
        let texts = self.patches(calling, arguments);
        let known = texts.filter(|texts| {
            !texts.is_empty() && texts.iter().all(|text| tool::read_patch(text).is_some())
        });
        for text in known.iter().flatten() {
            tool::apply(self, calling.index, Some(text), state);
        }
        if named || known.is_some() {
            tags.retain(|tag| *tag != "unseen");
        }
    }

    /// The patches, where all of them are known and their names are taken as they stand.
    fn patches(&self, calling: &Calling<'_, '_>, arguments: &Arguments<'_>) -> Option<Vec<String>> {
        let strip = arguments.options.iter().filter(|given| given.name == "-p");
        let mut strip = strip
            .filter_map(|given| given.value.as_ref())
            .map(Value::exact);
        if !strip.all(|count| count == Some("1")) {
            return None;
        }
        let mut texts = Vec::new();
        for effect in self.found.of(calling.index) {
            if let (EffectKind::Read, Some(Target::Path { resolved, .. })) =
                (effect.kind, &effect.target)
            {
                let file = resolved
                    .as_ref()
                    .and_then(|path| self.found.files.get(path));
                texts.push(file?.text.clone()?);
            }
        }
        if texts.is_empty() {
            texts.push(calling.stdin?.text.clone()?);
        }
        Some(texts)
    }
}
