//! What a command puts out, as far as it is known.

use super::arguments::Arguments;
use super::call::Calling;
use super::flow::{Output, Prints};
use super::parts::found_values;
use super::{Analysis, Known, State, Value, temporary};
use crate::knowledge::Printing;
use crate::paths;
use countersign_core::{EffectKind, Target, Zone};

impl Analysis<'_> {
    /// What the command puts out, as far as it is known.
    pub(super) fn output(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
        state: &State,
    ) -> Output {
        let name = arguments.node.names.first().copied().unwrap_or_default();
        let called = calling.words.first().map_or("", |word| &*word.text);
        let called = crate::paths::base_name(called);
        let nothing = Output::default();
        let stdin = calling.stdin.unwrap_or(&nothing);
        let operands: Vec<&Value> = arguments
            .operands
            .iter()
            .filter_map(|&index| arguments.word(index))
            .collect();
        let mut output = stdin.mixed(&calling.substituted);
        let copies = matches!(name, "cat" | "cp" | "dd" | "install" | "ln" | "mv");
        let mut copied: Vec<Option<String>> = Vec::new();
        for effect in self.found.of(calling.index) {
            if let Some(Target::Path { resolved, .. }) = &effect.target
                && matches!(effect.kind, EffectKind::Read | EffectKind::Move)
            {
                let Some(path) = resolved else {
                    copied.push(None);
                    continue;
                };
                let file = self.found.files.get(path);
                if copies {
                    copied.push(match (file, path.as_str()) {
                        (Some(file), _) => file.text.clone(),
                        (None, "/dev/stdin") => stdin.text.clone(),
                        _ => None,
                    });
                }
                if let Some(file) = file {
                    output = output.mixed(file);
                }
            }
        }
        output.network |= self.found.of(calling.index).any(|effect| {
            effect.kind == EffectKind::Receive && !effect.tags.iter().any(|tag| tag == "loopback")
        });
        output.secret |= self.reads_secret(calling.index);
        output.decoded |= decodes(called)
            || DECODERS
                .iter()
                .any(|(decoder, options)| *decoder == name && arguments.has(options));
        output.names = if PASSING.contains(&name) && stdin.names.is_some() {
            stdin
                .names
                .clone()
                .filter(|_| self.found.of(calling.index).next().is_none())
        } else {
            let is_secret = |path: &str| self.is_secret(path, state);
            lists_ordinary_names(arguments, self.found.of(calling.index), is_secret)
        };
        output.processes |= name == "pgrep";
        output.prints = self.printed(calling, arguments);
        output.environment |=
            arguments.node.tags.contains(&"environment-dump") && operands.is_empty();
        output.text = match name {
            _ if arguments.node.tags.contains(&"shell-setup") => Some(String::new()),
            "true" | ":" => Some(String::new()),
            "echo" => echoed(&operands),
            "printf" => printed(&operands),
            "mktemp" => temporary::made(arguments, state),
            "pwd" => state.cwd.only().map(|dir| format!("{dir}\n")),
            "dirname" | "realpath" | "printenv" => path_named(name, &operands, state),
            "tee" => stdin.text.clone(),
            "cat" if operands.iter().all(|word| word.exact() == Some("-")) => stdin.text.clone(),
            "dd" if copied.is_empty() => stdin.text.clone(),
            _ if copies => copied
                .into_iter()
                .collect::<Option<Vec<_>>>()
                .map(|texts| texts.concat()),
            _ => None,
        };
        output
    }

    /// Who made what the command puts out, as its file says.
    fn printed(&self, calling: &Calling<'_, '_>, arguments: &Arguments<'_>) -> Prints {
        let has = |wanted: &[&str]| {
            let word = |word: &Value| word.exact().is_some_and(|text| wanted.contains(&text));
            arguments.selects(wanted) || calling.words.iter().skip(1).any(word)
        };
        let form = arguments.node.prints.iter().find(|form| {
            (form.with.is_empty() || has(form.with))
                && !has(form.without)
                && form
                    .operands
                    .is_none_or(|most| arguments.operands.len() <= most)
        });
        let Some(form) = form.filter(|_| arguments.unknown.is_empty()) else {
            return Prints::Text;
        };
        // What is not in sight may be an option, or many words.
        let words = calling.substituted.printed();
        let listed = calling.words.iter().any(|word| word.glob || word.below);
        if words == Prints::Text || (listed && form.what != Printing::Number) {
            return Prints::Text;
        }
        match form.what {
            Printing::Number => Prints::Number,
            Printing::Words => Prints::Words,
            Printing::Input => {
                let reads = self.found.of(calling.index).next().is_some();
                let stdin = calling.stdin.filter(|_| !reads);
                stdin.map_or(Prints::Text, Output::printed)
            }
        }
    }

    /// Marks data that leaves, and remembers what files hold that were written.
    pub(super) fn note_flows(&mut self, calling: &Calling<'_, '_>, output: &Output) {
        let index = calling.index;
        let nothing = Output::default();
        let stdin = calling.stdin.unwrap_or(&nothing);
        let secret = stdin.secret || calling.substituted.secret || output.secret;
        let environment = stdin.environment || calling.substituted.environment;
        for (flows, tag) in [(secret, "secret-flow"), (environment, "environment-flow")] {
            if flows {
                self.found.tag(index, EffectKind::Send, tag);
                self.found.tag(index, EffectKind::Receive, tag);
            }
        }
        self.found.remember_written(index, output);
    }
}

