//! The built-in rules, compiled from `rules/*.toml`, and the owner's patterns.

mod owner;

pub(crate) use owner::{allowed, owner_hits};

use crate::analysis::{Called, Findings};
use crate::paths;
use crate::settings::Settings;
use countersign_core::{CommandView, Effect, Facts, RuleHit, Severity, Target, Zone};

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// One built-in rule.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) id: &'static str,
    severity: Severity,
    why: &'static str,
    safer: Option<&'static str>,
    conditions: &'static [Condition],
}

/// When a rule holds; see `rules/README.md`.
#[derive(Debug)]
struct Condition {
    program: &'static [&'static str],
    subcommand: &'static [&'static str],
    effect: &'static [&'static str],
    zone: &'static [&'static str],
    place: &'static [&'static str],
    tags: &'static [&'static str],
    without: &'static [&'static str],
    list: Option<&'static str>,
    path: &'static [&'static str],
    name: &'static [&'static str],
}

/// The ids of the built-in rules.
pub fn rule_ids() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.id)
}

/// What a rule needs to know about the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) facts: &'a Facts,
}

/// Every built-in rule that the findings meet.
pub(crate) fn built_in_hits(found: &Findings, ground: Ground<'_>) -> Vec<RuleHit> {
    let mut hits: Vec<RuleHit> = Vec::new();
    for effect in &found.effects {
        let at = usize::try_from(effect.command).unwrap_or(usize::MAX);
        let view = found.commands.get(at);
        let called = found.calls.get(at);
        for rule in RULES {
            let holds = rule
                .conditions
                .iter()
                .any(|condition| condition.holds(effect, view, called, ground));
            if holds && !is_excepted(rule, effect, ground) {
                let hit = rule.hit(effect);
                if !hits.contains(&hit) {
                    hits.push(hit);
                }
            }
        }
    }
    hits
}

impl Rule {
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
            safer: self.safer.map(str::to_owned),
        }
    }
}

impl Condition {
    fn holds(
        &self,
        effect: &Effect,
        view: Option<&CommandView>,
        called: Option<&Called>,
        ground: Ground<'_>,
    ) -> bool {
        let tagged = |tag: &&str| effect.tags.iter().any(|known| known == *tag);
        one_of(self.effect, effect.kind.as_str())
            && self.tags.iter().all(&tagged)
            && !self.without.iter().any(tagged)
            && (self.program.is_empty() || names(self.program, called, view))
            && (self.subcommand.is_empty()
                || called
                    .is_some_and(|called| self.subcommand.contains(&called.subcommand.as_str())))
            && one_of(self.place, place_name(effect))
            && self.target_fits(effect, ground)
    }

    fn target_fits(&self, effect: &Effect, ground: Ground<'_>) -> bool {
        match &effect.target {
            Some(Target::Path {
                resolved,
                zone,
                typed,
            }) => {
                let path = resolved.as_deref();
                self.name.is_empty()
                    && one_of(self.zone, zone_name(*zone))
                    && self
                        .list
                        .is_none_or(|list| is_on(list, path, typed, ground))
                    && (self.path.is_empty()
                        || path.is_some_and(|path| self.names_path(path, ground.facts)))
            }
            Some(Target::Host { host: name } | Target::Name { name }) => {
                self.zone.is_empty()
                    && self.list.is_none()
                    && self.path.is_empty()
                    && (self.name.is_empty()
                        || self
                            .name
                            .iter()
                            .any(|pattern| paths::matches(pattern, name)))
            }
            None => {
                self.zone.is_empty()
                    && self.list.is_none()
                    && self.path.is_empty()
                    && self.name.is_empty()
            }
        }
    }

    fn names_path(&self, path: &str, facts: &Facts) -> bool {
        self.path
            .iter()
            .any(|pattern| match pattern.strip_prefix("~/") {
                Some(rest) => [facts.home.as_str(), "/root", "/home/*", "/Users/*"]
                    .iter()
                    .any(|home| {
                        paths::matches_path(&format!("{}/{rest}", home.trim_end_matches('/')), path)
                    }),
                None => paths::matches_path(pattern, path),
            })
    }
}

fn one_of(list: &[&str], word: &str) -> bool {
    list.is_empty() || list.contains(&word)
}

fn names(programs: &[&str], called: Option<&Called>, view: Option<&CommandView>) -> bool {
    let program = called
        .and_then(|called| called.program.as_deref())
        .or(view.and_then(CommandView::program));
    program.is_some_and(|program| programs.contains(&program))
}

fn is_on(list: &str, path: Option<&str>, typed: &str, ground: Ground<'_>) -> bool {
    let settings = ground.settings;
    // Nothing is known of the whole path, but its end may be in plain sight.
    let path = path.unwrap_or(typed);
    match list {
        "protected" => paths::is_listed(path, &settings.protected, ground.facts),
        "secret" => paths::is_listed(path, &settings.secret, ground.facts),
        "holds-secrets" => paths::holds_listed(path, &settings.secret),
        "denied" => paths::is_listed(path, &settings.denied, ground.facts),
        "own" => {
            ground.facts.own.iter().any(|own| {
                paths::is_within(path, own) || paths::is_within(own, path) && path != "/"
            })
        }
        _ => false,
    }
}

fn place_name(effect: &Effect) -> &'static str {
    match effect.place {
        countersign_core::Place::Here => "here",
        countersign_core::Place::Remote => "remote",
        countersign_core::Place::Container => "container",
    }
}

fn zone_name(zone: Zone) -> &'static str {
    match zone {
        Zone::Root => "root",
        Zone::System => "system",
        Zone::Device => "device",
        Zone::Home => "home",
        Zone::InHome => "in-home",
        Zone::WorkspaceRoot => "workspace-root",
        Zone::Workspace => "workspace",
        Zone::Build => "build",
        Zone::Temp => "temp",
        Zone::TempRoot => "temp-root",
        Zone::Null => "null",
        Zone::Elsewhere => "elsewhere",
        Zone::Unknown => "unknown",
    }
}

/// The owner has taken a place out of a hard rule.
fn is_excepted(rule: &Rule, effect: &Effect, ground: Ground<'_>) -> bool {
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
