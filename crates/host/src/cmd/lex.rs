//! What shell source would run: a tree for people, rows for programs.

mod complaint;
mod place;
mod row;
mod scope;
mod tree;
mod word;

use super::subject::{Format, answer_rows};
use crate::style::Style;
use crate::{Exit, output};
use clap::{Args, ValueEnum};
use countersign_core::Facts;
use countersign_lexer::{Limits, Status};
use countersign_policy::{Expansion, expand};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
#[command(
    override_usage = "countersign lex [OPTIONS] -- COMMAND...\n       countersign lex [OPTIONS] --file FILE\n       countersign lex [OPTIONS] -\n       countersign lex [OPTIONS] --batch"
)]
pub(crate) struct LexArgs {
    /// The shell that would run it [default: not known, which is read as bash with care]
    #[arg(long, value_enum, value_name = "SHELL")]
    shell: Option<Shell>,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
    /// Read rows of JSON from standard input and answer line for line
    #[arg(long, group = "source")]
    batch: bool,
    /// Read the source from a file
    #[arg(long, value_name = "FILE", group = "source")]
    file: Option<PathBuf>,
    /// Read the source from standard input
    #[arg(value_name = "-", value_parser = ["-"], hide_possible_values = true, group = "source")]
    stdin: Option<String>,
    /// The command line
    #[arg(
        last = true,
        value_name = "COMMAND",
        group = "source",
        required_unless_present = "source"
    )]
    command: Vec<OsString>,
}

/// The shells that are known by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shell {
    Bash,
    Sh,
    Dash,
    Zsh,
    Fish,
    Pwsh,
    Powershell,
}

impl Shell {
    fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Sh => "sh",
            Self::Dash => "dash",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
            Self::Pwsh => "pwsh",
            Self::Powershell => "powershell",
        }
    }
}

pub(crate) fn run(args: &LexArgs) -> Result<Exit, String> {
    let reader = Reader::new(args.shell);
    if args.batch {
        return batch(&reader);
    }
    let source = source(args)?;
    let found = reader.read(&source);
    let answer = match args.format {
        Format::Text => tree::render(&source, &found, Style::of_stdout()),
        Format::Json => row::pretty(&Value::Null, &source, &found) + "\n",
    };
    output::print(&answer)?;
    Ok(Exit::Done)
}

fn batch(reader: &Reader) -> Result<Exit, String> {
    answer_rows(|row| {
        let Some(command) = row.fields.get("command").and_then(Value::as_str) else {
            let problem = match &row.subject {
                Err(problem) if row.fields.is_empty() => problem.as_str(),
                _ => "the row needs a `command`",
            };
            return (json!({"id": row.id, "error": problem}).to_string(), false);
        };
        let source = command.as_bytes();
        (row::line(&row.id, source, &reader.read(source)), true)
    })
}

fn source(args: &LexArgs) -> Result<Vec<u8>, String> {
    if let Some(file) = &args.file {
        let opened = std::fs::File::open(file);
        let read = opened.and_then(bounded);
        return read.map_err(|error| format!("cannot read {}: {error}", file.display()));
    }
    if args.stdin.is_some() {
        let read = bounded(std::io::stdin().lock());
        return read.map_err(|error| format!("cannot read standard input: {error}"));
    }
    let words: Vec<&[u8]> = args.command.iter().map(|word| word.as_bytes()).collect();
    Ok(words.join(&b' '))
}

/// All of it, or just more than the lexer takes.
fn bounded(reader: impl Read) -> std::io::Result<Vec<u8>> {
    let most = u64::try_from(Limits::default().input_bytes).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    reader
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads source on a machine with nothing on it: what is found depends on the text alone.
struct Reader {
    facts: Facts,
}

impl Reader {
    const PROJECT: &str = "/home/user/project";

    fn new(shell: Option<Shell>) -> Self {
        let mut facts = Facts::virtual_at("/home/user", &[Self::PROJECT]);
        facts.shell = shell.map(|shell| shell.name().to_owned());
        Self { facts }
    }

    fn read(&self, source: &[u8]) -> Expansion {
        expand(source, Self::PROJECT, &self.facts)
    }
}

/// The word for a status, and what it means.
fn status(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Complete => ("complete", "every byte of the source was understood"),
        Status::Warnings => (
            "warnings",
            "understood, with something that bash warns about",
        ),
        Status::Opaque => (
            "opaque",
            "part of the source could run anything; the rest is listed",
        ),
        Status::SyntaxError => (
            "syntax-error",
            "bash rejects the source after it has run the complete lines before the error",
        ),
        Status::TooBig => (
            "too-big",
            "a limit was reached; what comes after it is not listed",
        ),
    }
}
