//! What commands are nested in.

use countersign_lexer::{Command, Options, ScopeId, ScopeKind, Script, lex};

use crate::render::text;

/// The kinds of all scopes around the command named `name`, from the inside out.
fn around(script: &Script, name: &str) -> Vec<String> {
    let mut kinds = Vec::new();
    let mut next: Option<ScopeId> = Some(find(script, name).scope());
    while let Some(scope) = next.and_then(|id| script.scope(id)) {
        kinds.push(format!("{:?}", scope.kind()));
        next = scope.parent();
    }
    kinds
}

fn find<'a>(script: &'a Script, name: &str) -> Command<'a> {
    let named = |command: &Command<'_>| {
        command.words().next().and_then(|word| word.literal()) == Some(name.as_bytes())
    };
    script
        .commands()
        .find(named)
        .expect("a command of that name")
}

#[track_caller]
fn check(source: &str, expected: &[&str]) {
    let script = lex(source.as_bytes(), &Options::default());
    assert_eq!(around(&script, "rm"), expected, "{source}");
}

#[test]
fn scopes_say_where_a_command_stands() {
    check("rm", &["Script"]);
    check("a; { rm; }", &["Group", "Script"]);
    check("if rm; then b; fi", &["Condition", "Group", "Script"]);
    check("if a; then b; else rm; fi", &["Body", "Group", "Script"]);
    check("while a; do rm; done", &["Loop", "Group", "Script"]);
    check("(a; rm)", &["Subshell", "Script"]);
    check(
        "a $(b `rm`)",
        &["Backtick", "CommandSubstitution", "Script"],
    );
    check(
        "a <(rm)",
        &["ProcessSubstitution { write: false }", "Script"],
    );
    check(
        "a <<E\n$(rm)\nE\n",
        &["CommandSubstitution", "Heredoc", "Script"],
    );
    check("coproc { rm; }", &["Group", "Coproc", "Script"]);
    check(
        "[[ -n $(rm) ]]",
        &["CommandSubstitution", "TestExpression", "Script"],
    );
    check(
        "((a[$(rm)]))",
        &["CommandSubstitution", "Arithmetic", "Script"],
    );
    check("case a in b) rm;; esac", &["Case", "Script"]);
}

#[test]
fn stages_of_a_pipeline_are_scopes() {
    let stage = |index| format!("PipelineStage {{ pipeline: 0, index: {index} }}");
    check("rm | a", &[&stage(0), "Script"]);
    check("a | rm", &[&stage(1), "Script"]);
    check("a | b | { rm; }", &["Group", &stage(2), "Script"]);
    check("{ rm; } | a", &["Group", &stage(0), "Script"]);
    check("a $(rm) | b", &["CommandSubstitution", &stage(0), "Script"]);
    check(
        "a <<E | b\n$(rm)\nE\n",
        &["CommandSubstitution", "Heredoc", &stage(0), "Script"],
    );
    check("a | b; rm", &["Script"]);
    check("a | b && rm", &["Script"]);
}

