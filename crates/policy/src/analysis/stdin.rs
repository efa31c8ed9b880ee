use super::findings::Files;
use super::flow::{Feed, Output};
use super::parameter::possible;
use super::script::Lowered;
use super::value::evaluate;
use super::{Analysis, PathEffect, State, path_effect};
use crate::paths::Path;
use countersign_core::{EffectKind, Target, Zone};
use countersign_lexer::{Command, Part, Redirect, RedirectOp, ScopeKind, Word};

/// What a command reads from standard input, where it is not the terminal's.
pub(super) fn stdin(
    lowered: &Lowered<'_>,
    command: &Command<'_>,
    state: &State,
    files: &Files,
) -> Option<Output> {
    let own = command
        .redirects()
        .filter(|redirect| feeds_stdin(redirect))
        .last();
    if let Some(redirect) = own {
        return Some(redirected(lowered, &redirect, state, files));
    }
    let mut at = Some(command.scope());
    while let Some(scope) = at.and_then(|id| lowered.script.scope(id)) {
        if let Some(redirect) = scope
            .redirects()
            .filter(|redirect| feeds_stdin(redirect))
            .last()
        {
            return Some(redirected(lowered, &redirect, state, files));
        }
        match scope.kind() {
            ScopeKind::PipelineStage { pipeline, index } if index > 0 => {
                let output = lowered.outputs.feeding(pipeline, index).cloned();
                return Some(output.unwrap_or_default().fed_by(Feed::Stream));
            }
            ScopeKind::Function { .. } => return lowered.functions.stdin(&scope),
            // What the other side writes is not known here.
            ScopeKind::ProcessSubstitution { write: true } => return Some(Output::unknown()),
            _ => at = scope.parent(),
        }
    }
    None
}

impl Analysis<'_> {
    /// The effects of redirections: of the command's own, and of those on the groups around it.
    pub(super) fn redirects(
        &mut self,
        lowered: &Lowered<'_>,
        command: &Command<'_>,
        index: u32,
        state: &State,
    ) {
        for redirect in command.redirects() {
            self.redirect(index, &redirect, state);
        }
        let mut at = Some(command.scope());
        while let Some(scope) = at.and_then(|id| lowered.script.scope(id)) {
            for redirect in scope.redirects() {
                self.redirect(index, &redirect, state);
            }
            at = scope.parent();
        }
    }

    pub(super) fn redirect(&mut self, index: u32, redirect: &Redirect<'_>, state: &State) {
        let (effects, tag): (&[EffectKind], &str) = match redirect.op() {
            RedirectOp::Read => (&[EffectKind::Read], ""),
            RedirectOp::Write | RedirectOp::Clobber | RedirectOp::WriteAll => {
                (&[EffectKind::Write], "truncate")
            }
            RedirectOp::Append | RedirectOp::AppendAll => (&[EffectKind::Write], "append"),
            RedirectOp::ReadWrite => (&[EffectKind::Read, EffectKind::Write], "append"),
            // A number or `-` copies or closes a descriptor; a word is a file.
            RedirectOp::DupOut if redirect.fd().is_none() && redirect.fd_variable().is_none() => {
                (&[EffectKind::Write], "truncate")
            }
            RedirectOp::DupIn
            | RedirectOp::DupOut
            | RedirectOp::Heredoc
            | RedirectOp::HeredocTabs
            | RedirectOp::HereString => (&[], ""),
        };
        let target = redirect.target();
        if matches!(redirect.op(), RedirectOp::DupOut) {
            let number = target
                .literal()
                .and_then(|text| std::str::from_utf8(text).ok());
            let number = number.and_then(|number| number.parse::<u32>().ok());
            let held = number.and_then(|number| state.descriptors.get(&number));
            if held.is_some_and(|held| held.network) {
                self.found.add(index, EffectKind::Send, None, &["upload"]);
            }
        }
        for value in evaluate(&target, state) {
            if value.token && redirect.op() == RedirectOp::HereString {
                self.shows_token(index, &value);
            }
            if let Some(rest) = value
                .text
                .strip_prefix("/dev/tcp/")
                .or_else(|| value.text.strip_prefix("/dev/udp/"))
            {
                let host = rest.split('/').next().unwrap_or_default().to_owned();
                self.found.add(
                    index,
                    EffectKind::Send,
                    Some(Target::Host { host }),
                    &["upload"],
                );
                continue;
            }
            for &kind in effects {
                let tags: &[&'static str] = if kind == EffectKind::Read {
                    &[]
                } else {
                    &[tag, "redirect"]
                };
                path_effect(
                    self,
                    index,
                    &PathEffect {
                        kind,
                        value: &value,
                        tags,
                    },
                    &state.cwd,
                );
            }
        }
    }

    /// Whether a word is the path of a secret in a directory that the command may run in.
    pub(super) fn is_secret(&self, path: &str, state: &State) -> bool {
        state.cwd.all().iter().any(|dir| {
            let path = crate::paths::join(dir, path);
            self.secret.holds(&Path::new(&path, self.world.facts))
        })
    }

    /// Whether reading found a secret among the effects of a command.
    pub(super) fn reads_secret(&self, index: u32) -> bool {
        self.found.placed(index).any(|(at, effect)| {
            if !matches!(effect.kind, EffectKind::Read | EffectKind::Move) {
                return false;
            }
            let path = match &effect.target {
                Some(Target::Path {
                    resolved: Some(path),
                    zone,
                    ..
                }) if *zone != Zone::Null => path,
                _ => return false,
            };
            let sweeps = effect.tags.iter().any(|tag| tag == "recursive");
            let place = || self.found.path(at, || Path::new(path, self.world.facts));
            let held = if place().has_wildcards() {
                self.secret.surely_holds(&place())
            } else {
                self.found.on_secrets(at, || self.secret.holds(&place()))
            };
            held || (sweeps && self.secret.lies_in(&place()))
        })
    }
}

