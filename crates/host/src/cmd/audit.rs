mod filter;
mod line;
mod stats;
mod verified;

use super::subject::Format;
use crate::audit::{AuditLog, Record};
use crate::cli::Global;
use crate::visible::visible_json;
use crate::{Exit, config, output};
use clap::{Args, Subcommand};
use filter::FilterArgs;
use std::path::PathBuf;
use std::time::Duration;

/// How often it is looked for new records.
const EVERY: Duration = Duration::from_millis(200);

#[derive(Debug, Clone, Args)]
pub(crate) struct AuditArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Clone, Subcommand)]
enum What {
    /// Print the last records, or one
    Show {
        /// How many
        #[arg(short = 'n', long, default_value_t = 20, value_name = "N")]
        count: usize,
        #[command(flatten)]
        filter: FilterArgs,
        /// Only the record with this number, and all of it
        #[arg(long, value_name = "SEQ", conflicts_with_all = ["count", "kind", "session", "verdict", "since"])]
        id: Option<u64>,
        /// How they are printed
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Print the last records, and those that come
    Tail {
        /// How many
        #[arg(short = 'n', long, default_value_t = 10, value_name = "N")]
        count: usize,
        /// Go on until it is ended
        #[arg(short = 'f', long)]
        follow: bool,
        #[command(flatten)]
        filter: FilterArgs,
        /// How they are printed
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Check that no record was changed, dropped or moved
    Verify {
        /// Begin with the segment of this day, or the first after it
        #[arg(long, value_name = "DAY", value_parser = filter::day)]
        from: Option<String>,
        /// Compare with the heads in this file [default: that of the configuration]
        #[arg(long, value_name = "FILE")]
        anchor: Option<PathBuf>,
        /// How it is printed
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Count decisions by verdict, stage, rule, agent and day, and reviews
    Stats {
        /// Only records from this day or time on: `2026-12-01`, `90m`, `12h`, `7d`
        #[arg(long, value_name = "WHEN", value_parser = filter::since)]
        since: Option<jiff::Timestamp>,
        /// How they are printed
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
}

pub(crate) fn run(global: &Global, args: &AuditArgs) -> Result<Exit, String> {
    let dirs = global.dirs()?;
    let log = config::audit_log(&dirs);
    let unreadable =
        |error: std::io::Error| format!("cannot read {}: {error}", log.folder().display());
    match &args.what {
        What::Show {
            id: Some(id),
            format,
            ..
        } => {
            let found = log.last(1, &|record| record.seq == *id);
            let found = found.map_err(unreadable)?;
            let record = found.first().ok_or_else(|| {
                format!("there is no record {id}; `countersign audit show` lists the last")
            })?;
            output::print(&match format {
                Format::Json => json(record)?,
                Format::Text => line::whole(record)?,
            })?;
            Ok(Exit::Done)
        }
        What::Show {
            count,
            filter,
            format,
            id: None,
        } => {
            let records = log.last(*count, &|record| filter.wants(record));
            output::print(&shown(&records.map_err(unreadable)?, *format)?)?;
            Ok(Exit::Done)
        }
        What::Tail {
            count,
            follow,
            filter,
            format,
        } => tail(&log, *count, *follow, filter, *format),
        What::Verify {
            from,
            anchor,
            format,
        } => {
            let log = match anchor {
                None => log.clone(),
                Some(file) => log.clone().anchored(Some(crate::audit::Anchor {
                    file: file.clone(),
                    required: false,
                })),
            };
            let verified = log.verify(from.as_deref()).map_err(unreadable)?;
            if let Some(from) = from.as_ref().filter(|_| verified.segments == 0) {
                return Err(format!("there is no segment of {from} or after it"));
            }
            output::print(&match format {
                Format::Json => json(&verified)?,
                Format::Text => verified::text(&verified),
            })?;
            Ok(if verified.broken.is_none() {
                Exit::Done
            } else {
                Exit::Found
            })
        }
        What::Stats { since, format } => {
            let stats = stats::Stats::of(&log, *since).map_err(unreadable)?;
            output::print(&match format {
                Format::Json => json(&stats)?,
                Format::Text => stats.text(),
            })?;
            Ok(Exit::Done)
        }
    }
}

fn tail(
    log: &AuditLog,
    count: usize,
    follow: bool,
    filter: &FilterArgs,
    format: Format,
) -> Result<Exit, String> {
    let unreadable =
        |error: std::io::Error| format!("cannot read {}: {error}", log.folder().display());
    // First, so that no record falls in between; one that is in both is printed once.
    let mut follower = log.follow().map_err(unreadable)?;
    let records = log.last(count, &|record| filter.wants(record));
    let records = records.map_err(unreadable)?;
    let mut printed = records.last().map_or(0, |record| record.seq);
    output::print(&shown(&records, format)?)?;
    if !follow {
        return Ok(Exit::Done);
    }
    loop {
        std::thread::sleep(EVERY);
        let mut records = follower.read().map_err(unreadable)?;
        records.retain(|record| record.seq > printed && filter.wants(record));
        printed = records.last().map_or(printed, |record| record.seq);
        if !records.is_empty() {
            output::print(&shown(&records, format)?)?;
        }
    }
}

fn json(value: &impl serde::Serialize) -> Result<String, String> {
    let text = serde_json::to_string(value).map_err(|error| error.to_string())?;
    Ok(format!("{}\n", visible_json(&text)))
}

fn shown(records: &[Record], format: Format) -> Result<String, String> {
    let mut text = String::new();
    for record in records {
        match format {
            Format::Json => text.push_str(&json(record)?),
            Format::Text => text.push_str(&line::short(record)),
        }
    }
    Ok(text)
}
