//! The shape of a language file (`languages/*.toml`), exactly as it is typed.
//!
//! The build script reads the same shape, so a mistake in a file fails the
//! build with the path of the offending key.

use serde::Deserialize;
use std::collections::BTreeMap;

/// What a program in one language may hold. Whatever is not listed is not understood.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LanguageFile {
    /// Which language: `python`, `javascript`, `ruby`, `perl`, `php`.
    pub(crate) name: String,
    /// Words of the grammar.
    pub(crate) keywords: Vec<String>,
    /// Functions that only compute or print, with their module before a dot.
    #[serde(default)]
    pub(crate) functions: Vec<String>,
    /// More of them, by the module that they stand in.
    #[serde(default)]
    pub(crate) modules: BTreeMap<String, Vec<String>>,
    /// Things that may be looked at, but not called or assigned to.
    #[serde(default)]
    pub(crate) values: Vec<String>,
    /// What may follow a dot on any value.
    #[serde(default)]
    pub(crate) methods: Vec<String>,
    /// Methods that are more than they seem once a module is used: module → methods.
    #[serde(default)]
    pub(crate) doubtful: BTreeMap<String, Vec<String>>,
    /// Names that a program cannot take for itself, since they reach too far.
    #[serde(default)]
    pub(crate) reserved: Vec<String>,
    /// Members that no value may be asked for, since they lead to anything.
    #[serde(default)]
    pub(crate) hidden: Vec<String>,
    /// Functions that change a variable that they are given.
    #[serde(default)]
    pub(crate) changers: Vec<String>,
    /// Tables of the environment's variables.
    #[serde(default)]
    pub(crate) environment: Vec<String>,
    /// Names of arguments that change nothing about what a listed call reaches.
    #[serde(default)]
    pub(crate) labels: Vec<String>,
    /// What importing a module loads too, where files of the working directory come first.
    #[serde(default)]
    pub(crate) loads: BTreeMap<String, Vec<String>>,
    /// Functions that do more, each list with what they do.
    #[serde(default, rename = "call")]
    pub(crate) calls: Vec<CallFile>,
}

/// What some functions do. Arguments are counted from 1; 0 is what a method is called on.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CallFile {
    /// The functions; `Path().unlink` is a method of what `Path(…)` gives.
    pub(crate) names: Vec<String>,
    /// The command that does the same. `{1}` is an argument, `{*}` are all of them.
    #[serde(default)]
    pub(crate) run: Vec<String>,
    /// The argument that is a shell line, or a list of a command's words.
    #[serde(default)]
    pub(crate) shell: Option<u8>,
    /// The argument that names a program; the words behind it are all arguments, or a list of them.
    #[serde(default)]
    pub(crate) program: Option<u8>,
    /// The argument that names a file (or a URL), which is opened.
    #[serde(default)]
    pub(crate) opens: Option<u8>,
    /// The argument that says how it is opened.
    #[serde(default)]
    pub(crate) mode: Option<u8>,
    /// A name that begins with `|` is a command, as is one that ends so.
    #[serde(default)]
    pub(crate) pipes: bool,
    /// The argument that names a variable of the environment.
    #[serde(default)]
    pub(crate) variable: Option<u8>,
    /// The text that it gives, where its arguments are known.
    #[serde(default)]
    pub(crate) value: Option<ValueName>,
    /// The names of its arguments, in order.
    #[serde(default)]
    pub(crate) parameters: Vec<String>,
    /// Labels with which it sends data (`data=…`).
    #[serde(default)]
    pub(crate) sends: Vec<String>,
}

/// How the text that a function gives is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ValueName {
    /// Its first argument.
    Same,
    /// Its arguments joined by slashes.
    Joined,
    /// The home directory.
    Home,
    /// Its first argument with a leading tilde expanded.
    Expanded,
}
