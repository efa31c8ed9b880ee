//! Random tokens and random bytes: whatever they are, there is an answer.

use countersign_lexer::{Dialect, Options, Script, Span, lex};

const TOKENS: &[&str] = &[
    "a",
    "rm",
    "x=1",
    "a[0]=1",
    "a[",
    "]",
    "=(",
    "+=(",
    "\"",
    "'",
    "$'",
    "$\"",
    "`",
    "\\`",
    "\\",
    "\\\n",
    "$(",
    "$((",
    "((",
    "))",
    ")",
    "(",
    "{",
    "}",
    "${",
    "${x:-",
    "${x#",
    "${ ",
    "${|",
    "$[",
    "$x",
    "$@",
    "\"$@\"",
    "$",
    ";",
    ";;",
    ";&",
    "&",
    "&&",
    "|",
    "||",
    "|&",
    "!",
    "\n",
    "\n",
    " ",
    "\t",
    "<",
    ">",
    ">>",
    "<<E",
    "<<-E",
    "<<'E'",
    "<<\"",
    "<<<",
    "\nE\n",
    "\n\tE\n",
    "E",
    "2>&1",
    "&>",
    ">&",
    "{fd}>",
    "<(",
    ">(",
    "if",
    "then",
    "elif",
    "else",
    "fi",
    "while",
    "until",
    "do",
    "done",
    "for",
    "for i in",
    "for ((",
    "in",
    "case",
    "case x in",
    "esac",
    "select",
    "function",
    "f()",
    "coproc",
    // Names that zsh gives a meaning, which quotes may take out of the source.
    "precmd",
    "TRAP",
    "emulate",
    "setopt",
    "alias",
    "time",
    "time -p",
    "[[",
    "]]",
    "=~",
    "==",
    "@(",
    "!(",
    "*",
    "?",
    "[a-z]",
    "~",
    "=",
    "#",
    "{a,b}",
    "{1..3}",
    "{a,",
    ",",
    "..",
    "shopt -s extglob\n",
    "declare a=(",
    "\u{0}",
    "foreach i (",
    "end",
    "repeat 2",
    "always",
    "nocorrect",
    "() {",
    "=(",
    "&!",
    "&|",
    ";|",
    ">!",
    "<1-2>",
    "$x[",
    "$~x",
    "${(f)",
    "${${",
    "(N)",
    "a}",
    "é",
    "\u{a0}",
];

struct Random(u64);

impl Random {
    fn next(&mut self) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits")
    }
}

#[test]
fn token_soups_have_an_answer() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..60_000 {
        let mut source = String::new();
        for _ in 0..=random.next() % 14 {
            source += TOKENS[random.next() % TOKENS.len()];
            if random.next().is_multiple_of(2) {
                source.push(' ');
            }
        }
        check(source.as_bytes());
    }
}

/// Quotes take a name out of the source: what is said of it stands where it was defined.
#[test]
fn quoted_names_are_found_in_the_source() {
    for name in ["TRAPINT", "precmd", "chpwd", "f"] {
        let (head, tail) = name.split_at(1);
        for quoted in [
            format!("{head}\"{tail}\""),
            format!("'{name}'"),
            format!("\\{name}"),
            format!("{head}\\\n{tail}"),
            format!("{name}\"\u{e9}\""),
        ] {
            for source in [
                format!("{quoted}()"),
                format!("{quoted} () {{ ls; }}"),
                format!("function {quoted} {{ ls; }}"),
                format!("bash -c $({quoted}() ls)"),
            ] {
                check(source.as_bytes());
            }
        }
    }
}

#[test]
fn byte_soups_have_an_answer() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let special = b"$(){}[]`'\"\\ \n\t;&|<>#!=~*?,.:-+@/%^EaA01\0\xff";
    for _ in 0..60_000 {
        let len = random.next() % 24;
        let source: Vec<_> = (0..len)
            .map(|_| special[random.next() % special.len()])
            .collect();
        check(&source);
    }
}

fn check(source: &[u8]) {
    for dialect in [Dialect::Unknown, Dialect::Bash, Dialect::Sh, Dialect::Zsh] {
        check_in(dialect, source);
    }
}

fn check_in(dialect: Dialect, source: &[u8]) {
    let options = Options {
        dialect,
        ..Options::default()
    };
    let script = lex(source, &options);
    let inside = |span: Span, what: &str| {
        let sound = span.start <= span.end && span.end <= source.len();
        assert!(
            sound,
            "{what} {span:?} in {:?}",
            String::from_utf8_lossy(source)
        );
    };
    for diagnostic in script.diagnostics() {
        inside(diagnostic.span, "diagnostic");
    }
    for scope in script.scopes() {
        inside(scope.span(), "scope");
    }
    check_parents(&script, source);
    for command in script.commands() {
        inside(command.span(), "command");
        assert!(script.scope(command.scope()).is_some());
        for word in command.words() {
            inside(word.span(), "word");
            let dynamic = word
                .parts()
                .any(|part| !matches!(part, countersign_lexer::Part::Literal { .. }));
            assert_eq!(
                dynamic,
                word.is_dynamic(),
                "{:?}",
                String::from_utf8_lossy(source)
            );
        }
        for redirect in command.redirects() {
            inside(redirect.span(), "redirection");
        }
        for assignment in command.assignments() {
            inside(assignment.span(), "assignment");
        }
    }
}

fn check_parents(script: &Script, source: &[u8]) {
    let first = script.scopes().next().expect("the script is a scope").id();
    for scope in script.scopes() {
        let parent = scope.parent();
        assert_eq!(parent.is_none(), scope.id() == first);
        if let Some(parent) = parent {
            assert!(
                script.scope(parent).is_some(),
                "{:?}",
                String::from_utf8_lossy(source)
            );
            assert!(parent < scope.id(), "{:?}", String::from_utf8_lossy(source));
        }
    }
}
