//! Sources for zsh. Each was run by zsh 5.9 in 2026-11, every command being an unknown name that
//! was recorded: nothing that ran is missing from a list. What a list has beyond that would run with
//! other values.

mod rows;

use countersign_lexer::{Context, DiagnosticKind, Dialect, Options, Script, Status, lex};

use self::rows::{OPAQUE, REJECTED, RUNS, ZSH_ONLY};
use crate::render::word;

fn read(dialect: Dialect, source: &str) -> Script {
    let options = Options {
        dialect,
        ..Options::default()
    };
    lex(source.as_bytes(), &options)
}

/// The words of every command, as they are known or else as they are written.
fn listed(script: &Script) -> Vec<String> {
    let words = |it: countersign_lexer::Command<'_>| {
        let words: Vec<_> = it.words().map(|it| word(&it)).collect();
        words.join(" ")
    };
    script
        .commands()
        .map(words)
        .filter(|it| !it.is_empty())
        .collect()
}

#[test]
fn everything_that_zsh_runs_is_listed() {
    for (source, expected) in RUNS {
        let script = read(Dialect::Zsh, source);
        assert!(
            script.status() <= Status::Warnings,
            "{source:?}: {:?}",
            script.diagnostics()
        );
        assert_eq!(listed(&script), *expected, "{source:?}");
    }
}

#[test]
fn what_zsh_rejects_is_a_syntax_error() {
    for source in REJECTED {
        assert_eq!(
            read(Dialect::Zsh, source).status(),
            Status::SyntaxError,
            "{source:?}"
        );
    }
}

#[test]
fn what_zsh_evaluates_is_opaque() {
    for source in OPAQUE {
        assert_eq!(
            read(Dialect::Zsh, source).status(),
            Status::Opaque,
            "{source:?}"
        );
    }
}

#[test]
fn what_runs_in_zsh_alone_is_opaque_when_the_shell_is_not_known() {
    for source in ZSH_ONLY {
        let script = read(Dialect::Unknown, source);
        let kind = |kind: DiagnosticKind| {
            matches!(kind, DiagnosticKind::ZshOnly | DiagnosticKind::Aliases)
        };
        let found = script.diagnostics().iter().any(|it| kind(it.kind));
        assert!(
            found && script.status() == Status::Opaque,
            "{source:?}: {:?}",
            script.diagnostics()
        );
    }
}

#[test]
fn what_bash_rejects_and_zsh_runs_is_listed() {
    let script = read(Dialect::Unknown, "repeat 2 { c1 a }; for i (a b) c2 $i");
    assert_eq!(listed(&script), ["c1 a", "c2 $i"]);
    assert!(script.commands().all(|it| it.runs()));
}

#[test]
fn functions_without_a_name_run_at_once() {
    let contexts = |source: &str| -> Vec<_> {
        let script = read(Dialect::Zsh, source);
        script.commands().map(|it| it.context()).collect()
    };
    assert_eq!(contexts("() { c1 } x"), [Context::Group]);
    assert_eq!(contexts("function { c1 } x"), [Context::Group]);
    assert_eq!(contexts("TRAPEXIT() { c1 }"), [Context::Group]);
    assert_eq!(contexts("f g() { c1 }"), [Context::FunctionBody]);
    assert_eq!(contexts("repeat 2 c1"), [Context::Loop]);
}
