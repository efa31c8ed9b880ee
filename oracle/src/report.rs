//! What all verdicts together say.

use crate::answer::Answer;
use crate::judge::{Agreement, Kind, Problem, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How many disagreements of one kind are kept; the rest is only counted.
const KEPT: usize = 200;

/// Counts over many answers.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Summary {
    /// Commands that were judged.
    pub commands: usize,
    /// By what lexer and `bash -n` said.
    pub agreement: BTreeMap<Agreement, usize>,
    /// Commands that were also run.
    pub run: usize,
    /// Of these, stopped before their end.
    pub truncated: usize,
    /// Commands that bash ran in them and that were looked for.
    pub looked_for: usize,
    /// Of these, found only with a wildcard.
    pub by_wildcard: usize,
    /// Of these, found only under a name that is not known.
    pub by_unknown_name: usize,
    /// Literal words that were passed exactly so.
    pub exact_words: usize,
    /// Literal targets that were opened.
    pub targets: usize,
    /// Words lexed on their own.
    pub spans: usize,
    /// Disagreements by kind.
    pub problems: BTreeMap<Kind, usize>,
    /// The first disagreements of each kind.
    #[serde(skip)]
    pub kept: Vec<(Answer, Problem)>,
}

impl Summary {
    /// Adds one verdict.
    pub fn add(&mut self, answer: &Answer, verdict: Verdict) {
        let count = |counter: &mut usize, by: usize| *counter = counter.saturating_add(by);
        count(&mut self.commands, 1);
        count(self.agreement.entry(verdict.agreement).or_default(), 1);
        if let Some(runs) = &answer.runs {
            count(&mut self.run, 1);
            count(&mut self.truncated, usize::from(runs.truncated));
        }
        count(&mut self.looked_for, verdict.looked_for);
        count(&mut self.by_wildcard, verdict.by_wildcard);
        count(&mut self.by_unknown_name, verdict.by_unknown_name);
        count(&mut self.exact_words, verdict.exact_words);
        count(&mut self.targets, verdict.targets);
        count(&mut self.spans, verdict.spans);
        for problem in verdict.problems {
            let counter = self.problems.entry(problem.kind).or_default();
            count(counter, 1);
            if *counter <= KEPT {
                self.kept.push((answer.clone(), problem));
            }
        }
    }

    /// Whether a promise of the lexer is broken.
    pub fn breaks_a_promise(&self) -> bool {
        self.problems.keys().any(|kind| kind.breaks_a_promise())
    }

    fn agreed(&self, agreement: Agreement) -> usize {
        self.agreement.get(&agreement).copied().unwrap_or_default()
    }

    /// The table for the terminal.
    pub fn table(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _infallible = writeln!(text, "{name:<44} {value}");
        };
        let valid = self.commands.saturating_sub(
            self.agreed(Agreement::Rejected)
                .saturating_add(self.agreed(Agreement::OpaqueInvalid))
                .saturating_add(self.agreed(Agreement::AcceptsInvalid))
                .saturating_add(self.agreed(Agreement::BlindSpot))
                .saturating_add(self.agreed(Agreement::TooBig)),
        );
        let invalid = self
            .agreed(Agreement::Rejected)
            .saturating_add(self.agreed(Agreement::OpaqueInvalid))
            .saturating_add(self.agreed(Agreement::AcceptsInvalid));
        let caught = invalid.saturating_sub(self.agreed(Agreement::AcceptsInvalid));
        line("commands", self.commands.to_string());
        line("accepted by bash -n", valid.to_string());
        line("  complete", share(self.agreed(Agreement::Accepted), valid));
        line(
            "  opaque",
            share(self.agreed(Agreement::OpaqueValid), valid),
        );
        line(
            "  rejected",
            share(self.agreed(Agreement::RejectsValid), valid),
        );
        line("rejected by bash -n", invalid.to_string());
        line("  rejected or opaque", share(caught, invalid));
        line(
            "blind spots of -n, limits",
            format!(
                "{}, {}",
                self.agreed(Agreement::BlindSpot),
                self.agreed(Agreement::TooBig)
            ),
        );
        line(
            "run, of these stopped early",
            format!("{}, {}", self.run, self.truncated),
        );
        line("commands that bash ran", self.looked_for.to_string());
        line(
            "  found by wildcard",
            share(self.by_wildcard, self.looked_for),
        );
        line(
            "  found by an unknown name",
            share(self.by_unknown_name, self.looked_for),
        );
        line("literal words passed exactly", self.exact_words.to_string());
        line("literal targets opened", self.targets.to_string());
        line("words lexed on their own", self.spans.to_string());
        for kind in Kind::ALL {
            let count = self.problems.get(&kind).copied().unwrap_or_default();
            let promise = if kind.breaks_a_promise() {
                "  (a promise)"
            } else {
                ""
            };
            line(kind.as_str(), format!("{count}{promise}"));
        }
        text
    }
}

fn share(part: usize, of: usize) -> String {
    if of == 0 {
        return "0".to_owned();
    }
    #[expect(clippy::cast_precision_loss, reason = "a share for people")]
    let percent = part as f64 * 100.0 / of as f64;
    format!("{part} ({percent:.3} %)")
}
