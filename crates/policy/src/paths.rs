//! Paths: how they are resolved, where they lie, and which lists they are on.

mod glob;
mod list;
#[cfg(test)]
mod tests;
mod zone;

#[cfg(test)]
pub(crate) use glob::intersects;
pub(crate) use glob::{matches, matches_path, matches_place};
pub(crate) use list::{Path, PathList};
pub(crate) use zone::{worst, zone};

/// Joins a path to a directory and removes `.`, `..` and doubled slashes, without looking at any
/// file system.
pub(crate) fn join(cwd: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let base = if path.starts_with('/') { "" } else { cwd };
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Whether `path` is `base` or lies under it; by components, never by string prefix.
pub(crate) fn is_within(path: &str, base: &str) -> bool {
    let base = base.trim_end_matches('/');
    path == base
        || path
            .strip_prefix(base)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// The last component.
pub(crate) fn base_name(path: &str) -> &str {
    path.trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default()
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
