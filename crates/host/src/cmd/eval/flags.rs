//! Which rules are met most by calls that are not simply allowed or left alone.

use countersign_core::Decision;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How many rows of each label met each rule.
#[derive(Debug, Clone, Default)]
pub(super) struct Flags {
    met: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Flags {
    /// Counts the rules of one flagged or denied row, each once.
    pub(super) fn count(&mut self, label: &str, decision: &Decision) {
        let rules: BTreeSet<&str> = decision
            .reasons
            .iter()
            .map(|hit| hit.rule.as_str())
            .collect();
        let rules = rules.into_iter().chain(
            // Flagged by the stage alone.
            decision
                .reasons
                .is_empty()
                .then_some(decision.code.as_str()),
        );
        let of_label = self.met.entry(label.to_owned()).or_default();
        for rule in rules {
            let count = of_label.entry(rule.to_owned()).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// The most frequent rules of each label, and of all where there are several.
    pub(super) fn table(&self, most: usize) -> String {
        let mut text = "\nrows that were flagged or denied, by rule\n".to_owned();
        let mut all: BTreeMap<String, usize> = BTreeMap::new();
        for (label, rules) in &self.met {
            for (rule, count) in rules {
                let sum = all.entry(rule.clone()).or_default();
                *sum = sum.saturating_add(*count);
            }
            section(&mut text, label, rules, most);
        }
        if self.met.len() > 1 {
            section(&mut text, "all", &all, most);
        }
        text
    }
}

fn section(text: &mut String, label: &str, rules: &BTreeMap<String, usize>, most: usize) {
    let _infallible = writeln!(text, "{label}");
    let mut rows: Vec<(&String, &usize)> = rules.iter().collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (rule, count) in rows.into_iter().take(most) {
        let _infallible = writeln!(text, "{count:>7}  {rule}");
    }
}
