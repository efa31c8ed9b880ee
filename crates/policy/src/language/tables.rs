//! What programs in other languages may hold, compiled from `languages/*.toml`.

include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// One language. `language/file.rs`, which the build script reads the files with, says what each
/// field means. Lists of names are sorted.
#[derive(Debug)]
pub(crate) struct Table {
    pub(super) name: &'static str,
    pub(super) keywords: &'static [&'static str],
    pub(super) functions: &'static [&'static str],
    pub(super) modules: &'static [&'static str],
    pub(super) values: &'static [&'static str],
    pub(super) methods: &'static [&'static str],
    pub(super) doubtful: &'static [(&'static str, &'static [&'static str])],
    pub(super) reserved: &'static [&'static str],
    pub(super) hidden: &'static [&'static str],
    pub(super) changers: &'static [&'static str],
    pub(super) environment: &'static [&'static str],
    pub(super) labels: &'static [&'static str],
    pub(super) loads: &'static [(&'static str, &'static [&'static str])],
    pub(super) calls: &'static [(&'static str, Call)],
}

/// What a function does.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) run: &'static [&'static str],
    pub(super) shell: Option<u8>,
    pub(super) program: Option<u8>,
    pub(super) opens: Option<u8>,
    pub(super) mode: Option<u8>,
    pub(super) pipes: bool,
    pub(super) variable: Option<u8>,
    pub(super) value: Option<Given>,
    pub(super) parameters: &'static [&'static str],
    pub(super) sends: &'static [&'static str],
}

/// How the text that a function gives is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    Same,
    Joined,
    Home,
    Expanded,
}

/// What a dotted name stands for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Entry {
    /// Only computes or prints.
    Function,
    /// May be looked at.
    Value,
    /// Holds variables of the environment.
    Environment,
    Call(&'static Call),
    /// Only a beginning of other names.
    Module,
}

impl Table {
    pub(super) fn entry(&self, name: &str) -> Option<Entry> {
        if let Ok(at) = self.calls.binary_search_by_key(&name, |(known, _)| *known) {
            return self.calls.get(at).map(|(_, call)| Entry::Call(call));
        }
        if has(self.functions, name) {
            return Some(Entry::Function);
        }
        if has(self.values, name) {
            return Some(Entry::Value);
        }
        if has(self.environment, name) {
            return Some(Entry::Environment);
        }
        has(self.modules, name).then_some(Entry::Module)
    }

    /// Whether a module can be imported that is called so.
    pub(super) fn has_module(&self, name: &str) -> bool {
        has(self.modules, name)
    }

    /// What importing a module loads beside it.
    pub(super) fn loaded_by(&self, module: &str) -> &'static [&'static str] {
        let at = self.loads.binary_search_by_key(&module, |(name, _)| *name);
        at.ok()
            .and_then(|at| self.loads.get(at))
            .map_or(&[], |(_, loaded)| *loaded)
    }
}

/// Whether a sorted list holds a name.
pub(super) fn has(list: &[&str], name: &str) -> bool {
    list.binary_search(&name).is_ok()
}
