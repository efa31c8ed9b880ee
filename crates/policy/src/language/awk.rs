/// Whether an awk program only computes and prints to standard output.
///
/// Conservative: the program is split into tokens that every awk splits alike, and what can be read
/// in more than one way is not readable. Nothing in it may run a program, read another file than the
/// operands, look at the environment, or print to anything but the standard streams.
pub(crate) fn only_reads(program: &str) -> bool {
    tokens(program).is_some_and(|tokens| {
        balanced(&tokens) && names_are_harmless(&tokens) && prints_go_out(&tokens)
    })
}

/// Shell lines that an awk program runs, as far as they stand in it.
pub(crate) fn commands(program: &str) -> Vec<&str> {
    let tokens = tokens(program).unwrap_or_default();
    let runs = tokens.windows(4).filter_map(|four| match four {
        [
            Token::Name("system", _),
            Token::Sign("("),
            Token::Text(text),
            Token::Sign(")"),
        ] => Some(*text),
        _ => None,
    });
    runs.collect()
}

/// Files that an awk program prints to, as far as they stand in it.
pub(crate) fn written(program: &str) -> Vec<&str> {
    let tokens = tokens(program).unwrap_or_default();
    let mut printing = false;
    let mut found = Vec::new();
    for pair in tokens.windows(2) {
        match pair {
            [Token::Name("print" | "printf", _), _] => printing = true,
            [Token::Sign(";" | "{" | "}"), _] => printing = false,
            [Token::Sign(">" | ">>"), Token::Text(text)] if printing => found.push(*text),
            _ => {}
        }
    }
    found
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token<'p> {
    /// An identifier or keyword, and whether a parenthesis follows at once.
    Name(&'p str, bool),
    Number,
    /// A string, as it is written between the quotes.
    Text(&'p str),
    Pattern,
    /// A line's end that may end a statement.
    Newline,
    Sign(&'p str),
}

/// Names that reach out of the program, in one awk or another.
const REACHING: &[&str] = &[
    "ARGC",
    "ARGV",
    "ENVIRON",
    "FUNCTAB",
    "PROCINFO",
    "SYMTAB",
    "close",
    "dcgettext",
    "dcngettext",
    "exec",
    "extension",
    "fork",
    "getline",
    "popen",
    "spawn",
    "system",
];

/// Functions that compute and nothing else.
const FUNCTIONS: &[&str] = &[
    "and", "asort", "asorti", "atan2", "compl", "cos", "exp", "fflush", "gensub", "gsub", "index",
    "int", "isarray", "length", "log", "lshift", "match", "mktime", "or", "patsplit", "rand",
    "rshift", "sin", "split", "sprintf", "sqrt", "srand", "strftime", "strtonum", "sub", "substr",
    "systime", "tolower", "toupper", "typeof", "xor",
];

/// Words after which a parenthesis does not call anything.
const KEYWORDS: &[&str] = &[
    "case", "delete", "do", "else", "exit", "for", "if", "in", "print", "printf", "return",
    "switch", "while",
];

/// Words after which a slash cannot divide, so that it begins a regular expression.
const BEFORE_PATTERN: &[&str] = &["else", "in", "print", "printf", "return"];

/// Words after which a slash means one thing to one awk and another to the next.
const DOUBTFUL: &[&str] = &[
    "BEGIN",
    "BEGINFILE",
    "END",
    "ENDFILE",
    "break",
    "case",
    "continue",
    "default",
    "delete",
    "do",
    "exit",
    "for",
    "func",
    "function",
    "if",
    "length",
    "next",
    "nextfile",
    "switch",
    "while",
];

/// Signs of more than one character, the longest first.
const LONG_SIGNS: &[&str] = &[
    "**=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**", "==", "<=", ">=",
    "!=", "!~", ">>",
];

const SIGNS: &str = "+-*/%^!=<>?:~$()[]{},;";

/// The tokens of a program; `None` when it cannot be told how to read it.
fn tokens(program: &str) -> Option<Vec<Token<'_>>> {
    let mut found = Vec::new();
    // For each open parenthesis, whether a keyword that takes a condition stands before it.
    let mut conditions = Vec::new();
    let mut after_condition = false;
    let mut rest = program;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            ' ' | '\t' => 1,
            '#' => rest.find('\n').unwrap_or(rest.len()),
            // The statement goes on in the next line.
            '\\' if rest.starts_with("\\\n") => 2,
            '\n' => {
                found.push(Token::Newline);
                1
            }
            '"' => {
                let text = text(rest.get(1..)?)?;
                found.push(Token::Text(text));
                text.len().saturating_add(2)
            }
            '/' if begins_pattern(&found, after_condition)? => {
                let pattern = pattern(rest.get(1..)?)?;
                found.push(Token::Pattern);
                pattern.len().saturating_add(2)
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                let length = run(rest, |c| c.is_ascii_alphanumeric() || c == '_');
                let called = rest.get(length..)?.starts_with('(');
                found.push(Token::Name(rest.get(..length)?, called));
                length
            }
            '0'..='9' | '.' => {
                found.push(Token::Number);
                number(rest)?
            }
            _ => {
                let sign = sign(rest)?;
                match sign {
                    "(" => {
                        let condition = ["if", "for", "while", "switch"];
                        let before = found.last();
                        conditions.push(
                            matches!(before, Some(Token::Name(name, _)) if condition.contains(name)),
                        );
                    }
                    ")" => after_condition = conditions.pop()?,
                    _ => {}
                }
                found.push(Token::Sign(sign));
                sign.len()
            }
        };
        rest = rest.get(length..)?;
    }
    Some(found)
}

