//! How far sources are understood: one line a case.

use countersign_lexer::{Dialect, Limits, Options, Status, lex};

#[track_caller]
fn check(source: &str, expected: Status) {
    let script = lex(source.as_bytes(), &Options::default());
    assert_eq!(
        script.status(),
        expected,
        "{source}: {:?}",
        script.diagnostics()
    );
    assert_eq!(
        script.diagnostics().is_empty(),
        expected == Status::Complete,
        "{source}"
    );
}

#[test]
fn what_bash_accepts_is_complete() {
    check("", Status::Complete);
    check("a; b & c && d || e | f |& g", Status::Complete);
    check(
        "if a; then b; elif c; then d; else e; fi >f",
        Status::Complete,
    );
    check("case a in (b|c) d;; e) ;& *) f;;& esac", Status::Complete);
    check(
        "for i; do a; done; for i in; do a; done; for ((;;)) { a; }",
        Status::Complete,
    );
    check(
        "[[ -n a && ( b == c* || ! d =~ (e f)|g ) ]]",
        Status::Complete,
    );
    check(
        "f() ( a ) >b; function g { a; }; coproc c { d; }",
        Status::Complete,
    );
    check("! time -p -- a; time; !", Status::Complete);
    check("a[$(b c)]=d e+=(f [1]=g) h=", Status::Complete);
    check(
        "a \"`b '{c,d}'`\" \"${x:-{a,b}}\" \"$(b \"{c,d}\")\"",
        Status::Complete,
    );
    check("a $(b <<E\nE\nc\nd;)", Status::Complete);
    check("cat <<A <<-'B'\n$x\nA\n\t`\n\tB\n", Status::Complete);
}

#[test]
fn what_bash_warns_about_is_a_warning() {
    check("cat <<E\na", Status::Warnings);
    check("cat <<E", Status::Warnings);
    check("a\\", Status::Warnings);
    check("a $(cat <<E)\nb\nE\n", Status::Warnings);
}

#[test]
fn what_could_do_anything_is_opaque() {
    check("shopt -s expand_aliases", Status::Opaque);
    check("echo `if`", Status::Opaque);
    check("echo ${(e)x}", Status::Opaque);
    check("a \"`b \"{c,d}\"`\"", Status::Opaque);
    check("a $(b <<E\nE\nc ; d)", Status::Opaque);
    check("x=$(a <<E\nb\nE rm)", Status::Opaque);
    check("cat <<A $(cat <<B)\nA\nB\nA\n", Status::Opaque);
    check("a\0b", Status::Opaque);
}

#[test]
fn what_bash_rejects_is_a_syntax_error() {
    for source in [
        "(",
        ")",
        "a;;b",
        "if a; fi",
        "{ }",
        "( )",
        "a &&",
        "| a",
        "a >",
        "a | ! b",
        "${x",
        "$(a",
        "'a",
        "\"a",
        "`a",
        "for i in a { b; }",
        "case a in b",
        "f() a",
        "[[ a b ]]",
        "[[ a == ]]",
        "a(b)",
        "coproc",
        "echo )",
        "then",
        "in",
        "a=(b;c)",
        "while a; done",
        "$(if)",
        "((1)",
    ] {
        check(source, Status::SyntaxError);
    }
}

#[test]
fn unsupported_languages_are_opaque_as_a_whole() {
    for dialect in [Dialect::Fish, Dialect::PowerShell] {
        let script = lex(
            b"rm (ls)",
            &Options {
                dialect,
                ..Options::default()
            },
        );
        assert_eq!(script.status(), Status::Opaque);
        assert_eq!(script.commands().count(), 0);
        assert_eq!(script.diagnostics()[0].span.end, 7);
    }
}

#[test]
fn limits_are_kept() {
    let tight = Limits {
        input_bytes: 40,
        depth: 4,
        commands: 3,
        words: 6,
        brace_words: 2,
    };
    let options = Options {
        limits: tight,
        ..Options::default()
    };
    let status = |source: &str| lex(source.as_bytes(), &options).status();
    assert_eq!(status("a; b; c"), Status::Complete);
    assert_eq!(status("a; b; c; d"), Status::TooBig);
    assert_eq!(status("a b c d e f g"), Status::TooBig);
    assert_eq!(status("$($($($($($($(a)))))))"), Status::TooBig);
    assert_eq!(status("a {b,c}"), Status::Complete);
    assert_eq!(status("a {b,c,d}"), Status::Opaque);
    assert_eq!(status(&" ".repeat(41)), Status::TooBig);
}

#[test]
fn in_plain_sh_an_ampersand_before_a_redirection_ends_the_command() {
    let options = Options {
        dialect: Dialect::Sh,
        ..Options::default()
    };
    assert_eq!(lex(b"a &>f b", &options).commands().count(), 2);
    assert_eq!(lex(b"a &>f b", &Options::default()).commands().count(), 1);
}
