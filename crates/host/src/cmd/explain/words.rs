//! Plain words for what is found.

use crate::reason::visible;
use countersign_core::{
    CommandView, Effect, EffectKind, Facts, PathKind, Place, Severity, Target, Zone,
};

/// How a command was found: what runs it, and where.
pub(super) fn found(view: &CommandView) -> String {
    let how = match view.context.split_once(':') {
        None => construct(&view.context).to_owned(),
        Some(("wrapper", program)) => format!("started by `{program}`"),
        Some(("exec", program)) => format!("started by `{program}` for each thing it finds"),
        Some(("shell", program)) => format!("shell source that `{program}` runs"),
        Some(("remote" | "container", program)) => format!("handed over by `{program}`"),
        Some(_) => view.context.clone(),
    };
    let place = match view.place {
        Place::Here => "",
        Place::Remote => "on another host",
        Place::Container => "in a container",
    };
    let parent = view
        .parent
        .map(|parent| format!("from {}", parent.saturating_add(1)));
    let parts = [how, place.to_owned(), parent.unwrap_or_default()];
    let said: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    said.join(", ")
}

/// The words for the contexts that `docs/lex.md` lists.
fn construct(context: &str) -> &str {
    match context {
        "top" | "tool" => "",
        "pipe" => "in a pipeline",
        "and" => "joined by `&&`",
        "or" => "joined by `||`",
        "background" => "in the background",
        "cond" => "a condition",
        "body" => "after `then` or `else`",
        "loop" => "in a loop",
        "case" => "in an arm of `case`",
        "group" => "in `{ }`",
        "subshell" => "in `( )`",
        "function-body" => "in a function",
        "subst" => "in `$( )`",
        "backtick" => "in backquotes",
        "funsubst" => "in `${ }`",
        "procsubst" => "in `<( )` or `>( )`",
        "heredoc-subst" => "in `$( )` of a here-document",
        "arith-subst" => "in `$( )` of arithmetic",
        "cond-subst" => "in `$( )` of `[[ ]]`",
        "redirect-subst" => "in `$( )` of a redirection",
        "coproc" => "started by `coproc`",
        "assign" => "sets variables of the shell",
        "redirect-only" => "only redirects",
        "bash-c" => "shell source that `bash` runs",
        "eval" => "shell source that `eval` runs",
        "trap" => "runs when the trap does",
        "alias" => "runs where the alias is used",
        "heredoc-shell" => "in a here-document that a shell reads",
        "herestring-shell" => "in a here-string that a shell reads",
        "stdin-shell" => "in the input of a shell",
        "written-script" => "in a script that this call writes",
        "arith-eval" => "in a text that is evaluated as a number or a name",
        "env-exec" => "in a variable that is run",
        "setting" => "in a setting that is run",
        "forwarded" => "given to an unknown program, which may run it",
        "xargs" => "started by `xargs`",
        "argument" => "in an argument of the tool",
        "opaque" => "cannot be read to its end",
        other => other,
    }
}

/// One effect: what, on what, where that really is.
pub(super) fn effect(effect: &Effect) -> String {
    let has = |tag: &str| effect.tags.iter().any(|given| given == tag);
    let on = effect.target.as_ref().map_or_else(String::new, target);
    let kind = match effect.kind {
        EffectKind::Run if has("unknown-program") => {
            return format!("runs{on}, a program that Countersign does not know");
        }
        EffectKind::Run if has("tool") => {
            return format!("calls{on}, a tool whose own doing is not known");
        }
        EffectKind::Run if on.is_empty() => "runs something that is not known",
        EffectKind::Run => {
            return format!("runs{on}, and what that does is not known{}", tags(effect));
        }
        EffectKind::Read => "reads",
        EffectKind::WorkspaceCode => "runs code of the workspace",
        EffectKind::Write => "writes",
        EffectKind::Delete => "deletes",
        EffectKind::Move => "moves away",
        EffectKind::Permission => "changes the mode or owner of",
        EffectKind::Send => "sends data to",
        EffectKind::Receive => "fetches from",
        EffectKind::Listen => "listens for connections",
        EffectKind::Environment => "sets a variable",
        EffectKind::Privilege => "gains rights",
        EffectKind::Persistence => "arranges to run again later",
        EffectKind::Process => "acts on processes or the system",
        EffectKind::VcsWrite => "changes version control",
        EffectKind::Opaque => "does what cannot be known before it runs",
    };
    let unnamed_host = matches!(effect.kind, EffectKind::Send | EffectKind::Receive);
    let on = if on.is_empty() && unnamed_host {
        " a host that is not named".to_owned()
    } else {
        on
    };
    format!("{kind}{on}{}", tags(effect))
}

