//! Inputs made to be deep or long. Each must be cheap, on a small stack.

use std::thread;
use std::time::{Duration, Instant};

use countersign_lexer::{Dialect, Options, Status, lex};

const REPETITIONS: usize = 100_000;
const STACK: usize = 128 << 10;
const LONGEST: Duration = Duration::from_secs(5);

/// Texts that are repeated as they are.
const FLAT: &[&str] = &[
    "a;",
    "a && ",
    "a | ",
    "a\n",
    "'",
    "\"",
    "\\",
    "\\\n",
    "#",
    "#\n",
    " ",
    "a",
    "{a,b}",
    "{a,",
    "{1..9}",
    "*",
    "[",
    "]",
    "[a",
    "~",
    "~:",
    "a=~:",
    "$x",
    "$x ",
    "\"$x\"",
    "a <<E\n",
    "<<E ",
    "<<E\nE\n",
    "<<-E\n\tE\n",
    "`a` ",
    "`\\`a\\`` ",
    "$(a) ",
    "$((1)) ",
    "((1));",
    "$((a);b) ",
    "a>b ",
    "2>&1 ",
    "{x}>y ",
    "!",
    "! ",
    "()",
    "a() ",
    ";;",
    "))",
    "}",
    "done ",
    "\u{0}",
    "[[ a ]] ",
    "x[1]=2 ",
    "a[1 ",
    "<(a) ",
    "\"\\\"\" ",
    "a\"b\"",
    "'a'\"b\"",
    "[\"\"",
    "case a in b) ;; esac;",
    "echo {a,b}$(c) ",
    "$'\\n' ",
    "${x} ",
    "((\"$(",
    "((' ",
    "((a';",
    "a}",
    "}",
    "<1-2>",
    "<1-",
    "()",
    "$x[1]",
    "${(",
    "(a)",
    "(e",
    ">!",
    "&!",
    "repeat ",
    "$~x ",
    "a() ",
    "alias a=b ",
    ">a ",
    ">a\n",
    "([",
    "(([",
];

fn check(name: &str, source: Vec<u8>) -> Status {
    check_in(Dialect::Zsh, name, source.clone());
    check_in(Dialect::Unknown, name, source)
}

fn check_in(dialect: Dialect, name: &str, source: Vec<u8>) -> Status {
    let options = Options {
        dialect,
        ..Options::default()
    };
    let start = Instant::now();
    let run = move || {
        // The script is dropped here too, where the stack is small.
        lex(&source, &options).status()
    };
    let thread = thread::Builder::new()
        .stack_size(STACK)
        .spawn(run)
        .expect("a thread");
    let status = thread.join().unwrap_or_else(|_| panic!("{name}: panicked"));
    let took = start.elapsed();
    assert!(took < LONGEST, "{name}: took {took:?}");
    status
}

#[test]
fn nesting_costs_no_stack_and_linear_time() {
    let openings = [
        "$(",
        "\"$(",
        "$((",
        "((",
        "( ",
        "(",
        "{ ",
        "if ",
        "while ",
        "for i in a; do ",
        "case a in a) ",
        "${x:-",
        "\"${x:-",
        "${",
        "`",
        "\"`",
        "\\`",
        "$[",
        "a[",
        "<(",
        "[[ ( ",
        "f() ",
        "f() { ",
        "function f ",
        "coproc ",
        "! ",
        "time ",
        "@(",
        "a=(",
        "x=([",
        "$((x) ",
        "$( (",
        "{ a <<E; ",
        "$(cat <<E\n",
        "<<E $(",
        "a[$((",
        "${a[",
        "${x/$(",
        "\"$((\"",
        "$'",
        "((\"",
        "$((`",
        "=(",
        "() { ",
        "() ",
        "function f g { ",
        "repeat 2 ",
        "for i (a) ",
        "foreach i (a) ",
        "if (a) ",
        "while (a) ",
        "case a { (a) ",
        "{ } always { ",
        "{",
        "a(",
        "${${",
        "${(f)",
        "${(",
        "a{",
        "$x[",
        "$(([",
        "$x['",
    ];
    for opening in openings {
        check(opening, opening.repeat(REPETITIONS).into_bytes());
    }
}

#[test]
fn closed_nesting_costs_linear_time() {
    let pairs = [
        ("$(", ")"),
        ("\"$(", ")\""),
        ("$((", "))"),
        ("((", "))"),
        ("$( (", ") )"),
        ("( ", " )"),
        ("{ ", "; }"),
        ("if a; then ", "; fi"),
        ("${x:-", "}"),
        ("\"${x:-", "}\""),
        ("$[", "]"),
        ("<(", ")"),
        ("a[", "]=1"),
        ("{a,", "}"),
        ("{", ",a}"),
        ("{", "}"),
        ("[[ (", ") ]]"),
        ("$((a) + (", "))"),
        ("@(", ")"),
        ("a=(", ")"),
    ];
    for (open, close) in pairs {
        let source = open.repeat(REPETITIONS) + &close.repeat(REPETITIONS);
        check(open, source.into_bytes());
    }
}

#[test]
fn repetition_costs_linear_time() {
    for text in FLAT {
        check(text, text.repeat(REPETITIONS).into_bytes());
    }
    for text in ["{", "[", "\"[\"", "{,", "((", "<<${", "{a[;", "a=[", "~:"] {
        let source = text.repeat(REPETITIONS) + "\"\"]},x}))";
        check(text, source.into_bytes());
    }
}

#[test]
fn deep_nesting_is_too_big() {
    assert_eq!(
        check("deep", "$(".repeat(REPETITIONS).into_bytes()),
        Status::TooBig
    );
}

#[test]
fn a_source_over_the_limit_is_too_big() {
    assert_eq!(check("long", vec![b'a'; (1 << 20) + 1]), Status::TooBig);
    assert_eq!(check("largest", vec![b'a'; 1 << 20]), Status::Complete);
}
