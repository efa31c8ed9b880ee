//! Counts over the log.

use super::filter::is_since;
use crate::audit::{AuditLog, Record};
use crate::visible::visible;
use countersign_core::{AuditKind, Severity};
use jiff::Timestamp;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

type Counts = BTreeMap<String, u64>;

/// What the log holds, in numbers.
#[derive(Debug, Default, Serialize)]
pub(super) struct Stats {
    records: u64,
    decisions: u64,
    unjudged: u64,
    failures: u64,
    verdicts: Counts,
    stages: Counts,
    rules: BTreeMap<String, Rule>,
    agents: Counts,
    days: Counts,
    reviews: Reviews,
    people: People,
    /// The rules of the last decision about a call, for the answer that may follow.
    #[serde(skip)]
    asked: BTreeMap<(Option<String>, String), Vec<String>>,
}

/// What became of calls that met a rule.
#[derive(Debug, Default, Serialize)]
struct Rule {
    met: u64,
    /// A person let such a call run.
    approved: u64,
    /// A person did not.
    rejected: u64,
}

#[derive(Debug, Default, Serialize)]
struct Reviews {
    answered: u64,
    failed: u64,
    by_reviewer: Counts,
}

#[derive(Debug, Default, Serialize)]
struct People {
    approved: u64,
    rejected: u64,
}

impl Stats {
    pub(super) fn of(log: &AuditLog, since: Option<Timestamp>) -> std::io::Result<Self> {
        let mut stats = Self::default();
        log.each(None, &mut |record| {
            if since.is_none_or(|since| is_since(&record, since)) {
                stats.add(record);
            }
        })?;
        Ok(stats)
    }

    fn add(&mut self, record: Record) {
        let event = record.event;
        one(&mut self.records);
        count(&mut self.days, record.time.get(..10).unwrap_or_default());
        count(&mut self.agents, &event.source);
        match event.kind {
            AuditKind::Decision => {}
            AuditKind::Unjudged => return one(&mut self.unjudged),
            AuditKind::Failure => return one(&mut self.failures),
            kind => {
                if let Some(approved) = answer(kind) {
                    self.answered(event.session, event.tool_call_id, approved);
                }
                return;
            }
        }
        let Some(decision) = event.decision else {
            return;
        };
        one(&mut self.decisions);
        count(&mut self.verdicts, &decision.verdict.to_string());
        count(&mut self.stages, decision.stage.as_str());
        if let Some(review) = &decision.review {
            one(&mut self.reviews.answered);
            let who = review.reviewer.as_deref().unwrap_or("?");
            count(&mut self.reviews.by_reviewer, who);
        }
        if decision.failure.is_some() {
            one(&mut self.reviews.failed);
        }
        let mut rules: Vec<String> = decision
            .reasons
            .into_iter()
            .filter(|hit| hit.severity != Severity::Allow)
            .map(|hit| hit.rule)
            .collect();
        rules.sort();
        rules.dedup();
        for rule in &rules {
            one(&mut self.rules.entry(rule.clone()).or_default().met);
        }
        if let Some(id) = event.tool_call_id {
            self.asked.insert((event.session, id), rules);
        }
    }

    fn answered(&mut self, session: Option<String>, call: Option<String>, approved: bool) {
        one(if approved {
            &mut self.people.approved
        } else {
            &mut self.people.rejected
        });
        let rules = call.and_then(|call| self.asked.get(&(session, call)));
        for rule in rules.into_iter().flatten() {
            let rule = self.rules.entry(rule.clone()).or_default();
            one(if approved {
                &mut rule.approved
            } else {
                &mut rule.rejected
            });
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "{} records: {} decisions, {} calls unjudged while the gate was off, {} failures\n",
            self.records, self.decisions, self.unjudged, self.failures
        );
        for (name, counts) in [
            ("verdict", &self.verdicts),
            ("stage", &self.stages),
            ("agent", &self.agents),
            ("day", &self.days),
        ] {
            table(&mut text, name, counts);
        }
        if !self.rules.is_empty() {
            text.push_str("\nrule\n");
            let mut rules: Vec<_> = self.rules.iter().collect();
            rules.sort_by(|a, b| b.1.met.cmp(&a.1.met).then_with(|| a.0.cmp(b.0)));
            for (id, rule) in rules {
                let _infallible = write!(text, "{:>8}  {}", rule.met, visible(id));
                let answers = rule.approved.saturating_add(rule.rejected);
                if answers > 0 {
                    let _infallible =
                        write!(text, "  (people approved {} of {answers})", rule.approved);
                }
                text.push('\n');
            }
        }
        let reviews = &self.reviews;
        if reviews.answered > 0 || reviews.failed > 0 {
            let _infallible = writeln!(
                text,
                "\nreviews: {} answered, {} failed",
                reviews.answered, reviews.failed
            );
            table(&mut text, "reviewer", &reviews.by_reviewer);
        }
        text
    }
}

/// What a record says of a person's answer to a call.
fn answer(kind: AuditKind) -> Option<bool> {
    match kind {
        AuditKind::OverrideAuthorized
        | AuditKind::BreakGlassAuthorized
        | AuditKind::AnswerStored
        | AuditKind::Resumed => Some(true),
        AuditKind::Rejected => Some(false),
        _ => None,
    }
}

fn one(count: &mut u64) {
    *count = count.saturating_add(1);
}

fn count(counts: &mut Counts, name: &str) {
    one(counts.entry(name.to_owned()).or_default());
}

fn table(text: &mut String, name: &str, counts: &Counts) {
    if counts.is_empty() {
        return;
    }
    let _infallible = writeln!(text, "\n{name}");
    for (name, count) in counts {
        let _infallible = writeln!(text, "{count:>8}  {}", visible(name));
    }
}
