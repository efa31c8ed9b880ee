//! Tokens strung together, with a leaning towards neighbours that go together.

use super::Random;

/// Tokens that may stand almost anywhere.
const WORDS: &[&str] = &[
    "c1", "c2", "a", "b1", "x=1", "a[0]=1", "$x", "\"$@\"", "${x}", "*", "~", "{a,b}", "{1..3}",
    "'s t'", "\"d\"", "$'\\n'", "\\a", "é", "\u{a0}", "[a-z]", "a=(b c)", "#", "=", "in", "$#",
    "E", "2", "\\\n", "$((1))", "${x:-d}", "``", "$()", "}x", "\\", "$",
];

/// Tokens that end a command.
const OPERATORS: &[&str] = &[
    ";", ";", "\n", "\n", "\n", "&&", "||", "|", "|&", "&", ";;", ";&", "! ",
];

const REDIRECTIONS: &[&str] = &[
    ">f",
    "<f",
    ">>f",
    "2>&1",
    "&>f",
    "<<<x",
    "{v}>f",
    "<<E\nE\n",
    "<<E\nb $x\nE\n",
    "<<-E\n\tE\n",
    "<<'E'\n$(\nE\n",
    "<<E",
    ">&",
    "<>",
    ">|f",
    "<",
];

/// What opens something, with what closes it.
const PAIRS: &[(&str, &str)] = &[
    ("(", ")"),
    ("{ ", ";}"),
    ("$(", ")"),
    ("$(", "\n)"),
    ("\"", "\""),
    ("'", "'"),
    ("`", "`"),
    ("\"$(", ")\""),
    ("${x:-", "}"),
    ("${x#", "}"),
    ("${x/", "/}"),
    ("$((", "))"),
    ("((", "))"),
    ("$'", "'"),
    ("<(", ")"),
    (">(", ")"),
    ("[[ ", " ]]"),
    ("if c1;then ", ";fi"),
    ("while c1;do ", ";done"),
    ("for i in a;do ", ";done"),
    ("for i in ", ";do c1;done"),
    ("case x in a) ", ";;esac"),
    ("case x in ", " esac"),
    ("f() {\n", "\n}"),
    ("a=(", ")"),
    ("$[", "]"),
    ("a[", "]=1"),
    ("\\`", "\\`"),
    ("coproc ", ""),
    ("time ", ""),
    ("[[ a =~ ", " ]]"),
    ("function f ", ""),
    ("shopt -s extglob\n@(", ")"),
];

/// Closers and halves that rarely fit.
const STRAYS: &[&str] = &[
    ")", "}", "]", "fi", "done", "esac", "then", "do", "else", "elif c1", "))", "\"", "'", "`",
    "${", "]]", "${x", "if ", "while ", "case ", "for ", "select ", "{", "(", "=(", "<<", "<<\"",
    "${ ", "${|", "\u{feff}", "=~", "!(", "\r",
];

/// A soup of about `len` bytes. bash accepts every fourth of those with fifty bytes, and a few in a
/// hundred of those with 250.
pub fn soup(random: &mut Random, len: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(len + 32);
    let mut open: Vec<&str> = Vec::new();
    let strays = random.pick(&[1, 3, 6, 12]);
    while out.len() < len {
        let token = if random.chance(strays) {
            random.pick(STRAYS)
        } else if !open.is_empty() && random.chance(35) {
            open.pop().unwrap_or_default()
        } else if random.chance(18) {
            let (opener, closer) = random.pick(PAIRS);
            open.push(closer);
            opener
        } else if out.is_empty() || random.chance(60) {
            random.pick(WORDS)
        } else if random.chance(30) {
            random.pick(REDIRECTIONS)
        } else {
            // Two operators in a row are rarely right.
            out.extend_from_slice(random.pick(OPERATORS).as_bytes());
            random.pick(&[" c1", " c2 a", "b "])
        };
        out.extend_from_slice(token.as_bytes());
        if random.chance(60) {
            out.push(b' ');
        }
    }
    if random.chance(85) {
        while let Some(closer) = open.pop() {
            out.extend_from_slice(closer.as_bytes());
        }
    }
    out
}
