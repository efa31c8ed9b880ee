//! What stands between the user and a working gate.

mod diagnose;
mod look;
#[cfg(test)]
mod tests;

use super::install::{registration, settings_file};
use super::subject::Format;
use crate::cli::Global;
use crate::{Exit, output};
use clap::Args;
use diagnose::{Check, Status, diagnose};
use look::Seen;
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
pub(crate) struct DoctorArgs {
    /// How the checks are printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The settings file that the gate is registered in [default: ~/.claude/settings.json]
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
}

/// Prints every check; ends in [`Exit::Found`] when one is a problem.
pub(crate) fn run(global: &Global, args: &DoctorArgs) -> Result<Exit, String> {
    let dirs = global.dirs()?;
    let cwd = std::env::current_dir()
        .map_err(|error| format!("cannot find the current directory: {error}"))?;
    let settings = settings_file(&dirs, args.settings.as_deref());
    let seen = Seen::look(&dirs, &cwd, &settings, registration(global)?);
    let checks = diagnose(&seen);
    let text = match args.format {
        Format::Text => text(&checks),
        Format::Json => format!("{:#}\n", json!({ "checks": checks })),
    };
    output::print(&text)?;
    Ok(
        if checks.iter().any(|check| check.status == Status::Problem) {
            Exit::Found
        } else {
            Exit::Done
        },
    )
}

/// One line a check; what can be done about it follows after an arrow.
fn text(checks: &[Check]) -> String {
    let mut text = String::new();
    for check in checks {
        let _infallible = write!(
            text,
            "{:<8} {:<14} {}",
            check.status.as_str(),
            check.name,
            crate::reason::visible(&on_one_line(&check.text))
        );
        if let Some(remedy) = &check.remedy {
            let _infallible = write!(text, " -> {}", crate::reason::visible(remedy));
        }
        text.push('\n');
    }
    text
}

/// Messages of the configuration reader show the line in question on lines of its own.
fn on_one_line(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    lines.join(" ")
}
