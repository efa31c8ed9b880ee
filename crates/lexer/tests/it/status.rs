//! How far sources are understood: one line a case.

use countersign_lexer::{Dialect, Limits, Options, Script, Status, lex};

fn read(dialect: Dialect, source: &str) -> Script {
    let options = Options {
        dialect,
        ..Options::default()
    };
    lex(source.as_bytes(), &options)
}

#[track_caller]
fn check_in(dialect: Dialect, source: &str, expected: Status) {
    let script = read(dialect, source);
    let found = script.status();
    assert_eq!(found, expected, "{source:?}: {:?}", script.diagnostics());
}

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
    // Arithmetic in derived text reaches no further than that text.
    check(
        "a <<-E\n\t$((1))\n\tE\ncase b in c) d;; esac",
        Status::Complete,
    );
    check("a `b \\`$((c);d)\\``\ne # f", Status::Complete);
}

#[test]
fn what_bash_warns_about_is_a_warning() {
    check("cat <<E\na", Status::Warnings);
    check("cat <<E", Status::Warnings);
    check("a\\", Status::Warnings);
    // Other shells look for no body outside the substitution.
    let outlives = "a $(cat <<E)\nb\nE\n";
    check(outlives, Status::Opaque);
    let script = read(Dialect::Bash, outlives);
    assert_eq!(script.status(), Status::Warnings);
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
        "[[ a b ]]",
        "[[ a == ]]",
        "coproc",
        "echo )",
        "then",
        "while a; done",
        "$(if)",
        "((1)",
    ] {
        check(source, Status::SyntaxError);
    }
}

#[test]
fn what_bash_rejects_and_zsh_accepts_is_opaque() {
    for source in ["a &&", "f() a", "a(b)", "in", "a=(b;c)"] {
        check(source, Status::Opaque);
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

/// What `sh` reads differently where it is dash, which each of these was checked against.
#[test]
fn what_dash_reads_differently_is_opaque_in_sh() {
    let cases = [
        "a $'b'",
        "a $\"b\"",
        "a <(b)",
        "a >(b)",
        "a $[1]",
        "[[ -f a ]]",
        "((1))",
        "a=(b)",
        "a+=b",
        "a[0]=b",
        "a <<<b",
        "a |& b",
        "a &>b",
        "a &>>b",
        "a >&b",
        "a {x}>b",
        "function f { a; }",
        "coproc a",
        "select i in a; do b; done",
        "for ((;;)); do a; done",
        "case a in b) c;& d) e;; esac",
        "case a in b) c;;& esac",
        "a {b,c}",
        "a {1..3}",
        "alias a=b\na",
        "time a",
        "12>b a",
        "a <<$'E'\nb\nE\n",
    ];
    for source in cases {
        for (dialect, expected) in [
            (Dialect::Sh, Status::Opaque),
            (Dialect::Bash, Status::Complete),
        ] {
            check_in(dialect, source, expected);
        }
    }
}

#[test]
fn what_posix_has_is_complete_in_sh() {
    let cases = [
        "a \"$x\" '$y' `b` $(c) $((1 + $(d))) ${e:-$(f)}",
        "a >b 2>&1 <&3 >>c <>d >|e",
        "if a; then b; elif c; then d; else e; fi",
        "while a; do b; done; until c; do d; done",
        "for i in a b; do c; done",
        "case a in (b|c) d;; *) e;; esac",
        "f() { a; }; f",
        "( a ); { b; }",
        "a <<E\n$x\nE\nb <<-'E'\n\tc\n\tE\n",
        "! a && b || c & d",
        "x=1 a; y=2",
    ];
    for source in cases {
        check_in(Dialect::Sh, source, Status::Complete);
    }
}

/// bash 3.2 finds the end of a substitution by text, as its documentation of compatibility says.
#[test]
fn what_bash_3_reads_differently_is_opaque_where_it_may_be_the_shell() {
    let cases = [
        ("a \"$(cat <<'E'\n:)\nrm x\nE\n)\"", Status::Opaque),
        ("a \"$(cat <<'E'\n1) b\nE\n)\" c )", Status::SyntaxError),
        ("a \"$(cat <<'E'\ndon't\nE\n)\"", Status::Complete),
        ("a \"$(cat <<'E'\nb (c) d\nE\n)\"", Status::Complete),
        ("a $(b) c", Status::Complete),
    ];
    for (source, expected) in cases {
        let options = Options {
            bash3: true,
            ..Options::default()
        };
        let script = lex(source.as_bytes(), &options);
        assert_eq!(
            script.status(),
            expected,
            "{source}: {:?}",
            script.diagnostics()
        );
        let modern = Options {
            bash3: false,
            ..Options::default()
        };
        assert_ne!(
            lex(source.as_bytes(), &modern).status(),
            Status::Opaque,
            "{source}"
        );
    }
}

/// The lines before the one with the error run, and no others.
#[test]
fn lines_before_an_error_run() {
    let cases: &[(&str, &[&str])] = &[
        ("a\nb; c\nd $(", &["a", "b", "c"]),
        ("a; b )", &[]),
        ("a\nif b\n", &["a"]),
        ("a\n\n\n)\nb", &["a"]),
        ("a <<E\n$(b)\nE\nc\n)", &["a", "b", "c"]),
        ("f() {\na\n}\nb &&\n)", &["a"]),
        ("a=(<\nb", &["a", "b"]),
        ("a=(<\nb\n)", &["a", "b"]),
        ("a\nb", &["a", "b"]),
    ];
    for (source, expected) in cases {
        let script = lex(
            source.as_bytes(),
            &Options {
                dialect: Dialect::Bash,
                ..Options::default()
            },
        );
        let running = script.commands().filter(countersign_lexer::Command::runs);
        let found: Vec<_> = running
            .filter_map(|it| {
                it.source()
                    .first()
                    .map(|&byte| char::from(byte).to_string())
            })
            .collect();
        assert_eq!(found, *expected, "{source:?}");
    }
}

/// Where bash 5.2 itself reads a text twice, or an option changes how it reads: each of these ran
/// something that no list can tell.
#[test]
fn what_bash_reads_twice_is_opaque() {
    let cases = [
        "a $(coproc b)",
        "a $(b <<E | c; d\nE\n)",
        "a \"$(while b <<E; do c; d; done\nx\nE\n)\"",
        "a \"$(b <<E && c; d\nx\nE\n)\"",
        "((<<'E x'\nE x\n);)",
        "a \"$((b); c # x )\nd\n)\"",
        "a $((b $(case c in (c) :;; esac)))",
        "{1,${a/{}}",
        "{1,\"`'\"'`\"}",
        "a=($(b $'\\001\\177'))",
        "set -o posix\na",
        "set -eo posix\na",
        "set -k\na b=c",
        "set +B\na {b,c}",
        "set $x\na",
        "shopt -so posix\na",
        "shopt -s $x\na",
        "POSIXLY_CORRECT=1\na",
        "a[0]=1<f a[ 1]=1",
        "a \"$$(b)\"",
    ];
    for source in cases {
        check_in(Dialect::Bash, source, Status::Opaque);
    }
    for source in [
        "set -euo pipefail\na",
        "set -- -k\na",
        "set -ex; shopt -s nullglob; a",
        "set a -k",
    ] {
        check(source, Status::Complete);
    }
}
