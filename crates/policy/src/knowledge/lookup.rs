use super::{NAMES, Node, PROGRAMS};

/// The file of knowledge about a program, by its base name.
pub(crate) fn program(name: &str) -> Option<&'static Node> {
    let at = NAMES
        .binary_search_by(|(known, _)| (*known).cmp(name))
        .ok()?;
    let (_, index) = NAMES.get(at)?;
    PROGRAMS.get(*index)
}

/// The subcommand of a node with this name.
pub(crate) fn subcommand(node: &'static Node, name: &str) -> Option<&'static Node> {
    node.subcommands
        .iter()
        .find(|subcommand| subcommand.names.contains(&name))
}
