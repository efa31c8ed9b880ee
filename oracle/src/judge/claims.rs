//! What the lexer and the effect layer say would run.

use super::matching::Slot;
use countersign_core::{CommandView, Facts};
use countersign_lexer::{Cardinality, Command, CommandId, Part, Script, Status, Word};
use countersign_policy::{Expanded, Origin, expand};

/// A command that is claimed to run.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    pub(crate) slots: Vec<Slot>,
    /// The command of the script; nothing when the effect layer derived it.
    pub(crate) command: Option<CommandId>,
}

impl Claim {
    /// Its name, where that is certain.
    pub(crate) fn head(&self) -> Option<&[u8]> {
        match self.slots.first()? {
            Slot::Exactly(bytes) => Some(bytes),
            _ => None,
        }
    }

    pub(crate) fn is_exact(&self) -> bool {
        self.slots.iter().all(Slot::is_exact)
    }

    pub(crate) fn exact_words(&self) -> usize {
        self.slots.iter().filter(|slot| slot.is_exact()).count()
    }

    /// For people: literal words, and `<>` for what is not known.
    pub(crate) fn shown(&self) -> String {
        let word = |slot: &Slot| match slot {
            Slot::Exactly(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
            Slot::One(_) => "<one>".to_owned(),
            Slot::Any => "<any>".to_owned(),
        };
        self.slots.iter().map(word).collect::<Vec<_>>().join(" ")
    }
}

/// The claims of a script; commands that are only assignments or redirections have no words.
pub(crate) fn of_script(script: &Script) -> Vec<Claim> {
    script.commands().filter_map(|it| of_command(&it)).collect()
}

fn of_command(command: &Command<'_>) -> Option<Claim> {
    let slots: Vec<Slot> = command.words().map(|word| of_word(&word)).collect();
    (!slots.is_empty()).then(|| Claim {
        slots,
        command: Some(command.id()),
    })
}

pub(crate) fn of_word(word: &Word<'_>) -> Slot {
    match (word.literal(), word.cardinality()) {
        (Some(bytes), _) => Slot::Exactly(bytes.to_vec()),
        (None, Cardinality::ZeroOrMore | Cardinality::Many) => Slot::Any,
        (None, Cardinality::One) => Slot::One(
            word.parts()
                .map(|part| match part {
                    Part::Literal { text, .. } => Some(text.to_vec()),
                    _ => None,
                })
                .collect(),
        ),
    }
}

/// What the commands of a script run in turn.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    pub(crate) claims: Vec<Claim>,
    /// There may be more than is claimed.
    pub(crate) open: bool,
}

pub(crate) fn of_effects(source: &[u8]) -> Effects {
    let mut facts = Facts::virtual_at("/home/u", &["/tmp/work"]);
    facts.shell = Some("bash".to_owned());
    let expansion = expand(source, "/tmp/work", &facts);
    let mut effects = Effects {
        claims: Vec::new(),
        open: expansion.commands.iter().any(may_run_more),
    };
    for read in expansion.sources.iter().skip(1) {
        let first = usize::from(read.probe);
        effects.open |= read.script.status() >= Status::Opaque;
        let commands = read.script.commands().skip(first);
        effects.claims.extend(commands.filter_map(|command| {
            of_command(&command).map(|claim| Claim {
                command: None,
                ..claim
            })
        }));
    }
    let words = expansion
        .commands
        .iter()
        .filter(|found| found.derived && matches!(found.origin, Origin::Words { .. }));
    effects
        .claims
        .extend(words.map(|found| of_view(&found.view)));
    effects
}

/// A program that is not known runs nothing here: the recorder stands in its place.
fn may_run_more(found: &Expanded) -> bool {
    found.opaque.iter().any(|tag| tag != "unknown-program")
}

fn of_view(view: &CommandView) -> Claim {
    let words = view.argv.iter().zip(&view.dynamic);
    let slot = |(word, dynamic): (&String, &bool)| match dynamic {
        true => Slot::Any,
        false => Slot::Exactly(word.as_bytes().to_vec()),
    };
    Claim {
        slots: words.map(slot).collect(),
        command: None,
    }
}
