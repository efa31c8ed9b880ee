//! About two thousand commands in well under two minutes.

use crate::Judging;
use crate::commands::{RUNS, Rewritten, finish};
use countersign_oracle::answer::{Answer, Question, Wanted};
use countersign_oracle::jail::Workshop;
use countersign_oracle::judge::judge;
use countersign_oracle::pool::ask_all;
use countersign_oracle::report::Summary;
use countersign_oracle::sources::{Amounts, corpora, source};
use std::collections::BTreeMap;

const AMOUNTS: Amounts = Amounts {
    programs: 500,
    soups: 300,
    seed: 1,
};
/// How many commands of the corpora, evenly spread.
const COLLECTED: usize = 1000;
/// How many sources are rewritten, also by bash.
const REWRITTEN: usize = 200;
const JAILS: usize = 2;
/// Commands that bash must have been seen to run for the rest to mean anything. Those made here
/// alone are more.
const LEAST_SEEN: usize = 1000;

pub(crate) fn smoke() -> Result<bool, String> {
    let start = std::time::Instant::now();
    let workshop = Workshop::new()?;
    let mut summary = Summary::default();
    let mut asked: Vec<Question> = Vec::new();
    for name in ["tricky", "probes", "rows", "programs", "soups"] {
        asked.extend(source(name, AMOUNTS)?);
    }
    if corpora().is_some() {
        let all: Vec<Question> = source("corpora", AMOUNTS)?.collect();
        let step = all.len().div_ceil(COLLECTED).max(1);
        asked.extend(all.into_iter().step_by(step));
    } else {
        println!("COUNTERSIGN_CORPORA is not set: without collected commands");
    }
    let step = asked.len().div_ceil(REWRITTEN).max(1);
    let again: Vec<Question> = asked.iter().step_by(step).cloned().collect();
    let take = |answer: Answer| {
        let verdict = judge(&answer);
        summary.add(&answer, verdict);
        Ok(())
    };
    ask_all(&workshop, asked.into_iter(), RUNS, JAILS, take)?;
    let rewritten = rewrite(&workshop, again)?;
    let judging = Judging {
        json: None,
        shrink: 2,
        show: 2,
    };
    if summary.looked_for < LEAST_SEEN {
        return Err(format!(
            "bash was seen to run {} commands, and at least {LEAST_SEEN} were expected: the recorder \
             in `oracle/shim/shim.c` sees nothing, so nothing was checked",
            summary.looked_for
        ));
    }
    let alike = rewritten.report();
    let kept = finish(&summary, &judging)?;
    println!("{:.1} s", start.elapsed().as_secs_f64());
    Ok(alike && kept)
}

/// Rewrites the sources, and lets bash print them anew.
fn rewrite(workshop: &Workshop, sources: Vec<Question>) -> Result<Rewritten, String> {
    let mut rewritten = Rewritten::default();
    let mut answers: BTreeMap<String, Answer> = BTreeMap::new();
    let wanted = Wanted {
        pretty: true,
        ..RUNS
    };
    let take = |answer: Answer| {
        rewritten.add(&answer);
        answers.insert(answer.id.clone(), answer);
        Ok(())
    };
    ask_all(workshop, sources.into_iter(), wanted, JAILS, take)?;
    let printed: Vec<Question> = answers
        .values()
        .filter_map(|answer| {
            Some(Question {
                id: answer.id.clone(),
                command: answer.pretty.clone()?,
            })
        })
        .collect();
    let take = |printed: Answer| {
        if let Some(answer) = answers.get(&printed.id) {
            rewritten.add_printed(answer, &printed);
        }
        Ok(())
    };
    ask_all(workshop, printed.into_iter(), RUNS, JAILS, take)?;
    Ok(rewritten)
}
