//! Commands that change how later lines are read.

use super::Scanner;
use crate::model::{CommandId, Word};
use crate::{DiagnosticKind, Dialect};

/// What a command may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Nothing,
    Patterns,
    Aliases,
    /// Something that is not modelled, or not known.
    Reading,
}

impl Scanner {
    pub(super) fn note_options(&mut self, id: CommandId, first: u32) {
        // Most names end this here.
        let name = self.literal_of(first).unwrap_or_default();
        if !matches!(name.first(), Some(b'a' | b'b' | b'c' | b's')) {
            return;
        }
        let kind = match self.change(id) {
            Change::Nothing => return,
            Change::Patterns => {
                self.extglob_next = true;
                return;
            }
            Change::Aliases => DiagnosticKind::Aliases,
            Change::Reading => DiagnosticKind::ReadingOption,
        };
        if let Some(slice) = self.command_mut(id).map(|data| data.slice) {
            self.report_slice(kind, slice);
        }
    }

    fn change(&self, id: CommandId) -> Change {
        let Some(command) = self.out.command(id) else {
            return Change::Nothing;
        };
        let mut words = command.words();
        let is_prefix = |word: &Word<'_>| matches!(word.literal(), Some(b"builtin" | b"command"));
        let name = words.find(|word| !is_prefix(word));
        match name.and_then(|word| word.literal()) {
            Some(b"shopt") => shopt(words),
            Some(b"set") => set(words),
            Some(b"alias") if self.options.dialect == Dialect::Sh => Change::Aliases,
            _ => Change::Nothing,
        }
    }
}

fn shopt<'a>(words: impl Iterator<Item = Word<'a>>) -> Change {
    let mut change = Change::Nothing;
    for word in words {
        change = match word.literal() {
            Some(b"expand_aliases") => return Change::Aliases,
            Some(b"posix" | b"keyword" | b"braceexpand") | None => return Change::Reading,
            Some(b"extglob") => Change::Patterns,
            Some(_) => change,
        };
    }
    change
}

/// `-k` and `-o posix` change what words and reserved words are, `+B` that braces expand.
fn set<'a>(words: impl Iterator<Item = Word<'a>>) -> Change {
    let mut named = false;
    for word in words {
        let Some(text) = word.literal() else {
            return Change::Reading;
        };
        match text {
            b"posix" | b"keyword" | b"braceexpand" if named => return Change::Reading,
            _ if named => named = false,
            b"-" | b"--" => return Change::Nothing,
            [sign @ (b'-' | b'+'), letters @ ..] => {
                if letters.contains(&b'k') || *sign == b'+' && letters.contains(&b'B') {
                    return Change::Reading;
                }
                named = letters.contains(&b'o');
            }
            _ => return Change::Nothing,
        }
    }
    Change::Nothing
}
