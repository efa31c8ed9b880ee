use crate::analysis::{Analysis, Findings};
use crate::fetch::Fetch;
use crate::knowledge::Commands;
use crate::rules::{self, Ground};
use crate::settings::{Lists, Settings};
use crate::tool;
use crate::world::World;
use countersign_core::{
    Digest, Effect, EffectKind, Facts, Judgement, Query, Request, RuleHit, Severity, Target, Zone,
};

/// The built-in knowledge and rules with one owner's settings.
#[derive(Debug)]
pub struct Policy {
    settings: Settings,
    lists: Lists,
    commands: Commands,
    version: String,
}

impl Policy {
    /// A policy with these settings.
    pub fn new(settings: Settings) -> Self {
        let version = version(&settings);
        let lists = Lists::new(&settings);
        let commands = Commands::new(&settings.commands);
        Self {
            settings,
            lists,
            commands,
            version,
        }
    }

    /// Crate version and digest of the resolved rules: part of what identifies a decision.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// First pass: what policy wants to know about the machine before it judges. `base` holds the
    /// home directory and the workspace roots.
    pub fn observe(&self, request: &Request, base: &Facts) -> Vec<Query> {
        let world = World::new(base);
        drop(self.analyse(request, &world));
        world.into_asked()
    }

    /// Second pass: what the call would do, and the rules it meets. A pure function: nothing is
    /// looked at but the request, the facts and the settings.
    pub fn judge(&self, request: &Request, facts: &Facts) -> Judgement {
        let found = self.analyse(request, &World::new(facts));
        let ground = Ground {
            settings: &self.settings,
            lists: &self.lists,
            commands: &self.commands,
            facts,
        };
        let mut judgement = Judgement::empty(facts.clone(), &self.version);
        judgement.no_effect = tool::has_no_effect(request);
        let only_reads = self.only_reads(request, &found);
        let mut hits = rules::rule_hits(&found, ground);
        let written = written_hits(&found, ground);
        let said = |hit: &RuleHit| hits.iter().any(|said: &RuleHit| said.rule == hit.rule);
        let written: Vec<RuleHit> = written.into_iter().filter(|hit| !said(hit)).collect();
        hits.extend(written);
        hits.extend(rules::owner_hits(request, &found, ground));
        judgement.read_only = only_reads && hits.iter().all(|hit| hit.severity < Severity::Ask);
        if judgement.read_only {
            hits.extend(fetch_hits(&found, &self.settings));
        }
        if !judgement.read_only && !judgement.no_effect {
            hits.extend(
                self.settings
                    .complaints
                    .iter()
                    .map(|complaint| complained(complaint)),
            );
        }
        if let Some(allowed) = rules::allowed(request, &found, ground) {
            judgement.rule_allowed = true;
            hits.extend(allowed);
        }
        hits.sort_by_key(|hit| std::cmp::Reverse(hit.severity));
        judgement.diagnostics.clone_from(&self.settings.complaints);
        judgement.commands = found.commands;
        judgement.effects = found.effects;
        judgement.hits = hits;
        judgement
    }

    fn analyse(&self, request: &Request, world: &World<'_>) -> Findings {
        let mut analysis = Analysis::new(world, &self.lists.secret, &self.commands);
        tool::analyse(&mut analysis, request, &self.settings.mcp);
        analysis.found
    }

    /// Every effect is a read of an ordinary place, and there is something that was understood.
    fn only_reads(&self, request: &Request, found: &Findings) -> bool {
        let understood = !found.commands.is_empty() || !found.effects.is_empty();
        understood
            && !tool::has_no_effect(request)
            && found
                .commands
                .iter()
                .zip(&found.calls)
                .all(|(view, called)| {
                    view.place == countersign_core::Place::Here
                        && (view.known || called.words.is_empty() || called.transparent)
                })
            && found
                .effects
                .iter()
                .all(|effect| self.is_ordinary_read(effect, found))
    }

    fn is_ordinary_read(&self, effect: &Effect, found: &Findings) -> bool {
        if Fetch::of(effect, found).is_some_and(|fetch| fetch.is_reading(&self.settings)) {
            return true;
        }
        match (effect.kind, &effect.target) {
            (EffectKind::Read, Some(Target::Path { zone, .. })) => {
                let tagged = |name: &str| effect.tags.iter().any(|tag| tag == name);
                // Whatever it is: nothing of what it holds is shown.
                let looks = tagged("only-looks");
                (looks || !tagged("uncertain"))
                    && !matches!(zone, Zone::Device)
                    && (looks || !matches!(zone, Zone::Unknown))
            }
            (EffectKind::Read, target) => target.is_none(),
            (
                EffectKind::Write,
                Some(Target::Path {
                    zone: Zone::Null, ..
                }),
            ) => true,
            (EffectKind::Receive, Some(Target::Host { host })) => {
                let listed = |pattern: &String| {
                    host == pattern
                        || pattern.strip_prefix("*.").is_some_and(|domain| {
                            host.strip_suffix(domain)
                                .is_some_and(|rest| rest.ends_with('.'))
                        })
                };
                effect.tags.iter().any(|tag| tag == "loopback")
                    || self.settings.read_hosts.iter().any(listed)
            }
            _ => false,
        }
    }
}

/// A part of the workspace's settings was ignored: until it is mended, a person looks.
fn complained(complaint: &str) -> RuleHit {
    RuleHit {
        rule: "configuration.workspace".to_owned(),
        severity: Severity::Ask,
        command: None,
        target: None,
        resolved: None,
        why: format!("the workspace's configuration is not in force: {complaint}"),
        safer: None,
    }
}

/// What a call fetches that a setting counts as reading, once each.
fn fetch_hits(found: &Findings, settings: &Settings) -> Vec<RuleHit> {
    let mut hits: Vec<RuleHit> = Vec::new();
    for effect in &found.effects {
        let fetch = Fetch::of(effect, found).filter(|fetch| fetch.is_reading(settings));
        let hit = fetch.map(|fetch| fetch.hit(effect));
        hits.extend(hit.filter(|hit| !hits.contains(hit)));
    }
    hits
}

/// Disasters in what a call writes to a file that is code. They do not happen now, and perhaps never:
/// a person looks.
fn written_hits(found: &Findings, ground: Ground<'_>) -> Vec<RuleHit> {
    let mut hits: Vec<RuleHit> = Vec::new();
    for (command, later) in &found.later {
        for hit in rules::rule_hits(later, ground) {
            if hit.severity != Severity::Hard {
                continue;
            }
            let hit = RuleHit {
                severity: Severity::Soft,
                command: Some(*command),
                why: format!("{}; not now, but once what is written here is run", hit.why),
                ..hit
            };
            if !hits.contains(&hit) {
                hits.push(hit);
            }
        }
    }
    hits
}

fn version(settings: &Settings) -> String {
    // `Debug` of plain data is deterministic; the text itself is never shown or stored.
    let rules = format!("{settings:?}");
    let digest = Digest::of("countersign.policy.v1", rules.as_bytes());
    let short: String = digest.as_str().chars().take(16).collect();
    format!("{}+{short}", env!("CARGO_PKG_VERSION"))
}
