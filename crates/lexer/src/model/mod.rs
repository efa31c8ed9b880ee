//! What a lexed script is: flat arenas, and views that borrow from them.

mod assignment;
mod command;
mod redirect;
mod scope;
mod script;
mod word;

pub use assignment::Assignment;
pub(crate) use assignment::AssignmentData;
pub(crate) use command::CommandData;
pub use command::{Argv0, Command, CommandId, Context};
pub(crate) use redirect::{HeredocData, RedirectData};
pub use redirect::{Redirect, RedirectOp};
pub(crate) use scope::{KindData, ScopeData};
pub use scope::{Scope, ScopeId, ScopeKind};
pub use script::Script;
pub use word::{Cardinality, Part, Value, Word, WordKind};
pub(crate) use word::{DetailData, PartData, Shape, WordData};
