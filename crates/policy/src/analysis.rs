//! From shell source to commands and their effects.
//!
//! A script is lexed, every command in it is called with what its words are known to be, and what
//! a command would run in turn (a wrapper's command, a shell's source) is analysed the same way.

mod arguments;
mod assign;
mod builtins;
mod call;
mod choices;
mod code;
mod context;
mod descriptors;
mod directory;
mod elsewhere;
mod endless;
mod env;
mod findings;
mod flow;
mod functions;
mod held;
mod languages;
mod loops;
mod operand;
mod output;
mod parallel;
mod parameter;
mod parts;
mod patches;
mod placeholder;
mod script;
mod setting;
mod settle;
mod shell;
mod state;
mod stdin;
mod sums;
mod temporary;
mod tokens;
mod value;
mod variables;
mod verbs;
mod xargs;

pub(crate) use findings::{Called, Findings, Found};
pub(crate) use operand::{PathEffect, path_effect};
pub(crate) use script::Frame;
pub(crate) use state::{Cwd, State};
pub(crate) use value::{Known, Value};

use crate::expand::Source;
use crate::knowledge::Commands;
use crate::paths::PathList;
use crate::world::World;
use std::borrow::Cow;

/// How deep commands may be found inside each other.
const MAX_DEPTH: u32 = 12;

/// How many commands one call may hold. More is opaque, never skipped.
const MAX_COMMANDS: usize = 20_000;

/// How much source may be derived from one call's own, beyond a few times its length.
const MAX_DERIVED: usize = 1 << 20;

/// Bytes as text. Nearly all are UTF-8, which is quick to see.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// One analysis: what it looks at, and what it has found so far.
#[derive(Debug)]
pub(crate) struct Analysis<'a> {
    pub(crate) world: &'a World<'a>,
    /// Paths that hold keys, tokens and passwords.
    pub(crate) secret: &'a PathList,
    /// What is known of programs.
    pub(crate) commands: &'a Commands,
    pub(crate) found: Findings,
    /// Every script that was read, for who wants to show them; a judgement has no use for them.
    pub(crate) sources: Option<Vec<Source>>,
    /// The state that source or a command run by the last command leaves, for one that runs it in
    /// its own shell.
    left: Option<State>,
    derived: usize,
    /// What is calculated with, and where it comes from.
    sums: sums::Sums,
}

impl<'a> Analysis<'a> {
    pub(crate) fn new(world: &'a World<'a>, secret: &'a PathList, commands: &'a Commands) -> Self {
        Self {
            world,
            secret,
            commands,
            found: Findings::default(),
            sources: None,
            left: None,
            derived: 0,
            sums: sums::Sums::default(),
        }
    }
}
