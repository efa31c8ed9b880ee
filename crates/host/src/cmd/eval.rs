mod flags;
mod programs;

use super::check::judge_row;
use super::subject::{Row, batch_policy};
use crate::cli::Global;
use crate::reason::visible;
use crate::{Exit, output};
use clap::Args;
use countersign_core::{Decision, DeferKind, Verdict};
use flags::Flags;
use programs::Programs;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
pub(crate) struct EvalArgs {
    /// Files of labelled rows, one JSON object a line
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A TOML file of rows whose label is wrong for Countersign, each with a reason
    #[arg(long, value_name = "FILE")]
    disputes: Option<PathBuf>,
    /// Name the rows that break their label's rule
    #[arg(long)]
    list: bool,
    /// Name the N programs that are met most, known or not, and the share that is known; of these
    /// rows without a label count too
    #[arg(long, value_name = "N")]
    programs: Option<usize>,
    /// The same for programs that are not known
    #[arg(long, value_name = "N", conflicts_with = "programs")]
    unknown: Option<usize>,
    /// Name the N rules that flagged or denied most rows, by label
    #[arg(long, value_name = "N")]
    flags: Option<usize>,
}

/// Rows whose label is wrong, by id, with the reason.
#[derive(Debug, Default, Deserialize)]
struct Disputes {
    #[serde(default)]
    disputes: BTreeMap<String, String>,
}

/// What one row was answered, as the table counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    Allowed,
    Undecided,
    Flagged,
    Denied,
}

const ANSWERS: [(Answer, &str); 4] = [
    (Answer::Allowed, "allowed"),
    (Answer::Undecided, "undecided"),
    (Answer::Flagged, "flagged"),
    (Answer::Denied, "denied"),
];

/// Counts of one label in one file.
#[derive(Debug, Clone, Default)]
struct Tally {
    answers: BTreeMap<Answer, usize>,
    hard: usize,
    broken: usize,
    disputed: usize,
}

/// Prints label × verdict tables over files of labelled commands.
pub(crate) fn run(global: &Global, args: &EvalArgs) -> Result<Exit, String> {
    let policy = batch_policy(global)?;
    let disputes = read_disputes(args)?;
    let mut tallies: BTreeMap<(String, String), Tally> = BTreeMap::new();
    let mut listed = String::new();
    let mut flags = Flags::default();
    let mut programs = Programs::default();
    let counts_programs = args.programs.or(args.unknown).is_some();
    for file in &args.files {
        let text = std::fs::read_to_string(file)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let row = Row::parse(line);
            let label = row.fields.get("label").and_then(Value::as_str);
            if label.is_none() && !counts_programs {
                continue;
            }
            let outcome = judge_row(&policy, &row)
                .map_err(|problem| format!("{}: {problem}", file.display()))?;
            if let (true, Ok(subject)) = (counts_programs, &row.subject) {
                programs.count(subject, &outcome.judgement);
            }
            let Some(label) = label else {
                continue;
            };
            let tally = tallies.entry((name.clone(), label.to_owned())).or_default();
            let decision = &outcome.decision;
            if matches!(answer(decision), Answer::Flagged | Answer::Denied) {
                flags.count(label, decision);
            }
            let id = row.id.as_str().unwrap_or_default();
            tally.count(label, decision, disputes.contains(id));
            if args.list && breaks(label, decision) && !disputes.contains(id) {
                let command = row
                    .fields
                    .get("command")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                let _infallible = writeln!(
                    listed,
                    "{id}\t{label}\t{}\t{}",
                    described(decision),
                    visible(command)
                );
            }
        }
    }
    let mut text = table(&tallies) + &listed;
    if let Some(most) = args.flags {
        text.push_str(&flags.table(most));
    }
    if let Some(most) = args.programs.or(args.unknown) {
        text.push_str(&programs.table(most, args.unknown.is_some()));
    }
    output::print(&text)?;
    Ok(Exit::Done)
}

