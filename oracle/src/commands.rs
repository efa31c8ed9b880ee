//! What the subcommands do. `Ok(false)` means that the lexer broke a promise.

use crate::{Asking, Judging};
use countersign_oracle::answer::{Answer, Question, Wanted};
use countersign_oracle::bytes::Bytes;
use countersign_oracle::jail::{Jail, Workshop};
use countersign_oracle::judge::{Kind, judge};
use countersign_oracle::metamorphic::{Difference, differences, pretty_difference};
use countersign_oracle::pool::ask_all;
use countersign_oracle::report::Summary;
use countersign_oracle::shrink::shrink;
use countersign_oracle::sources::{Amounts, Questions, source};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

pub(crate) const RUNS: Wanted = Wanted {
    runs: true,
    pretty: false,
    fresh: false,
};

const MOST_SHOWN: usize = 12;

fn questions(asking: &Asking) -> Result<Questions, String> {
    let amounts = Amounts {
        programs: asking.programs,
        soups: asking.soups,
        seed: asking.seed,
    };
    let mut all: Questions = Box::new(std::iter::empty());
    for name in &asking.sources {
        all = Box::new(all.chain(source(name, amounts)?));
    }
    Ok(all)
}

pub(crate) fn record(asking: &Asking, out: &Path) -> Result<bool, String> {
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", out.display());
    let workshop = Workshop::new()?;
    let mut file = BufWriter::new(File::create(out).map_err(failed)?);
    let mut count = 0usize;
    let take = |answer: Answer| {
        let mut line = serde_json::to_vec(&answer).map_err(|error| error.to_string())?;
        line.push(b'\n');
        count = count.saturating_add(1);
        file.write_all(&line).map_err(failed)
    };
    ask_all(&workshop, questions(asking)?, RUNS, asking.jails, take)?;
    file.flush().map_err(failed)?;
    println!("{count} answers in {}", out.display());
    Ok(true)
}

pub(crate) fn judge_files(files: &[PathBuf], judging: &Judging) -> Result<bool, String> {
    let mut summary = Summary::default();
    for path in files {
        let failed = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
        let file = BufReader::new(File::open(path).map_err(failed)?);
        for line in file.lines() {
            let line = line.map_err(failed)?;
            // A record that is still being written may end anywhere.
            let Ok(answer) = serde_json::from_str::<Answer>(&line) else {
                break;
            };
            let verdict = judge(&answer);
            summary.add(&answer, verdict);
        }
    }
    finish(&summary, judging)
}

pub(crate) fn run(asking: &Asking, judging: &Judging) -> Result<bool, String> {
    let workshop = Workshop::new()?;
    let mut summary = Summary::default();
    let mut rewritten = Rewritten::default();
    let take = |answer: Answer| {
        rewritten.add(&answer);
        let verdict = judge(&answer);
        summary.add(&answer, verdict);
        Ok(())
    };
    ask_all(&workshop, questions(asking)?, RUNS, asking.jails, take)?;
    let alike = rewritten.report();
    Ok(finish(&summary, judging)? && alike)
}

pub(crate) fn ask(command: &str, row_id: Option<&str>, note: &str) -> Result<bool, String> {
    let workshop = Workshop::new()?;
    let wanted = Wanted {
        pretty: row_id.is_none(),
        ..RUNS
    };
    let mut answer = one(&mut workshop.jail()?, command.as_bytes(), wanted)?;
    let verdict = judge(&answer);
    if let Some(id) = row_id {
        id.clone_into(&mut answer.id);
        println!("{}", row(&answer, note)?);
        return Ok(verdict.problems.is_empty());
    }
    let shown = serde_json::to_string_pretty(&answer).map_err(|error| error.to_string())?;
    println!("{shown}\n{verdict:#?}");
    Ok(verdict.problems.is_empty())
}

pub(crate) fn crosscheck(asking: &Asking, count: usize) -> Result<bool, String> {
    let workshop = Workshop::new()?;
    let all: Vec<Question> = questions(asking)?.take(count).collect();
    let mut answers: [BTreeMap<String, Answer>; 2] = Default::default();
    for (fresh, answers) in [false, true].into_iter().zip(&mut answers) {
        let start = std::time::Instant::now();
        let wanted = Wanted { fresh, ..RUNS };
        let take = |answer: Answer| {
            answers.insert(answer.id.clone(), answer);
            Ok(())
        };
        ask_all(&workshop, all.iter().cloned(), wanted, asking.jails, take)?;
        let how = if fresh {
            "new processes"
        } else {
            "fork server"
        };
        println!("{how}: {:.1} s", start.elapsed().as_secs_f64());
    }
    let [forked, fresh] = answers;
    let (mut different, mut not_compared) = (0usize, 0usize);
    for (id, answer) in &forked {
        let Some(other) = fresh.get(id) else { continue };
        let (mut one, mut other) = (comparable(answer), comparable(other));
        if one.runs.is_none() || other.runs.is_none() {
            (one.runs, other.runs) = (None, None);
            not_compared = not_compared.saturating_add(1);
        }
        if one != other {
            different = different.saturating_add(1);
            println!("{id}:\n  {one:?}\n  {other:?}");
        }
    }
    println!(
        "{} commands, {different} different answers; {not_compared} runs not compared",
        forked.len()
    );
    Ok(different == 0)
}

