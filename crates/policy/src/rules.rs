//! The rules, built-in and the owner's, and the owner's patterns.
//!
//! The built-in ones are compiled from `rules/*.toml`; a pack of the owner's has the same form and
//! is read when it is loaded.

mod file;
mod index;
mod own;
mod owner;
mod pack;

pub(crate) use own::is_own;
pub(crate) use owner::{allowed, owner_hits};
pub use pack::{Pack, PackError};

use crate::analysis::Findings;
use crate::knowledge::Commands;
use crate::paths::{self, Path};
use crate::settings::{Lists, Settings};
use countersign_core::{
    CommandView, Effect, EffectKind, Facts, Place, RuleHit, Severity, Target, Zone,
};
use file::ListName;
use std::borrow::Cow;

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// One rule, as it is matched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule<'r> {
    id: &'r str,
    severity: Severity,
    why: &'r str,
    safer: &'r str,
    conditions: &'r [Condition],
}

/// When a rule holds; see `rules/README.md`.
#[derive(Debug, Clone)]
struct Condition {
    program: Words,
    not_program: Words,
    subcommand: Words,
    effect: Cow<'static, [EffectKind]>,
    zone: Cow<'static, [Zone]>,
    place: Cow<'static, [Place]>,
    tags: Words,
    without: Words,
    list: Option<ListName>,
    path: Words,
    tree: Words,
    name: Words,
}

/// The words of a condition.
#[derive(Debug, Clone)]
enum Words {
    /// Those of a built-in rule.
    Compiled(&'static [&'static str]),
    /// Those of an owner's.
    Read(Vec<String>),
}

impl Words {
    fn is_empty(&self) -> bool {
        match self {
            Self::Compiled(words) => words.is_empty(),
            Self::Read(words) => words.is_empty(),
        }
    }

    /// Those of a built-in rule; none of any other.
    fn compiled(&self) -> &'static [&'static str] {
        match self {
            Self::Compiled(words) => words,
            Self::Read(_) => &[],
        }
    }

    fn any(&self, mut holds: impl FnMut(&str) -> bool) -> bool {
        match self {
            Self::Compiled(words) => words.iter().any(|word| holds(word)),
            Self::Read(words) => words.iter().any(|word| holds(word)),
        }
    }

    fn all(&self, mut holds: impl FnMut(&str) -> bool) -> bool {
        !self.any(|word| !holds(word))
    }

    fn has(&self, wanted: &str) -> bool {
        self.any(|word| word == wanted)
    }
}

/// The ids of the built-in rules.
pub fn rule_ids() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.id)
}

/// The built-in rules, by id, each with how it weighs.
pub fn built_in_rules() -> impl Iterator<Item = (&'static str, Severity)> {
    RULES.iter().map(|rule| (rule.id, rule.severity))
}

/// The built-in packs: each one's name and what it is about.
pub fn built_in_packs() -> impl Iterator<Item = (&'static str, &'static str)> {
    PACKS.iter().copied()
}

/// What a rule needs to know about the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) lists: &'a Lists,
    pub(crate) commands: &'a Commands,
    pub(crate) facts: &'a Facts,
}

/// Every rule that the findings meet, built-in or of a pack.
pub(crate) fn rule_hits(found: &Findings, ground: Ground<'_>) -> Vec<RuleHit> {
    let mut hits: Vec<RuleHit> = Vec::new();
    let mut built_in: Vec<usize> = Vec::new();
    for (number, effect) in found.effects.iter().enumerate() {
        let at = usize::try_from(effect.command).unwrap_or(usize::MAX);
        let place = place(effect, ground.facts);
        let called = found.calls.get(at);
        let subcommand = called.map_or("", |called| called.subcommand.as_str());
        let as_program = |program, subcommand| Met {
            found,
            number,
            effect,
            program,
            subcommand,
            place: place.as_ref(),
            ground,
        };
        let met = as_program(program(found, at), subcommand);
        let others: Vec<Met<'_>> = called
            .iter()
            .flat_map(|called| &called.others)
            .map(|(program, subcommand)| as_program(program.as_deref(), subcommand))
            .collect();
        let holds = |condition: &Condition| {
            condition.holds(&met)
                || (condition.names_program() && others.iter().any(|other| condition.holds(other)))
        };
        built_in.clear();
        let programs = met
            .program
            .into_iter()
            .chain(others.iter().filter_map(|met| met.program));
        index::candidates(effect, programs, |rule, condition| {
            if !built_in.contains(&rule) && holds(condition) {
                built_in.push(rule);
            }
        });
        built_in.sort_unstable();
        let packs = ground.settings.packs.iter().flat_map(Pack::rules);
        let packs = packs.filter(|rule| rule.conditions.iter().any(holds));
        let built_in = built_in.iter().filter_map(|&rule| RULES.get(rule)).copied();
        for rule in built_in.chain(packs) {
            if !is_excepted(&rule, effect, ground) {
                let hit = rule.hit(effect);
                if !hits.contains(&hit) {
                    hits.push(hit);
                }
            }
        }
    }
    hits
}

