//! A rough division into tokens, good enough to cut text where a cut is interesting.

/// The text as names, runs of blanks, and single bytes.
pub(crate) fn tokens(text: &[u8]) -> Vec<&[u8]> {
    text.chunk_by(|&left, &right| {
        let class = class(left);
        class != Class::Other && class == self::class(right)
    })
    .collect()
}

#[derive(PartialEq, Eq)]
enum Class {
    Name,
    Blank,
    Other,
}

fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | 0x80.. => Class::Name,
        b' ' | b'\t' => Class::Blank,
        _ => Class::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn names_and_blanks_stay_together() {
        let found = tokens(b"ab1  $(x)");
        assert_eq!(found, [&b"ab1"[..], b"  ", b"$", b"(", b"x", b")"]);
        assert!(tokens(b"").is_empty());
    }
}
