use super::owner::CommandFile;
use super::{NAMES, Node, PROGRAMS};

/// What is known of programs: the owner's files, and behind them what is built in.
#[derive(Debug, Default)]
pub(crate) struct Commands {
    /// Sorted by name.
    own: Vec<(&'static str, &'static Node)>,
}

/// What is known without an owner.
pub(crate) static BUILT_IN: Commands = Commands { own: Vec::new() };

impl Commands {
    /// With these files; of several for one name the last counts.
    pub(crate) fn new(files: &[CommandFile]) -> Self {
        let names = |file: &CommandFile| {
            let node = file.node();
            node.names.iter().map(move |name| (*name, node))
        };
        let mut own: Vec<_> = files.iter().rev().flat_map(names).collect();
        own.sort_by_key(|(name, _)| *name);
        own.dedup_by_key(|(name, _)| *name);
        Self { own }
    }

    /// Everything that is said of a program, the owner's word first: for patterns of an owner, which
    /// are to hold for the names that options have by either.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &'static Node> {
        let own = found(&self.own, name).copied();
        own.into_iter().chain(built_in(name))
    }

    /// What is known of a program, by its base name.
    pub(crate) fn program(&self, name: &str) -> Option<&'static Node> {
        let own = || found(&self.own, name).copied();
        let own = if self.own.is_empty() { None } else { own() };
        own.or_else(|| built_in(name))
    }
}

/// What is built in about a program.
pub(super) fn built_in(name: &str) -> Option<&'static Node> {
    PROGRAMS.get(*found(NAMES, name)?)
}

fn found<'t, T>(sorted: &'t [(&str, T)], name: &str) -> Option<&'t T> {
    let at = sorted.binary_search_by(|(known, _)| (*known).cmp(name));
    sorted.get(at.ok()?).map(|(_, value)| value)
}

/// The subcommand of a node with this name.
pub(crate) fn subcommand(node: &'static Node, name: &str) -> Option<&'static Node> {
    node.subcommands
        .iter()
        .find(|subcommand| subcommand.names.contains(&name))
}
