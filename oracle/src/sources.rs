//! Where the commands come from.

use crate::answer::Question;
use crate::bytes::Bytes;
use crate::generate::{Random, program, soup};
use serde::Deserialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// How much is generated.
#[derive(Debug, Clone, Copy)]
pub struct Amounts {
    /// How many programs.
    pub programs: usize,
    /// How many token soups.
    pub soups: usize,
    /// The first seed; each text has its own.
    pub seed: u64,
}

/// The fields of a row that matter here.
#[derive(Deserialize)]
struct Row {
    id: String,
    command: Bytes,
}

/// The folder of collected commands; `COUNTERSIGN_CORPORA` names it.
pub fn corpora() -> Option<PathBuf> {
    std::env::var_os("COUNTERSIGN_CORPORA").map(PathBuf::from)
}

/// The rows of this crate.
pub const ROWS: &str = include_str!("../rows.jsonl");
const TRICKY: &str = include_str!("../../crates/lexer/tests/data/tricky.jsonl");
const PROBES: &str = include_str!("../../crates/lexer/tests/data/probes.jsonl");

/// Questions one after another, made when they are needed.
pub type Questions = Box<dyn Iterator<Item = Question> + Send>;

/// The questions of one source: `tricky`, `probes`, `rows`, `programs`, `soups`, `corpora` for all
/// collected ones, or the name of one of them.
///
/// # Errors
///
/// When a file cannot be read or holds something else.
pub fn source(name: &str, amounts: Amounts) -> Result<Questions, String> {
    match name {
        "tricky" => Ok(Box::new(rows(TRICKY)?.into_iter())),
        "probes" => Ok(Box::new(rows(PROBES)?.into_iter())),
        "rows" => Ok(Box::new(rows(&settled(ROWS))?.into_iter())),
        "programs" => Ok(generated("program", amounts.programs, amounts.seed)),
        "soups" => Ok(generated("soup", amounts.soups, amounts.seed)),
        "corpora" => all_corpora(),
        _ => Ok(Box::new(corpus(name)?.into_iter())),
    }
}

/// Without the rows that still wait for the lexer.
fn settled(rows: &str) -> String {
    let is_open = |line: &&str| line.contains(r#""open":true"#);
    let settled: Vec<&str> = rows.lines().filter(|line| !is_open(line)).collect();
    settled.join("\n")
}

fn rows(text: &str) -> Result<Vec<Question>, String> {
    let row = |line: &str| {
        let row: Row = serde_json::from_str(line).map_err(|error| format!("{error} in {line}"))?;
        Ok(Question {
            id: row.id,
            command: row.command,
        })
    };
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(row)
        .collect()
}

fn corpus(name: &str) -> Result<Vec<Question>, String> {
    let folder = corpora().ok_or_else(|| {
        format!("no source is called `{name}`; for a corpus set COUNTERSIGN_CORPORA to its folder")
    })?;
    read(&folder.join(format!("{name}.jsonl")))
}

fn read(path: &Path) -> Result<Vec<Question>, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    rows(&text)
}

/// Every file of the folder, each command once.
fn all_corpora() -> Result<Questions, String> {
    let folder = corpora().ok_or("COUNTERSIGN_CORPORA does not name the folder of the corpora")?;
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .collect();
    files.sort();
    let mut all = Vec::new();
    for file in files {
        all.extend(read(&file)?);
    }
    let mut seen = HashSet::new();
    all.retain(|question: &Question| seen.insert(question.command.clone()));
    Ok(Box::new(all.into_iter()))
}

fn generated(kind: &'static str, count: usize, seed: u64) -> Questions {
    Box::new((seed..).take(count).map(move |seed| {
        // Neighbouring seeds must not give neighbouring texts.
        let mut random = Random::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let command = if kind == "soup" {
            let length = random.between(1, 14);
            soup(&mut random, length)
        } else {
            let size = random.between(10, 160);
            program(&mut random, size)
        };
        Question {
            id: format!("{kind}/{seed}"),
            command: Bytes(command),
        }
    }))
}
