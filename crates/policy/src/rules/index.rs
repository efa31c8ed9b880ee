use super::{Condition, RULES};
use countersign_core::{Effect, EffectKind, Target, Zone};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// A condition of a built-in rule, with the rule's place among all.
type Entry = (usize, &'static Condition);

/// The conditions that can hold for effects of one kind, each in one place: by what is rarest in
/// what it asks for.
#[derive(Debug, Default)]
struct Conditions {
    /// By a tag that the effect must have.
    by_tag: BTreeMap<&'static str, Vec<Entry>>,
    /// By the program, under each one's name.
    by_program: BTreeMap<&'static str, Vec<Entry>>,
    /// For an effect on a path, by the zones that it may lie in.
    in_zone: Vec<(Zone, Vec<Entry>)>,
    /// For an effect on something that has a name or a path.
    on_target: Vec<Entry>,
    /// For any effect.
    rest: Vec<Entry>,
}

/// Calls `look` with every condition of a built-in rule that can hold for an effect of any of these
/// programs.
pub(super) fn candidates<'p>(
    effect: &Effect,
    programs: impl Iterator<Item = &'p str>,
    mut look: impl FnMut(usize, &'static Condition),
) {
    let Some(conditions) = about(effect.kind) else {
        return;
    };
    let tagged = effect.tags.iter().map(|tag| conditions.by_tag.get(&**tag));
    let named = programs.map(|program| conditions.by_program.get(program));
    let zone = match &effect.target {
        Some(Target::Path { zone, .. }) => Some(*zone),
        _ => None,
    };
    let mut in_zone = conditions.in_zone.iter();
    let in_zone = in_zone.find(|(of, _)| Some(*of) == zone);
    let in_zone = in_zone.map(|(_, entries)| entries);
    let on_target = effect.target.is_some().then_some(&conditions.on_target);
    let lists = tagged
        .chain(named)
        .chain([in_zone, on_target, Some(&conditions.rest)]);
    for &(rule, condition) in lists.flatten().flatten() {
        look(rule, condition);
    }
}

fn about(kind: EffectKind) -> Option<&'static Conditions> {
    static ABOUT: OnceLock<BTreeMap<Option<EffectKind>, Conditions>> = OnceLock::new();
    let about = ABOUT.get_or_init(by_kind);
    // A kind that no rule names meets the rules that name none.
    about.get(&Some(kind)).or_else(|| about.get(&None))
}

fn by_kind() -> BTreeMap<Option<EffectKind>, Conditions> {
    let conditions = || RULES.iter().flat_map(|rule| rule.conditions);
    let named: BTreeSet<EffectKind> = conditions()
        .flat_map(|condition| condition.effect.iter().copied())
        .collect();
    let mut about: BTreeMap<Option<EffectKind>, Conditions> = named
        .into_iter()
        .map(Some)
        .chain([None])
        .map(|kind| (kind, Conditions::default()))
        .collect();
    for (at, rule) in RULES.iter().enumerate() {
        for condition in rule.conditions {
            let fits = |kind: &Option<EffectKind>| {
                condition.effect.is_empty()
                    || kind.is_some_and(|kind| condition.effect.contains(&kind))
            };
            for (_, fitting) in about.iter_mut().filter(|(kind, _)| fits(kind)) {
                fitting.add((at, condition));
            }
        }
    }
    about
}

impl Conditions {
    fn add(&mut self, entry: Entry) {
        let (_, condition) = entry;
        if let [tag, ..] = condition.tags.compiled() {
            self.by_tag.entry(tag).or_default().push(entry);
        } else if let programs @ [_, ..] = condition.program.compiled() {
            for program in programs {
                self.by_program.entry(program).or_default().push(entry);
            }
        } else if !condition.zone.is_empty() {
            for &zone in &*condition.zone {
                match self.in_zone.iter_mut().find(|(of, _)| *of == zone) {
                    Some((_, entries)) => entries.push(entry),
                    None => self.in_zone.push((zone, vec![entry])),
                }
            }
        } else if condition.names_target() {
            self.on_target.push(entry);
        } else {
            self.rest.push(entry);
        }
    }
}
