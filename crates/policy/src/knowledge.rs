//! What programs do with their arguments: compiled from `commands/*/*.toml`, or read from the owner's
//! own files.

mod check;
mod examples;
mod file;
mod lookup;
mod owner;
mod schema;
mod words;

use countersign_core::{EffectKind, Place};
use file::{
    EffectName, ModeFile, NodeFile, OperandFile, OptionFile, PlaceName, PrintsFile, VerbsFile,
};
use std::collections::BTreeMap;

pub(crate) use file::{ParseStyle, Printing, Role};
pub(crate) use lookup::{BUILT_IN, Commands, subcommand};
pub use owner::{CommandFile, CommandFileError, CommandFileProblem};
pub use schema::COMMAND_FILE_SCHEMA;

/// A part of a file in the form that is kept as long as the program runs. The tables of what is built
/// in are never freed either, so one type serves both.
trait Keep {
    type Kept;
    fn keep(&self) -> Self::Kept;
}

/// A struct of `tables.rs` with how it is made of a file's.
macro_rules! table {
    (
        $file:ident =>
        $(#[$doc:meta])*
        pub(crate) struct $name:ident {
            $(pub(crate) $field:ident: $type:ty $(= $made:ident)?,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name {
            $(pub(crate) $field: $type,)*
        }

        impl Keep for $file {
            type Kept = $name;

            fn keep(&self) -> $name {
                $name {
                    $($field: table!(@value self $field $($made)?).keep(),)*
                }
            }
        }
    };
    (@value $file:ident $field:ident) => { $file.$field };
    (@value $file:ident $field:ident $made:ident) => { $file.$made() };
}

include!("knowledge/tables.rs");
include!(concat!(env!("OUT_DIR"), "/commands.rs"));

impl Node {
    /// Whether it says nothing itself of what a call of it does, but for its subcommands.
    pub(crate) fn is_group(&self) -> bool {
        !self.subcommands.is_empty()
            && !self.reads
            && self.effects.is_empty()
            && self.operands.is_empty()
    }
}

impl Keep for bool {
    type Kept = Self;

    fn keep(&self) -> Self {
        *self
    }
}

impl Keep for usize {
    type Kept = Self;

    fn keep(&self) -> Self {
        *self
    }
}

impl Keep for Printing {
    type Kept = Self;

    fn keep(&self) -> Self {
        *self
    }
}

impl Keep for Role {
    type Kept = Self;

    fn keep(&self) -> Self {
        *self
    }
}

impl Keep for ParseStyle {
    type Kept = Self;

    fn keep(&self) -> Self {
        *self
    }
}

impl Keep for String {
    type Kept = &'static str;

    fn keep(&self) -> &'static str {
        self.clone().leak()
    }
}

impl<T: Keep<Kept: 'static>> Keep for Vec<T> {
    type Kept = &'static [T::Kept];

    fn keep(&self) -> Self::Kept {
        self.iter().map(T::keep).collect::<Vec<_>>().leak()
    }
}

impl<K: Keep<Kept: 'static>, V: Keep<Kept: 'static>> Keep for BTreeMap<K, V> {
    type Kept = &'static [(K::Kept, V::Kept)];

    fn keep(&self) -> Self::Kept {
        let pairs = self.iter().map(|(key, value)| (key.keep(), value.keep()));
        pairs.collect::<Vec<_>>().leak()
    }
}

impl<T: Keep> Keep for Option<T> {
    type Kept = Option<T::Kept>;

    fn keep(&self) -> Self::Kept {
        self.as_ref().map(T::keep)
    }
}

impl Keep for PlaceName {
    type Kept = Place;

    fn keep(&self) -> Place {
        match self {
            Self::Here => Place::Here,
            Self::Remote => Place::Remote,
            Self::Container => Place::Container,
        }
    }
}

impl Keep for EffectName {
    type Kept = EffectKind;

    fn keep(&self) -> EffectKind {
        match self {
            Self::Run => EffectKind::Run,
            Self::WorkspaceCode => EffectKind::WorkspaceCode,
            Self::Read => EffectKind::Read,
            Self::Write => EffectKind::Write,
            Self::Delete => EffectKind::Delete,
            Self::Move => EffectKind::Move,
            Self::Permission => EffectKind::Permission,
            Self::Send => EffectKind::Send,
            Self::Receive => EffectKind::Receive,
            Self::Listen => EffectKind::Listen,
            Self::Environment => EffectKind::Environment,
            Self::Privilege => EffectKind::Privilege,
            Self::Persistence => EffectKind::Persistence,
            Self::Process => EffectKind::Process,
            Self::VcsWrite => EffectKind::VcsWrite,
            Self::Opaque => EffectKind::Opaque,
        }
    }
}
