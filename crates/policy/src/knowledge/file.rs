//! The shape of a command file (`commands/*/*.toml`), exactly as it is typed.
//!
//! The build script reads the same shape for what is built in, and `owner.rs` for an owner's own files;
//! `check.rs` says what is wrong with one. `tables.rs` has the form that an analysis looks at.

use serde::Deserialize;
use std::collections::BTreeMap;

/// One program, or one of its subcommands.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NodeFile {
    /// The name it is called by: a program's base name, or a subcommand's word.
    pub(crate) name: String,
    /// Other names that mean exactly the same.
    #[serde(default)]
    pub(crate) aliases: Vec<String>,
    /// What it does, for a person; a fragment such as "removes files".
    #[serde(default)]
    pub(crate) summary: String,
    /// How its arguments are read.
    #[serde(default)]
    pub(crate) parse: ParseStyle,
    /// Option parsing ends at the first operand (wrappers such as `sudo`).
    #[serde(default)]
    pub(crate) stop_at_operand: bool,
    /// With known options and no other effects, it only reads.
    #[serde(default)]
    pub(crate) reads: bool,
    /// What every call of it does.
    #[serde(default)]
    pub(crate) effects: Vec<EffectName>,
    /// Words that rules match on, for every call of it.
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    /// Options it understands.
    #[serde(default, rename = "option")]
    pub(crate) options: Vec<OptionFile>,
    /// What its operands mean, in order.
    #[serde(default, rename = "operand")]
    pub(crate) operands: Vec<OperandFile>,
    /// Forms that an option selects.
    #[serde(default, rename = "mode")]
    pub(crate) modes: Vec<ModeFile>,
    /// How its operands name what it does, where they do so by a verb.
    #[serde(default)]
    pub(crate) verbs: Option<VerbsFile>,
    /// Its subcommands.
    #[serde(default, rename = "subcommand")]
    pub(crate) subcommands: Vec<NodeFile>,
    /// What it does with standard input when no operand names another source.
    #[serde(default)]
    pub(crate) stdin: Option<Role>,
    /// Where it reads when no operand names a path (`ls`, `find`): the working directory.
    #[serde(default)]
    pub(crate) default_path: bool,
    /// Keys of a `setting` value that execute nothing; `*` stands for any run of characters.
    #[serde(default)]
    pub(crate) ordinary_settings: Vec<String>,
    /// Where a command it runs takes place.
    #[serde(default)]
    pub(crate) place: PlaceName,
    /// It runs its command with arguments that it reads from standard input.
    #[serde(default)]
    pub(crate) appends_arguments: bool,
    /// Hosts of its own service (`*.example.org`): a word that names another leads it elsewhere.
    #[serde(default)]
    pub(crate) hosts: Vec<String>,
    /// Reads the repository's configuration, some of whose keys execute.
    #[serde(default)]
    pub(crate) repository: bool,
    /// Whether `--help` or `--version` alone only prints. Without it: yes, unless its effects hold
    /// `workspace-code`.
    #[serde(default)]
    pub(crate) help: Option<bool>,
    /// Forms of which it is known who made what they print. The first that applies wins; without one it
    /// may be any text, which nobody may calculate with.
    #[serde(default)]
    pub(crate) prints: Vec<PrintsFile>,
    /// Calls with the effects they must be found to have; run as tests.
    #[serde(default, rename = "example")]
    pub(crate) examples: Vec<ExampleFile>,
}

impl NodeFile {
    /// The name and the aliases.
    pub(crate) fn all_names(&self) -> Vec<String> {
        std::iter::once(&self.name)
            .chain(&self.aliases)
            .cloned()
            .collect()
    }
}

/// How arguments are split into options and operands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ParseStyle {
    /// `-abc` is a cluster, `--long[=value]` may be abbreviated.
    #[default]
    Gnu,
    /// `-name` is one option (`find`, `java`, `terraform`).
    Words,
    /// `name=value` operands (`dd`).
    Assignments,
    /// No options at all; everything is an operand (`test`, `echo`).
    Raw,
}