fn target(target: &Target) -> String {
    match target {
        Target::Path {
            typed,
            resolved,
            zone,
        } => {
            let real = resolved.as_ref().filter(|real| *real != typed);
            let real = real.map(|real| format!(" → {}", visible(real)));
            let real = real.unwrap_or_default();
            format!(" {}{real}  ({})", visible(typed), place_of(*zone))
        }
        Target::Host { host } => format!(" {}", visible(host)),
        Target::Name { name } => format!(" {}", visible(name)),
    }
}

/// The tags that tell a person something.
fn tags(effect: &Effect) -> String {
    const SILENT: [&str; 8] = [
        "archive-here",
        "truncate",
        "create",
        "append",
        "edit",
        "whole",
        "script",
        "redirect",
    ];
    let told = |tag: &&str| !SILENT.contains(tag);
    let tags: Vec<&str> = effect.tags.iter().map(|tag| &**tag).filter(told).collect();
    if tags.is_empty() {
        return String::new();
    }
    format!("  [{}]", tags.join(", "))
}

fn place_of(zone: Zone) -> &'static str {
    match zone {
        Zone::Root => "the whole file system",
        Zone::System => "the operating system's",
        Zone::Device => "a device",
        Zone::Home => "a whole home directory",
        Zone::InHome => "in a home directory, outside the workspace",
        Zone::WorkspaceRoot => "the whole workspace",
        Zone::Workspace => "in the workspace",
        Zone::Build => "made anew by building",
        Zone::Temp => "temporary",
        Zone::TempRoot => "everything that is temporary",
        Zone::Null => "kept nowhere",
        Zone::Elsewhere => "outside the workspace",
        Zone::Unknown => "only known when it runs",
    }
}

/// A mark for the margin, and what a severity means.
pub(super) fn severity(severity: Severity) -> (&'static str, &'static str) {
    match severity {
        Severity::Hard => ("✗", "hard deny: never"),
        Severity::Deny => ("✗", "denied by the owner"),
        Severity::Soft => ("!", "soft deny: not unless asked for"),
        Severity::Ask => ("?", "ask: a person looks"),
        Severity::Allow => ("✓", "allowed by the owner"),
    }
}

/// What was observed and used, a line each.
pub(super) fn facts(facts: &Facts) -> Vec<String> {
    let mut lines = vec![format!(
        "home {}, workspace {}",
        visible(&facts.home),
        visible(&facts.roots.join(", "))
    )];
    if facts.virtual_files {
        lines.push("a machine with nothing on it".to_owned());
    }
    for (path, fact) in &facts.paths {
        let real = Some(&fact.real).filter(|real| *real != path);
        let real = real.map(|real| format!(" is really {},", visible(real)));
        let kind = match fact.kind {
            PathKind::File => "a file",
            PathKind::Empty => "an empty file",
            PathKind::Directory => "a directory",
            PathKind::Special => "a device, a pipe or a socket",
            PathKind::Missing => "not there",
            PathKind::Unknown => "not to be seen",
        };
        let real = real.unwrap_or_else(|| " is".to_owned());
        lines.push(format!("{}{real} {kind}", visible(path)));
    }
    for (directory, fact) in &facts.repositories {
        let executes = match fact.executes.as_slice() {
            [] => "runs nothing by its settings".to_owned(),
            settings => format!("runs {} when it is read", settings.join(", ")),
        };
        let root = fact.root.as_deref().unwrap_or(directory);
        lines.push(match &fact.root {
            Some(_) => format!("the repository {} {executes}", visible(root)),
            None => format!("{} is in no repository", visible(root)),
        });
    }
    for (path, digest) in &facts.contents {
        let start: String = digest.chars().take(12).collect();
        lines.push(format!("{} has the SHA-256 {start}…", visible(path)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::construct;

    #[test]
    fn every_context_of_the_documents_has_words() {
        let document = include_str!("../../../../../docs/lex.md");
        let tables = document.split("| context | example").skip(1);
        let mut seen = 0;
        for line in tables.flat_map(|table| table.lines().skip(2).take_while(|l| !l.is_empty())) {
            let context = line.split('`').nth(1).unwrap_or_default();
            if !context.contains(':') {
                assert_ne!(construct(context), context, "{line}");
                seen += 1;
            }
        }
        assert!(seen > 30, "{seen}");
    }
}