/// One effect with everything that conditions ask about it.
struct Met<'m> {
    found: &'m Findings,
    /// Its place among all effects.
    number: usize,
    effect: &'m Effect,
    program: Option<&'m str>,
    subcommand: &'m str,
    /// The path it is on, for effects on paths.
    place: Option<&'m PathMet<'m>>,
    ground: Ground<'m>,
}

struct PathMet<'m> {
    resolved: Option<&'m str>,
    zone: Zone,
    /// The text that lists are asked about.
    shown: &'m str,
    /// The rest of the path below a home directory.
    below_home: Option<&'m str>,
    /// The rest of the path below a workspace root.
    below_root: Option<&'m str>,
}

fn program(found: &Findings, at: usize) -> Option<&str> {
    let called = found
        .calls
        .get(at)
        .and_then(|called| called.program.as_deref());
    called.or_else(|| found.commands.get(at).and_then(CommandView::program))
}

fn place<'m>(effect: &'m Effect, facts: &'m Facts) -> Option<PathMet<'m>> {
    let Some(Target::Path {
        typed,
        resolved,
        zone,
    }) = &effect.target
    else {
        return None;
    };
    // Where nothing is known of the whole path, its end may be in plain sight.
    let shown = resolved.as_deref().unwrap_or(typed);
    Some(PathMet {
        resolved: resolved.as_deref(),
        zone: *zone,
        shown,
        below_root: resolved.as_deref().and_then(|path| below_root(path, facts)),
        below_home: resolved
            .as_deref()
            .and_then(|path| below_home(path, &facts.home)),
    })
}

/// The part of a path below a workspace root.
fn below_root<'p>(path: &'p str, facts: &Facts) -> Option<&'p str> {
    let below = |root: &String| {
        path.strip_prefix(root.trim_end_matches('/'))?
            .strip_prefix('/')
    };
    facts.roots.iter().find_map(below)
}

/// The part of a path below the user's or somebody else's home directory.
fn below_home<'p>(path: &'p str, home: &str) -> Option<&'p str> {
    let below = |base: &str| {
        path.strip_prefix(base.trim_end_matches('/'))?
            .strip_prefix('/')
    };
    below(home).or_else(|| below("/root")).or_else(|| {
        let users = below("/home").or_else(|| below("/Users"))?;
        users.split_once('/').map(|(_, rest)| rest)
    })
}

impl Rule<'_> {
    /// What may happen but need not is never denied for good.
    fn severity_for(&self, effect: &Effect) -> Severity {
        let uncertain = effect.tags.iter().any(|tag| tag == "uncertain");
        if uncertain {
            self.severity.min(Severity::Soft)
        } else {
            self.severity
        }
    }

    fn hit(&self, effect: &Effect) -> RuleHit {
        let (target, resolved) = match &effect.target {
            Some(Target::Path {
                typed, resolved, ..
            }) => (Some(typed.clone()), resolved.clone()),
            Some(other) => (Some(other.typed().to_owned()), None),
            None => (None, None),
        };
        RuleHit {
            rule: self.id.to_owned(),
            severity: self.severity_for(effect),
            command: Some(effect.command),
            resolved: resolved.filter(|resolved| Some(resolved) != target.as_ref()),
            target,
            why: self.why.to_owned(),
            safer: Some(self.safer.to_owned()),
        }
    }
}

impl Condition {
    fn holds(&self, met: &Met<'_>) -> bool {
        let effect = met.effect;
        let tagged = |tag: &str| effect.tags.iter().any(|known| known == tag);
        one_of(&self.effect, &effect.kind)
            && self.tags.all(tagged)
            && !self.without.any(tagged)
            && self.program_fits(met)
            && (self.subcommand.is_empty() || self.subcommand.has(met.subcommand))
            && one_of(&self.place, &effect.place)
            && self.target_fits(met)
    }