/// Whether a call can read its standard input: some programs do only where a word says so.
pub(super) fn reads_stdin(words: &[Value]) -> bool {
    let Some((first, rest)) = words.split_first() else {
        return true;
    };
    let named = |word: &Value| {
        const WITHIN: [&str; 4] = ["@-", "<-", "/dev/stdin", "/fd/0"];
        word.exact().is_none_or(|text| {
            // `-T .` sends what is there to read.
            text.ends_with('-')
                || matches!(text, "." | "-T.")
                || WITHIN.iter().any(|name| text.contains(name))
        })
    };
    match first.exact().map(paths::base_name) {
        Some("curl" | "wget") => rest.iter().any(named),
        Some("ssh") => {
            let closes = |word: &Value| matches!(word.exact(), Some("-n" | "-fn" | "-nf"));
            let options = rest.iter().take_while(|word| word.text.starts_with('-'));
            !options.into_iter().any(closes)
        }
        _ => true,
    }
}

/// Programs whose standard output is not what it was on standard input, and the options that make
/// them undo an encoding.
const DECODERS: &[(&str, &[&str])] = &[
    ("base32", &["-d", "--decode"]),
    ("base64", &["-d", "-D", "--decode"]),
    ("basenc", &["-d", "--decode"]),
    ("bzip2", &["-d", "--decompress"]),
    ("gpg", &["-d", "--decrypt"]),
    ("gzip", &["-d", "--decompress"]),
    ("xxd", &["-r"]),
    ("xz", &["-d", "--decompress"]),
    ("zstd", &["-d", "--decompress"]),
];

/// Programs that do nothing else.
const DECODING: &[&str] = &[
    "brotli", "bunzip2", "bzcat", "gunzip", "gzcat", "lz4", "lz4cat", "lzcat", "openssl", "rev",
    "tr", "unlzma", "unxz", "unzstd", "uudecode", "xzcat", "zcat", "zstdcat",
];

/// Whether a program may undo an encoding, whatever its options are.
fn decodes(name: &str) -> bool {
    DECODING.contains(&name)
}

/// What an unknown program puts out: nobody knows, but it comes from what it got.
pub(super) fn of_unknown(calling: &Calling<'_, '_>, base: &str) -> Output {
    let mut output = calling
        .stdin
        .cloned()
        .unwrap_or_default()
        .mixed(&calling.substituted);
    output.decoded |= decodes(base);
    output
}

/// What `dirname`, `realpath` and `printenv` put out for one word, links aside.
fn path_named(name: &str, operands: &[&Value], state: &State) -> Option<String> {
    let [word] = operands else { return None };
    let text = word.exact()?;
    let out = match name {
        "dirname" => match text.trim_end_matches('/').rsplit_once('/') {
            Some(("", _)) => "/".to_owned(),
            Some((dir, _)) => dir.to_owned(),
            None => ".".to_owned(),
        },
        "realpath" => crate::paths::join(state.cwd.only()?, text),
        _ => state
            .inherited(text)
            .filter(|_| state.held(text).is_none())?,
    };
    Some(format!("{out}\n"))
}

/// Programs that list files, and those that pass some of the lines they get on unchanged.
const LISTING: &[&str] = &["fd", "find", "git", "grep", "ls", "rg"];

const PASSING: &[&str] = &["grep", "head", "sort", "tail", "uniq"];

