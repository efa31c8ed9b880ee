//! Ways to spell the words of a simple command.

use super::wrap::{Kind, Sure};

/// A command in another spelling, and how sure it is that it still is the same; `None` where the
/// spelling would change what it means.
type Spell = fn(&str) -> Option<(String, Sure)>;

pub(super) const SPELLINGS: &[(&str, Spell)] = &[
    ("\\program", |c| program(c, |p| format!("\\{p}"))),
    ("\"program\"", |c| program(c, |p| format!("\"{p}\""))),
    ("'program'", |c| program(c, |p| format!("'{p}'"))),
    ("$'program'", |c| program(c, |p| format!("$'{p}'"))),
    ("$\"program\"", |c| program(c, |p| format!("$\"{p}\""))),
    ("p''rogram", |c| program(c, |p| split(p, "''"))),
    ("p\"\"rogram", |c| program(c, |p| split(p, "\"\""))),
    ("p\\rogram", |c| program(c, |p| split(p, "\\"))),
    ("p'r'ogram", |c| {
        program(c, |p| format!("{}'{}'", initial(p), rest(p)))
    }),
    ("\"p\"'rogram'", |c| {
        program(c, |p| format!("\"{}\"'{}'", initial(p), rest(p)))
    }),
    ("''program", |c| program(c, |p| format!("''{p}"))),
    ("program\"\"", |c| program(c, |p| format!("{p}\"\""))),
    ("p\\\nrogram", |c| program(c, |p| split(p, "\\\n"))),
    ("$'\\x70rogram'", |c| {
        program(c, |p| escaped(p, |b| format!("\\x{b:02x}")))
    }),
    ("$'\\160rogram'", |c| {
        program(c, |p| escaped(p, |b| format!("\\{b:03o}")))
    }),
    ("$'\\u0070rogram'", |c| {
        program(c, |p| escaped(p, |b| format!("\\u{b:04x}")))
    }),
    ("/usr/bin/program", |c| {
        program(c, |p| format!("/usr/bin/{p}"))
    }),
    ("/bin/program", |c| program(c, |p| format!("/bin/{p}"))),
    ("/bin//program", |c| program(c, |p| format!("/bin//{p}"))),
    ("/usr/../bin/program", |c| {
        program(c, |p| format!("/usr/../bin/{p}"))
    }),
    ("/usr/bi[n]/program", |c| {
        flagged(program(c, |p| format!("/usr/bi[n]/{p}")))
    }),
    ("/usr/bin/progra?", |c| {
        flagged(program(c, |p| format!("/usr/bin/{}?", shorter(p))))
    }),
    ("./program", |c| flagged(program(c, |p| format!("./{p}")))),
    ("$(echo program)", |c| {
        program(c, |p| format!("$(echo {p})"))
    }),
    ("`echo program`", |c| program(c, |p| format!("`echo {p}`"))),
    ("$(printf program)", |c| {
        program(c, |p| format!("$(printf %s {p})"))
    }),
    ("$(which program)", |c| {
        flagged(program(c, |p| format!("$(which {p})")))
    }),
    ("\"$(command -v program)\"", |c| {
        flagged(program(c, |p| format!("\"$(command -v {p})\"")))
    }),
    ("$(tr)", |c| {
        flagged(program(c, |p| format!("$(echo {p} | tr a-z a-z)")))
    }),
    ("${x:-program}", |c| {
        program(c, |p| format!("${{never_set:-{p}}}"))
    }),
    ("${x-program}", |c| {
        program(c, |p| format!("${{never_set-{p}}}"))
    }),
    ("${x:=program}", |c| {
        program(c, |p| format!("${{never_set:={p}}}"))
    }),
    ("$never program", |c| {
        flagged(program(c, |p| format!("$never_set {p}")))
    }),
    ("$@ program", |c| perhaps(program(c, |p| format!("$@ {p}")))),
    ("c=program; $c", |c| before(c, |p| format!("c={p}; $c"))),
    ("c=program; \"$c\"", |c| {
        before(c, |p| format!("c='{p}'; \"$c\""))
    }),
    ("c=program; ${c}", |c| {
        before(c, |p| format!("c=\"{p}\"; ${{c}}"))
    }),
    ("export c=program", |c| {
        before(c, |p| format!("export c={p}; $c"))
    }),
    ("declare c=program", |c| {
        before(c, |p| format!("declare -r c={p}; $c"))
    }),
    ("c=xprogram; ${c#x}", |c| {
        before(c, |p| format!("c=x{p}; ${{c#x}}"))
    }),
    ("c=programx; ${c%x}", |c| {
        before(c, |p| format!("c={p}x; ${{c%x}}"))
    }),
    ("c=xprogram; ${c:1}", |c| {
        before(c, |p| format!("c=x{p}; ${{c:1}}"))
    }),
    ("c=p; c+=rogram", |c| {
        before(c, |p| format!("c={}; c+={}; $c", initial(p), rest(p)))
    }),
    ("a=p b=rogram; $a$b", |c| {
        before(c, |p| format!("a={} b={}; $a$b", initial(p), rest(p)))
    }),
    ("a=p; ${a}rogram", |c| {
        before(c, |p| format!("a={}; ${{a}}{}", initial(p), rest(p)))
    }),
    ("a=(program); ${a[0]}", |c| {
        before(c, |p| format!("a=({p}); ${{a[0]}}"))
    }),
    ("a[0]=program", |c| {
        flagged(before(c, |p| format!("a[0]=x; a[1]={p}; ${{a[1]}}")))
    }),
    ("a[1]=program", |c| {
        flagged(before(c, |p| format!("a[1]={p}; ${{a[1]}}")))
    }),
    ("declare -A m", |c| {
        flagged(before(c, |p| format!("declare -A m=([k]={p}); ${{m[k]}}")))
    }),
    ("c=$(echo program)", |c| {
        before(c, |p| format!("c=$(echo {p}); $c"))
    }),
    ("printf -v c", |c| {
        before(c, |p| format!("printf -v c %s {p}; $c"))
    }),
    ("read c", |c| before(c, |p| format!("read c <<< {p}; $c"))),
    ("d=c; ${!d}", |c| {
        before(c, |p| format!("c={p}; d=c; ${{!d}}"))
    }),
    ("declare -n", |c| {
        before(c, |p| format!("c={p}; declare -n d=c; $d"))
    }),
    ("c=PROGRAM; ${c,,}", |c| {
        let lower = c
            .chars()
            .take_while(|c| *c != ' ')
            .all(|c| !c.is_uppercase());
        lower.then(|| before(c, |p| format!("c={}; ${{c,,}}", p.to_uppercase())))?
    }),
    ("for c in program", |c| {
        Some((
            format!("for c in {}; do $c {}; done", head(c)?, tail(c)),
            Sure::Same,
        ))
    }),
    ("set -- words; \"$@\"", |c| {
        whole(c, |c| format!("set -- {c}; \"$@\""))
    }),
    ("set -- words; $*", |c| {
        unsplit(c, |c| format!("set -- {c}; $*"))
    }),
    ("a=(words); \"${a[@]}\"", |c| {
        whole(c, |c| format!("a=({c}); \"${{a[@]}}\""))
    }),
    ("a=(words); a+=()", |c| {
        whole(c, |c| format!("a=(); a+=({c}); \"${{a[@]}}\""))
    }),
    ("x='words'; $x", |c| unsplit(c, |c| format!("x='{c}'; $x"))),
    ("x=\"words\"; $x", |c| {
        unsplit(c, |c| format!("x=\"{c}\"; $x"))
    }),
    ("$(echo words)", |c| unsplit(c, |c| format!("$(echo {c})"))),
    ("$(echo 'words')", |c| {
        unsplit(c, |c| format!("$(echo '{c}')"))
    }),
    ("f() { \"$@\"; }; f words", |c| {
        whole(c, |c| format!("run() {{ \"$@\"; }}; run {c}"))
    }),
    ("f() { shift; }", |c| {
        whole(c, |c| format!("run() {{ shift; \"$@\"; }}; run x {c}"))
    }),
    ("f() { $1 \"${@:2}\"; }", |c| {
        whole(c, |c| format!("run() {{ $1 \"${{@:2}}\"; }}; run {c}"))
    }),
    ("echo words | xargs", |c| {
        unsplit(c, |c| {
            format!("echo {} | xargs {}", tail(c), head(c).unwrap_or_default())
        })
    }),
    ("xargs <<< words", |c| {
        unsplit(c, |c| {
            format!("xargs {} <<< '{}'", head(c).unwrap_or_default(), tail(c))
        })
    }),
    ("echo words | xargs env", |c| {
        unsplit(c, |c| format!("echo {c} | xargs env"))
    }),
    ("{program,words}", |c| {
        unsplit(c, |c| format!("{{{}}}", c.replace(' ', ",")))
    }),
    ("two blanks", |c| whole(c, |c| c.replacen(' ', "   ", 1))),
    ("tabs", |c| unsplit(c, |c| c.replace(' ', "\t"))),
    ("\\\n between", |c| {
        whole(c, |c| c.replacen(' ', " \\\n  ", 1))
    }),
    ("${IFS}", |c| unsplit(c, |c| c.replace(' ', "${IFS}"))),
    ("$IFS$9", |c| unsplit(c, |c| c.replace(' ', "$IFS$9"))),
    ("IFS=,", |c| {
        unsplit(c, |c| format!("IFS=,; x={}; $x", c.replace(' ', ",")))
    }),
    ("'each'", |c| each(c, |w| format!("'{w}'"))),
    ("\"each\"", |c| each(c, |w| format!("\"{w}\""))),
    ("$'each'", |c| each(c, |w| format!("$'{w}'"))),
    ("\\each", |c| {
        each(c, |w| w.chars().flat_map(|c| ['\\', c]).collect())
    }),
    ("e''ach", |c| each(c, |w| split(w, "''"))),
    ("e\"\"ach", |c| each(c, |w| split(w, "\"\""))),
    ("e\\\nach", |c| each(c, |w| split(w, "\\\n"))),
    ("$'\\x65ach'", |c| {
        each(c, |w| escaped(w, |b| format!("\\x{b:02x}")))
    }),
    ("$(echo each)", |c| each(c, |w| format!("$(echo {w})"))),
    ("each $empty", |c| {
        flagged(each(c, |w| format!("{w}$never_set")))
    }),
    ("$HOME", |c| replaced(c, "~", "$HOME")),
    ("\"$HOME\"", |c| replaced(c, "~", "\"$HOME\"")),
    ("${HOME}", |c| replaced(c, "~", "${HOME}")),
    ("${HOME:?}", |c| replaced(c, "~", "${HOME:?}")),
    ("/home/user", |c| replaced(c, "~", "/home/user")),
    ("/home//user/.", |c| replaced(c, "~", "/home//user/.")),
    ("/home/../home/user", |c| {
        replaced(c, "~", "/home/../home/user")
    }),
    ("h=~", |c| {
        Some((format!("h=~; {}", replaced(c, "~", "$h")?.0), Sure::Same))
    }),
];

