use crate::analysis::{Analysis, Called, Findings, Found, Frame, State, Value};
use crate::knowledge::BUILT_IN;
use crate::paths::PathList;
use crate::world::World;
use countersign_core::{CommandView, EffectKind, Facts};
use countersign_lexer::{CommandId, Script, WordKind};

/// Everything that shell source would run, as far as it can be known before it runs.
#[derive(Debug, Clone, Default)]
pub struct Expansion {
    /// Every script that was read: first the source itself, then what its commands run as source.
    pub sources: Vec<Source>,
    /// Every command. What a command runs in turn comes after it.
    pub commands: Vec<Expanded>,
}

/// A script, and how it came to run.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// The script. In derived source `$_` stands for text that is only known when it runs.
    pub script: Script,
    /// The command that runs it, as an index into the commands; `None` for the source itself.
    pub parent: Option<usize>,
    /// The context of every command in it; `None` for the source itself, whose commands have their
    /// own.
    pub context: Option<String>,
    /// It is a text whose substitutions run, put behind a command that stands for nothing: the
    /// first, which has no command here.
    pub probe: bool,
}

/// A command that a script would run, in the words of its program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expanded {
    /// The command.
    pub view: CommandView,
    /// It was not in the source itself: it was found in what another command runs.
    pub derived: bool,
    /// Where it was read.
    pub origin: Origin,
    /// Why it may run more than is listed, in the words of effects' tags. Empty when it does not.
    pub opaque: Vec<String>,
}

/// Where a command was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It stands in a script.
    Script {
        /// An index into the sources.
        source: usize,
        /// The command.
        command: CommandId,
    },
    /// It is the last words of another command.
    Words {
        /// What makes each word dynamic.
        kinds: Vec<WordKind>,
        /// What is set for it alone, as `NAME=value`.
        assignments: Vec<String>,
    },
    /// It is no command: a redirection of a compound without one, a text that cannot be read, the
    /// first command of a probe.
    Note,
}

/// Every command that shell source would run, also inside wrappers, nested shells and
/// here-documents that a shell reads.
pub fn expand(source: &[u8], cwd: &str, facts: &Facts) -> Expansion {
    let secret = PathList::default();
    let world = World::new(facts);
    let mut analysis = Analysis::new(&world, &secret, &BUILT_IN);
    analysis.sources = Some(Vec::new());
    let temp = facts.temp_roots.first().map_or("/tmp", String::as_str);
    let state = State::new(&facts.home, temp, cwd);
    let frame = Frame::outermost(state, facts.shell.as_deref());
    analysis.script(source, &frame);
    Expansion {
        commands: commands(&mut analysis.found),
        sources: analysis.sources.unwrap_or_default(),
    }
}

fn commands(found: &mut Findings) -> Vec<Expanded> {
    let views = std::mem::take(&mut found.commands);
    let calls = std::mem::take(&mut found.calls);
    (0u32..)
        .zip(views.into_iter().zip(calls))
        .map(|(index, (view, call))| Expanded {
            derived: view.parent.is_some(),
            origin: origin(call),
            opaque: opaque(found, index),
            view,
        })
        .collect()
}

fn origin(call: Called) -> Origin {
    match call.origin {
        Some(Found::Script(source, command)) => Origin::Script { source, command },
        Some(Found::Words) => Origin::Words {
            kinds: call.words.iter().map(Value::kind).collect(),
            assignments: call.assignments,
        },
        None => Origin::Note,
    }
}

fn opaque(found: &Findings, index: u32) -> Vec<String> {
    let effects = found.of(index);
    let tags = effects.filter(|effect| effect.kind == EffectKind::Opaque);
    let mut tags: Vec<String> = tags
        .flat_map(|effect| &effect.tags)
        .map(ToString::to_string)
        .collect();
    tags.retain(|tag| tag != "uncertain");
    tags.sort();
    tags.dedup();
    tags
}
