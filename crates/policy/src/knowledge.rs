//! What programs do with their arguments, compiled from `commands/*/*.toml`.

mod lookup;

use countersign_core::{EffectKind, Place};

pub(crate) use lookup::{program, subcommand};

include!(concat!(env!("OUT_DIR"), "/commands.rs"));

/// A program or a subcommand. `knowledge/file.rs`, which the build script reads the files with, says
/// what each field means.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) names: &'static [&'static str],
    pub(crate) parse: ParseStyle,
    pub(crate) stop_at_operand: bool,
    pub(crate) reads: bool,
    pub(crate) effects: &'static [EffectKind],
    pub(crate) tags: &'static [&'static str],
    pub(crate) options: &'static [Opt],
    pub(crate) operands: &'static [Operand],
    pub(crate) modes: &'static [Mode],
    pub(crate) verbs: Option<&'static Verbs>,
    pub(crate) subcommands: &'static [Node],
    pub(crate) stdin: Option<Role>,
    pub(crate) default_path: bool,
    pub(crate) ordinary_settings: &'static [&'static str],
    pub(crate) place: Place,
    pub(crate) appends_arguments: bool,
    pub(crate) repository: bool,
}

impl Node {
    /// Whether it says nothing itself of what a call of it does, but for its subcommands.
    pub(crate) fn is_group(&self) -> bool {
        !self.subcommands.is_empty()
            && !self.reads
            && self.effects.is_empty()
            && self.operands.is_empty()
    }
}

/// An option under all its names.
#[derive(Debug)]
pub(crate) struct Opt {
    pub(crate) names: &'static [&'static str],
    pub(crate) value: Option<Role>,
    pub(crate) optional: bool,
    pub(crate) named: bool,
    pub(crate) effects: &'static [EffectKind],
    pub(crate) tags: &'static [&'static str],
    pub(crate) except: &'static [&'static str],
    pub(crate) values: &'static [(&'static str, &'static [&'static str])],
    pub(crate) global: bool,
}

/// One operand, or a run of them.
#[derive(Debug)]
pub(crate) struct Operand {
    pub(crate) role: Role,
    pub(crate) many: bool,
    pub(crate) effects: &'static [EffectKind],
    pub(crate) tags: &'static [&'static str],
    pub(crate) starts: &'static [(&'static str, &'static str)],
    pub(crate) holds: &'static [(&'static str, &'static str)],
}

/// The verbs of a tool that has one for each thing its service can do.
#[derive(Debug)]
pub(crate) struct Verbs {
    pub(crate) groups: &'static [&'static str],
    pub(crate) secret: &'static [&'static str],
    pub(crate) except: &'static [&'static str],
    pub(crate) reads: &'static [&'static str],
    pub(crate) deletes: &'static [&'static str],
    pub(crate) deploys: &'static [&'static str],
    pub(crate) changes: &'static [&'static str],
    pub(crate) files: &'static [&'static str],
}

/// A form that one of some options selects.
#[derive(Debug)]
pub(crate) struct Mode {
    pub(crate) options: &'static [&'static str],
    pub(crate) reads: bool,
    pub(crate) effects: &'static [EffectKind],
    pub(crate) tags: &'static [&'static str],
    pub(crate) values: &'static [(&'static str, Role)],
    pub(crate) operands: Option<&'static [Operand]>,
}

/// How arguments are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParseStyle {
    Gnu,
    Words,
    Assignments,
    Raw,
}

/// What a word means to its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Text,
    Read,
    Write,
    Append,
    Edit,
    Create,
    Delete,
    Move,
    Permission,
    Script,
    Run,
    RunUntil,
    CodeSh,
    Code,
    CodeAwk,
    CodeSed,
    CodeSql,
    Patch,
    CodeJq,
    CodeYq,
    CodeFzf,
    Assign,
    Setting,
    Object,
    Dir,
    Host,
    Url,
    Package,
}
