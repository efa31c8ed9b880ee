//! Small damage to a text.

use super::{Random, tokens};

const INSERTIONS: &[&[u8]] = &[
    b"'",
    b"\"",
    b"`",
    b"\\",
    b"\\\n",
    b"\n",
    b" ",
    b"\t",
    b";",
    b"&",
    b"|",
    b"(",
    b")",
    b"{",
    b"}",
    b"$",
    b"$(",
    b"${",
    b"#",
    b" #",
    b"<<E",
    b"\nE\n",
    b"\r",
    b"\xc2\xa0",
    b"\x0b",
    b"\x0c",
    b"\xff",
    b"\xe2\x80\xa8",
    b"''",
    b"\"\"",
    b"$'",
    b"!",
    b"=",
    b"[",
    b"]",
    b"*",
    b"~",
    b">",
    b"<",
    b",",
    b"..",
    b"\\`",
    b"esac",
    b"done",
    b"fi",
    b" in ",
    b"do ",
    b"then ",
    b"\xef\xbb\xbf",
];

/// The text with one to three changes: tokens deleted, repeated or exchanged, quotes, broken
/// lines and strange bytes put in.
pub fn mutate(random: &mut Random, text: &[u8]) -> Vec<u8> {
    let mut pieces = tokens(text);
    for _ in 0..random.between(1, 3) {
        change(random, &mut pieces);
    }
    pieces.concat()
}

fn change(random: &mut Random, pieces: &mut Vec<&[u8]>) {
    let at = random.below(pieces.len());
    let len = random.between(1, 3).min(pieces.len().saturating_sub(at));
    match random.below(6) {
        0 => drop(pieces.drain(at..at + len)),
        1 => {
            let copies: Vec<&[u8]> = pieces.iter().skip(at).take(len).copied().collect();
            let to = random.below(pieces.len() + 1);
            pieces.splice(to..to, copies);
        }
        2 if !pieces.is_empty() => {
            let other = random.below(pieces.len());
            pieces.swap(at, other);
        }
        3 if random.chance(50) => {
            let quote: &'static [u8] = random.pick(&[&b"'"[..], b"\"", b"`"]);
            pieces.insert(at + len, quote);
            pieces.insert(at, quote);
        }
        3 => split(random, pieces, at),
        _ => pieces.insert(at, random.pick(INSERTIONS)),
    }
}

/// Puts a backslash and a newline into a token.
fn split<'a>(random: &mut Random, pieces: &mut Vec<&'a [u8]>, at: usize) {
    let piece: &'a [u8] = pieces.get(at).copied().unwrap_or_default();
    let (left, right) = piece.split_at(random.below(piece.len() + 1));
    let end = (at + 1).min(pieces.len());
    pieces.splice(at..end, [left, b"\\\n", right]);
}

#[cfg(test)]
mod tests {
    use super::{Random, mutate};

    #[test]
    fn most_mutants_differ_from_the_text_and_none_is_far_from_it() {
        let text = b"c1 a1 && c2 \"$x\" | c3 >f";
        let mut random = Random::new(5);
        let mut different = 0;
        for _ in 0..1000 {
            let mutant = mutate(&mut random, text);
            assert!(mutant.len() < text.len() * 2);
            different += usize::from(mutant != text);
        }
        assert!(different > 900, "{different}");
    }

    #[test]
    fn an_empty_text_can_be_changed_too() {
        let mut random = Random::new(6);
        for _ in 0..100 {
            assert!(mutate(&mut random, b"").len() < 32);
        }
    }
}
