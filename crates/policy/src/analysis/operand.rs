use super::state::Cwd;
use super::{Analysis, Known, Value};
use crate::paths;
use countersign_core::{EffectKind, Target, Zone};

/// An effect on the path that a word names.
#[derive(Debug)]
pub(crate) struct PathEffect<'v> {
    pub(crate) kind: EffectKind,
    pub(crate) value: &'v Value,
    pub(crate) tags: &'v [&'static str],
}

/// Adds an effect on a path: once for what was typed, once more for where links lead.
pub(crate) fn path_effect(
    analysis: &mut Analysis<'_>,
    command: u32,
    effect: &PathEffect<'_>,
    cwd: &Cwd,
) {
    let value = effect.value;
    let typed = value.shown().to_owned();
    if typed == "-" && matches!(effect.kind, EffectKind::Read | EffectKind::Write) {
        return;
    }
    let mut tags = effect.tags.to_vec();
    if value.glob {
        tags.push("glob");
    }
    let listed = value.below && (effect.kind == EffectKind::Read || value.all);
    if value.below && value.known == Known::Start && effect.kind == EffectKind::Delete {
        tags.push("glob");
    }
    let sweeps = value.below
        && value.known == Known::Start
        && effect.kind == EffectKind::Read
        && !only_looks(analysis, command);
    if sweeps {
        tags.push("recursive");
    }
    if value.known == Known::Start && !listed {
        tags.push("uncertain");
    }
    if effect.kind == EffectKind::Read && value.exact().is_none() && only_looks(analysis, command) {
        tags.push("only-looks");
    }
    let absolute = absolute(value, cwd);
    if absolute.is_empty() {
        let zone = Zone::Unknown;
        let target = Target::Path {
            typed,
            resolved: None,
            zone,
        };
        analysis
            .found
            .add(command, effect.kind, Some(target), &tags);
        return;
    }
    for (path, ground) in absolute {
        for (resolved, zone) in places(analysis, &path, &ground) {
            // The start of a path says where it lies at best: it may go on to anywhere below.
            let zone = if value.known == Known::Start && !value.all && !sweeps {
                started(zone, value)
            } else {
                zone
            };
            let mut tags = tags.clone();
            if tags.contains(&"truncate") && analysis.world.would_lose(&resolved) {
                tags.push("overwrites");
            }
            let target = Target::Path {
                typed: typed.clone(),
                resolved: Some(resolved),
                zone,
            };
            analysis
                .found
                .add(command, effect.kind, Some(target), &tags);
        }
    }
}

/// Whether a command only looks at what files are, not at what they hold.
fn only_looks(analysis: &mut Analysis<'_>, command: u32) -> bool {
    const LOOKING: &[&str] = &[
        "b2sum",
        "basename",
        "cksum",
        "dirname",
        "du",
        "file",
        "ls",
        "md5sum",
        "readlink",
        "realpath",
        "sha1sum",
        "sha256sum",
        "shasum",
        "stat",
        "test",
        "wc",
    ];
    let called = analysis.found.call(command);
    let program = called.and_then(|called| called.program.as_deref());
    program.is_some_and(|program| LOOKING.contains(&program))
}

/// The path of ours that a word spells, as a whole or behind an `=`.
pub(crate) fn own_in(analysis: &Analysis<'_>, value: &Value, cwd: &Cwd) -> Option<Value> {
    let assigned = value.text.split_once('=').map(|(_, path)| path);
    let assigned = assigned.filter(|path| path.starts_with('/'));
    std::iter::once(value.clone())
        .chain(assigned.map(Value::whole))
        .find(|value| {
            absolute(value, cwd)
                .iter()
                .any(|(path, _)| crate::rules::is_own(path, analysis.world.facts))
        })
}

/// The absolute paths that a word may mean, each with the directory that stands for it when its
/// place is looked up; none when it cannot be told. What is not known of a path is a wildcard.
fn absolute(value: &Value, cwd: &Cwd) -> Vec<(String, String)> {
    if value.known == Known::Nothing {
        return Vec::new();
    }
    let text = &*value.text;
    // A start that ends within a component says only which directory it is in.
    let (whole, ground) = match (value.known, text.rfind('/')) {
        (Known::Start, Some(slash)) => (format!("{text}*"), text.get(..=slash).unwrap_or(text)),
        (Known::Start, None) => (format!("{text}*"), "."),
        _ if value.glob => (text.to_owned(), paths::whole_directory(text)),
        _ => (text.to_owned(), text),
    };
    let under = |dir: &str| (paths::join(dir, &whole), paths::join(dir, ground));
    if text.starts_with('/') {
        return vec![under("/")];
    }
    cwd.all().iter().map(|dir| under(dir)).collect()
}

/// The path and, where links lead elsewhere, the real one; each with the worse of the two zones.
fn places(analysis: &Analysis<'_>, path: &str, ground: &str) -> Vec<(String, Zone)> {
    let facts = analysis.world.facts;
    let real = analysis.world.path(path).real;
    let zone = paths::zone(ground, facts);
    if real == path {
        return vec![(real, zone)];
    }
    let real_zone = paths::zone(&real, facts);
    // The workspace's or a temporary root's own path may lead over a link; only where the two
    // differ in kind is the difference worth two effects.
    if zone == real_zone {
        return vec![(real, zone)];
    }
    vec![
        (path.to_owned(), zone),
        (real, paths::worst(zone, real_zone)),
    ]
}

/// What lies below a place that the rest of a path is not known of: at worst the place itself.
fn started(zone: Zone, value: &Value) -> Zone {
    if !value.below && (value.text.ends_with('/') || value.text.contains("..")) {
        return zone;
    }
    match zone {
        Zone::Home => Zone::InHome,
        Zone::WorkspaceRoot => Zone::Workspace,
        Zone::TempRoot => Zone::Temp,
        zone => zone,
    }
}
