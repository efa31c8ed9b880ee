use super::flow::Output;
use crate::paths;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What a shell remembers between two commands, as far as it is known.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) home: Rc<str>,
    pub(crate) temp: Rc<str>,
    pub(crate) cwd: Cwd,
    /// What can be read from descriptors, as far as something was said of them.
    pub(crate) descriptors: BTreeMap<u32, Output>,
    /// `None`: assigned, but not known.
    variables: BTreeMap<String, Option<String>>,
    /// Names that `hash -p` gave another program.
    pub(crate) rebound: BTreeSet<String>,
    /// Something was run in this shell that was not seen.
    forgotten: bool,
}

/// The longest value that is followed, in bytes: a value that doubles with every assignment must
/// not take memory with it.
const MAX_VALUE: usize = 64 << 10;

/// The directories that a command may work in; none when it cannot be told. Every command looks at
/// it and few change it, so copies share the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cwd {
    /// First where it works if the last `cd` did what it was told, then where if it failed.
    dirs: Rc<[String]>,
    /// How many of them the last `cd` led to.
    changed: usize,
}

/// More directories than this are as good as unknown.
const MAX_CWDS: usize = 6;

impl Cwd {
    pub(crate) fn at(dir: &str) -> Self {
        Self {
            dirs: Rc::from([paths::join("/", dir)]),
            changed: 1,
        }
    }

    /// Any of these, whatever goes well.
    pub(crate) fn any_of(dirs: Vec<String>) -> Self {
        Self {
            changed: dirs.len(),
            dirs: dirs.into(),
        }
    }

    pub(crate) fn unknown() -> Self {
        Self {
            dirs: Rc::from([]),
            changed: 0,
        }
    }

    /// Every directory that it may be; none when it cannot be told.
    pub(crate) fn all(&self) -> &[String] {
        &self.dirs
    }

    /// The directory, when only one comes into question.
    pub(crate) fn only(&self) -> Option<&str> {
        match (&*self.dirs, self.changed) {
            ([dir], 1) => Some(dir),
            _ => None,
        }
    }

    /// A `cd`, which may fail: what follows it with `&&` runs in the new directory, anything else
    /// in either.
    pub(crate) fn change(&mut self, to: Option<&str>) {
        let before = &self.dirs;
        let Some(to) = to.filter(|_| before.len() <= MAX_CWDS) else {
            *self = Self::unknown();
            return;
        };
        let mut dirs: Vec<String> = Vec::with_capacity(before.len().saturating_mul(2));
        for dir in &**before {
            let dir = paths::join(dir, to);
            if !dirs.contains(&dir) {
                dirs.push(dir);
            }
        }
        let changed = dirs.len();
        for dir in &**before {
            if !dirs.iter().take(changed).any(|new| new == dir) {
                dirs.push(dir.clone());
            }
        }
        *self = Self {
            dirs: dirs.into(),
            changed,
        };
    }

    /// The same, with the last `cd` having worked.
    pub(crate) fn went_well(&self) -> Self {
        if self.changed == self.dirs.len() {
            return self.clone();
        }
        let changed = self.dirs.get(..self.changed).unwrap_or_default();
        Self {
            dirs: Rc::from(changed),
            changed: self.changed,
        }
    }
}

impl State {
    pub(crate) fn new(home: &str, temp: &str, cwd: &str) -> Self {
        Self {
            home: Rc::from(home),
            temp: Rc::from(temp),
            cwd: Cwd::at(cwd),
            descriptors: BTreeMap::new(),
            variables: BTreeMap::new(),
            rebound: BTreeSet::new(),
            forgotten: false,
        }
    }

    /// The same place, with no variable that this shell set (`env -i`).
    pub(crate) fn without_variables(&self) -> Self {
        Self {
            variables: BTreeMap::new(),
            ..self.clone()
        }
    }

    /// The value of a variable, where it is known.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        match (self.variables.get(name), name) {
            (Some(value), _) => value.clone(),
            (None, _) if self.forgotten => None,
            (None, "HOME") => Some(self.home.to_string()),
            (None, "PWD") => self.cwd.only().map(str::to_owned),
            (None, "TMPDIR") => Some(self.temp.to_string()),
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
