//! zsh, where it reads a source differently than bash does.
//!
//! The files of the constructs call these where the dialect is [`Dialect::Zsh`]. The rules are
//! those of zsh 5.9 with the options it has when nothing sets any; a command that sets others
//! makes the script opaque.

mod body;
mod r#case;
mod closing;
mod dollar;
mod r#for;
mod function;
mod glob;
mod r#if;
mod list;
mod options;
mod param;
mod redirect;
mod reserved;
mod unknown;
mod value;
mod word;

pub(super) use self::body::Loop;
pub(super) use self::r#case::Case;
pub(super) use self::r#for::{For, Repeat};
pub(super) use self::function::{Anonymous, Function};
pub(super) use self::r#if::If;
pub(super) use self::options::may_be_special;
pub(super) use self::param::Param;
pub(super) use self::unknown::read_as_zsh;
pub(super) use self::word::Nest;

use super::Scanner;
use crate::Dialect;

impl Scanner {
    /// Whether zsh reads the source.
    #[inline]
    pub(super) fn zsh(&self) -> bool {
        self.options.dialect == Dialect::Zsh
    }

    /// Whether zsh may read the source.
    #[inline]
    pub(super) fn maybe_zsh(&self) -> bool {
        matches!(self.options.dialect, Dialect::Unknown | Dialect::Zsh)
    }
}
