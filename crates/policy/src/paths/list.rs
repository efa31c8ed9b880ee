use super::{glob, is_within};
use countersign_core::Facts;

/// Whether a path is on a list, as a whole or with one of the directories it lies in.
///
/// An entry that begins with `/` or `~/` holds in that place; any other holds at every depth.
/// `*` stays within a component. An entry that begins with `!` takes back what entries before it
/// put on the list. Case does not count: some file systems ignore it. `path` may itself hold
/// wildcards, and a doubt is a match.
pub(crate) fn is_listed<S: AsRef<str>>(path: &str, list: &[S], facts: &Facts) -> bool {
    let path = path.to_lowercase();
    let mut listed = false;
    for entry in list {
        let entry = entry.as_ref().to_lowercase();
        match entry.strip_prefix('!') {
            // A wildcard may also match what is not exempt.
            Some(_) if path.contains(['*', '?', '[']) => {}
            Some(exempt) => listed = listed && !holds(exempt, &path, facts),
            None => listed = listed || holds(&entry, &path, facts),
        }
    }
    listed
}

/// Whether a path is a directory that entries of a list lie in, told by its last component: reading
/// all of it reads them.
pub(crate) fn holds_listed<S: AsRef<str>>(path: &str, list: &[S]) -> bool {
    let path = path.to_lowercase();
    let Some(last) = components(&path).pop() else {
        return false;
    };
    list.iter().any(|entry| {
        let entry = entry.as_ref().to_lowercase();
        let mut parts = components(&entry);
        parts.pop();
        !entry.starts_with(['!', '/', '~'])
            && parts
                .first()
                .is_some_and(|first| first.starts_with('.') && parts.last() == Some(&last))
    })
}

fn holds(entry: &str, path: &str, facts: &Facts) -> bool {
    let home = facts.home.to_lowercase();
    let anchored = match entry.strip_prefix("~/") {
        Some(rest) => Some(format!("{}/{rest}", home.trim_end_matches('/'))),
        None if entry.starts_with('/') => Some(entry.to_owned()),
        None => None,
    };
    match anchored {
        Some(anchored) if !anchored.contains('*') && !path.contains(['*', '?', '[']) => {
            is_within(path, &anchored)
        }
        Some(anchored) => begins(&components(&anchored), &components(path)),
        None => {
            let wanted = components(entry);
            let found = components(path);
            (0..found.len()).any(|at| begins(&wanted, found.get(at..).unwrap_or_default()))
        }
    }
}

fn components(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty()).collect()
}

/// Whether the first components of a path match every component of an entry.
fn begins(entry: &[&str], path: &[&str]) -> bool {
    entry.len() <= path.len()
        && entry.iter().zip(path).all(|(wanted, found)| {
            // A shell wildcard does not match a leading dot.
            let hidden = wanted.starts_with('.') && found.starts_with(['*', '?', '[']);
            !hidden && glob::intersects(found, wanted)
        })
}