/// One option, under all its names.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct OptionFile {
    /// `-x`, `--long`, `-word`, or `name` for the assignment style.
    pub(crate) names: Vec<String>,
    /// It takes a value, which means this.
    #[serde(default)]
    pub(crate) value: Option<Role>,
    /// The value may be left out, and is only taken when attached (`--color=auto`).
    #[serde(default)]
    pub(crate) optional: bool,
    /// A name, plain text, stands in a word of its own before the value (`jq --arg NAME VALUE`).
    #[serde(default)]
    pub(crate) named: bool,
    /// What giving it does.
    #[serde(default)]
    pub(crate) effects: Vec<EffectName>,
    /// Words that rules match on.
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    /// Values, or lists of them with commas between, with which it has neither the effects nor the
    /// tags above (compared without case); one that ends in `*` stands for every value that begins
    /// so, `@name` for every plain name (letters, digits and `_`).
    #[serde(default)]
    pub(crate) except: Vec<String>,
    /// Values that have more tags.
    #[serde(default)]
    pub(crate) values: BTreeMap<String, Vec<String>>,
    /// It is understood after every subcommand too.
    #[serde(default)]
    pub(crate) global: bool,
    /// Only subcommands know it: a program that does not takes the word behind it for its value, so
    /// that the subcommand is another than it seems.
    #[serde(default)]
    pub(crate) late: bool,
}

/// What one operand, or a run of them, means.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct OperandFile {
    /// What it means.
    pub(crate) role: Role,
    /// Any number of them. At most one entry of a list says so; entries after it are counted from the end.
    #[serde(default)]
    pub(crate) many: bool,
    /// What giving it does, beyond its role.
    #[serde(default)]
    pub(crate) effects: Vec<EffectName>,
    /// Words that rules match on when it is given.
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    /// Beginnings of the operand that mean more: beginning → tag. `*text` stands for an operand with
    /// that text anywhere, in any case; one that is not known may have it.
    #[serde(default)]
    pub(crate) starts: BTreeMap<String, String>,
}

/// The verbs of a tool that has one for each thing its service can do: `aws ec2 describe-vpcs`, where
/// `ec2` is a group and `describe-vpcs` the verb.
///
/// A verb is written as one word or as several: the last words of a call, up to and with its verb.
/// `*` stands for any run of characters. The first list that holds a call's verb counts, in the order
/// below; with a verb in none of them nobody knows what the call does. Long options behind a verb
/// that the file does not list are parameters of the service: data. They hold for a subcommand too that
/// has subcommands of its own and says no more.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct VerbsFile {
    /// Words that lead to a verb and are none.
    #[serde(default)]
    pub(crate) groups: Vec<String>,
    /// Verbs that print or copy a key, a token or a password, whatever else they do.
    #[serde(default)]
    pub(crate) secret: Vec<String>,
    /// Verbs that look like one of `reads` and write a file, send, or run something.
    #[serde(default)]
    pub(crate) except: Vec<String>,
    /// Verbs that only ask the service.
    #[serde(default)]
    pub(crate) reads: Vec<String>,
    /// Verbs that delete something stored.
    #[serde(default)]
    pub(crate) deletes: Vec<String>,
    /// Verbs that put code or infrastructure to use.
    #[serde(default)]
    pub(crate) deploys: Vec<String>,
    /// Verbs that change something else.
    #[serde(default)]
    pub(crate) changes: Vec<String>,
    /// Beginnings of a value behind which the path of a file stands that is read (`file://`).
    #[serde(default)]
    pub(crate) files: Vec<String>,
}

/// A form that one of some options selects. The first that applies wins.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ModeFile {
    /// Any of these options selects it; `--name=value` is one with that value alone, `--name=` one
    /// without any.
    pub(crate) options: Vec<String>,
    /// With known options and no other effects, this form only reads.
    #[serde(default)]
    pub(crate) reads: bool,
    /// What this form does, instead of the node's own effects.
    #[serde(default)]
    pub(crate) effects: Vec<EffectName>,
    /// Words that rules match on, beside the node's own.
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    /// What the values of options mean in this form, where that differs: option → meaning.
    #[serde(default)]
    pub(crate) values: BTreeMap<String, Role>,
    /// Options that have neither effects nor tags in this form.
    #[serde(default)]
    pub(crate) plain: Vec<String>,
    /// What operands mean in this form, instead of the node's own.
    #[serde(default, rename = "operand")]
    pub(crate) operands: Option<Vec<OperandFile>>,
}

