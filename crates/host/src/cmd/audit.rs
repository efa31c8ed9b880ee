use super::subject::Format;
use crate::audit::{AuditLog, Record};
use crate::cli::Global;
use crate::reason::visible;
use crate::{Exit, output};
use clap::{Args, Subcommand};
use countersign_core::{AuditKind, Severity};
use std::fmt::Write as _;

#[derive(Debug, Clone, Args)]
pub(crate) struct AuditArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Clone, Subcommand)]
enum What {
    /// Print the last records
    Show {
        /// How many
        #[arg(short = 'n', long, default_value_t = 20, value_name = "N")]
        count: usize,
        /// How they are printed
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Check that no record was changed, dropped or moved
    Verify,
}

pub(crate) fn run(global: &Global, args: &AuditArgs) -> Result<Exit, String> {
    let file = global.dirs()?.audit_file();
    let log = AuditLog::new(file.clone());
    let unreadable = |error: std::io::Error| format!("cannot read {}: {error}", file.display());
    match &args.what {
        What::Show { count, format } => {
            let records = log.tail(*count).map_err(unreadable)?;
            output::print(&shown(&records, *format)?)?;
            Ok(Exit::Done)
        }
        What::Verify => {
            let verified = log.verify().map_err(unreadable)?;
            let mut text = format!(
                "{} records hold, the last with hash\n  {}\n",
                verified.records, verified.head
            );
            match verified.broken {
                None => text.push_str("Keep the hash where no agent can write: it shows whether the end was cut off.\n"),
                Some(line) => {
                    let _infallible = writeln!(
                        text,
                        "line {line} does not follow from the one before it: the log was changed there, or is torn"
                    );
                }
            }
            output::print(&text)?;
            Ok(if verified.broken.is_none() {
                Exit::Done
            } else {
                Exit::Found
            })
        }
    }
}

fn shown(records: &[Record], format: Format) -> Result<String, String> {
    let mut text = String::new();
    for record in records {
        match format {
            Format::Json => {
                text.push_str(&serde_json::to_string(record).map_err(|error| error.to_string())?);
                text.push('\n');
            }
            Format::Text => text.push_str(&line(record)),
        }
    }
    Ok(text)
}

fn line(record: &Record) -> String {
    let event = &record.event;
    let time = record
        .time
        .get(..19)
        .unwrap_or(&record.time)
        .replace('T', " ");
    let mut text = format!("{:>6}  {time}  ", record.seq);
    if let (Some(decision), AuditKind::Decision) = (&event.decision, event.kind) {
        let tool = event.tool.as_deref().unwrap_or(&event.source);
        let _infallible = write!(
            text,
            "{:<6} {:<12} {}",
            decision.verdict,
            decision.code,
            visible(tool)
        );
        if !event.programs.is_empty() {
            let _infallible = write!(text, " {}", visible(&event.programs.join(" ")));
        }
        for hit in decision
            .reasons
            .iter()
            .filter(|hit| hit.severity != Severity::Allow)
            .take(3)
        {
            let target = hit.target.as_deref().unwrap_or_default();
            let _infallible = write!(text, "  [{}] {}", hit.rule, visible(target));
        }
    } else {
        let kind = serde_json::to_value(event.kind).ok();
        let kind = kind
            .as_ref()
            .and_then(|kind| kind.as_str())
            .unwrap_or_default()
            .to_owned();
        let _infallible = write!(
            text,
            "{kind} {}",
            visible(event.note.as_deref().unwrap_or_default())
        );
    }
    text.push('\n');
    text
}
