//! Words that lead a tool to another server than the one that it is signed in to.

use super::Value;
use crate::{paths, url};

/// Schemes of addresses that a tool itself may ask; others name things of its service (`s3://`).
const ASKED: &[&str] = &["http", "https", "git", "ssh"];

/// Whether some word names a server that is not among a tool's own.
pub(super) fn is_named(words: &[Value], hosts: &[&str]) -> bool {
    words.iter().skip(1).any(|word| {
        let value = word.text.split_once('=').map(|(_, value)| value);
        let short = word.text.strip_prefix("-R");
        [Some(&*word.text), value, short]
            .into_iter()
            .flatten()
            .filter_map(|text| host(text, !hosts.is_empty()))
            // No resolver knows a name with an empty part.
            .filter(|host| !host.contains(".."))
            .any(|host| !hosts.iter().any(|own| paths::matches(own, &host)))
    })
}

/// The host that a text names: of an address, and where a repository may be told so, of
/// `host/owner/name` and `git@host:owner/name`.
fn host(text: &str, short: bool) -> Option<String> {
    if let Some((scheme, _)) = text.split_once("://") {
        let scheme = scheme.to_ascii_lowercase();
        let kind = scheme.rsplit('+').next().unwrap_or_default();
        let asks = ASKED.contains(&kind) || scheme.starts_with("git+");
        return asks.then(|| url::parse(text).host);
    }
    if !short {
        return None;
    }
    if let Some(rest) = text.strip_prefix("git@") {
        return Some(url::host_of_login(rest).to_ascii_lowercase());
    }
    let (first, rest) = text.split_once('/')?;
    let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
    let is_host = first.starts_with(|c: char| c.is_ascii_alphanumeric())
        && first.contains(['.', ':'])
        && first.chars().all(named)
        && rest.contains('/');
    is_host.then(|| url::parse(first).host)
}
