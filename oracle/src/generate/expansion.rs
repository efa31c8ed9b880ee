//! What stands behind a dollar sign or a backquote.

use super::list::End;
use super::writer::Writer;

/// Where an expansion stands, which decides what its quotes mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In a word, outside of quotes.
    Bare,
    /// In double quotes, or in arithmetic, which reads like them.
    Double,
    /// In the body of a here-document.
    Heredoc,
}

impl Writer<'_> {
    pub(super) fn expansion(&mut self, place: Place) {
        let choice = self.random.below(20);
        if choice < 5 || !self.opens() {
            self.one_of(&[
                "$x", "$y", "$1", "$@", "$*", "$#", "$?", "$-", "${x}", "${1}", "$_", "${10}",
            ]);
            return;
        }
        match choice {
            5..=10 => self.nested(|writer| writer.parameter(place)),
            11..=15 => self.command_substitution(),
            16..=17 => self.backticks(place),
            _ => self.arithmetic(),
        }
    }

    pub(super) fn command_substitution(&mut self) {
        self.apart(|writer| {
            writer.code("$(");
            match writer.random.below(24) {
                0 => writer.ambiguous_parens(),
                1 => {
                    writer.raw(" (");
                    writer.stub();
                    writer.owed_bodies();
                    writer.raw(") ");
                }
                2 => {}
                3 => writer.raw("< /dev/null"),
                4..=5 => writer.list_after_word(End::Operator),
                _ => {
                    // A blank keeps `$( (` apart from `$((`.
                    writer.gap(15);
                    writer.simple();
                    if writer.random.chance(25) {
                        writer.separator();
                        writer.list(End::Operator);
                    }
                }
            }
            writer.owed_bodies();
            writer.code(")");
        });
    }

    pub(super) fn process_substitution(&mut self) {
        self.one_of(&["<(", ">("]);
        self.apart(|writer| {
            if writer.opens() && writer.random.chance(40) {
                writer.list_after_word(End::Operator);
            } else {
                writer.stub();
            }
            writer.owed_bodies();
        });
        self.raw(")");
    }

    /// Backquotes. The shell removes one level of backslashes before it reads what is inside.
    pub(super) fn backticks(&mut self, place: Place) {
        let inner = self.aside(|writer| {
            writer.simple();
            if writer.random.chance(15) {
                writer.separator();
                writer.simple();
            }
            writer.owed_bodies();
        });
        // Every level doubles the backslashes.
        if inner.len() > 400 {
            return self.raw("`c1 a`");
        }
        let mut escaped = Vec::with_capacity(inner.len() * 2);
        for (index, &byte) in inner.iter().enumerate() {
            let next = inner.get(index + 1).copied().unwrap_or(b'`');
            let must = match byte {
                b'`' => true,
                b'\\' => {
                    matches!(next, b'$' | b'`' | b'\\')
                        || (next == b'"' && place != Place::Bare)
                        || self.random.chance(30)
                }
                _ => false,
            };
            if must {
                escaped.push(b'\\');
            }
            escaped.push(byte);
        }
        self.raw("`");
        self.raw(&escaped);
        self.raw("`");
    }
}
