use countersign_core::parse_strict;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The largest manifest, in bytes.
pub(crate) const MAX_MANIFEST: usize = 4096;

/// What a plugin says of itself, readable without running it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this form.
    pub v: u32,
    /// The plugin's name: lower-case letters, digits and dashes.
    pub name: String,
    /// The plugin's own version.
    pub version: String,
    /// The interface that it was built for.
    pub abi: u32,
    /// The version of this crate that it was built with.
    #[serde(default)]
    pub sdk: String,
    /// What it is, in one sentence.
    #[serde(default)]
    pub description: String,
    /// The environment variables that it asks for. `*` asks for those that its owner's
    /// configuration names.
    #[serde(default)]
    pub env: Vec<String>,
    /// It talks to other machines.
    #[serde(default)]
    pub network: bool,
}

/// A manifest that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the manifest {0}")]
pub struct ManifestError(String);

impl Manifest {
    /// Whether this could be a plugin's name.
    pub fn is_name(name: &str) -> bool {
        is_name(name)
    }

    /// Reads a manifest's text; blanks and zeros around it are padding.
    ///
    /// # Errors
    /// When it is no manifest of this form, or its name is no name.
    pub fn parse(text: &[u8]) -> Result<Self, ManifestError> {
        let text = text.trim_ascii();
        let text = text.strip_suffix(b"\0").map_or(text, |_| {
            let end = text.iter().rposition(|&byte| byte != 0);
            end.and_then(|end| text.get(..=end)).unwrap_or_default()
        });
        if text.len() > MAX_MANIFEST {
            return Err(ManifestError(format!(
                "is longer than {MAX_MANIFEST} bytes"
            )));
        }
        let value = parse_strict(text).map_err(|error| ManifestError(format!("is {error}")))?;
        let manifest: Self =
            serde_json::from_value(value).map_err(|error| ManifestError(format!("has {error}")))?;
        if manifest.v != countersign_core::FORM_VERSION {
            return Err(ManifestError(format!(
                "has version {}, and this host reads version {}",
                manifest.v,
                countersign_core::FORM_VERSION
            )));
        }
        if !is_name(&manifest.name) {
            return Err(ManifestError(format!(
                "gives the name {:?}; a name is 1 to 64 lower-case letters, digits and dashes",
                manifest.name
            )));
        }
        Ok(manifest)
    }
}

/// A name that is safe as a file name, a key and a word in a log.
pub(crate) const fn is_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    if bytes.is_empty() || bytes.len() > 64 {
        return false;
    }
    let mut at = 0;
    while at < bytes.len() {
        #[expect(
            clippy::indexing_slicing,
            reason = "`at` is below the length; get is not const"
        )]
        let byte = bytes[at];
        let plain = byte.is_ascii_lowercase() || byte.is_ascii_digit();
        if !plain && (byte != b'-' || at == 0) {
            return false;
        }
        at += 1;
    }
    true
}
