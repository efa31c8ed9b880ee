use super::{Owner, is_path};
use crate::cmd::reviewer::{json, put};
use crate::config::IsolationFile;
use crate::config::edit::assignment;
use crate::review::plugin_settings;
use crate::{Exit, output};
use clap::Args;
use countersign_reviewers::load::conformance::{self, Finding, Limits, Outcome};
use countersign_reviewers::load::{Checks, Image, Pin};
use std::fmt::Write as _;
use std::time::Duration;

#[derive(Debug, Clone, Args)]
pub(super) struct CheckArgs {
    /// Its name, or a library file
    plugin: String,
    /// Settings to run it with, over those of the reviewer that uses it
    #[arg(value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Seconds that one answer may take
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=300))]
    limit: u64,
}

/// Runs the conformance checks; ends in [`Exit::Found`] when one fails.
pub(super) fn run(owner: &Owner, args: &CheckArgs) -> Result<Exit, String> {
    // Refused here already, so that a plugin that cannot be loaded is one clear line.
    let image = owner.look(&args.plugin)?;
    let name = image.manifest().name.clone();
    if owner.pin_state(&name, image.sha256()) == "changed" && !is_path(&args.plugin) {
        return Err(format!(
            "plugin {name} is not the file that was pinned, and is not run; `countersign plugin show {name}` says more"
        ));
    }
    let mut used_as = owner.user(&name).cloned().unwrap_or_default();
    // Whatever the reviewer says: what is being checked may not behave.
    used_as.isolation = IsolationFile::Process;
    for setting in &args.settings {
        let (keys, value) = assignment(setting)?;
        put(&mut used_as.config, &keys, json(&value)?);
    }
    let limits = Limits {
        answer: Duration::from_secs(args.limit),
        ..Limits::default()
    };
    let settings = plugin_settings(&used_as);
    let path = image.path().to_path_buf();
    let pin = Pin::Sha256(image.sha256().to_owned());
    let open = || {
        let pin = pin.clone();
        Image::open(
            &path,
            &Checks {
                pin,
                ..Checks::any()
            },
        )
    };
    let findings =
        conformance::check(open, &settings, limits).map_err(|error| error.to_string())?;
    output::print(&text(&name, &findings))?;
    let bad = findings
        .iter()
        .any(|finding| matches!(finding.outcome, Outcome::Failed(_)));
    Ok(if bad { Exit::Found } else { Exit::Done })
}

fn text(name: &str, findings: &[Finding]) -> String {
    let mut text = String::new();
    let mut failed = 0;
    for finding in findings {
        let (word, what) = match &finding.outcome {
            Outcome::Passed(what) => ("ok", what),
            Outcome::Noted(what) => ("note", what),
            Outcome::Failed(what) => {
                failed += 1;
                ("FAILED", what)
            }
        };
        let _infallible = writeln!(
            text,
            "{word:<7} {:<36} {}",
            finding.check,
            crate::reason::visible(what)
        );
    }
    let _infallible = match failed {
        0 => writeln!(text, "{name} behaves: {} checks", findings.len()),
        _ => writeln!(
            text,
            "{name} does not behave: {failed} of {} checks failed",
            findings.len()
        ),
    };
    text
}
