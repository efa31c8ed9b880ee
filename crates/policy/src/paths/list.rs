use super::bytes::ByteSet;
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
    /// The first byte of what each of them begins with, and its last two.
    leads: Vec<(u8, [u8; 2])>,
    /// Which unanchored entries begin with a name, by that name.
    by_name: BTreeMap<String, Vec<usize>>,
    /// What is common to those names: most components look otherwise, and need no search.
    names: ByteSet,
    /// Which entries are anchored.
    anchored: Vec<usize>,
    /// What those in a home begin with, and all others: most paths begin otherwise.
    anchored_leads: (ByteSet, ByteSet),
    /// Which unanchored entries begin with a component that has a wildcard.
    wild: Vec<usize>,
    /// What such components begin with where that is no wildcard, and what they end with where it is:
    /// most others begin and end otherwise.
    wild_leads: ByteSet,
    wild_ends: ByteSet,
    /// The hidden directories that entries lie in.
    folders: BTreeSet<String>,
    /// What is common to their names.
    folder_looks: ByteSet,
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
    ends: Ends,
    /// What a pattern begins with that is open at its end counts only where it speaks of this name.
    sparing: bool,
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
                    list.names.insert(look_of(name.text.as_bytes()));
                }
                Some(name) if entry.anchor == Anchor::Anywhere => {
                    list.wild.push(at);
                    match name.text.as_bytes() {
                        [b'*', .., before, last] if is_name(*before) && is_name(*last) => {
                            list.wild_ends.insert(end_of([*before, *last]));
                        }
                        [b'*', ..] => list.wild_ends = ByteSet::ALL,
                        [first, ..] => list.wild_leads.insert(*first),
                        [] => {}
                    }
                }
                first => {
                    list.anchored.push(at);
                    let (home, root) = &mut list.anchored_leads;
                    let leads = if entry.anchor == Anchor::Home {
                        home
                    } else {
                        root
                    };
                    match first.and_then(|name| name.text.bytes().next()) {
                        Some(b'*') | None => *leads = ByteSet::ALL,
                        Some(lead) => leads.insert(lead),
                    }
                }
            }
            let first = entry.parts.first().map(|name| name.text.as_bytes());
            let ends = first.and_then(|text| Some((*text.first()?, last_two(text))));
            list.leads.push(ends.unwrap_or_default());
            if let Some(folder) = entry.folder() {
                list.folder_looks.insert(look_of(folder.as_bytes()));
                list.folders.insert(folder.to_owned());
            }
            list.entries.push(entry);
        }
        list
    }

    /// The same list for what is only looked at: `test_*` is no search for `*.pem`, though both
    /// may match one file, as `*` is none.
    pub(crate) fn sparing(mut self) -> Self {
        for entry in &mut self.entries {
            for part in &mut entry.parts {
                part.sparing = part.text.starts_with('*');
            }
        }
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether a path is on the list, as a whole or with one of the directories it lies in. The
    /// path may itself hold wildcards, and a doubt is a match.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        self.holds_read(path, Reading::Expanded)
    }

    fn holds_read(&self, path: &Path, reading: Reading) -> bool {
        // The last entry that matches decides.
        let mut last: Option<(usize, bool)> = None;
        let doubtful = path.has_wildcards && reading == Reading::Expanded;
        let mut meet = |at: usize, from: usize| {
            let Some(entry) = self.entries.get(at) else {
                return;
            };
            // A wildcard may also match what is not exempt.
            let counts = !(entry.exempt && doubtful);
            let later = last.is_none_or(|(known, _)| at > known);
            if counts && later && entry.begins(path, from, reading) {
                last = Some((at, entry.exempt));
            }
        };
        self.meet_anchored(path, reading, &mut meet);
        for (from, part) in path.parts.iter().enumerate() {
            let text = path.part(part).as_bytes();
            let Some(&initial) = text.first() else {
                continue;
            };
            if part.is_wild(reading) {
                self.meet_wildcard(text, &mut |at| meet(at, from));
                continue;
            }
            if self.names.holds(look_of(text)) {
                let named = self.by_name.get(path.part(part));
                named.into_iter().flatten().for_each(|&at| meet(at, from));
            }
            let ends = self.wild_ends.holds(end_of(last_two(text)));
            if ends || self.wild_leads.holds(initial) {
                for &at in &self.wild {
                    let lead = self.leads.get(at).map(|(lead, _)| *lead);
                    if lead == Some(initial) || (ends && lead == Some(b'*')) {
                        meet(at, from);
                    }
                }
            }
        }
        last.is_some_and(|(_, exempt)| !exempt)
    }

    /// The anchored entries that may hold for a path.
    fn meet_anchored(&self, path: &Path, reading: Reading, meet: &mut impl FnMut(usize, usize)) {
        let lead_of = |from: usize| {
            let part = path.parts.get(from)?;
            let first = path.part(part).as_bytes().first().copied();
            first.filter(|_| !part.is_wild(reading))
        };
        let (top, home) = (lead_of(0), lead_of(path.home_parts));
        let may_begin = |leads: ByteSet, found: Option<u8>| found.is_none_or(|it| leads.holds(it));
        let in_home = may_begin(self.anchored_leads.0, home);
        if !in_home && !may_begin(self.anchored_leads.1, top) {
            return;
        }
        for &at in &self.anchored {
            let root = self.entries.get(at).map(|entry| entry.anchor) == Some(Anchor::Root);
            let (from, found) = if root {
                (0, top)
            } else {
                (path.home_parts, home)
            };
            let lead = self.leads.get(at).map(|(lead, _)| *lead);
            // What has no components is the whole tree.
            let whole = lead == Some(0);
            if whole || found.is_none() || lead == found || lead == Some(b'*') {
                meet(at, from);
            }
        }
    }

    /// The entries whose first component may be one that a component with wildcards stands for.
    fn meet_wildcard(&self, text: &[u8], meet: &mut impl FnMut(usize)) {
        let (Some(&initial), Some(&end)) = (text.first(), text.last()) else {
            return;
        };
        let open = matches!(initial, b'*' | b'?' | b'[');
        let extended = matches!(initial, b'@' | b'!' | b'+');
        let may_begin = |lead: u8| match lead {
            // A shell wildcard does not match a leading dot; an extended pattern may.
            b'.' => initial == b'.' || extended,
            b'*' | b'?' => true,
            _ => open || extended || lead == initial,
        };
        let before = last_two(text)[0];
        let differ = |a: u8, b: u8| a != b && is_name(a) && is_name(b);
        let may_end = |[other, last]: [u8; 2]| {
            let same = is_name(end) && last == end;
            !differ(last, end) && (!same || !differ(other, before))
        };
        for (at, &(lead, last)) in self.leads.iter().enumerate() {
            if may_end(last) && may_begin(lead) {
                meet(at);
            }
        }
    }

    /// Whether a path is on the list, where a wildcard in it is sure to match what is: it says no
    /// less than an entry does, or stands for everything in a directory that entries lie in.
    pub(crate) fn surely_holds(&self, path: &Path) -> bool {
        if !path.has_wildcards {
            return self.holds(path);
        }
        if self.holds_read(path, Reading::Literal) {
            return true;
        }
        match path.parts.as_slice() {
            [.., dir, last] => {
                matches!(path.part(last), "*" | ".*" | "**") && self.is_folder(path.part(dir))
            }
            _ => false,
        }
    }

    /// What [`holds`](Self::holds) says, without any of its short cuts.
    #[cfg(test)]
    pub(super) fn holds_slowly(&self, path: &Path) -> bool {
        let begins = |entry: &Entry| {
            (0..=path.parts.len()).any(|from| entry.begins(path, from, Reading::Expanded))
        };
        let counts = |entry: &&Entry| !(entry.exempt && path.has_wildcards) && begins(entry);
        let last = self.entries.iter().rev().find(counts);
        last.is_some_and(|entry| !entry.exempt)
    }

    /// Whether a path is a directory that entries lie in, told by its last component: reading all
    /// of it reads them.
    pub(crate) fn lies_in(&self, path: &Path) -> bool {
        path.parts
            .last()
            .is_some_and(|last| self.is_folder(path.part(last)))
    }

    fn is_folder(&self, name: &str) -> bool {
        self.folder_looks.holds(look_of(name.as_bytes())) && self.folders.contains(name)
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
                ends: Ends::of(part),
                sparing: false,
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
                let told =
                    !self.exempt && self.anchor == Anchor::Anywhere && first.text.starts_with('.');
                told.then(|| between.last().unwrap_or(first).text.as_str())
            }
            _ => None,
        }
    }

    /// Whether the components of a path from one on match every part of the entry.
    fn begins(&self, path: &Path, from: usize, reading: Reading) -> bool {
        let found = path.parts.get(from..).unwrap_or_default();
        let placed = match self.anchor {
            Anchor::Anywhere => !self.parts.is_empty(),
            Anchor::Root => from == 0,
            Anchor::Home => from == path.home_parts && from != usize::MAX,
        };
        placed
            && self.parts.len() <= found.len()
            && self
                .parts
                .iter()
                .zip(found)
                .enumerate()
                .all(|(at, (wanted, found))| {
                    let wild = found.is_wild(reading);
                    wanted.matches(path.part(found), (found.ends, wild), at == 0)
                })
    }
}

