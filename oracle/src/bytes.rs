//! Bytes as JSON strings. What is no UTF-8 becomes characters of a private plane, one a byte, so
//! that nothing is lost and ordinary commands stay readable.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Stands for byte 0; the next 255 characters for the other bytes.
const FIRST: u32 = 0x10_FF00;

/// A string of bytes, not always UTF-8.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    /// The text form.
    pub fn escaped(&self) -> String {
        let mut text = String::with_capacity(self.0.len());
        for chunk in self.0.utf8_chunks() {
            for character in chunk.valid().chars() {
                if u32::from(character) >= FIRST {
                    let mut buffer = [0; 4];
                    push_bytes(&mut text, character.encode_utf8(&mut buffer).as_bytes());
                } else {
                    text.push(character);
                }
            }
            push_bytes(&mut text, chunk.invalid());
        }
        text
    }

    /// Reads the text form.
    pub fn unescaped(text: &str) -> Self {
        let mut bytes = Vec::with_capacity(text.len());
        for character in text.chars() {
            match u32::from(character).checked_sub(FIRST).map(u8::try_from) {
                Some(Ok(byte)) => bytes.push(byte),
                _ => bytes.extend(character.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        Self(bytes)
    }
}

fn push_bytes(text: &mut String, bytes: &[u8]) {
    text.extend(
        bytes
            .iter()
            .filter_map(|&byte| char::from_u32(FIRST | u32::from(byte))),
    );
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(&self.0))
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl From<&str> for Bytes {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.escaped())
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::unescaped(&String::deserialize(deserializer)?))
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn any_bytes_survive_the_text_form() {
        for bytes in [
            &b"plain"[..],
            b"\xff\x00\xc3",
            "é\u{10FF41}".as_bytes(),
            b"",
        ] {
            let bytes = Bytes::from(bytes);
            assert_eq!(Bytes::unescaped(&bytes.escaped()), bytes);
        }
        assert_eq!(Bytes::from("rm é").escaped(), "rm é");
    }
}
