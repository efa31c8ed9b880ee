//! Sources that are easy to write and hard to read.

/// Makes a source of about this many bytes.
pub(crate) type Generator = fn(usize) -> String;

/// Every generator by name.
pub(crate) const GENERATORS: &[(&str, Generator)] = &[
    ("nested $(", |n| nested("$(", "x", ")", n)),
    ("nested $((", |n| nested("$((", "1", "))", n)),
    ("nested ${x:-", |n| nested("${x:-", "y", "}", n)),
    ("nested \"$(", |n| nested("\"$(", "x", ")\"", n)),
    ("nested \"${x:-", |n| nested("\"${x:-", "y", "}\"", n)),
    ("nested <(", |n| nested("a <(", "x", ")", n)),
    ("nested {", |n| nested("{ ", "x", "; }", n)),
    ("nested (", |n| nested("( ", "x", " )", n)),
    ("nested ((", |n| nested("((", "1", "))", n)),
    ("nested if", |n| nested("if ", "x", "; then y; fi", n)),
    ("nested while", |n| nested("while ", "x", "; do y; done", n)),
    ("nested case", |n| {
        nested("case a in b) ", "x", " ;; esac", n)
    }),
    ("nested function", |n| nested("f() { ", "x", "; }", n)),
    ("nested [[ (", |n| {
        format!("[[ {} ]]", nested("( ", "x", " )", n))
    }),
    ("nested {a,", |n| {
        format!("a {}", nested("{a,", "x", "}", n))
    }),
    ("nested extglob", |n| {
        format!("a {}", nested("@(", "x", ")", n))
    }),
    ("nested a[$(", |n| nested("a[$(", "x", ")]=1", n)),
    ("nested backticks", backticks),
    ("open $(", |n| repeat("$(", n)),
    ("open $((", |n| repeat("$((", n)),
    ("open ${", |n| repeat("${", n)),
    ("open ${x:-", |n| repeat("${x:-", n)),
    ("open \"$(", |n| repeat("\"$(", n)),
    ("open <(", |n| repeat("<(", n)),
    ("open (", |n| repeat("( ", n)),
    ("open ((", |n| repeat("((", n)),
    ("open {", |n| repeat("{ ", n)),
    ("open if", |n| repeat("if ", n)),
    ("open case", |n| repeat("case a in b) ", n)),
    ("open [[ (", |n| format!("[[ {}", repeat("( ", n))),
    ("open a=(", |n| repeat("a=( ", n)),
    ("open backtick", |n| format!("`{}", repeat("a ", n))),
    ("$((x) ) in turn", |n| repeat("$((x) ) ", n)),
    ("nested $((x) )", |n| nested("$((", "x", ") )", n)),
    ("''", |n| repeat("''", n)),
    ("\"\"", |n| repeat("\"\"", n)),
    ("'", |n| format!("'{}", repeat("a", n))),
    ("$'\\x41'", |n| repeat("$'\\x41'", n)),
    ("backslashes", |n| repeat("\\\\", n)),
    ("continued lines", |n| repeat("a\\\n", n)),
    ("continuations only", |n| repeat("\\\n", n)),
    ("{a,b} words", |n| repeat("{a,b} ", n)),
    ("{a,b} in one word", |n| repeat("{a,b}", n)),
    ("{1..9} words", |n| repeat("{1..9} ", n)),
    ("unbalanced { in a word", |n| {
        format!("a {}", repeat("{", n))
    }),
    ("unbalanced {a, in a word", |n| {
        format!("a {}", repeat("{a,", n))
    }),
    ("here-documents on a line", documents_on_a_line),
    ("here-documents in turn", |n| repeat("a <<E\nb $x\nE\n", n)),
    ("here-documents with $(", |n| {
        repeat("a <<E\nb $(c) `d`\nE\n", n)
    }),
    ("here-documents without end", |n| repeat("a <<E\n", n)),
    ("nested here-documents", |n| repeat("$(a <<E\n", n)),
    ("long here-document", |n| {
        format!("a <<E\n{}\nE\n", repeat("b $x c\n", n))
    }),
    ("almost its end", |n| {
        format!("a <<EEEE\n{}\nEEEE\n", repeat("EEE\n", n))
    }),
    ("a;", |n| repeat("a;", n)),
    ("a &&", |n| format!("{}a", repeat("a && ", n))),
    ("a|", |n| format!("{}a", repeat("a|", n))),
    ("a&", |n| repeat("a&", n)),
    ("! !", |n| format!("{}a", repeat("! ", n))),
    ("long word", |n| repeat("a", n)),
    ("short words", |n| repeat("a ", n)),
    ("comment", |n| format!("#{}", repeat("x", n))),
    ("comments", |n| repeat("#\n", n)),
    ("blanks", |n| repeat(" ", n)),
    ("newlines", |n| repeat("\n", n)),
    ("carriage returns", |n| repeat("\r", n)),
    ("NUL bytes", |n| repeat("\0", n)),
    ("assignments", |n| repeat("a=b ", n)),
    ("redirections", |n| repeat(">f ", n)),
    ("{fd} redirections", |n| repeat("{f}>g ", n)),
    ("case arms", |n| {
        format!("case x in {} esac", repeat("a|b) c;; ", n))
    }),
    ("case patterns", |n| {
        format!("case x in {}b) c;; esac", repeat("a|", n))
    }),
    ("array", |n| format!("a=({})", repeat("b ", n))),
    ("array subscripts", |n| {
        format!("a=({})", repeat("[1]=b ", n))
    }),
    ("[ in words", |n| repeat("a[", n)),
    ("$x words", |n| repeat("$x ", n)),
    ("$x in one word", |n| repeat("$x", n)),
    ("${x} in quotes", |n| format!("\"{}\"", repeat("${x}", n))),
    ("$(a) words", |n| repeat("$(a) ", n)),
    ("`a` words", |n| repeat("`a` ", n)),
    ("globs", |n| repeat("*?[a] ", n)),
    ("tildes", |n| repeat("~a ", n)),
    ("functions", |n| repeat("f(){ a; };", n)),
    ("if in turn", |n| repeat("if a; then b; fi;", n)),
    ("tests", |n| repeat("[[ a == b ]];", n)),
    ("terms of one test", |n| {
        format!("[[ {}a ]]", repeat("a && ", n))
    }),
    ("arithmetic", |n| repeat("((a+1));", n)),
    ("multi-byte words", |n| repeat("\u{e9}\u{4e2d} ", n)),
    ("else without if", |n| repeat("fi;", n)),
    (") without (", |n| repeat(")", n)),
];

fn repeat(unit: &str, bytes: usize) -> String {
    unit.repeat((bytes / unit.len()).max(1))
}

fn nested(open: &str, middle: &str, close: &str, bytes: usize) -> String {
    let depth = (bytes / (open.len() + close.len())).max(1);
    format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
}

/// Backquotes in backquotes: each level doubles the backslashes, so the depth is small and the
/// whole is repeated.
fn backticks(bytes: usize) -> String {
    let escaped = |level: u32| "\\".repeat((1 << level) - 1) + "`";
    let levels = 6;
    let open: String = (0..levels).map(|it| escaped(it) + "a ").collect();
    let close: String = (0..levels).rev().map(escaped).collect();
    repeat(&format!("{open}b{close} "), bytes)
}

fn documents_on_a_line(bytes: usize) -> String {
    let count = (bytes / "<<E E\n".len()).max(1);
    format!("a {}\n{}", "<<E ".repeat(count), "E\n".repeat(count))
}
