//! Byte classes.

/// What a byte can mean outside quotes; one bit each.
pub(super) const BLANK: u8 = 1;
/// Ends a word and starts an operator, or is the newline.
pub(super) const META: u8 = 2;
/// Starts a quotation or an expansion.
pub(super) const QUOTE: u8 = 4;
/// Can stand in a name.
pub(super) const NAME: u8 = 8;
/// Can match file names.
pub(super) const GLOB: u8 = 16;
/// Can start a brace expansion.
pub(super) const BRACE: u8 = 32;
/// Can start a tilde prefix.
pub(super) const TILDE: u8 = 64;

/// Can make an assignment of a word.
pub(super) const EQUALS: u8 = 128;

/// What ends a run of ordinary word bytes.
pub(super) const BREAK: u8 = BLANK | META | QUOTE;

static CLASSES: [u8; 256] = classes();

#[expect(
    clippy::indexing_slicing,
    reason = "a byte is always inside a table of 256"
)]
const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0u8;
    loop {
        table[byte as usize] = match byte {
            b' ' | b'\t' => BLANK,
            b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => META,
            b'\'' | b'"' | b'`' | b'$' | b'\\' => QUOTE,
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => NAME,
            b'*' | b'?' | b'[' => GLOB,
            b'{' => BRACE,
            b'~' => TILDE,
            b'=' => EQUALS,
            _ => 0,
        };
        if byte == u8::MAX {
            return table;
        }
        byte += 1;
    }
}

pub(super) fn class(byte: u8) -> u8 {
    CLASSES.get(byte as usize).copied().unwrap_or_default()
}

pub(super) fn is(byte: u8, mask: u8) -> bool {
    class(byte) & mask != 0
}

/// Whether a name can start with this byte.
pub(super) fn starts_name(byte: u8) -> bool {
    is(byte, NAME) && !byte.is_ascii_digit()
}

/// Whether an unquoted word ends before this byte, or before the end of the input.
pub(super) fn ends_word(byte: Option<u8>) -> bool {
    byte.is_none_or(|byte| is(byte, BLANK | META))
}