/// What a spelling with this name makes.
pub(super) fn kind(name: &str) -> Kind {
    if name.contains('\n') {
        return Kind::Lines;
    }
    if name.contains(['=', ';', '|']) && !name.contains("${x") || LISTS.contains(&name) {
        Kind::Line
    } else {
        Kind::Words
    }
}

/// Names of spellings that make more than one command.
const LISTS: &[&str] = &[
    "read c",
    "printf -v c",
    "declare -n",
    "declare -A m",
    "for c in program",
    "f() { shift; }",
    "xargs <<< words",
];

/// The first word of a simple command without redirections.
fn head(command: &str) -> Option<&str> {
    let simple = !command.contains(['|', '>', ';']);
    command.split(' ').next().filter(|_| simple)
}

fn tail(command: &str) -> &str {
    command.split_once(' ').map_or("", |(_, rest)| rest)
}

fn flagged(spelled: Option<(String, Sure)>) -> Option<(String, Sure)> {
    spelled.map(|(source, _)| (source, Sure::Flagged))
}

fn perhaps(spelled: Option<(String, Sure)>) -> Option<(String, Sure)> {
    spelled.map(|(source, _)| (source, Sure::Perhaps))
}

/// The name of the program in another spelling.
fn program(command: &str, spell: impl Fn(&str) -> String) -> Option<(String, Sure)> {
    Some((
        format!("{} {}", spell(head(command)?), tail(command)),
        Sure::Same,
    ))
}

