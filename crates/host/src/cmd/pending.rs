//! Calls that wait for a person.

use super::subject::Format;
use crate::cli::Global;
use crate::reason::visible;
use crate::{Exit, config, output, person, store};
use clap::{Args, Subcommand, ValueEnum};
use countersign_broker::{Answer, Answered, ParkLimits, Parking, Question, Reply};
use serde_json::{Value, json};
use std::fmt::Write as _;

#[derive(Debug, Clone, Args)]
pub(crate) struct PendingArgs {
    #[command(subcommand)]
    what: Option<What>,
    /// How they are listed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Debug, Clone, Subcommand)]
enum What {
    /// Answer one (from a person's terminal)
    Answer {
        /// The call, as `countersign pending` names it
        id: String,
        /// What becomes of it
        answer: Word,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Word {
    /// It may run, once
    Allow,
    /// It may not
    Deny,
}

pub(crate) fn run(global: &Global, args: &PendingArgs) -> Result<Exit, String> {
    let dirs = global.dirs()?;
    let store = store::of(&dirs, &[]);
    let parking = Parking {
        store: &store,
        limits: ParkLimits::default(),
    };
    let questions = parking.questions(None).map_err(|error| error.to_string())?;
    let Some(What::Answer { id, answer }) = &args.what else {
        output::print(&listed(&questions, args.format)?)?;
        return Ok(Exit::Done);
    };
    person::required("a call that waits is answered")?;
    let mut named: Vec<Question> = questions
        .into_iter()
        .filter(|question| question.id().as_str().starts_with(id.as_str()))
        .collect();
    let (Some(question), true) = (named.pop(), named.is_empty()) else {
        return Err(format!(
            "no one call that waits is named {id}; `countersign pending` lists them"
        ));
    };
    output::print(&shown(&question))?;
    let reply = Reply {
        answer: match answer {
            Word::Allow => Answer::Allow,
            Word::Deny => Answer::Deny,
        },
        // The hash of what has just been shown.
        shown: question.shown().clone(),
    };
    let mut audit = config::audit_log(&dirs);
    let answered = question
        .answer(&parking, &reply, &mut audit)
        .map_err(|refusal| refusal.to_string())?;
    output::print(match answered {
        Answered::Noted => "answered: the call goes on\n",
        Answered::Kept => {
            "answered: the call itself is over, and the next identical one is decided so\n"
        }
    })?;
    Ok(Exit::Done)
}

fn listed(questions: &[Question], format: Format) -> Result<String, String> {
    let mut text = String::new();
    for question in questions {
        match format {
            Format::Text => text.push_str(&shown(question)),
            Format::Json => {
                let line = json!({
                    "id": question.id().as_str(),
                    "session": question.session(),
                    "tool": question.tool().as_str(),
                    "input": question.input(),
                    "shown": question.shown(),
                    "until_ms": question.until().ms,
                    "late": question.is_late(),
                });
                text.push_str(&serde_json::to_string(&line).map_err(|error| error.to_string())?);
                text.push('\n');
            }
        }
    }
    if questions.is_empty() && format == Format::Text {
        text.push_str("no call waits for a person\n");
    }
    Ok(text)
}

fn shown(question: &Question) -> String {
    let late = if question.is_late() {
        "  too late for the call itself: the answer is for the next identical one"
    } else {
        ""
    };
    let mut text = format!(
        "{}  {}  session {}{late}\n",
        question.id().as_str(),
        visible(question.tool().as_str()),
        visible(question.session()),
    );
    for (name, value) in question.input() {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        for line in value.split('\n') {
            let _infallible = writeln!(text, "  | {}: {}", visible(name), visible(line));
        }
    }
    let hash: String = question.shown().as_str().chars().take(16).collect();
    let _infallible = writeln!(text, "  hash {hash}");
    text
}
