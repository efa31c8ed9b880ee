use crate::analysis::{Analysis, Frame, State};
use crate::paths::PathList;
use crate::world::World;
use countersign_core::{CommandView, Facts};

/// A command that a script would run, in the words of its program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expanded {
    /// The command.
    pub view: CommandView,
    /// It was not in the source itself: it was found in what another command runs.
    pub derived: bool,
}

/// Every command that shell source would run, also inside wrappers, nested shells and
/// here-documents that a shell reads.
pub fn expand(source: &str, cwd: &str, facts: &Facts) -> Vec<Expanded> {
    let secret = PathList::default();
    let world = World::new(facts);
    let mut analysis = Analysis::new(&world, &secret);
    let temp = facts.temp_roots.first().map_or("/tmp", String::as_str);
    let state = State::new(&facts.home, temp, cwd);
    let frame = Frame::outermost(state, facts.shell.as_deref());
    analysis.script(source.as_bytes(), &frame);
    let expanded = |view: CommandView| Expanded {
        derived: view.parent.is_some(),
        view,
    };
    analysis.found.commands.into_iter().map(expanded).collect()
}
