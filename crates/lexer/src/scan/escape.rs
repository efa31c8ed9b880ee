//! `$'…'`: quotation with the escapes of C.

use super::Scanner;
use crate::DiagnosticKind;
use crate::model::PartData;
use crate::text::{Slice, offset};

impl Scanner {
    /// Reads `'…'` behind the dollar sign at `start`.
    pub(super) fn ansi_quotes(&mut self, start: u32) {
        self.flag_bashism();
        self.bump();
        let rest = self.out.text.tail(self.pos, self.limit);
        let (text, len, closed) = decode(rest);
        self.pos += offset(len);
        if !closed {
            self.report_from(DiagnosticKind::UnterminatedQuote, start);
        }
        let source = Slice::new(start, self.pos);
        if self.zsh() && differs_in_zsh(self.out.text.get(source)) {
            return self.piece(source, PartData::Opaque(source));
        }
        self.flag_zsh_escapes(source);
        let text = self.push_text(&text);
        self.piece(source, PartData::Literal { text, quoted: true });
    }
}

/// Whether zsh knows other escapes than bash among these, or leaves what they stand for to the
/// locale.
fn differs_in_zsh(text: &[u8]) -> bool {
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        if *byte == b'\\' {
            let same = |byte: &u8| b"abeEfnrtv\\'\"?".contains(byte) || matches!(byte, b'1'..=b'3');
            if !bytes.next().is_some_and(same) {
                return true;
            }
        }
    }
    false
}

/// The decoded text, how many bytes it took, and whether the closing quote was among them.
fn decode(rest: &[u8]) -> (Vec<u8>, usize, bool) {
    let mut text = Vec::new();
    let mut bytes = Bytes { rest, at: 0 };
    // A NUL ends the string early, yet the quotation goes on.
    let mut ended = false;
    loop {
        let Some(byte) = bytes.next() else {
            return (text, bytes.at, false);
        };
        let len = text.len();
        match byte {
            b'\'' => return (text, bytes.at, true),
            b'\\' => ended |= bytes.escape(&mut text),
            _ => text.push(byte),
        }
        if ended {
            text.truncate(len);
        }
    }
}

struct Bytes<'a> {
    rest: &'a [u8],
    at: usize,
}

impl Bytes<'_> {
    fn peek(&self) -> Option<u8> {
        self.rest.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Decodes what follows a backslash; whether it is the NUL that ends the string.
    fn escape(&mut self, text: &mut Vec<u8>) -> bool {
        let Some(byte) = self.next() else {
            text.push(b'\\');
            return false;
        };
        let plain = match byte {
            b'a' => 0x07,
            b'b' => 0x08,
            b'e' | b'E' => 0x1b,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 0x0b,
            b'\\' | b'\'' | b'"' | b'?' => byte,
            b'0'..=b'7' => {
                self.at -= 1;
                // Three octal digits reach 511; bash keeps the low eight bits.
                self.digits(8, 3).unwrap_or_default().to_le_bytes()[0]
            }
            b'x' => return self.hex(text),
            b'u' => return self.unicode(4, b'u', text),
            b'U' => return self.unicode(8, b'U', text),
            b'c' => match self.next() {
                Some(control) => {
                    if control == b'\\' && self.peek() == Some(b'\\') {
                        self.at += 1;
                    }
                    if control == b'?' {
                        0x7f
                    } else {
                        control.to_ascii_uppercase() & 0x1f
                    }
                }
                None => return false,
            },
            _ => {
                text.push(b'\\');
                byte
            }
        };
        text.push(plain);
        plain == 0
    }

    fn hex(&mut self, text: &mut Vec<u8>) -> bool {
        let braced = self.peek() == Some(b'{');
        if braced {
            self.at += 1;
        }
        let Some(value) = self.digits(16, if braced { usize::MAX } else { 2 }) else {
            text.extend_from_slice(if braced { b"\\x{" } else { b"\\x" });
            return false;
        };
        if braced && self.peek() == Some(b'}') {
            self.at += 1;
        }
        let byte = value.to_le_bytes()[0];
        text.push(byte);
        byte == 0
    }

    fn unicode(&mut self, digits: usize, letter: u8, text: &mut Vec<u8>) -> bool {
        let Some(value) = self.digits(16, digits) else {
            text.extend_from_slice(&[b'\\', letter]);
            return false;
        };
        let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        value == 0
    }

    fn digits(&mut self, radix: u32, most: usize) -> Option<u32> {
        let mut value = None;
        let mut count = 0;
        while let Some(digit) = self
            .peek()
            .and_then(|byte| char::from(byte).to_digit(radix))
        {
            if count == most {
                break;
            }
            value = Some(
                value
                    .unwrap_or(0u32)
                    .wrapping_mul(radix)
                    .wrapping_add(digit),
            );
            self.at += 1;
            count += 1;
        }
        value
    }
}
