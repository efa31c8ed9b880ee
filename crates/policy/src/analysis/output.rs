//! What a command puts out, as far as it is known.

use super::arguments::Arguments;
use super::call::Calling;
use super::flow::Output;
use super::parts::found_path;
use super::settle::is_workspace;
use super::{Analysis, Known, Value};
use crate::paths;
use countersign_core::{EffectKind, Target};

impl Analysis<'_> {
    /// What the command puts out, as far as it is known.
    pub(super) fn output(
        &mut self,
        calling: &Calling<'_, '_>,
        arguments: &Arguments<'_>,
    ) -> Output {
        let name = arguments.node.names.first().copied().unwrap_or_default();
        let stdin = calling.stdin.cloned().unwrap_or_default();
        let operands: Vec<&Value> = arguments
            .operands
            .iter()
            .filter_map(|&index| arguments.word(index))
            .collect();
        let mut output = stdin.mixed(&calling.substituted);
        for effect in self.found.of(calling.index) {
            if let Some(Target::Path {
                resolved: Some(path),
                ..
            }) = &effect.target
                && let Some(file) = self.found.files.get(path)
                && effect.kind == EffectKind::Read
            {
                output = output.mixed(file);
            }
        }
        output.network |= self.found.of(calling.index).any(|effect| {
            effect.kind == EffectKind::Receive && !effect.tags.iter().any(|tag| tag == "loopback")
        });
        output.secret |= self.reads_secret(calling.index);
        output.decoded |= DECODERS.iter().any(|(decoder, options)| {
            *decoder == name && (options.is_empty() || arguments.has(options))
        });
        output.names = if PASSING.contains(&name) && stdin.names.is_some() {
            stdin
                .names
                .clone()
                .filter(|_| self.found.of(calling.index).next().is_none())
        } else {
            lists_ordinary_names(arguments, self.found.of(calling.index))
        };
        output.environment |=
            arguments.node.tags.contains(&"environment-dump") && operands.is_empty();
        output.text = match name {
            "true" | ":" => Some(String::new()),
            "echo" => echoed(&operands),
            "printf" => printed(&operands),
            "cat" | "tee" if operands.is_empty() || name == "tee" => stdin.text,
            _ => None,
        };
        output
    }

    /// Marks data that leaves, and remembers what files hold that were written.
    pub(super) fn note_flows(&mut self, calling: &Calling<'_, '_>, output: &Output) {
        let index = calling.index;
        let stdin = calling.stdin.cloned().unwrap_or_default();
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
        const NAMES: [&str; 3] = ["-", "/dev/stdin", "/fd/0"];
        word.exact()
            .is_none_or(|text| NAMES.iter().any(|name| text.ends_with(name)))
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
    ("bzcat", &[]),
    ("gpg", &["-d", "--decrypt"]),
    ("gunzip", &[]),
    ("gzip", &["-d", "--decompress"]),
    ("openssl", &[]),
    ("rev", &[]),
    ("tr", &[]),
    ("uudecode", &[]),
    ("xxd", &["-r"]),
    ("xzcat", &[]),
    ("zcat", &[]),
];

/// Programs that list files, and those that pass some of the lines they get on unchanged.
const LISTING: &[&str] = &["fd", "find", "git", "grep", "ls", "rg"];

const PASSING: &[&str] = &["grep", "head", "sort", "tail", "uniq"];

/// What the names that a command puts out stand for, where it lists files below the workspace.
fn lists_ordinary_names<'e>(
    arguments: &Arguments<'_>,
    mut effects: impl Iterator<Item = &'e countersign_core::Effect>,
) -> Option<Box<Value>> {
    let name = arguments.node.names.first().copied().unwrap_or_default();
    let listing = match name {
        "git" | "ls-files" => arguments.path.last() == Some(&"ls-files"),
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
            Some(Target::Path { zone, .. }) => is_workspace(*zone),
            _ => false,
        });
    ordinary.then(|| Box::new(found_path(arguments)))
}

fn echoed(operands: &[&Value]) -> Option<String> {
    let words: Option<Vec<&str>> = operands
        .iter()
        .skip_while(|word| matches!(word.exact(), Some("-n" | "-e" | "-E" | "-ne" | "-en")))
        .map(|word| (word.known == Known::Whole && !word.glob).then_some(word.text.as_str()))
        .collect();
    let text = words?.join(" ").replace("\\n", "\n");
    // Other escapes can spell anything, and whether they are read depends on the shell.
    (!text.contains('\\')).then(|| format!("{text}\n"))
}

/// `printf` with plain `%s` and `%d` places, the format used again as long as there are words.
fn printed(operands: &[&Value]) -> Option<String> {
    let (format, words) = operands.split_first()?;
    let format = format
        .exact()?
        .replace("\\n", "\n")
        .replace("\\t", "\t")
        .replace("\\0", "\n");
    // Other escapes can spell anything.
    if format.contains('\\') || format.contains("%b") {
        return None;
    }
    let words: Option<Vec<&str>> = words
        .iter()
        .map(|word| (word.known == Known::Whole).then_some(word.text.as_str()))
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