/// A form of which it is known who made what it prints.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PrintsFile {
    /// What it prints.
    pub(crate) what: Printing,
    /// Any of these options, or words as they stand, is given; without one every call is meant.
    #[serde(default)]
    pub(crate) with: Vec<String>,
    /// None of these is given.
    #[serde(default)]
    pub(crate) without: Vec<String>,
    /// It has at most so many operands.
    #[serde(default)]
    pub(crate) operands: Option<usize>,
}

/// What a form prints, and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Printing {
    /// Numbers, or nothing at all.
    Number,
    /// Words of the call, and numbers.
    Words,
    /// Pieces of its standard input, and of the words of the call.
    Input,
}

/// What a word means to the program it is given to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Role {
    /// Data: a pattern, a number, a message.
    Text,
    /// A path it reads.
    Read,
    /// A path it creates or overwrites.
    Write,
    /// A path it adds to.
    Append,
    /// A path it changes in place.
    Edit,
    /// A new directory or empty file; what is there stays.
    Create,
    /// A path it removes.
    Delete,
    /// A path it moves away.
    Move,
    /// A path whose mode or owner it changes.
    Permission,
    /// A file of code that it runs.
    Script,
    /// This word and all after it are a command that it runs.
    Run,
    /// A command up to `;` or `+` (`find -exec`).
    RunUntil,
    /// Shell source that it runs (`bash -c`); with `many`, the words are joined by blanks.
    CodeSh,
    /// Source in another language that it runs.
    Code,
    /// Source in Python, which is read.
    CodePython,
    /// Source in JavaScript, which is read.
    CodeJs,
    /// Source in Ruby, which is read.
    CodeRuby,
    /// Source in Perl, which is read.
    CodePerl,
    /// Source in PHP, which is read.
    CodePhp,
    /// An awk program.
    CodeAwk,
    /// A sed script.
    CodeSed,
    /// Statements for a database.
    CodeSql,
    /// A patch that it applies.
    Patch,
    /// A jq expression.
    CodeJq,
    /// A yq expression.
    CodeYq,
    /// Bindings of fzf.
    CodeFzf,
    /// `NAME=value` words before a command (`env`).
    Assign,
    /// `key=value` of a configuration some of whose keys execute (`git -c`).
    Setting,
    /// A version control object; `REVISION:path` reads that path.
    Object,
    /// The directory that the command works in.
    Dir,
    /// A host it reaches.
    Host,
    /// A URL it reaches; a loopback one counts for nothing.
    Url,
    /// The name of a package.
    Package,
}

/// An effect, by its name in the JSON form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EffectName {
    /// Runs something whose effects are not known.
    Run,
    /// Runs code that the workspace holds.
    WorkspaceCode,
    /// Reads.
    Read,
    /// Writes in the working directory.
    Write,
    /// Removes in the working directory.
    Delete,
    /// Moves.
    Move,
    /// Changes modes or owners.
    Permission,
    /// Sends data out.
    Send,
    /// Fetches data.
    Receive,
    /// Listens for connections.
    Listen,
    /// Changes the environment of what runs later.
    Environment,
    /// Gains rights.
    Privilege,
    /// Arranges to run again later.
    Persistence,
    /// Acts on other processes or the system.
    Process,
    /// Changes version control state.
    VcsWrite,
    /// What it does cannot be known.
    Opaque,
}

/// Where a command that this one runs takes place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PlaceName {
    /// On this machine.
    #[default]
    Here,
    /// On another host.
    Remote,
    /// In a container.
    Container,
}

/// A call and what it must be found to do.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ExampleFile {
    /// A command line.
    pub(crate) run: String,
    /// It is answered as read-only.
    #[serde(default)]
    pub(crate) reads: bool,
    /// Effects that must be found, each `kind` or `kind target` with the target as typed.
    #[serde(default)]
    pub(crate) effects: Vec<String>,
    /// Tags that must be found.
    #[serde(default)]
    pub(crate) tags: Vec<String>,
}
