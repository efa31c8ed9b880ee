use super::glob;
use countersign_core::Facts;
use std::collections::BTreeMap;

/// A list of paths, ready to be asked.
///
/// An entry that begins with `/` or `~/` holds in that place; any other holds at every depth. An
/// entry holds for what lies below it too. `*` stays within a component. An entry that begins with
/// `!` takes back what entries before it put on the list. Case does not count: some file systems
/// ignore it.
#[derive(Debug, Clone, Default)]
pub(crate) struct PathList {
    entries: Vec<Entry>,
    /// Which unanchored entries begin with a name, by that name.
    by_name: BTreeMap<String, Vec<usize>>,
    /// Which entries are anchored or begin with a wildcard.
    others: Vec<usize>,
}

#[derive(Debug, Clone)]
struct Entry {
    exempt: bool,
    anchor: Anchor,
    parts: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Anchor {
    Root,
    Home,
    Anywhere,
}

impl PathList {
    pub(crate) fn new<S: AsRef<str>>(entries: &[S]) -> Self {
        let mut list = Self::default();
        for (at, entry) in entries.iter().enumerate() {
            let entry = Entry::new(entry.as_ref());
            match entry.parts.first() {
                Some(name) if entry.anchor == Anchor::Anywhere && !name.contains('*') => {
                    list.by_name.entry(name.clone()).or_default().push(at);
                }
                _ => list.others.push(at),
            }
            list.entries.push(entry);
        }
        list
    }

    /// Whether a path is on the list, as a whole or with one of the directories it lies in. The
    /// path may itself hold wildcards, and a doubt is a match.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        let mut candidates: Vec<usize> = self.others.clone();
        if path.has_wildcards {
            candidates = (0..self.entries.len()).collect();
        } else {
            candidates.extend(
                path.parts
                    .iter()
                    .filter_map(|part| self.by_name.get(&part.text))
                    .flatten(),
            );
        }
        // The last entry that matches decides.
        candidates
            .into_iter()
            .filter_map(|at| Some((at, self.entries.get(at)?)))
            // A wildcard may also match what is not exempt.
            .filter(|(_, entry)| !(entry.exempt && path.has_wildcards))
            .filter(|(_, entry)| entry.matches(path))
            .max_by_key(|(at, _)| *at)
            .is_some_and(|(_, entry)| !entry.exempt)
    }

    /// Whether a path is a directory that entries lie in, told by its last component: reading all
    /// of it reads them.
    pub(crate) fn lies_in(&self, path: &Path) -> bool {
        let Some(last) = path.parts.last().map(|part| &part.text) else {
            return false;
        };
        self.entries
            .iter()
            .any(|entry| match entry.parts.as_slice() {
                [first, between @ .., _] => {
                    !entry.exempt
                        && entry.anchor == Anchor::Anywhere
                        && first.starts_with('.')
                        && between.last().unwrap_or(first) == last
                }
                _ => false,
            })
    }
}

impl Entry {
    fn new(entry: &str) -> Self {
        let entry = entry.to_lowercase();
        let (exempt, entry) = match entry.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, entry.as_str()),
        };
        let (anchor, rest) = match entry.strip_prefix("~/") {
            Some(rest) => (Anchor::Home, rest),
            None if entry.starts_with('/') => (Anchor::Root, entry),
            None => (Anchor::Anywhere, entry),
        };
        let parts = rest
            .split('/')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect();
        Self {
            exempt,
            anchor,
            parts,
        }
    }

    fn matches(&self, path: &Path) -> bool {
        let parts = path.parts.as_slice();
        match self.anchor {
            Anchor::Root => self.begins(parts),
            Anchor::Home => parts
                .get(path.home_parts..)
                .is_some_and(|rest| self.begins(rest)),
            Anchor::Anywhere => {
                (0..parts.len()).any(|at| self.begins(parts.get(at..).unwrap_or_default()))
            }
        }
    }

    /// Whether the first components match every part of the entry.
    fn begins(&self, found: &[Part]) -> bool {
        self.parts.len() <= found.len()
            && self
                .parts
                .iter()
                .zip(found)
                .enumerate()
                .all(|(at, (wanted, found))| {
                    if !found.wild && !wanted.contains('*') {
                        return *wanted == found.text;
                    }
                    // A shell wildcard does not match a leading dot, and what lists everything in a
                    // directory was not looking for this name.
                    let hidden = wanted.starts_with('.') && found.text.starts_with(['*', '?', '[']);
                    let everything = at == 0 && found.text == "*";
                    !hidden && !everything && glob::intersects(&found.text, wanted)
                })
    }
}

/// A path as lists look at it.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    parts: Vec<Part>,
    has_wildcards: bool,
    /// How many components the user's home directory has, when the path begins with it; more than
    /// there are otherwise.
    home_parts: usize,
}

#[derive(Debug, Clone)]
struct Part {
    text: String,
    wild: bool,
}

impl Path {
    pub(crate) fn new(path: &str, facts: &Facts) -> Self {
        let parts: Vec<Part> = path
            .split('/')
            .filter(|part| !part.is_empty())
            .map(|part| Part {
                text: part.to_lowercase(),
                wild: super::has_wildcards(part),
            })
            .collect();
        let home: Vec<&str> = facts
            .home
            .split('/')
            .filter(|part| !part.is_empty())
            .collect();
        let in_home = home.len() <= parts.len()
            && home
                .iter()
                .zip(&parts)
                .all(|(home, part)| home.eq_ignore_ascii_case(&part.text));
        Self {
            has_wildcards: parts.iter().any(|part| part.wild),
            home_parts: if in_home { home.len() } else { usize::MAX },
            parts,
        }
    }
}