#[test]
fn names_and_words_belong_to_scopes() {
    let script = lex(
        b"f() { for i in a \"$b\"; do case $i in c) rm;; esac; done; }",
        &Options::default(),
    );
    let mut seen = Vec::new();
    for scope in script.scopes() {
        let words: Vec<_> = scope.words().map(|word| text(word.source())).collect();
        match scope.kind() {
            ScopeKind::Function { name } | ScopeKind::For { name } => {
                seen.push((text(name), words));
            }
            ScopeKind::Case => seen.push(("case".into(), words)),
            _ => {}
        }
    }
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    let expected = [
        ("f".into(), words(&[])),
        ("i".into(), words(&["a", "\"$b\""])),
        ("case".into(), words(&["$i"])),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn redirections_of_compound_commands_belong_to_scopes() {
    let script = lex(
        b"while a; do b; done <in >out; { c; } 2>&1",
        &Options::default(),
    );
    let redirects: Vec<_> = script
        .scopes()
        .filter(|scope| scope.redirects().next().is_some())
        .map(|scope| (scope.kind(), scope.redirects().count()))
        .collect();
    assert_eq!(redirects, [(ScopeKind::Group, 2), (ScopeKind::Group, 1)]);
}

#[test]
fn substitutions_know_their_command() {
    let script = lex(
        b"x=$(a) b >$(c) <<E\n$(d)\nE\nfor i in $(e); do f; done",
        &Options::default(),
    );
    let owner = |name: &str| {
        let scope = script.scope(find(&script, name).scope()).expect("a scope");
        scope
            .owner()
            .and_then(|id| script.command(id))
            .map(|command| text(command.source()))
    };
    let command = Some("x=$(a) b >$(c) <<E".to_string());
    assert_eq!(owner("a"), command);
    assert_eq!(owner("c"), command);
    assert_eq!(owner("d"), command);
    assert_eq!(owner("e"), None);
}

#[test]
fn a_body_ends_where_bash_ends_it() {
    check("a <<-E\n\t\\\n\tE\nrm", &["Script"]);
    check("a <<E\n\\\nE\nrm", &["Script"]);
    check("a <<'E'\n\\\nE\nrm", &["Script"]);
    check("a <<E\n E\nE \nE\nrm", &["Script"]);
    check("x=$(a <<E\nb\nE rm)", &["CommandSubstitution", "Script"]);
    check("x=$(a <<E\nb\nErm; rm)", &["CommandSubstitution", "Script"]);
    check("a $(b <<E)\nc\nE\nrm", &["Script"]);
    check("a <<A $(b <<B)\nA\nB\nB\nA\nrm", &["Script"]);
    check("a `b <<E\nc\nE\nrm`", &["Backtick", "Script"]);
}

#[test]
fn spans_point_into_the_source_through_backquotes_and_tabs() {
    let source = b"a `b \\`rm x\\``\ncat <<-E\n\t\t$(rm y)\n\tE\n";
    let script = lex(source, &Options::default());
    let found: Vec<_> = script
        .commands()
        .map(|command| command.span())
        .filter_map(|span| source.get(span.start..span.end))
        .filter(|text| text.starts_with(b"rm"))
        .map(text)
        .collect();
    assert_eq!(found, ["rm x", "rm y"]);
}

/// What each of these runs, as bash 5.2 does.
#[test]
fn the_rarer_rules_of_bash_are_kept() {
    let cases: &[(&str, &[&[&str]])] = &[
        (">&-rm a", &[&["rm", "a"]]),
        ("a 2>&-b c", &[&["a", "b", "c"]]),
        ("a >&- b", &[&["a", "b"]]),
        ("a {}b,c}", &[&["a", "{}b,c}"]]),
        ("a {},b}", &[&["a", "{},b}"]]),
        ("a x{},b} {b,{}c,d}", &[&["a", "x}", "xb", "b", "{}c", "d"]]),
        ("a <<-'\tE'\n\tx\n\tE\nE\nb", &[&["a"], &["E"], &["b"]]),
        ("a <<H\n$(b #\\\n)\nc\n)\nH", &[&["a"], &["b"], &["c"]]),
        ("a <<H\n$(b 'c\\\nd')\nH", &[&["a"], &["b", "cd"]]),
        ("a <<-H\n\t$(b 'c\\\n\td')\n\tH", &[&["a"], &["b", "c\td"]]),
    ];
    for (source, expected) in cases {
        let options = Options {
            dialect: countersign_lexer::Dialect::Bash,
            ..Options::default()
        };
        let script = lex(source.as_bytes(), &options);
        let found: Vec<Vec<String>> = script
            .commands()
            .map(|it| {
                it.words()
                    .map(|word| crate::render::text(word.literal().unwrap_or(b"?")))
                    .collect()
            })
            .collect();
        assert_eq!(found, *expected, "{source:?} {:?}", script.diagnostics());
    }
}
