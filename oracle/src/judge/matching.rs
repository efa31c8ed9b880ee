//! Whether what bash ran is what a claim says.

use crate::bytes::Bytes;

/// What is claimed about one word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Slot {
    /// One argument with exactly these bytes.
    Exactly(Vec<u8>),
    /// One argument, of which these pieces are known, in this order; `None` may be anything.
    One(Vec<Option<Vec<u8>>>),
    /// Any number of arguments.
    Any,
}

impl Slot {
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self, Self::Exactly(_))
    }

    fn takes(&self, word: &[u8]) -> bool {
        match self {
            Self::Exactly(bytes) => bytes == word,
            Self::One(pieces) => fits(pieces, word),
            Self::Any => true,
        }
    }
}

/// Whether the words can be these arguments.
pub(crate) fn matches(slots: &[Slot], argv: &[Bytes]) -> bool {
    // Which numbers of arguments the slots so far can have used up.
    let mut reached = vec![false; argv.len().saturating_add(1)];
    if let Some(start) = reached.first_mut() {
        *start = true;
    }
    for slot in slots {
        let mut next = vec![false; reached.len()];
        let mut open = false;
        for (at, to) in next.iter_mut().enumerate() {
            let here = reached.get(at).copied().unwrap_or_default();
            *to = if *slot == Slot::Any {
                open |= here;
                open
            } else {
                at.checked_sub(1).is_some_and(|before| {
                    let came = reached.get(before).copied().unwrap_or_default();
                    came && argv.get(before).is_some_and(|word| slot.takes(&word.0))
                })
            };
        }
        reached = next;
    }
    reached.last().copied().unwrap_or_default()
}

/// Whether a word is made of these pieces, anything standing for what is not known.
fn fits(pieces: &[Option<Vec<u8>>], word: &[u8]) -> bool {
    let pieces = joined(pieces);
    let mut rest = word;
    // Whether the next known piece may start later.
    let mut loose = false;
    for (index, piece) in pieces.iter().enumerate() {
        let Some(piece) = piece else {
            loose = true;
            continue;
        };
        let is_last = index.saturating_add(1) == pieces.len();
        let found = match (loose, is_last) {
            (false, _) => rest.strip_prefix(piece.as_slice()),
            (true, true) => rest.ends_with(piece).then_some(&[][..]),
            (true, false) => after_first(rest, piece),
        };
        let Some(after) = found else {
            return false;
        };
        rest = after;
        loose = false;
    }
    loose || rest.is_empty()
}

/// The pieces with neighbours that are known made one.
fn joined(pieces: &[Option<Vec<u8>>]) -> Vec<Option<Vec<u8>>> {
    let mut joined: Vec<Option<Vec<u8>>> = Vec::new();
    for piece in pieces {
        match (joined.last_mut(), piece) {
            (Some(Some(last)), Some(piece)) => last.extend(piece),
            _ => joined.push(piece.clone()),
        }
    }
    joined
}

fn after_first<'a>(text: &'a [u8], piece: &[u8]) -> Option<&'a [u8]> {
    let at = match piece {
        [] => 0,
        _ => text.windows(piece.len()).position(|part| part == piece)?,
    };
    text.get(at.saturating_add(piece.len())..)
}

#[cfg(test)]
mod tests {
    use super::{Slot, matches};
    use crate::bytes::Bytes;

    fn exactly(text: &str) -> Slot {
        Slot::Exactly(text.as_bytes().to_vec())
    }

    fn one(before: &str, after: &str) -> Slot {
        let piece = |text: &str| Some(text.as_bytes().to_vec());
        Slot::One(vec![piece(before), None, piece(after)])
    }

    #[test]
    fn wildcards_stand_for_what_is_not_known_and_for_nothing_else() {
        let cases: [(&[Slot], &str, bool); 9] = [
            (&[exactly("rm"), exactly("x")], "rm x", true),
            (&[exactly("rm"), exactly("x")], "rm y", false),
            (&[exactly("rm")], "rm x", false),
            (&[Slot::Any, exactly("x")], "rm -f x", true),
            (&[Slot::Any, exactly("x")], "x", true),
            (&[Slot::Any, exactly("x")], "x y", false),
            (&[exactly("rm"), one("a", "c")], "rm abbc", true),
            (&[exactly("rm"), one("a", "c")], "rm abb", false),
            (&[exactly("rm"), one("ab", "bc")], "rm abc", false),
        ];
        for (slots, argv, expected) in cases {
            let words: Vec<Bytes> = argv.split(' ').map(Bytes::from).collect();
            assert_eq!(matches(slots, &words), expected, "{slots:?} {argv}");
        }
    }
}
