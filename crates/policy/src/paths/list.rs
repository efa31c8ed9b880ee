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
    pub(crate) fn holds(&self, path: &Path<'_>) -> bool {
        let mut candidates: Vec<usize> = self.others.clone();
        if path.has_wildcards {
            candidates = (0..self.entries.len()).collect();
        } else {
            candidates.extend(
                path.parts()
                    .filter_map(|part| self.by_name.get(part))
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
    pub(crate) fn lies_in(&self, path: &Path<'_>) -> bool {
        let Some(last) = path.parts().next_back() else {
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

    fn matches(&self, path: &Path<'_>) -> bool {
        match self.anchor {
            Anchor::Root => self.begins(path.parts(), path),
            Anchor::Home => path
                .below_home()
                .is_some_and(|parts| self.begins(parts, path)),
            Anchor::Anywhere => {
                let mut parts = path.parts();
                loop {
                    if self.begins(parts.clone(), path) {
                        return true;
                    }
                    if parts.next().is_none() {
                        return false;
                    }
                }
            }
        }
    }

    /// Whether the first components match every part of the entry.
    fn begins<'p>(&self, mut found: impl Iterator<Item = &'p str>, path: &Path<'_>) -> bool {
        self.parts.iter().enumerate().all(|(at, wanted)| {
            found.next().is_some_and(|found| {
                if !path.has_wildcards && !wanted.contains('*') {
                    return wanted == found;
                }
                // A shell wildcard does not match a leading dot, and what lists everything in a
                // directory was not looking for this name.
                let hidden = wanted.starts_with('.') && found.starts_with(['*', '?', '[']);
                let everything = at == 0 && found == "*";
                !hidden && !everything && glob::intersects(found, wanted)
            })
        })
    }
}

/// A path as lists and rules look at it.
#[derive(Debug, Clone)]
pub(crate) struct Path<'a> {
    lower: String,
    home: &'a str,
    has_wildcards: bool,
}

impl<'a> Path<'a> {
    pub(crate) fn new(path: &str, facts: &'a Facts) -> Self {
        Self {
            lower: path.to_lowercase(),
            home: &facts.home,
            has_wildcards: super::has_wildcards(path),
        }
    }

    fn parts(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        self.lower.split('/').filter(|part| !part.is_empty())
    }

    /// The components below the user's home directory.
    fn below_home(&self) -> Option<impl Iterator<Item = &str> + Clone> {
        let mut parts = self.parts();
        for wanted in self.home.split('/').filter(|part| !part.is_empty()) {
            parts
                .next()
                .filter(|found| found.eq_ignore_ascii_case(wanted))?;
        }
        Some(parts)
    }
}
