//! Which paths are Countersign's own, or decide whether an agent asks it.

use super::{PathMet, below_root};
use crate::{defaults, paths};
use countersign_core::Facts;

/// How a path stands to one of ours. Case does not count: some file systems ignore it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// It is ours, or lies in ours.
    In,
    /// Ours lies in it, this many components deeper.
    Above(usize),
    /// Neither.
    Apart,
}

/// Whether a path is ours. What takes a directory away takes along what lies in it.
pub(super) fn holds(place: &PathMet<'_>, own: &[String], takes: bool) -> bool {
    let Some(path) = place.resolved else {
        return false;
    };
    own.iter().any(|own| match stand(path, own) {
        Stand::In => true,
        Stand::Above(_) => takes && path != "/",
        Stand::Apart => false,
    }) || registered(place).any(|stand| match stand {
        Stand::In => true,
        Stand::Above(_) => takes,
        Stand::Apart => false,
    })
}

/// Whether a path is a directory in which files of ours lie side by side with others: what is
/// unpacked there may be one of them.
pub(super) fn is_folder(place: &PathMet<'_>) -> bool {
    registered(place).any(|stand| stand == Stand::Above(1))
}

/// Whether an absolute path, as it is spelled, is ours or a folder in which ours lie.
pub(crate) fn is_own(path: &str, facts: &Facts) -> bool {
    facts.own.iter().any(|own| stand(path, own) == Stand::In)
        || spelled(
            path,
            super::below_home(path, &facts.home),
            below_root(path, facts),
        )
        .any(|stand| matches!(stand, Stand::In | Stand::Above(1)))
}

/// How a path stands to every file that registers hooks, or switches them off.
fn registered<'p>(place: &PathMet<'p>) -> impl Iterator<Item = Stand> + 'p {
    let resolved = place.resolved.unwrap_or_default();
    spelled(resolved, place.below_home, place.below_root)
}

fn spelled<'p>(
    resolved: &'p str,
    below_home: Option<&'p str>,
    below_root: Option<&'p str>,
) -> impl Iterator<Item = Stand> + 'p {
    defaults::own().iter().filter_map(move |own| {
        let (own, path) = match (own.strip_prefix("~/"), own.strip_prefix("./")) {
            (Some(own), _) => (own, below_home?),
            (_, Some(own)) => (own, below_root?),
            // What lies above these is the system's.
            _ => return Some(stand(resolved, own)).filter(|stand| *stand == Stand::In),
        };
        // The workspace itself, a home directory and what lies above them are no folders of ours.
        (!path.is_empty()).then(|| stand(path, own))
    })
}

fn stand(path: &str, own: &str) -> Stand {
    // Most begin with another letter, and need no closer look.
    let initial = |path: &str| path.bytes().find(|byte| *byte != b'/');
    if let (Some(found), Some(wanted)) = (initial(path), initial(own))
        && found.is_ascii_alphanumeric()
        && !found.eq_ignore_ascii_case(&wanted)
    {
        return Stand::Apart;
    }
    let mut found = path.split('/').filter(|part| !part.is_empty());
    let mut wanted = own.split('/').filter(|part| !part.is_empty()).peekable();
    let mut depth = 0_usize;
    while let Some(want) = wanted.next() {
        let Some(part) = found.next() else {
            return Stand::Above(wanted.count().saturating_add(1));
        };
        if !part.eq_ignore_ascii_case(want) {
            // Nothing lies in a file, and a name with an ending is one.
            let ends =
                wanted.peek().is_none() && want.get(1..).is_some_and(|name| name.contains('.'));
            if !may_be(part, want, depth) || (ends && found.next().is_some()) {
                return Stand::Apart;
            }
        }
        depth = depth.saturating_add(1);
    }
    Stand::In
}

/// Whether a wildcard can stand for a name of ours. At the top of a home or a workspace it must
/// begin like it, or it was not looking for it (`rm .*`); nor does one match a leading dot.
fn may_be(part: &str, want: &str, depth: usize) -> bool {
    if !paths::has_wildcards(part) {
        return false;
    }
    let said = part
        .find(['*', '?', '[', '@', '!', '+'])
        .unwrap_or(part.len());
    if (depth == 0 && said < 3) || (said == 0 && want.starts_with('.')) {
        return false;
    }
    paths::intersects(&part.to_lowercase(), &want.to_lowercase())
}
