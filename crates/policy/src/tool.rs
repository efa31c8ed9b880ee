//! What a request does, whatever its surface: shell commands through the analysis, tools on files
//! and hosts directly.

use crate::analysis::{Analysis, Frame, PathEffect, State, Value, path_effect};
use crate::{paths, url};
use countersign_core::{CommandView, EffectKind, Place, Request, Surface, Target};

/// The tool has no effect of its own.
pub(crate) fn has_no_effect(request: &Request) -> bool {
    matches!(&request.surface, Surface::Other(_)) && request.operation == "none"
}

/// Adds what a request does to an analysis.
pub(crate) fn analyse(analysis: &mut Analysis<'_>, request: &Request) {
    let state = first_state(analysis, request);
    match &request.surface {
        Surface::Command => command(analysis, request, state),
        Surface::FilesystemRead => {
            let tags: &[&'static str] = if request.operation == "search" {
                &["recursive"]
            } else {
                &[]
            };
            file(analysis, request, &state, EffectKind::Read, tags);
        }
        Surface::FilesystemWrite => {
            let kind = match request.operation.as_str() {
                "delete" => EffectKind::Delete,
                "rename" => EffectKind::Move,
                "chmod" | "chown" => EffectKind::Permission,
                _ => EffectKind::Write,
            };
            file(analysis, request, &state, kind, &["edit"]);
        }
        Surface::Network => network(analysis, request),
        Surface::Mcp | Surface::Skill | Surface::Other(_) => {
            if !has_no_effect(request) {
                let index = shown(analysis, request);
                let name = request
                    .tool_name
                    .as_deref()
                    .unwrap_or(request.surface.as_str());
                let target = Target::Name {
                    name: name.to_owned(),
                };
                analysis
                    .found
                    .add(index, EffectKind::Run, Some(target), &["tool"]);
            }
        }
    }
}

fn first_state(analysis: &Analysis<'_>, request: &Request) -> State {
    let facts = analysis.world.facts;
    let temp = facts.temp_roots.first().map_or("/tmp", String::as_str);
    State::new(&facts.home, temp, &request.cwd)
}

fn command(analysis: &mut Analysis<'_>, request: &Request, state: State) {
    let Some(source) = &request.command else {
        let index = shown(analysis, request);
        analysis.found.opaque(index, "no-command");
        return;
    };
    let frame = Frame::outermost(state, analysis.world.facts.shell.as_deref());
    analysis.script(source.as_bytes(), &frame);
}

fn file(
    analysis: &mut Analysis<'_>,
    request: &Request,
    state: &State,
    kind: EffectKind,
    tags: &[&'static str],
) {
    let index = shown(analysis, request);
    let search = request.operation == "search";
    let given = request.path.as_deref().or(search.then_some("."));
    let Some(path) = given else {
        analysis.found.opaque(index, "no-path");
        return;
    };
    let home = analysis.world.facts.home.clone();
    let expanded = match path.strip_prefix("~/") {
        Some(rest) => paths::join(&home, rest),
        None if path == "~" => home,
        None => path.to_owned(),
    };
    let mut paths = vec![Value {
        text: expanded,
        source: path.to_owned(),
        ..Value::whole(path)
    }];
    paths.extend(request.resolved_path.as_deref().map(Value::whole));
    for value in &paths {
        path_effect(
            analysis,
            index,
            &PathEffect { kind, value, tags },
            &state.cwd,
        );
    }
}

fn network(analysis: &mut Analysis<'_>, request: &Request) {
    let index = shown(analysis, request);
    let Some(destination) = &request.destination else {
        analysis
            .found
            .add(index, EffectKind::Send, None, &["search"]);
        return;
    };
    let parsed = url::parse(destination);
    let tags: &[&'static str] = if url::is_loopback(&parsed.host) {
        &["loopback"]
    } else {
        &[]
    };
    if let Some(path) = parsed.file {
        let state = first_state(analysis, request);
        let value = Value::whole(&path);
        path_effect(
            analysis,
            index,
            &PathEffect {
                kind: EffectKind::Read,
                value: &value,
                tags: &[],
            },
            &state.cwd,
        );
        return;
    }
    let target = Target::Host { host: parsed.host };
    analysis
        .found
        .add(index, EffectKind::Receive, Some(target), tags);
}

/// A tool call as a person reads it: its name and what it is on.
fn shown(analysis: &mut Analysis<'_>, request: &Request) -> u32 {
    let name = request
        .tool_name
        .as_deref()
        .unwrap_or(request.surface.as_str());
    let on = request.path.as_deref().or(request.destination.as_deref());
    let argv: Vec<String> = std::iter::once(name).chain(on).map(str::to_owned).collect();
    let view = CommandView {
        dynamic: vec![false; argv.len()],
        argv,
        context: "tool".to_owned(),
        place: Place::Here,
        span: (0, 0),
        parent: None,
        known: true,
    };
    analysis.found.add_command(view, Vec::new())
}