/// The length of a number that every awk takes whole; `None` when a name could begin in it.
fn number(rest: &str) -> Option<usize> {
    let digits = |text: &str| run(text, |c| c.is_ascii_digit());
    let mut length = digits(rest);
    if rest.get(length..)?.starts_with('.') {
        length = length.saturating_add(1);
        length = length.saturating_add(digits(rest.get(length..)?));
    }
    if let Some(exponent) = rest.get(length..)?.strip_prefix(['e', 'E']) {
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let end = digits(unsigned);
        let sign = exponent.len().saturating_sub(unsigned.len());
        length = length
            .saturating_add(1)
            .saturating_add(sign)
            .saturating_add(end);
        if end == 0 {
            return None;
        }
    }
    let goes_on = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    (!rest.get(length..)?.starts_with(goes_on)).then_some(length)
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// The sign at the start; `None` for one that no harmless program needs (`|`, `@`, `::`).
fn sign(rest: &str) -> Option<&str> {
    let long = LONG_SIGNS.iter().find(|sign| rest.starts_with(**sign));
    let length = long.map_or(1, |sign| sign.len());
    let sign = rest.get(..length)?;
    ((long.is_some() || SIGNS.contains(sign)) && !rest.starts_with("::")).then_some(sign)
}

/// Whether a slash begins a regular expression here; `None` when awks disagree.
fn begins_pattern(before: &[Token<'_>], after_condition: bool) -> Option<bool> {
    match before.last() {
        Some(Token::Name(name, _)) if BEFORE_PATTERN.contains(name) => Some(true),
        Some(Token::Name(name, _)) => (!DOUBTFUL.contains(name)).then_some(false),
        Some(Token::Sign(")")) if after_condition => None,
        Some(Token::Number | Token::Sign(")" | "]")) => Some(false),
        // After a text it is a concatenation or a division, depending on the grammar.
        Some(Token::Text(_) | Token::Pattern | Token::Sign("++" | "--" | "$")) => None,
        None | Some(Token::Newline | Token::Sign(_)) => Some(true),
    }
}

/// What stands before the closing quote.
fn text(rest: &str) -> Option<&str> {
    let mut chars = rest.char_indices();
    loop {
        match chars.next()? {
            (at, '"') => return rest.get(..at),
            (_, '\n') => return None,
            (_, '\\') if chars.next()?.1 == '\n' => return None,
            _ => {}
        }
    }
}

/// What stands before the closing slash. Some awks let a slash in brackets stand for itself: the
/// expression is only readable when no bracket is open there, however brackets are read.
fn pattern(rest: &str) -> Option<&str> {
    let mut chars = rest.char_indices();
    let end = loop {
        match chars.next()? {
            (at, '/') => break at,
            (_, '\n') => return None,
            (_, '\\') if chars.next()?.1 == '\n' => return None,
            _ => {}
        }
    };
    let pattern = rest.get(..end)?;
    (brackets_close(pattern, true) && brackets_close(pattern, false)).then_some(pattern)
}

/// Whether every bracket expression ends, with a backslash in it escaping or standing for itself.
fn brackets_close(pattern: &str, escapes: bool) -> bool {
    let mut rest = pattern;
    while let Some(at) = rest.find(['[', '\\']) {
        let escaped = rest.get(at..).is_some_and(|rest| rest.starts_with('\\'));
        rest = rest.get(at.saturating_add(1)..).unwrap_or_default();
        if escaped {
            rest = without_first(rest);
            continue;
        }
        rest = rest.strip_prefix('^').unwrap_or(rest);
        rest = rest.strip_prefix(']').unwrap_or(rest);
        loop {
            let Some(c) = rest.chars().next() else {
                return false;
            };
            if c == '[' {
                let class = rest.strip_prefix("[:").and_then(|rest| {
                    let (name, rest) = rest.split_once(":]")?;
                    name.bytes().all(|b| b.is_ascii_lowercase()).then_some(rest)
                });
                let Some(after) = class else { return false };
                rest = after;
                continue;
            }
            rest = without_first(rest);
            match c {
                ']' => break,
                '\\' if escapes => rest = without_first(rest),
                _ => {}
            }
        }
    }
    true
}

fn without_first(text: &str) -> &str {
    let mut chars = text.chars();
    chars.next();
    chars.as_str()
}

/// Whether brackets pair up, and no line ends within parentheses where awks disagree what that means.
fn balanced(tokens: &[Token<'_>]) -> bool {
    let mut open = Vec::new();
    let mut before: Option<&Token<'_>> = None;
    for token in tokens {
        match token {
            Token::Sign(sign @ ("(" | "[" | "{")) => open.push(*sign),
            Token::Sign(")") if open.pop() != Some("(") => return false,
            Token::Sign("]") if open.pop() != Some("[") => return false,
            Token::Sign("}") if open.pop() != Some("{") => return false,
            Token::Newline if matches!(open.last(), Some(&("(" | "["))) => {
                let goes_on = [",", "&&", "||"];
                if !matches!(before, Some(Token::Sign(sign)) if goes_on.contains(sign)) {
                    return false;
                }
                continue;
            }
            _ => {}
        }
        before = Some(token);
    }
    open.is_empty()
}

fn names_are_harmless(tokens: &[Token<'_>]) -> bool {
    let defined: Vec<&str> = tokens
        .windows(2)
        .filter_map(|pair| match pair {
            [Token::Name("function" | "func", _), Token::Name(name, _)] => Some(*name),
            _ => None,
        })
        .collect();
    tokens.iter().all(|token| match token {
        Token::Name(name, called) => {
            let known = [FUNCTIONS, KEYWORDS, &defined[..]];
            !REACHING.contains(name) && (!called || known.iter().any(|names| names.contains(name)))
        }
        _ => true,
    })
}

/// A `>` in a statement that prints is a redirection unless parentheses hold it; it must lead to a
/// standard stream and to nothing longer. Line ends are taken for blanks, since many do not end a
/// statement.
fn prints_go_out(tokens: &[Token<'_>]) -> bool {
    let mut printing = false;
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Name("print" | "printf", _) => {
                printing = true;
                depth = 0;
            }
            Token::Sign("(") => depth = depth.saturating_add(1),
            Token::Sign(")") => depth = depth.saturating_sub(1),
            Token::Sign(";" | "{" | "}") => printing = false,
            Token::Sign(">" | ">>") if printing && depth == 0 => {
                let mut after = tokens.iter().skip(at.saturating_add(1));
                let std = matches!(
                    after.next(),
                    Some(Token::Text("/dev/stderr" | "/dev/stdout"))
                );
                let ends = matches!(
                    after.next(),
                    None | Some(Token::Newline | Token::Sign(";" | "}"))
                );
                if !std || !ends {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{commands, only_reads, written};

    #[test]
    fn what_is_run_and_written() {
        assert_eq!(commands("BEGIN { system(\"rm -rf ~\") }"), ["rm -rf ~"]);
        assert_eq!(written("{print $1 > \"out\"; x = $2 > \"b\"}"), ["out"]);
        assert!(commands("{print \"system(1)\"}").is_empty());
    }

    #[test]
    fn programs() {
        for (program, expected) in [
            ("{print $1}", true),
            ("$3 > 5 {print $1, $2}", true),
            ("/rm -rf|system/ {n++} END {print n}", true),
            ("{print \"a | b > c\"}", true),
            ("BEGIN{FS=\",\"} {if ($1 > 2) print ($1 > 3)}", true),
            ("{print $1 > \"/dev/stderr\"}", true),
            ("a || b {print}", true),
            ("{print a/b} # | system()", true),
            ("BEGIN{system(\"x\")}", false),
            ("{print $1 > \"file\"}", false),
            ("{print $1 >> f}", false),
            ("{print | \"sh\"}", false),
            ("{\"cmd\" | getline x}", false),
            (
                "BEGIN { while ((getline line < \"f\") > 0) print line }",
                false,
            ),
            ("@load \"x\"", false),
            ("{print \"unterminated}", false),
        ] {
            assert_eq!(only_reads(program), expected, "{program}");
        }
    }

    #[test]
    fn slashes() {
        for (program, expected) in [
            ("{print /x/; y = (a + b) / 2 / n[1]}", true),
            (
                "$1 ~ /[0-9]+[[:space:]]/ && !/^#/ {s += $2 / 3} END {print s / NR}",
                true,
            ),
            ("/a\\/b/,/c/ {print}", true),
            ("{x /= 2; print x}", true),
            // A quote in a regular expression must not hide what follows, nor one in a division.
            ("{print /\"/; system(\"id\"); z = /\"/}", false),
            ("{return /\"/; system(\"id\"); z = /\"/}", false),
            ("{if (1) /\"/; system(\"id\"); z = /\"/}", false),
            ("{print length / \"/; system(x)\" / 2}", false),
            ("{x = y++ / 2}", false),
            ("/[/]/ {print}", false),
            ("/[[]/ {print}", false),
            ("/[\"/]/; system(\"id\"); /\"/", false),
            ("/a\nb/", false),
        ] {
            assert_eq!(only_reads(program), expected, "{program}");
        }
    }

    #[test]
    fn redirections() {
        for (program, expected) in [
            ("{print 1,\n 2}\n$1 > 3 {print}", true),
            (
                "{print 1; if (a > b) print 2 > \"/dev/stdout\"\nprint 3}",
                true,
            ),
            ("{printf(\"%s\\n\", $1) > \"/dev/stderr\"; next}", true),
            ("function f(x) { return x > 2 } {print f($1)}", true),
            ("{print 1,\n 2 > \"out\"}", false),
            ("{print 1 \\\n > \"out\"}", false),
            ("{print a &&\n b > \"out\"}", false),
            ("{print(1)(2) > \"out\"}", false),
            ("{print 1 > \"/dev/stderr\" \".x\"}", false),
            ("{print 1 > \"/dev/std\\145rr\"}", false),
            ("{print 1 > \"/dev/stderr\" \\\n x}", false),
            ("{print 1 |& \"cmd\"}", false),
            ("{printf \"x\" >> \"out\"}", false),
            ("{print (1\n) > \"out\"}", false),
        ] {
            assert_eq!(only_reads(program), expected, "{program}");
        }
    }

    #[test]
    fn names() {
        for (program, expected) in [
            (
                "function max(a, b) { return a > b ? a : b } {print max($1, $2)}",
                true,
            ),
            (
                "{n[$1]++} END {for (k in n) print k, n[k], length(k)}",
                true,
            ),
            (
                "{print toupper(substr($0, 1, 1)) sprintf(\"%03d\", NR)}",
                true,
            ),
            ("{print argv, \"ENVIRON\"}", true),
            ("BEGIN {for (k in ENVIRON) print k}", false),
            ("BEGIN {ARGV[1] = \".x\"; ARGC = 2} {print}", false),
            ("BEGIN {ARGV[ARGC++] = \".x\"} {print}", false),
            ("{print PROCINFO[\"pid\"]}", false),
            ("{SYMTAB[\"x\"] = 1}", false),
            ("{FUNCTAB[\"x\"]}", false),
            ("{f = \"system\"; @f(\"id\")}", false),
            ("{awk::system(\"id\")}", false),
            ("{x = 1.5e-3 + .5 + 2.; print x}", true),
            ("{system (\"id\")}", false),
            ("{1system(\"id\")}", false),
            ("{.5e1system(\"id\")}", false),
            ("{1 > 0; 0print > \"out\"}", false),
            ("{close(\"cmd\")}", false),
            ("{chdir(\"/\")}", false),
            ("@include \"x.awk\"", false),
            ("{print `id`}", false),
        ] {
            assert_eq!(only_reads(program), expected, "{program}");
        }
    }
}
