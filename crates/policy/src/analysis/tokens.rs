//! Variables that hold secrets, and what shows their values.

use super::arguments::Arguments;
use super::call::Calling;
use super::parameter::names_secret;
use super::{Analysis, Value};
use countersign_core::{EffectKind, Target};

impl Analysis<'_> {
    /// Flags what puts the value of a variable in sight whose name says that it is a secret.
    pub(super) fn shows_tokens(&mut self, calling: &Calling<'_, '_>, arguments: &Arguments<'_>) {
        let name = arguments.node.names.first().copied().unwrap_or_default();
        let operands = arguments.operands.iter();
        let operands = operands.filter_map(|&index| arguments.word(index));
        let named = |word: &&Value| word.exact().is_some_and(names_secret);
        let shown: Vec<&Value> = match name {
            "echo" | "printf" => operands.filter(|word| word.token).collect(),
            "printenv" => operands.filter(named).collect(),
            "declare" | "export" if arguments.has(&["-p"]) => operands.filter(named).collect(),
            _ => return,
        };
        for word in shown {
            self.shows_token(calling.index, word);
        }
    }

    /// Flags a word that puts such a value in sight.
    pub(super) fn shows_token(&mut self, index: u32, word: &Value) {
        let target = Target::Name {
            name: word.shown().to_owned(),
        };
        self.found
            .add(index, EffectKind::Read, Some(target), &["secret"]);
    }
}
