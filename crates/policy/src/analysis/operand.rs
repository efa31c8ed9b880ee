use super::state::Cwd;
use super::{Analysis, Known, Value};
use crate::paths;
use countersign_core::{EffectKind, Target, Zone};
use std::borrow::Cow;

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
    let typed = value.shown();
    if typed == "-" && matches!(effect.kind, EffectKind::Read | EffectKind::Write) {
        return;
    }
    let mut tags = Cow::Borrowed(effect.tags);
    if value.glob {
        tags.to_mut().push("glob");
    }
    let listed = value.below && (effect.kind == EffectKind::Read || value.all);
    if value.below && value.known == Known::Start && effect.kind == EffectKind::Delete {
        tags.to_mut().push("glob");
    }
    let sweeps = value.below
        && value.known == Known::Start
        && effect.kind == EffectKind::Read
        && !only_looks(analysis, command);
    if sweeps {
        tags.to_mut().push("recursive");
    }
    if value.known == Known::Start && !listed {
        tags.to_mut().push("uncertain");
    }
    if effect.kind == EffectKind::Read && value.exact().is_none() && only_looks(analysis, command) {
        tags.to_mut().push("only-looks");
    }
    let mut absolute = absolute(value, cwd).peekable();
    if absolute.peek().is_none() {
        let target = Target::Path {
            typed: typed.to_owned(),
            resolved: None,
            zone: Zone::Unknown,
        };
        analysis
            .found
            .add(command, effect.kind, Some(target), &tags);
        return;
    }
    for (path, ground) in absolute {
        for (resolved, zone) in places(analysis, path, ground.as_deref()) {
            // The start of a path says where it lies at best: it may go on to anywhere below.
            let zone = if value.known == Known::Start && !value.all && !sweeps {
                started(zone, value)
            } else {
                zone
            };
            let overwrites = tags.contains(&"truncate") && analysis.world.would_lose(&resolved);
            let mut tags = Cow::Borrowed(&*tags);
            if overwrites {
                tags.to_mut().push("overwrites");
            }
            let target = Target::Path {
                typed: typed.to_owned(),
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
            absolute(value, cwd).any(|(path, _)| crate::rules::is_own(&path, analysis.world.facts))
        })
}

/// The absolute paths that a word may mean, each with the directory that stands for it when its
/// place is looked up, where that is another; none when it cannot be told. What is not known of a path
/// is a wildcard.
fn absolute<'a>(
    value: &'a Value,
    cwd: &'a Cwd,
) -> impl Iterator<Item = (String, Option<String>)> + 'a {
    let text = &*value.text;
    // A start that ends within a component says only which directory it is in.
    let (whole, ground) = match (value.known, text.rfind('/')) {
        (Known::Start, Some(slash)) => (
            Cow::Owned(format!("{text}*")),
            Some(text.get(..=slash).unwrap_or(text)),
        ),
        (Known::Start, None) => (Cow::Owned(format!("{text}*")), Some(".")),
        _ if value.glob => (Cow::Borrowed(text), Some(paths::whole_directory(text))),
        _ => (Cow::Borrowed(text), None),
    };
    let root = text.starts_with('/').then_some("/");
    let here = cwd.all().iter().filter(move |_| root.is_none());
    root.into_iter()
        .chain(here.map(String::as_str))
        .filter(|_| value.known != Known::Nothing)
        .map(move |dir| {
            let ground = ground.map(|ground| paths::join(dir, ground));
            (paths::join(dir, &whole), ground)
        })
}

/// The path and, where links lead elsewhere, the real one; each with the worse of the two zones.
fn places(
    analysis: &Analysis<'_>,
    path: String,
    ground: Option<&str>,
) -> impl Iterator<Item = (String, Zone)> + use<> {
    let facts = analysis.world.facts;
    let zone = paths::zone(ground.unwrap_or(&path), facts);
    let real = analysis.world.path(&path).map(|fact| &fact.real);
    let found = match real.filter(|real| **real != path) {
        None => [Some((path, zone)), None],
        Some(real) => match paths::zone(real, facts) {
            // The workspace's or a temporary root's own path may lead over a link; only where the two
            // differ in kind is the difference worth two effects.
            same if same == zone => [Some((real.clone(), zone)), None],
            other => [
                Some((path, zone)),
                Some((real.clone(), paths::worst(zone, other))),
            ],
        },
    };
    found.into_iter().flatten()
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
