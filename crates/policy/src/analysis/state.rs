use super::flow::Output;
use crate::paths;
use std::collections::BTreeMap;

/// What a shell remembers between two commands, as far as it is known.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) home: String,
    pub(crate) temp: String,
    pub(crate) cwd: Cwd,
    /// What can be read from descriptors, as far as something was said of them.
    pub(crate) descriptors: BTreeMap<u32, Output>,
    /// `None`: assigned, but not known.
    variables: BTreeMap<String, Option<String>>,
    /// Something was run in this shell that was not seen.
    forgotten: bool,
}

/// The longest value that is followed, in bytes: a value that doubles with every assignment must
/// not take memory with it.
const MAX_VALUE: usize = 64 << 10;

/// The directories that a command may work in; empty when it cannot be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cwd {
    /// Where it works if the last `cd` did what it was told.
    changed: Vec<String>,
    /// Where it works if the last `cd` failed.
    unchanged: Vec<String>,
}

/// More directories than this are as good as unknown.
const MAX_CWDS: usize = 6;

impl Cwd {
    pub(crate) fn at(dir: &str) -> Self {
        Self {
            changed: vec![paths::join("/", dir)],
            unchanged: Vec::new(),
        }
    }

    pub(crate) fn unknown() -> Self {
        Self {
            changed: Vec::new(),
            unchanged: Vec::new(),
        }
    }

    /// Every directory that it may be; empty when it cannot be told.
    pub(crate) fn all(&self) -> Vec<&str> {
        self.changed
            .iter()
            .chain(&self.unchanged)
            .map(String::as_str)
            .collect()
    }

    /// The directory, when only one comes into question.
    pub(crate) fn only(&self) -> Option<&str> {
        match (self.changed.as_slice(), self.unchanged.is_empty()) {
            ([dir], true) => Some(dir),
            _ => None,
        }
    }

    /// A `cd`, which may fail: what follows it with `&&` runs in the new directory, anything else
    /// in either.
    pub(crate) fn change(&mut self, to: Option<&str>) {
        let before: Vec<String> = self.all().into_iter().map(str::to_owned).collect();
        let Some(to) = to.filter(|_| before.len() <= MAX_CWDS) else {
            *self = Self::unknown();
            return;
        };
        self.changed.clear();
        for dir in &before {
            let dir = paths::join(dir, to);
            if !self.changed.contains(&dir) {
                self.changed.push(dir);
            }
        }
        self.unchanged = before;
        self.unchanged.retain(|dir| !self.changed.contains(dir));
    }

    /// The same, with the last `cd` having worked.
    pub(crate) fn went_well(&self) -> Self {
        Self {
            changed: self.changed.clone(),
            unchanged: Vec::new(),
        }
    }
}

impl State {
    pub(crate) fn new(home: &str, temp: &str, cwd: &str) -> Self {
        Self {
            home: home.to_owned(),
            temp: temp.to_owned(),
            cwd: Cwd::at(cwd),
            descriptors: BTreeMap::new(),
            variables: BTreeMap::new(),
            forgotten: false,
        }
    }

    /// The value of a variable, where it is known.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        match (self.variables.get(name), name) {
            (Some(value), _) => value.clone(),
            (None, _) if self.forgotten => None,
            (None, "HOME") => Some(self.home.clone()),
            (None, "PWD") => self.cwd.only().map(str::to_owned),
            (None, "TMPDIR") => Some(self.temp.clone()),
            (None, _) => None,
        }
    }

    /// Whether unquoted values are split at blanks, as they are unless somebody said otherwise.
    pub(crate) fn splits_at_blanks(&self) -> bool {
        !self.variables.contains_key("IFS")
    }

    /// Something ran in this shell that was not seen: no variable is known any more.
    pub(crate) fn forget(&mut self) {
        for name in ["HOME", "PWD", "TMPDIR"] {
            self.variables.insert(name.to_owned(), None);
        }
        for value in self.variables.values_mut() {
            *value = None;
        }
        self.descriptors.clear();
        self.forgotten = true;
        self.cwd = Cwd::unknown();
    }

    /// An assignment. A second one makes the value unknown: which of them holds depends on what
    /// runs.
    pub(crate) fn assign(&mut self, name: &str, value: Option<String>) {
        let known = value.filter(|value| value.len() <= MAX_VALUE && !self.forgotten);
        let value = known.filter(|_| !self.variables.contains_key(name));
        self.variables.insert(name.to_owned(), value);
    }
}