impl Name {
    fn matches(&self, text: &str, (ends, wild): (Ends, bool), first: bool) -> bool {
        if !wild {
            let agree = || self.ends.agree(&self.text, ends, text);
            return if self.wild {
                agree() && glob::matches(&self.text, text)
            } else {
                self.text == text
            };
        }
        // A shell wildcard does not match a leading dot, and what lists everything in a directory
        // was not looking for this name.
        let hidden = self.text.starts_with('.') && text.starts_with(['*', '?', '[']);
        let everything = first && text == "*";
        let unspoken = self.sparing && text.ends_with('*') && !speaks_of(text, &self.text);
        if hidden || everything || unspoken {
            return false;
        }
        self.ends.agree(&self.text, ends, text) && glob::intersects(text, &self.text)
    }
}

/// A byte that two equal components have in common, and few others with them.
fn look_of(text: &[u8]) -> u8 {
    let (first, [before, last]) = (text.first().copied().unwrap_or_default(), last_two(text));
    first
        .wrapping_mul(7)
        .wrapping_add(end_of([before, last]))
        .wrapping_add(text.len().to_le_bytes()[0])
}

/// The same for components of which the last two bytes are equal.
fn end_of([before, last]: [u8; 2]) -> u8 {
    before.wrapping_mul(31).wrapping_add(last)
}

