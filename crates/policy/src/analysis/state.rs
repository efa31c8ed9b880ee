use super::Value;
use super::arguments::Arguments;
use super::builtins::derived;
use super::choices::Picks;
use super::flow::Output;
use super::held::Held;
use crate::paths;
use countersign_lexer::{Command, ScopeId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What a shell remembers between two commands, as far as it is known.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) home: Rc<str>,
    pub(crate) temp: Rc<str>,
    pub(crate) cwd: Cwd,
    /// What can be read from descriptors, as far as something was said of them.
    pub(crate) descriptors: Rc<BTreeMap<u32, Output>>,
    variables: Rc<BTreeMap<String, Held>>,
    /// Names that `hash -p` gave another program.
    pub(crate) rebound: BTreeSet<String>,
    /// The values that are tried at the moment, of what may have several: by a variable's name, or
    /// by the source of an expansion. `None` is what is not known.
    pub(super) picks: Picks,
    /// The directories that `pushd` left, where they are known.
    pub(super) stack: Vec<String>,
    /// Something was run in this shell that was not seen.
    forgotten: bool,
    /// Some variable may hold what is only sure inside a scope.
    scoped: bool,
}

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

    /// Where it works if every `cd` did what it was told.
    pub(super) fn changed_to(&self) -> Option<&str> {
        self.dirs.first().map(String::as_str)
    }

    /// A `cd`, which may fail: what follows it with `&&` runs in the new directory, anything else
    /// in either.
    pub(crate) fn change(&mut self, to: Option<&str>) {
        let returns = match (self.dirs.split_at_checked(self.changed), to) {
            // A `cd` that is taken back is taken to have worked.
            (Some(([dir], rest)), Some(to)) => rest.contains(&paths::join(dir, to)),
            _ => false,
        };
        if returns {
            *self = self.went_well();
        }
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

    /// It may be where either is.
    pub(super) fn join(&mut self, other: &Self) {
        if self == other {
            return;
        }
        if self.dirs.is_empty() || other.dirs.is_empty() {
            *self = Self::unknown();
            return;
        }
        let changed = |cwd: &Self| cwd.went_well().dirs;
        let mut dirs: Vec<String> = changed(self).to_vec();
        let mut add = |more: &[String]| {
            for dir in more {
                if !dirs.contains(dir) {
                    dirs.push(dir.clone());
                }
            }
            dirs.len()
        };
        let changed = add(&changed(other));
        add(&self.dirs);
        if add(&other.dirs) > MAX_CWDS {
            *self = Self::unknown();
            return;
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

/// The name under which the positional parameters are kept.
pub(super) const ARGUMENTS: &str = "@";

impl State {
    pub(crate) fn new(home: &str, temp: &str, cwd: &str) -> Self {
        Self {
            home: Rc::from(home),
            temp: Rc::from(temp),
            cwd: Cwd::at(cwd),
            descriptors: Rc::default(),
            variables: Rc::default(),
            rebound: BTreeSet::new(),
            picks: Vec::new(),
            stack: Vec::new(),
            forgotten: false,
            scoped: false,
        }
    }

    /// The same place, with no variable that this shell set (`env -i`).
    pub(crate) fn without_variables(&self) -> Self {
        Self {
            variables: Rc::default(),
            ..self.clone()
        }
    }

    /// What is known of a variable that somebody assigned to.
    pub(super) fn held(&self, name: &str) -> Option<&Held> {
        let held = self.variables.get(name)?;
        match &held.stands_for {
            Some(other) => self.variables.get(other),
            None => Some(held),
        }
    }

    /// The value of a variable that nobody assigned to.
    pub(super) fn inherited(&self, name: &str) -> Option<String> {
        match name {
            _ if self.forgotten => None,
            "HOME" => Some(self.home.to_string()),
            "PWD" => self.cwd.only().map(str::to_owned),
            "TMPDIR" => Some(self.temp.to_string()),
            // Whichever it is, it is a shell.
            "BASH" | "SHELL" => Some("/bin/bash".to_owned()),
            _ => None,
        }
    }

    /// The characters that split unquoted values; `None` where they are not known.
    pub(super) fn separators(&self) -> Option<String> {
        match self.variables.get("IFS") {
            None => Some(" \t\n".to_owned()),
            Some(held) => match held.only().map(Vec::as_slice) {
                Some([value]) => value.exact().map(str::to_owned),
                _ => None,
            },
        }
    }

    /// Something ran in this shell that was not seen: no variable is known any more.
    pub(crate) fn forget(&mut self) {
        let variables = Rc::make_mut(&mut self.variables);
        for name in ["HOME", "PWD", "TMPDIR", "IFS", ARGUMENTS] {
            variables.insert(name.to_owned(), Held::unknown());
        }
        for held in variables.values_mut() {
            held.open = true;
        }
        self.descriptors = Rc::default();
        self.stack.clear();
        self.forgotten = true;
        self.cwd = Cwd::unknown();
    }

    /// An assignment.
    pub(super) fn assign(&mut self, name: &str, mut held: Held) {
        let variables = Rc::make_mut(&mut self.variables);
        let name = match variables.get(name).and_then(|held| held.stands_for.clone()) {
            Some(other) => other,
            None => name.to_owned(),
        };
        held.open |= self.forgotten;
        self.scoped |= held.within.is_some();
        match variables.get_mut(&name) {
            Some(known) if known.weak => known.join(&held),
            _ => {
                variables.insert(name, held);
            }
        }
    }

    /// A new shell's positional parameters: the operands behind those that say what it runs.
    pub(super) fn give_arguments(&mut self, arguments: &Arguments<'_>, before: usize) {
        let mut words = arguments.operands.iter().skip(before);
        let mut words = words
            .by_ref()
            .filter_map(|&index| arguments.word(index))
            .cloned();
        let name = words.next();
        let words: Vec<Value> = words.collect();
        let variables = Rc::make_mut(&mut self.variables);
        variables.insert("0".to_owned(), Held::one(name.map(|name| derived(&[name]))));
        variables.insert(ARGUMENTS.to_owned(), Held::one(Some(derived(&words))));
    }

    /// The positional parameters of a shell that reads its source elsewhere: all its operands.
    pub(super) fn arguments_after(&mut self, words: &[Value]) {
        let operand = |word: &Value| !word.text.starts_with('-');
        let separator = |word: &Value| word.exact() == Some("--");
        let mut rest = words.get(1..).unwrap_or_default();
        let begin = match rest.iter().position(separator) {
            Some(at) => at.saturating_add(1),
            None => rest.iter().position(operand).unwrap_or(rest.len()),
        };
        rest = rest.get(begin..).unwrap_or_default();
        let variables = Rc::make_mut(&mut self.variables);
        variables.insert(ARGUMENTS.to_owned(), Held::one(Some(derived(rest))));
    }

    /// Sets the positional parameters, which a function has of its own.
    pub(super) fn set_arguments(&mut self, held: Held) {
        Rc::make_mut(&mut self.variables).insert(ARGUMENTS.to_owned(), held);
    }

    /// Gives a variable back what it held.
    pub(super) fn restore(&mut self, name: &str, held: Option<Held>) {
        self.scoped |= held.as_ref().is_some_and(|held| held.within.is_some());
        let variables = Rc::make_mut(&mut self.variables);
        match held {
            Some(held) => variables.insert(name.to_owned(), held),
            None => variables.remove(name),
        };
    }

    /// The variable of a loop, which the loop itself sets whatever else does.
    pub(super) fn assign_in_loop(&mut self, name: &str, held: Held) {
        let weak = self.variables.get(name).is_some_and(|held| held.weak);
        let held = Held { weak, ..held };
        Rc::make_mut(&mut self.variables).insert(name.to_owned(), held);
    }

    /// An assignment of one text.
    pub(crate) fn assign_text(&mut self, name: &str, value: Option<String>) {
        let words = value.map(|text| vec![Value::derived(&text)]);
        self.assign(name, Held::one(words));
    }

    /// The same with these values for what may have several.
    pub(super) fn with(&self, picks: Picks) -> Self {
        Self {
            picks,
            ..self.clone()
        }
    }

    /// What was assigned for one command alone holds no longer.
    pub(super) fn take_back(&mut self, command: &Command<'_>, before: &Self) {
        let variables = Rc::make_mut(&mut self.variables);
        for assignment in command.assignments() {
            let name = String::from_utf8_lossy(assignment.name());
            match before.variables.get(&*name) {
                Some(held) => {
                    variables.insert(name.into_owned(), held.clone());
                }
                None => {
                    variables.remove(&*name);
                }
            }
        }
    }

    /// From here on an assignment to it only adds to what it may hold.
    pub(super) fn weaken(&mut self, name: &str) {
        let held = Held {
            weak: true,
            ..self.variables.get(name).cloned().unwrap_or_default()
        };
        let held = Held { open: true, ..held };
        Rc::make_mut(&mut self.variables).insert(name.to_owned(), held);
    }

    /// What is only sure inside a scope is not sure in a command outside of it.
    pub(super) fn outside(&mut self, around: &BTreeSet<ScopeId>) {
        let left = |held: &Held| held.within.is_some_and(|scope| !around.contains(&scope));
        if !self.variables.values().any(left) {
            self.scoped = self.variables.values().any(|held| held.within.is_some());
            return;
        }
        for held in Rc::make_mut(&mut self.variables).values_mut() {
            if left(held) {
                held.within = None;
                held.open = true;
            }
        }
    }

    /// Whether it may be left with something that is only sure inside a scope.
    pub(super) fn is_scoped(&self) -> bool {
        self.scoped
    }

    /// What holds if either of two things happened.
    pub(super) fn join(&mut self, other: &Self) {
        self.cwd.join(&other.cwd);
        self.forgotten |= other.forgotten;
        self.scoped |= other.scoped;
        if self.stack != other.stack {
            self.stack.clear();
        }
        if Rc::ptr_eq(&self.variables, &other.variables) {
            return;
        }
        let variables = Rc::make_mut(&mut self.variables);
        for (name, held) in other.variables.iter() {
            match variables.get_mut(name) {
                Some(known) => known.join(held),
                None => {
                    variables.insert(name.clone(), held.clone());
                }
            }
        }
    }
}
