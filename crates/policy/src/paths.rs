//! Paths: how they are resolved, where they lie, and which lists they are on.

mod bytes;
mod glob;
mod list;
#[cfg(test)]
mod tests;
mod zone;

pub(crate) use glob::{intersects, matches, matches_path, matches_place, may_match};
pub(crate) use list::{Path, PathList};
pub(crate) use zone::{worst, zone};

/// Joins a path to a directory and removes `.`, `..` and doubled slashes, without looking at any
/// file system.
pub(crate) fn join(cwd: &str, path: &str) -> String {
    let base = if path.starts_with('/') { "" } else { cwd };
    let mut joined = String::with_capacity(base.len().saturating_add(path.len()).saturating_add(2));
    if is_plain(base) && is_plain(path) && !(base.is_empty() && path.is_empty()) {
        joined.push_str(base);
        if !path.is_empty() && !path.starts_with('/') {
            joined.push('/');
        }
        joined.push_str(path);
        return joined;
    }
    for part in components(base).chain(components(path)) {
        match part {
            "." => {}
            ".." => joined.truncate(joined.rfind('/').unwrap_or(0)),
            _ => {
                joined.push('/');
                joined.push_str(part);
            }
        }
    }
    if joined.is_empty() {
        joined.push('/');
    }
    joined
}

/// Whether a path surely has nothing to remove: no empty component, and none that begins with a dot.
fn is_plain(path: &str) -> bool {
    let bytes = path.as_bytes();
    let doubtful = |pair: &[u8]| matches!(pair, [b'/', b'/' | b'.']);
    !matches!(bytes, [b'.', ..] | [.., b'/']) && !bytes.windows(2).any(doubtful)
}

/// The components of a path, empty ones left out.
pub(crate) fn components(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = path;
    std::iter::from_fn(move || {
        while let Some(after) = rest.strip_prefix('/') {
            rest = after;
        }
        let end = rest.bytes().position(|byte| byte == b'/');
        let (part, after) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

/// Whether `path` is `base` or lies under it; by components, never by string prefix.
pub(crate) fn is_within(path: &str, base: &str) -> bool {
    let base = without_end(base);
    match path.as_bytes().get(base.len()) {
        Some(b'/') => path.starts_with(base),
        Some(_) => false,
        None => path == base,
    }
}

/// A path without the slashes at its end.
fn without_end(mut path: &str) -> &str {
    while let Some(shorter) = path.strip_suffix('/') {
        path = shorter;
    }
    path
}

/// The last component.
pub(crate) fn base_name(path: &str) -> &str {
    let path = without_end(path);
    let slash = path.bytes().rposition(|byte| byte == b'/');
    let from = slash.map_or(0, |slash| slash.saturating_add(1));
    path.get(from..).unwrap_or_default()
}

/// Whether a path holds wildcards that a shell expands.
pub(crate) fn has_wildcards(path: &str) -> bool {
    let opens = |at: usize| path.as_bytes().get(at.wrapping_sub(1));
    path.bytes().enumerate().any(|(at, byte)| match byte {
        b'*' | b'?' | b'[' => true,
        b'(' => matches!(opens(at), Some(b'@' | b'!' | b'+')),
        _ => false,
    })
}

/// `dir/*` is everything in `dir`, so as much as `dir` itself.
pub(crate) fn whole_directory(text: &str) -> &str {
    let mut text = text;
    for all in ["/*", "/.*", "/{*,.*}", "/**"] {
        text = text
            .strip_suffix(all)
            .map_or(text, |dir| if dir.is_empty() { "/" } else { dir });
    }
    if matches!(text, "*" | ".*" | "**") {
        "."
    } else {
        text
    }
}