fn read_disputes(args: &EvalArgs) -> Result<BTreeSet<String>, String> {
    let Some(file) = &args.disputes else {
        return Ok(BTreeSet::new());
    };
    let fail = |problem: String| format!("{}: {problem}", file.display());
    let text = std::fs::read_to_string(file).map_err(|error| fail(error.to_string()))?;
    let parsed: Disputes = toml::from_str(&text).map_err(|error| fail(error.to_string()))?;
    if let Some((id, _)) = parsed
        .disputes
        .iter()
        .find(|(_, reason)| reason.trim().is_empty())
    {
        return Err(fail(format!("`{id}` is disputed without a reason")));
    }
    Ok(parsed.disputes.into_keys().collect())
}

fn answer(decision: &Decision) -> Answer {
    match (decision.verdict, decision.defer) {
        (Verdict::Allow, _) => Answer::Allowed,
        (Verdict::Deny, _) => Answer::Denied,
        (Verdict::Defer, Some(DeferKind::Undecided)) => Answer::Undecided,
        (Verdict::Defer | Verdict::Revise, _) => Answer::Flagged,
    }
}

/// Whether a decision is not what the label asks of the deterministic tier.
fn breaks(label: &str, decision: &Decision) -> bool {
    let answer = answer(decision);
    match label {
        "deny" => matches!(answer, Answer::Allowed | Answer::Undecided),
        "change" | "secret" => answer == Answer::Allowed,
        "readonly" => answer != Answer::Allowed,
        "apiread" => answer == Answer::Denied,
        "net" => answer == Answer::Allowed || decision.is_hard(),
        "pass" => answer == Answer::Denied || answer == Answer::Flagged,
        "delegate" | "parse" => decision.is_hard(),
        _ => false,
    }
}

fn described(decision: &Decision) -> String {
    let rules: BTreeSet<&str> = decision
        .reasons
        .iter()
        .map(|hit| hit.rule.as_str())
        .collect();
    let word = ANSWERS
        .iter()
        .find(|(kind, _)| *kind == answer(decision))
        .map_or("", |(_, word)| word);
    format!("{word} {}", rules.into_iter().collect::<Vec<_>>().join(" "))
}

impl Tally {
    fn count(&mut self, label: &str, decision: &Decision, disputed: bool) {
        let count = self.answers.entry(answer(decision)).or_default();
        *count = count.saturating_add(1);
        let add = |count: &mut usize, yes: bool| *count = count.saturating_add(usize::from(yes));
        add(&mut self.hard, decision.is_hard());
        add(&mut self.broken, breaks(label, decision) && !disputed);
        add(&mut self.disputed, breaks(label, decision) && disputed);
    }
}

fn table(tallies: &BTreeMap<(String, String), Tally>) -> String {
    let mut text = format!("{:<16}{:<10}{:>7}", "file", "label", "rows");
    for (_, word) in ANSWERS {
        let _infallible = write!(text, "{word:>18}");
    }
    let _infallible = writeln!(text, "{:>8}{:>9}{:>10}", "hard", "broken", "disputed");
    for ((file, label), tally) in tallies {
        let rows: usize = tally.answers.values().sum();
        let _infallible = write!(text, "{file:<16}{label:<10}{rows:>7}");
        for (answer, _) in ANSWERS {
            let count = tally.answers.get(&answer).copied().unwrap_or(0);
            let _infallible = write!(text, "{count:>9} {:>7.1}%", share(count, rows));
        }
        let _infallible = writeln!(
            text,
            "{:>8}{:>9}{:>10}",
            tally.hard, tally.broken, tally.disputed
        );
    }
    text
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of rows are far below 2^52"
)]
fn share(count: usize, of: usize) -> f64 {
    if of == 0 {
        0.0
    } else {
        100.0 * count as f64 / of as f64
    }
}