    /// Whether it depends on which program it is.
    fn names_program(&self) -> bool {
        !(self.program.is_empty() && self.not_program.is_empty() && self.subcommand.is_empty())
    }

    /// Whether it depends on what the effect is on.
    fn names_target(&self) -> bool {
        self.names_place() || !self.name.is_empty()
    }

    fn names_place(&self) -> bool {
        !self.zone.is_empty()
            || self.list.is_some()
            || !self.path.is_empty()
            || !self.tree.is_empty()
    }

    fn program_fits(&self, met: &Met<'_>) -> bool {
        let named = |words: &Words| met.program.is_some_and(|program| words.has(program));
        (self.program.is_empty() || named(&self.program)) && !named(&self.not_program)
    }

    fn target_fits(&self, met: &Met<'_>) -> bool {
        let on_path = self.names_place();
        match (&met.effect.target, met.place) {
            (_, Some(place)) => {
                self.name.is_empty()
                    && one_of(&self.zone, &place.zone)
                    && (self.path.is_empty() || self.names_path(place))
                    && (self.tree.is_empty() || self.names_tree(met, place))
                    && self.list.is_none_or(|list| is_on(list, place, met))
            }
            (Some(target), None) => {
                let name = target.typed();
                let named = |pattern: &str| paths::matches(pattern, name);
                !on_path && (self.name.is_empty() || self.name.any(named))
            }
            (None, None) => !on_path && self.name.is_empty(),
        }
    }

    fn names_path(&self, place: &PathMet<'_>) -> bool {
        self.path.any(|pattern| {
            let (pattern, path) = match (pattern.strip_prefix("~/"), pattern.strip_prefix("./")) {
                (Some(rest), _) => (rest, place.below_home),
                (_, Some(rest)) => (rest, place.below_root),
                _ => (pattern, place.resolved),
            };
            path.is_some_and(|path| {
                paths::may_match(pattern, path) && paths::matches_place(pattern, path)
            })
        })
    }

    fn names_tree(&self, met: &Met<'_>, place: &PathMet<'_>) -> bool {
        // Where the shell expands nothing, a name with a `*` in it is none of these.
        let expands = |tag: &Cow<'static, str>| matches!(&**tag, "glob" | "uncertain");
        let plain =
            |path: &&str| !paths::has_wildcards(path) || met.effect.tags.iter().any(expands);
        let whole = place.resolved.filter(plain).map(paths::whole_directory);
        whole.is_some_and(|path| {
            self.tree.any(|pattern| {
                paths::may_match(pattern, path) && paths::matches_place(pattern, path)
            })
        })
    }
}

fn one_of<T: PartialEq>(list: &[T], item: &T) -> bool {
    list.is_empty() || list.contains(item)
}

fn is_on(list: ListName, place: &PathMet<'_>, met: &Met<'_>) -> bool {
    let lists = met.ground.lists;
    let path = || {
        let shown = || Path::new(place.shown, met.ground.facts);
        met.found.path(met.number, shown)
    };
    match list {
        ListName::Protected => lists.protected.holds(&path()),
        ListName::Secret => met
            .found
            .on_secrets(met.number, || lists.secret.holds(&path())),
        ListName::HoldsSecrets => lists.secret.lies_in(&path()),
        ListName::Denied => !lists.denied.is_empty() && lists.denied.holds(&path()),
        ListName::Own => {
            let takes = matches!(met.effect.kind, EffectKind::Delete | EffectKind::Move);
            own::holds(place, &met.ground.facts.own, takes)
        }
        ListName::OwnFolder => own::is_folder(place),
    }
}

/// The owner has taken a place out of a hard rule.
fn is_excepted(rule: &Rule<'_>, effect: &Effect, ground: Ground<'_>) -> bool {
    rule.severity == Severity::Hard
        && ground
            .settings
            .exceptions
            .iter()
            .filter(|exception| exception.rule == rule.id)
            .any(
                |exception| match (&effect.target, &exception.path, &exception.host) {
                    (
                        Some(Target::Path {
                            resolved: Some(path),
                            ..
                        }),
                        Some(wanted),
                        _,
                    ) => paths::is_within(
                        path,
                        &paths::join(&ground.facts.home, wanted.trim_start_matches("~/")),
                    ),
                    (Some(Target::Host { host }), _, Some(wanted)) => {
                        host.eq_ignore_ascii_case(wanted)
                    }
                    _ => false,
                },
            )
}