/// The last two bytes of a component, as far as it has them.
fn last_two(text: &[u8]) -> [u8; 2] {
    match text {
        [.., before, last] => [*before, *last],
        [last] => [0, *last],
        [] => [0, 0],
    }
}

/// Whether a byte stands for itself, whatever else is in a component.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'.'
}

/// Whether a byte belongs to a wildcard.
fn is_special(byte: u8) -> bool {
    matches!(
        byte,
        b'*' | b'?' | b'[' | b']' | b'(' | b')' | b'@' | b'!' | b'+'
    )
}

/// Whether all that a pattern spells out stands in a listed name.
fn speaks_of(pattern: &str, listed: &str) -> bool {
    let mut spelled = pattern.split(['*', '?']);
    spelled.all(|text| listed.contains(text) || text.contains(['[', '(']))
}

/// How many bytes a component has before its first and behind its last wildcard: most pairs differ
/// there, and need no closer look.
#[derive(Debug, Clone, Copy)]
struct Ends {
    head: usize,
    tail: usize,
}

impl Ends {
    fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        match bytes.iter().position(|&byte| is_special(byte)) {
            None => Self::whole(text),
            Some(head) => Self {
                head,
                tail: bytes
                    .iter()
                    .rev()
                    .take_while(|&&byte| !is_special(byte))
                    .count(),
            },
        }
    }

    /// Of a component without wildcards.
    fn whole(text: &str) -> Self {
        Self {
            head: text.len(),
            tail: text.len(),
        }
    }

    fn agree(self, text: &str, other: Self, other_text: &str) -> bool {
        let (a, b) = (text.as_bytes(), other_text.as_bytes());
        let (head, tail) = (self.head.min(other.head), self.tail.min(other.tail));
        let end = |bytes: &'_ [u8]| bytes.len().saturating_sub(tail);
        a.get(..head) == b.get(..head) && a.get(end(a)..) == b.get(end(b)..)
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

/// How the wildcards of a path are read: as the shell does, or as bytes like others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Expanded,
    Literal,
}

/// Where a component stands in the text.
#[derive(Debug, Clone)]
struct Part {
    from: usize,
    to: usize,
    wild: bool,
    ends: Ends,
}

impl Part {
    fn is_wild(&self, reading: Reading) -> bool {
        self.wild && reading == Reading::Expanded
    }
}

impl Path {
    pub(crate) fn has_wildcards(&self) -> bool {
        self.has_wildcards
    }

    pub(crate) fn new(path: &str, facts: &Facts) -> Self {
        let text = if path.is_ascii() {
            path.to_ascii_lowercase()
        } else {
            path.to_lowercase()
        };
        let mut parts = Vec::with_capacity(8);
        let (mut from, mut special) = (0_usize, false);
        let mut close = |to: usize, special: bool, from: usize| {
            if let Some(part) = text.get(from..to).filter(|part| !part.is_empty()) {
                parts.push(Part {
                    from,
                    to,
                    wild: special && super::has_wildcards(part),
                    ends: if special {
                        Ends::of(part)
                    } else {
                        Ends::whole(part)
                    },
                });
            }
        };
        for (at, byte) in text.bytes().enumerate() {
            if byte == b'/' {
                close(at, special, from);
                (from, special) = (at.saturating_add(1), false);
            } else {
                special |= is_special(byte);
            }
        }
        close(text.len(), special, from);
        let mut path = Self {
            has_wildcards: parts.iter().any(|part| part.wild),
            home_parts: usize::MAX,
            text,
            parts,
        };
        let mut at = 0_usize;
        let in_home = super::components(&facts.home).all(|name| {
            let part = path.parts.get(at).map(|part| path.part(part));
            at = at.saturating_add(1);
            part.is_some_and(|part| name.eq_ignore_ascii_case(part) || name.to_lowercase() == part)
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