/// What must be the same: process numbers and what `time` prints are not, nor where a run was
/// stopped.
fn comparable(answer: &Answer) -> Answer {
    let mut answer = answer.clone();
    if let Some(runs) = &mut answer.runs {
        runs.message.retain(|character| !character.is_ascii_digit());
    }
    let command = String::from_utf8_lossy(&answer.command.0);
    let stopped = answer.runs.as_ref().is_some_and(|runs| runs.truncated);
    if stopped || command.contains("$$") {
        answer.runs = None;
    }
    answer
}

/// What the rewrites of many sources gave.
#[derive(Debug, Default)]
pub(crate) struct Rewritten {
    sources: usize,
    printed: usize,
    unfaithful: usize,
    different: Vec<(String, Difference)>,
}

impl Rewritten {
    pub(crate) fn add(&mut self, answer: &Answer) {
        self.sources = self.sources.saturating_add(1);
        let found = differences(&answer.command.0).into_iter();
        self.different
            .extend(found.map(|difference| (answer.id.clone(), difference)));
    }

    /// `printed` is the answer about the text that bash made of the command of `answer`. Not all
    /// that bash prints means what it read: then the text says nothing about the lexer.
    pub(crate) fn add_printed(&mut self, answer: &Answer, printed: &Answer) {
        let ran = |answer: &Answer| answer.runs.as_ref().map(|runs| runs.ran.clone());
        if !printed.check.accepts() || ran(answer) != ran(printed) {
            self.unfaithful = self.unfaithful.saturating_add(1);
            return;
        }
        self.printed = self.printed.saturating_add(1);
        let found = pretty_difference(answer).map(|found| (answer.id.clone(), found));
        self.different.extend(found);
    }

    /// Prints what was found; whether that is nothing.
    pub(crate) fn report(&self) -> bool {
        println!(
            "{} sources rewritten, {} printed by bash ({} more not faithfully), {} reported differently",
            self.sources,
            self.printed,
            self.unfaithful,
            self.different.len()
        );
        for (id, found) in self.different.iter().take(MOST_SHOWN) {
            let text = String::from_utf8_lossy(&found.text);
            println!("{} {id}\n  {text:?}\n  {}", found.how, found.detail);
        }
        self.different.is_empty()
    }
}

fn one(jail: &mut Jail, command: &[u8], wanted: Wanted) -> Result<Answer, String> {
    let question = Question {
        id: "asked".to_owned(),
        command: Bytes::from(command),
    };
    let answers = jail.ask(vec![question], wanted)?;
    answers
        .into_iter()
        .next()
        .ok_or_else(|| "the jail has no answer".to_owned())
}

pub(crate) fn finish(summary: &Summary, judging: &Judging) -> Result<bool, String> {
    println!("{}", summary.table());
    for kind in Kind::ALL {
        let some = summary.kept.iter().filter(|(_, it)| it.kind == kind);
        for (answer, problem) in some.take(judging.show) {
            println!(
                "{} {}\n  {:?}\n  {}",
                kind.as_str(),
                answer.id,
                answer.command,
                problem.detail
            );
        }
    }
    shrunk(summary, judging)?;
    if let Some(path) = &judging.json {
        let text = serde_json::to_string_pretty(summary).map_err(|error| error.to_string())?;
        std::fs::write(path, text)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(!summary.breaks_a_promise())
}

/// Makes the first disagreements small and prints them as rows.
fn shrunk(summary: &Summary, judging: &Judging) -> Result<(), String> {
    if judging.shrink == 0 || summary.kept.is_empty() {
        return Ok(());
    }
    let workshop = Workshop::new()?;
    let mut jail = workshop.jail()?;
    let mut seen = std::collections::BTreeSet::new();
    for kind in Kind::ALL {
        let some = summary.kept.iter().filter(|(_, it)| it.kind == kind);
        for (answer, _) in some.take(judging.shrink) {
            let still = |text: &[u8]| {
                one(&mut jail, text, RUNS).is_ok_and(|answer| judge(&answer).has(kind))
            };
            let small = shrink(&answer.command.0, still);
            if !seen.insert((kind, small.clone())) {
                continue;
            }
            let mut answer = one(&mut jail, &small, RUNS)?;
            answer.id = format!("{}-{}", kind.as_str(), seen.len());
            println!("{}", row(&answer, kind.as_str())?);
            for problem in judge(&answer).problems {
                println!("  # {}", problem.detail);
            }
        }
    }
    Ok(())
}

/// A line of `rows.jsonl`.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    answer: &'a Answer,
    note: &'a str,
}

fn row(answer: &Answer, note: &str) -> Result<String, String> {
    serde_json::to_string(&Row { answer, note }).map_err(|error| error.to_string())
}