fn feeds_stdin(redirect: &Redirect<'_>) -> bool {
    redirect.fd() == Some(0)
        && matches!(
            redirect.op(),
            RedirectOp::Read
                | RedirectOp::ReadWrite
                | RedirectOp::Heredoc
                | RedirectOp::HeredocTabs
                | RedirectOp::HereString
                | RedirectOp::DupIn
        )
}

pub(super) fn redirected(
    lowered: &Lowered<'_>,
    redirect: &Redirect<'_>,
    state: &State,
    files: &Files,
) -> Output {
    let feed = match redirect.op() {
        RedirectOp::Heredoc | RedirectOp::HeredocTabs => Feed::HereDocument,
        RedirectOp::HereString => Feed::HereString,
        _ => Feed::Stream,
    };
    put_in(lowered, redirect, state, files).fed_by(feed)
}

fn put_in(lowered: &Lowered<'_>, redirect: &Redirect<'_>, state: &State, files: &Files) -> Output {
    match redirect.op() {
        RedirectOp::Heredoc | RedirectOp::HeredocTabs => match redirect.body() {
            Some(body) => here_document(lowered, &body, state),
            None => Output::unknown(),
        },
        RedirectOp::HereString => {
            let values = evaluate(&redirect.target(), state);
            let scopes: Vec<_> = values
                .iter()
                .flat_map(|value| value.scopes.clone())
                .collect();
            match values.as_slice() {
                [value] if value.known == super::Known::Whole => Output {
                    text: Some(format!("{}\n", value.text)),
                    ..value.data.as_deref().cloned().unwrap_or_default()
                },
                [value] if value.only_scope => lowered.outputs.of_scopes(&scopes),
                [value] if scopes.is_empty() => Output {
                    filled: true,
                    text: Some(format!("{}\n", value.code)).filter(|_| value.data.is_none()),
                    ..value.data.as_deref().cloned().unwrap_or_default()
                },
                _ => Output {
                    text: None,
                    ..lowered.outputs.of_scopes(&scopes)
                },
            }
        }
        RedirectOp::DupIn => {
            let target = redirect.target();
            let number = target
                .literal()
                .and_then(|text| std::str::from_utf8(text).ok());
            let from = number.and_then(|number| number.parse().ok());
            let held = from.and_then(|from: u32| state.descriptors.get(&from));
            held.cloned().unwrap_or_default()
        }
        // `< <(command)` and the like.
        _ => {
            let values = evaluate(&redirect.target(), state);
            let scopes: Vec<_> = values
                .iter()
                .flat_map(|value| value.scopes.clone())
                .collect();
            if scopes.is_empty() {
                let path = values.first().and_then(super::Value::exact);
                path.map_or_else(Output::unknown, |path| in_file(path, state, files))
            } else {
                lowered.outputs.of_scopes(&scopes)
            }
        }
    }
}

/// A value that is more than one word to a shell; one word stays as it was typed.
fn reads_as_code(word: &super::Value) -> bool {
    let more = |c: char| c.is_whitespace() || ";&|<>()".contains(c);
    word.exact().is_some_and(|text| text.contains(more))
}

/// What a file holds that was written in the same call, or what comes from a socket.
fn in_file(path: &str, state: &State, files: &Files) -> Output {
    if path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/") {
        return Output {
            network: true,
            ..Output::unknown()
        };
    }
    let dirs = state.cwd.all().iter().filter(|_| !files.is_empty());
    let mut held = dirs.filter_map(|dir| files.get(&crate::paths::join(dir, path)));
    held.next_back().cloned().unwrap_or_default()
}

/// The text of a here-document. Where the outer shell expands variables in it, they stay as they
/// were typed, so that a shell that reads the text as source is judged with them in place.
fn here_document(lowered: &Lowered<'_>, body: &Word<'_>, state: &State) -> Output {
    if let Some(literal) = body.literal() {
        return Output::text(String::from_utf8_lossy(literal));
    }
    let mut text = String::new();
    let mut scopes = Vec::new();
    let mut data = Vec::new();
    let mut filled = false;
    for part in body.parts() {
        filled |= !matches!(part, Part::Literal { .. });
        match part {
            Part::Literal { text: literal, .. } => text.push_str(&String::from_utf8_lossy(literal)),
            Part::Variable {
                name,
                simple,
                source,
                ..
            } => {
                let name = String::from_utf8_lossy(name);
                let source = String::from_utf8_lossy(source);
                let possible = possible(&name, simple, &source, state, 0);
                match possible.values.as_slice() {
                    [words] if !possible.open && words.iter().all(reads_as_code) => {
                        let words: Vec<&str> = words.iter().map(|word| &*word.text).collect();
                        text.push_str(&words.join(" "));
                    }
                    _ => text.push_str(&source),
                }
                data.extend(possible.data);
            }
            Part::CommandSubstitution { scope, .. } => {
                scopes.extend(scope);
                text.push_str("$_");
            }
            _ => text.push_str("$_"),
        }
    }
    let inner = lowered.outputs.of_scopes(&scopes);
    let inner = data.iter().fold(inner, |all, data| all.mixed(data));
    Output {
        filled,
        text: Some(text),
        ..inner
    }
}
