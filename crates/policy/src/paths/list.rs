use super::glob;
use countersign_core::Facts;
use std::collections::{BTreeMap, BTreeSet};

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
    /// What those names begin with: most components begin otherwise, and need no search.
    initials: BTreeSet<u8>,
    /// Which entries are anchored.
    anchored: Vec<usize>,
    /// Which unanchored entries begin with a wildcard.
    wild: Vec<usize>,
    /// The hidden directories that entries lie in.
    folders: BTreeSet<String>,
}

#[derive(Debug, Clone)]
struct Entry {
    exempt: bool,
    anchor: Anchor,
    parts: Vec<Name>,
}

/// One component of an entry.
#[derive(Debug, Clone)]
struct Name {
    text: String,
    wild: bool,
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
                Some(name) if entry.anchor == Anchor::Anywhere && !name.wild => {
                    list.by_name.entry(name.text.clone()).or_default().push(at);
                    list.initials.extend(name.text.bytes().next());
                }
                Some(_) if entry.anchor == Anchor::Anywhere => list.wild.push(at),
                _ => list.anchored.push(at),
            }
            list.folders.extend(entry.folder().map(str::to_owned));
            list.entries.push(entry);
        }
        list
    }

    /// Whether a path is on the list, as a whole or with one of the directories it lies in. The
    /// path may itself hold wildcards, and a doubt is a match.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        // The last entry that matches decides.
        let mut last: Option<(usize, bool)> = None;
        let mut meet = |at: usize, from: usize| {
            let Some(entry) = self.entries.get(at) else {
                return;
            };
            // A wildcard may also match what is not exempt.
            let counts = !(entry.exempt && path.has_wildcards);
            if counts && last.is_none_or(|(known, _)| at > known) && entry.begins(path, from) {
                last = Some((at, entry.exempt));
            }
        };
        for &at in &self.anchored {
            let root = self.entries.get(at).map(|entry| entry.anchor) == Some(Anchor::Root);
            meet(at, if root { 0 } else { path.home_parts });
        }
        for (from, part) in path.parts.iter().enumerate() {
            if part.wild {
                (0..self.entries.len()).for_each(|at| meet(at, from));
                continue;
            }
            let text = path.part(part);
            let begins = text
                .bytes()
                .next()
                .is_some_and(|byte| self.initials.contains(&byte));
            let named = begins.then(|| self.by_name.get(text)).flatten();
            for &at in named.into_iter().flatten().chain(&self.wild) {
                meet(at, from);
            }
        }
        last.is_some_and(|(_, exempt)| !exempt)
    }

    /// Whether a path is a directory that entries lie in, told by its last component: reading all
    /// of it reads them.
    pub(crate) fn lies_in(&self, path: &Path) -> bool {
        path.parts
            .last()
            .is_some_and(|last| self.folders.contains(path.part(last)))
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
            .map(|part| Name {
                wild: part.contains('*'),
                text: part.to_owned(),
            })
            .collect();
        Self {
            exempt,
            anchor,
            parts,
        }
    }

    /// The directory that it lies in, where one can be told by its name alone.
    fn folder(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [first, between @ .., _] => {
                let told = !self.exempt
                    && self.anchor == Anchor::Anywhere
                    && first.text.starts_with('.');
                told.then(|| between.last().unwrap_or(first).text.as_str())
            }
            _ => None,
        }
    }

    /// Whether the components of a path from one on match every part of the entry.
    fn begins(&self, path: &Path, from: usize) -> bool {
        let found = path.parts.get(from..).unwrap_or_default();
        let placed = match self.anchor {
            Anchor::Anywhere => true,
            Anchor::Root => from == 0,
            Anchor::Home => from == path.home_parts,
        };
        placed
            && self.parts.len() <= found.len()
            && self
                .parts
                .iter()
                .zip(found)
                .enumerate()
                .all(|(at, (wanted, found))| wanted.matches(path.part(found), found.wild, at == 0))
    }
}

impl Name {
    fn matches(&self, found: &str, found_wild: bool, first: bool) -> bool {
        match (self.wild, found_wild) {
            (false, false) => self.text == found,
            (true, false) => glob::matches(&self.text, found),
            (_, true) => {
                // A shell wildcard does not match a leading dot, and what lists everything in a
                // directory was not looking for this name.
                let hidden = self.text.starts_with('.') && found.starts_with(['*', '?', '[']);
                let everything = first && found == "*";
                !hidden && !everything && glob::intersects(found, &self.text)
            }
        }
    }
}

/// A path as lists look at it.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    text: String,
    parts: Vec<Part>,
    has_wildcards: bool,
    /// How many components the user's home directory has, when the path begins with it; more than
    /// there are otherwise.
    home_parts: usize,
}

/// Where a component stands in the text.
#[derive(Debug, Clone)]
struct Part {
    from: usize,
    to: usize,
    wild: bool,
}

impl Path {
    pub(crate) fn new(path: &str, facts: &Facts) -> Self {
        let text = path.to_lowercase();
        let mut parts = Vec::with_capacity(8);
        let mut from = 0_usize;
        for part in text.split('/') {
            let to = from.saturating_add(part.len());
            if !part.is_empty() {
                parts.push(Part {
                    from,
                    to,
                    wild: super::has_wildcards(part),
                });
            }
            from = to.saturating_add(1);
        }
        let mut path = Self {
            has_wildcards: parts.iter().any(|part| part.wild),
            home_parts: usize::MAX,
            text,
            parts,
        };
        let home = || facts.home.split('/').filter(|part| !part.is_empty());
        let mut at = 0_usize;
        let in_home = home().all(|name| {
            let part = path.parts.get(at).map(|part| path.part(part));
            at = at.saturating_add(1);
            part.is_some_and(|part| name.eq_ignore_ascii_case(part))
        });
        if in_home {
            path.home_parts = at;
        }
        path
    }

    fn part(&self, part: &Part) -> &str {
        self.text.get(part.from..part.to).unwrap_or_default()
    }
}