/// The same, with commands before it.
fn before(command: &str, spell: impl Fn(&str) -> String) -> Option<(String, Sure)> {
    program(command, spell)
}

fn whole(command: &str, spell: impl Fn(&str) -> String) -> Option<(String, Sure)> {
    head(command)?;
    Some((spell(command), Sure::Same))
}

/// A spelling whose words are split or pass through text, where quotes and tildes would not hold.
fn unsplit(command: &str, spell: impl Fn(&str) -> String) -> Option<(String, Sure)> {
    let command = command.replace('~', "/home/user");
    if command.contains(['\'', '"', '*', ',', '\\']) {
        return None;
    }
    whole(&command, spell)
}

/// Every word but those that quotes would change.
fn each(command: &str, spell: impl Fn(&str) -> String) -> Option<(String, Sure)> {
    head(command)?;
    if command.contains(['\'', '"']) {
        return None;
    }
    let words = command.split(' ').map(|word| {
        if word.contains('~') {
            word.to_owned()
        } else {
            spell(word)
        }
    });
    Some((words.collect::<Vec<_>>().join(" "), Sure::Same))
}

fn replaced(command: &str, from: &str, to: &str) -> Option<(String, Sure)> {
    command
        .contains(from)
        .then(|| (command.replace(from, to), Sure::Same))
}

fn initial(word: &str) -> &str {
    word.split_at(1).0
}

fn rest(word: &str) -> &str {
    word.split_at(1).1
}

/// A word without its last letter.
fn shorter(word: &str) -> &str {
    word.split_at(word.len() - 1).0
}

/// A word with something in its middle.
fn split(word: &str, between: &str) -> String {
    let (first, rest) = word.split_at(1);
    format!("{first}{between}{rest}")
}

/// A word in `$'…'`, its first letter escaped.
fn escaped(word: &str, escape: impl Fn(u8) -> String) -> String {
    let (first, rest) = word.split_at(1);
    format!("$'{}{rest}'", first.bytes().map(escape).collect::<String>())
}
