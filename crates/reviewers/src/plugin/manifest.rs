//! The manifest as a constant, so that it can stand in a section of the library's file.

use crate::manifest::{MAX_MANIFEST, is_name};

/// The manifest's text, padded with blanks, which JSON does not mind.
pub type Section = [u8; MAX_MANIFEST];

/// Writes the manifest. Runs when the plugin is compiled.
///
/// # Panics
/// When the name is no name or the text is too long, so that compiling fails.
#[expect(
    clippy::panic,
    clippy::manual_assert,
    reason = "a panic here is the compile error that an author reads"
)]
pub const fn section(
    name: &str,
    version: &str,
    description: &str,
    env: &[&str],
    network: bool,
) -> Section {
    if !is_name(name) {
        panic!("NAME must be 1 to 64 lower-case letters, digits and dashes");
    }
    let text = Text::new()
        .raw("{\"v\":1,\"abi\":1,\"name\":")
        .quoted(name)
        .raw(",\"version\":")
        .quoted(version)
        .raw(",\"sdk\":")
        .quoted(env!("CARGO_PKG_VERSION"))
        .raw(",\"description\":")
        .quoted(description)
        .raw(",\"network\":")
        .raw(if network { "true" } else { "false" })
        .raw(",\"env\":")
        .list(env)
        .raw("}");
    text.bytes
}

struct Text {
    bytes: Section,
    len: usize,
}

#[expect(
    clippy::indexing_slicing,
    reason = "every index is below a length; slices have no const get"
)]
impl Text {
    const fn new() -> Self {
        Self {
            bytes: [b' '; MAX_MANIFEST],
            len: 0,
        }
    }

    const fn byte(mut self, byte: u8) -> Self {
        assert!(self.len < MAX_MANIFEST, "the manifest is too long");
        self.bytes[self.len] = byte;
        self.len += 1;
        self
    }

    const fn raw(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            self = self.byte(bytes[at]);
            at += 1;
        }
        self
    }

    const fn quoted(mut self, text: &str) -> Self {
        self = self.byte(b'"');
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            self = match byte {
                b'"' | b'\\' => self.byte(b'\\').byte(byte),
                0..=0x1f => self.byte(b' '),
                _ => self.byte(byte),
            };
            at += 1;
        }
        self.byte(b'"')
    }

    const fn list(mut self, texts: &[&str]) -> Self {
        self = self.byte(b'[');
        let mut at = 0;
        while at < texts.len() {
            if at > 0 {
                self = self.byte(b',');
            }
            self = self.quoted(texts[at]);
            at += 1;
        }
        self.byte(b']')
    }
}
