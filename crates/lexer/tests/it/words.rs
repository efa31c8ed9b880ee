//! What one word becomes: one line a case.

use std::fmt::Write as _;

use countersign_lexer::{Argv0, Cardinality, Dialect, Options, Part, Value, Word, lex};

use crate::render::text;

/// Every argument of `echo`: the literal, or the kind and the source of a dynamic word.
#[track_caller]
fn check(argument: &str, expected: &[&str]) {
    check_in(Dialect::Unknown, argument, expected);
}

#[track_caller]
fn check_in(dialect: Dialect, argument: &str, expected: &[&str]) {
    let source = format!("echo {argument}");
    let script = lex(
        source.as_bytes(),
        &Options {
            dialect,
            ..Options::default()
        },
    );
    let command = script.commands().next().expect("a command");
    let found: Vec<_> = command.words().skip(1).map(|word| show(&word)).collect();
    assert_eq!(found, expected, "{source}");
}

fn show(word: &Word<'_>) -> String {
    match word.literal() {
        Some(literal) => text(literal),
        None => format!("{}:{}", word.kind().as_str(), text(word.source())),
    }
}

#[test]
fn quotes_are_removed_exactly() {
    check(r#"'a b'"c d"e\ f"#, &["a bc de f"]);
    check(r#""" '' """#, &["", "", ""]);
    check(r#""\a\$\"\\\`""#, &[r#"\a$"\`"#]);
    check("a\\\nb \"c\\\nd\" 'e\\\nf'", &["ab", "cd", "e\\\nf"]);
    check(
        r"$'\x41\101\u00e9\cA\'\q\e[0m'",
        &["AA\u{e9}\u{1}'\\q\u{1b}[0m"],
    );
    check(r"$'a\0b'c", &["ac"]);
    check(r#"$"a" $ "$" $'' a$"#, &["a", "$", "$", "", "a$"]);
}

#[test]
fn braces_expand_as_in_bash() {
    check(
        "{a,b}{1,2} x{1..3}y",
        &["a1", "a2", "b1", "b2", "x1y", "x2y", "x3y"],
    );
    check(
        "{} {a} {a, a} {a,} a{b,c",
        &["{}", "{a}", "{a,", "a}", "a", "a{b,c"],
    );
    check("{{a,b}} {a,{b,c}}d", &["{a}", "{b}", "ad", "bd", "cd"]);
    check("{a}{b,c} {a,b}} {,x}", &["{a}b", "{a}c", "a}", "b}", "x"]);
    check(
        "{01..03} {1..5..2} {3..1} {-1..1}",
        &[
            "01", "02", "03", "1", "3", "5", "3", "2", "1", "-1", "0", "1",
        ],
    );
    check(
        "{a..c} {c..a..2} {a..1} {1..a}",
        &["a", "b", "c", "c", "a", "{a..1}", "{1..a}"],
    );
    check(
        r#"{a,"b c"} "{a,b}" \{a,b} {a\,b}"#,
        &["a", "b c", "{a,b}", "{a,b}", "{a,b}"],
    );
    check("${x}{a,b}", &["var:${x}a", "var:${x}b"]);
    check(r#""$x"{a,b}"#, &[r#"var:"$x"a"#, r#"var:"$x"b"#]);
    check("{$(c),d}", &["cmdsubst:$(c)", "d"]);
    check("{1..10000}", &["mixed:{1..10000}"]);
    check_in(Dialect::Sh, "{a,b} {a}", &["mixed:{a,b}", "{a}"]);
}

#[test]
fn patterns_and_tildes_are_dynamic() {
    check("*.c a?b [ab]c", &["glob:*.c", "glob:a?b", "glob:[ab]c"]);
    check(
        r#""*" \* [ ] [a a] '['a]"#,
        &["*", "*", "[", "]", "[a", "a]", "[a]"],
    );
    check(
        "~ ~/x ~u/y a~ '~'",
        &["tilde:~", "tilde:~/x", "tilde:~u/y", "a~", "~"],
    );
    check(
        "a=~/x a=b:~ a:~ 1a=~",
        &["tilde:a=~/x", "tilde:a=b:~", "a:~", "1a=~"],
    );
    check(r#"~"u" ~$u"#, &["~u", "var:~$u"]);
    check("$x* ~/$x", &["mixed:$x*", "mixed:~/$x"]);
}

#[test]
fn a_line_that_goes_on_changes_nothing() {
    check(
        "a=\\\n~/x a\\\nb=~/x a=b\\\n:~",
        &["tilde:a=\\\n~/x", "tilde:a\\\nb=~/x", "tilde:a=b\\\n:~"],
    );
    check("{a\\\n,b} $\\\nx", &["a", "b", "var:$\\\nx"]);
    check("$'a\\\nb' 'a\\\nb'", &["a\\\nb", "a\\\nb"]);
}

#[test]
fn arguments_of_declarations_have_values() {
    let script = lex(b"export A=~/x B=c:~ C='~' D=*", &Options::default());
    let command = script.commands().next().expect("a command");
    let kinds: Vec<_> = command.words().map(|word| word.kind().as_str()).collect();
    assert_eq!(kinds, ["static", "tilde", "tilde", "static", "glob"]);
}

#[test]
fn zsh_paths_are_opaque_unless_the_shell_is_bash() {
    check("=ls == =", &["mixed:=ls", "==", "="]);
    check_in(Dialect::Bash, "=ls", &["=ls"]);
}

#[test]
fn unquoted_expansions_can_vanish() {
    let script = lex(
        br#"echo a "$x" $x "$@" $(c) "`c`" * ~"#,
        &Options::default(),
    );
    let command = script.commands().next().expect("a command");
    let many: Vec<_> = command
        .words()
        .filter(|word| word.cardinality() == Cardinality::ZeroOrMore)
        .map(|word| text(word.source()))
        .collect();
    assert_eq!(many, ["$x", "\"$@\"", "$(c)", "*"]);
}

#[test]
fn parts_tell_what_a_word_is_made_of() {
    let script = lex(br#"echo a\ "b$x"${y:-1}*"#, &Options::default());
    let command = script.commands().next().expect("a command");
    let word = command.words().nth(1).expect("an argument");
    let parts: Vec<_> = word.parts().collect();
    let expected = [
        Part::Literal {
            text: b"a",
            quoted: false,
        },
        Part::Literal {
            text: b" b",
            quoted: true,
        },
        Part::Variable {
            name: b"x",
            simple: true,
            quoted: true,
            source: b"$x",
        },
        Part::Variable {
            name: b"y",
            simple: false,
            quoted: false,
            source: b"${y:-1}",
        },
        Part::Glob { text: b"*" },
    ];
    assert_eq!(parts, expected);
    assert!(word.is_quoted());
}

/// Plain words are read by a shorter way. A backslash-newline after the first byte means nothing
/// to the shell and forces the long way.
#[test]
fn short_words_are_read_like_long_ones() {
    let words = [
        "ab", "a=b", "a==", "=ab", "12", "a1", "1a", "ab#c", "a]b", "a}b", "a,b", "-x=y", "'q'",
        "\"q\"", "''", "a~", "then", "if", "a!", "a:~",
    ];
    let after = [
        "", " ", " b", ";b", "|b", "&b", "&&b", "\n", ")", "(", "()", "<f", ">f", "<(c)", ">(c)",
        "<\\\n(c)", "<<E\nE", "&>f", "2>f", "\"q\"", "'q'", "$x", "$(c)", "`c`", "#c", "\\ b",
        "{a,b}", "~", "=~", "=(x)", "[x]", "*", "\r",
    ];
    let around = [
        "",
        "e ",
        "x=1 ",
        ">",
        "<<<",
        "for i in ",
        "case ",
        "[[ ",
        "declare ",
        "e \"$x\"",
        "case x in ",
        "e 'q'",
        "f() { ",
    ];
    for before in around {
        for word in words {
            for after in after {
                let (first, rest) = word.split_at(1);
                let short = format!("{before}{word}{after}");
                let long = format!("{before}{first}\\\n{rest}{after}");
                // In quotes a backslash-newline stays.
                if !word.starts_with('\'') {
                    assert_eq!(summary(&short), summary(&long), "{short:?}");
                }
            }
        }
    }
}

/// Everything about a source but where it stands.
fn summary(source: &str) -> String {
    let script = lex(source.as_bytes(), &Options::default());
    let mut summary = format!("{:?}", script.status());
    for command in script.commands() {
        let _infallible = write!(summary, "\n{}", command.context().as_str());
        let shown = |word: &Word<'_>| show(word).replace("\\\n", "");
        for word in command.words() {
            let _infallible = write!(summary, " {}{:?}", shown(&word), word.cardinality());
        }
        for redirect in command.redirects() {
            let target = shown(&redirect.target());
            let _infallible = write!(
                summary,
                " {:?} {}{target}",
                redirect.fd(),
                redirect.op().as_str()
            );
        }
        for assignment in command.assignments() {
            let value = assignment.value().map(|value| shown(&value));
            let _infallible = write!(summary, " {}={value:?}", text(assignment.name()));
        }
    }
    summary
}

#[test]
fn values_are_known_as_far_as_they_can_be() {
    let cases: &[(&str, &str, &str)] = &[
        ("a$x.c", "a", ".c"),
        ("'a'b\"$x\"\"c\"d", "ab", "cd"),
        ("~/a", "", "/a"),
        ("/etc/*.conf", "/etc/", ".conf"),
        ("$x", "", ""),
        ("a$(b)", "a", ""),
    ];
    for (argument, prefix, suffix) in cases {
        let source = format!("echo {argument}");
        let script = lex(source.as_bytes(), &Options::default());
        let word = script.commands().next().and_then(|it| it.words().nth(1));
        let expected = match (prefix.as_bytes(), suffix.as_bytes()) {
            ([], []) => Value::Dynamic,
            (prefix, suffix) => Value::Partial { prefix, suffix },
        };
        assert_eq!(word.map(|word| word.value()), Some(expected), "{argument}");
    }
}

#[test]
fn the_name_of_a_program_may_be_one_of_several_words() {
    let cases: &[(&str, Argv0<'_>, usize)] = &[
        ("rm x", Argv0::Known(b"rm"), 1),
        ("$e rm x", Argv0::OneOf, 2),
        ("$e $f rm x", Argv0::OneOf, 3),
        ("\"$e\" rm", Argv0::Unknown, 1),
        ("$e", Argv0::Unknown, 1),
        ("x=1", Argv0::Nothing, 0),
        (">x", Argv0::Nothing, 0),
        ("{rm,-rf} x", Argv0::Known(b"rm"), 1),
        ("a{1..999} rm", Argv0::Unknown, 1),
    ];
    for (source, argv0, names) in cases {
        let script = lex(source.as_bytes(), &Options::default());
        let command = script.commands().next().expect("a command");
        assert_eq!(command.argv0(), *argv0, "{source}");
        assert_eq!(command.names().count(), *names, "{source}");
    }
}
