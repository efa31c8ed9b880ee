//! What small programs inside arguments do.
//!
//! sed, awk, jq, yq and SQL have readers of their own. Python, JavaScript, Ruby, Perl and PHP share
//! one: `lex` splits the source, `names` and `values` say what its names stand for, `walk` tells what
//! it does, and the tables in `languages` say what is known of each language.

mod awk;
mod fzf;
mod jq;
mod lex;
mod names;
mod sed;
mod sql;
mod tables;
mod tokens;
mod values;
mod walk;
mod yq;

pub(crate) use awk::{commands as awk_commands, only_reads as awk, written as awk_written};
pub(crate) use fzf::fzf;
pub(crate) use jq::only_reads as jq;
pub(crate) use sed::{SedAction, actions as sed};
pub(crate) use sql::only_reads as sql;
pub(crate) use tables::{JAVASCRIPT, PERL, PHP, PYTHON, RUBY, Table};
pub(crate) use values::Piece;
pub(crate) use walk::{Act, read};
pub(crate) use yq::only_reads as yq;