/// What the names that a command puts out stand for, where it lists files below an ordinary place.
fn lists_ordinary_names<'e>(
    arguments: &Arguments<'_>,
    mut effects: impl Iterator<Item = &'e countersign_core::Effect>,
    is_secret: impl Fn(&str) -> bool,
) -> Option<Box<Value>> {
    let name = arguments.node.names.first().copied().unwrap_or_default();
    let listing = match name {
        "git" | "ls-files" => arguments.path.last() == Some(&"ls-files"),
        "diff" => arguments.path.last() == Some(&"diff") && arguments.has(&["--name-only"]),
        "grep" | "rg" => arguments.has(&[
            "-l",
            "--files-with-matches",
            "--files",
            "-L",
            "--files-without-match",
        ]),
        _ => LISTING.contains(&name),
    };
    let ordinary = listing
        && effects.all(|effect| match &effect.target {
            // Of a whole home or system nobody knows what is found.
            Some(Target::Path { zone, .. }) => {
                !matches!(zone, Zone::Unknown | Zone::Device | Zone::Root | Zone::Home)
            }
            _ => false,
        });
    if !ordinary {
        return None;
    }
    let found = found_values(arguments);
    let first = found.iter().find(|value| is_secret(&value.text));
    first.or(found.last()).cloned().map(Box::new)
}

fn echoed(operands: &[&Value]) -> Option<String> {
    let options = |word: &&&Value| matches!(word.exact(), Some("-n" | "-e" | "-E" | "-ne" | "-en"));
    let given: Vec<&&Value> = operands.iter().take_while(options).collect();
    let escapes = given.iter().any(|word| word.text.contains('e'));
    let words: Option<Vec<&str>> = operands
        .iter()
        .skip(given.len())
        .map(|word| (word.known == Known::Whole && !word.glob).then_some(&*word.text))
        .collect();
    let text = words?.join(" ");
    // Whether escapes are read otherwise depends on the shell.
    let text = if escapes {
        unescaped(&text)?
    } else {
        text.replace("\\n", "\n")
    };
    (escapes || !text.contains('\\')).then(|| format!("{text}\n"))
}

/// Text with the escapes of `printf` and `echo -e` read; `None` where one is not known.
fn unescaped(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let kind = rest.next()?;
        let number = |digits: &str, base: u32| {
            let number = u32::from_str_radix(digits, base).ok();
            number
                .filter(|number| *number < 128)
                .and_then(char::from_u32)
        };
        let digits = |base: u32, most: usize| -> String {
            rest.as_str()
                .chars()
                .take(most)
                .take_while(|c| c.is_digit(base))
                .collect()
        };
        match kind {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            '\\' | '"' | '\'' => out.push(kind),
            'x' => {
                let digits = digits(16, 2);
                out.push(number(&digits, 16)?);
                rest.by_ref().take(digits.len()).for_each(drop);
            }
            '0'..='7' => {
                let more = digits(8, if kind == '0' { 3 } else { 2 });
                let all = format!("{kind}{more}");
                // A list that ends its words with a null byte ends them with a line as well.
                out.push(number(&all, 8).map(|c| if c == '\0' { '\n' } else { c })?);
                rest.by_ref().take(more.len()).for_each(drop);
            }
            _ => return None,
        }
    }
    Some(out)
}

/// `printf` with plain `%s` and `%d` places, the format used again as long as there are words.
pub(super) fn printed(operands: &[&Value]) -> Option<String> {
    let (format, words) = operands.split_first()?;
    let format = unescaped(format.exact()?)?;
    // Other escapes can spell anything.
    if format.contains("%b") {
        return None;
    }
    let words: Option<Vec<&str>> = words
        .iter()
        .map(|word| (word.known == Known::Whole).then_some(&*word.text))
        .collect();
    let mut words = words?.into_iter().peekable();
    let mut out = String::new();
    loop {
        let mut pieces = format.split('%');
        out.push_str(pieces.next().unwrap_or_default());
        let mut took = false;
        while let Some(piece) = pieces.next() {
            if piece.is_empty() {
                out.push('%');
                out.push_str(pieces.next().unwrap_or_default());
                continue;
            }
            let rest = piece.strip_prefix(['s', 'd', 'b', 'q'])?;
            out.push_str(words.next().unwrap_or_default());
            out.push_str(rest);
            took = true;
        }
        if !took || words.peek().is_none() || out.len() > 65_536 {
            return Some(out);
        }
    }
}
