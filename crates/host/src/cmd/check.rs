use super::explain;
use super::subject::{Format, Row, Subject, SubjectArgs, answer_rows, batch_policy};
use crate::cli::Global;
use crate::config::load;
use crate::gate::{Outcome, Unrecorded, judge_and_decide};
use crate::review::{Reviewers, Reviewing};
use crate::{Exit, output, secrets};
use clap::Args;
use countersign_broker::{Situation, redacted_case};
use countersign_core::{Case, Decision, Evidence, Stage, Verdict};
use countersign_policy::Policy;
use serde_json::{Value, json};

#[derive(Debug, Clone, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Read rows of JSON from standard input and answer line for line, on a machine with nothing on it
    #[arg(long)]
    batch: bool,
    /// Print the case that a reviewer would be given, as JSON, and ask nobody
    #[arg(long, conflicts_with = "batch")]
    case: bool,
}

pub(crate) fn run(global: &Global, args: &CheckArgs) -> Result<Exit, String> {
    if args.batch {
        return batch(&batch_policy(global)?);
    }
    let subject = args.subject.subject()?;
    let dirs = global.dirs()?;
    let loaded = load(&dirs, &subject.facts.roots).map_err(|error| error.to_string())?;
    let reviewers = Reviewers::new(&loaded.review, &dirs, &subject.facts.roots);
    let policy = Policy::new(loaded.settings);
    if args.case {
        let outcome = judge(&policy, subject.clone(), None);
        let mut case = Case::new(subject.request, outcome.judgement);
        case.guidance = loaded.review.guidance.clone();
        let case = redacted_case(&case, &secrets::judged).map_err(|error| error.to_string())?;
        output::print(&format!("{:#}\n", json!(case)))?;
        return Ok(Exit::Done);
    }
    let last_words = "FAILED: a plugin ended the process that it ran in; nothing was decided\n";
    reviewers.shield(last_words.into(), Exit::Internal)?;
    let outcome = judge(&policy, subject, reviewers.reviewing(&Evidence::default));
    match args.format {
        Format::Text => output::print(&explain::verdict(&outcome.decision))?,
        Format::Json => {
            let mut answer = answer(&Value::Null, &outcome.decision);
            if let Value::Object(fields) = &mut answer {
                fields.remove("id");
                fields.insert("decision".to_owned(), json!(outcome.decision));
                fields.insert("judgement".to_owned(), json!(outcome.judgement));
            }
            output::print(&format!("{answer:#}\n"))?;
        }
    }
    Ok(outcome.decision.verdict.into())
}

fn batch(policy: &Policy) -> Result<Exit, String> {
    answer_rows(|row| {
        let decision = decide_row(policy, row);
        (answer(&row.id, &decision), row.subject.is_ok())
    })
}

/// The decision about one row; a row that cannot be read is denied.
pub(crate) fn decide_row(policy: &Policy, row: &Row) -> Decision {
    judge_row(policy, row).map_or_else(
        |problem| {
            Decision::new(Verdict::Deny, Stage::Request, "invalid-request").with_diagnostic(problem)
        },
        |outcome| outcome.decision,
    )
}

/// What was found about one row.
pub(crate) fn judge_row(policy: &Policy, row: &Row) -> Result<Outcome, String> {
    Ok(judge(policy, row.subject.clone()?, None))
}

fn judge(policy: &Policy, subject: Subject, reviewing: Option<Reviewing<'_>>) -> Outcome {
    judge_and_decide(
        policy,
        &subject.request,
        subject.facts,
        Situation::default(),
        reviewing,
        None,
        &mut Unrecorded,
    )
}

/// The short answer that programs read.
fn answer(id: &Value, decision: &Decision) -> Value {
    let mut rules: Vec<&str> = decision
        .reasons
        .iter()
        .map(|hit| hit.rule.as_str())
        .collect();
    rules.dedup();
    let mut answer = json!({
        "id": id,
        "verdict": decision.verdict,
        "stage": decision.stage,
        "rules": rules,
        "hard": decision.is_hard(),
    });
    if let (Value::Object(fields), Some(defer)) = (&mut answer, decision.defer) {
        fields.insert("defer".to_owned(), json!(defer));
    }
    if let (Value::Object(fields), [problem, ..]) = (&mut answer, decision.diagnostics.as_slice()) {
        fields.insert("error".to_owned(), json!(problem));
    }
    answer
}
