//! What reviewers denied lately, and what a person makes of it.

use super::subject::Format;
use crate::cli::Global;
use crate::reason::visible;
use crate::{Exit, config, output, person, store};
use clap::Args;
use countersign_broker::{Challenge, DenialView, KEPT_DENIALS, approve as authorize};
use countersign_core::Digest;
use std::fmt::Write as _;
use std::io::BufRead as _;

/// How many sessions are looked through.
const SESSIONS: usize = 1000;

#[derive(Debug, Clone, Args)]
pub(crate) struct DenialsArgs {
    /// Those of one session
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// How they are printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ApproveArgs {
    /// The denial, as `countersign denials` names it; the newest one where none is given
    id: Option<String>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct BreakGlassArgs {
    /// The denial, as `countersign denials` names it
    id: String,
}

pub(crate) fn list(global: &Global, args: &DenialsArgs) -> Result<Exit, String> {
    let mut views = denials(global)?;
    if let Some(session) = &args.session {
        views.retain(|view| view.session == *session);
    }
    let mut text = String::new();
    match args.format {
        Format::Json => {
            for view in &views {
                text.push_str(&serde_json::to_string(view).map_err(|error| error.to_string())?);
                text.push('\n');
            }
        }
        Format::Text => {
            if views.is_empty() {
                let _infallible = writeln!(
                    text,
                    "no reviewer has denied anything lately; the last {KEPT_DENIALS} denials of a session are kept"
                );
            }
            for view in &views {
                text.push_str(&shown(view));
            }
        }
    }
    output::print(&text)?;
    Ok(Exit::Done)
}

/// Lets one exact retry of a denied call run.
pub(crate) fn approve(global: &Global, args: &ApproveArgs) -> Result<Exit, String> {
    person::required("a denied call is approved")?;
    let view = chosen(global, args.id.as_deref())?;
    output::print(&format!(
        "{}\nType yes to let this run once, exactly as it is, if the agent tries again within a minute: ",
        shown(&view)
    ))?;
    // The hash of what was shown, read before anybody answered.
    let shown = view.denial.key.clone();
    if typed()? != "yes" {
        output::print("Nothing was approved.\n")?;
        return Ok(Exit::Found);
    }
    approved(global, &view, &shown)?;
    said("Approved. Tell the agent to try again, unchanged, within a minute.\n")
}

/// The same for a call that was denied as critical: a code is typed.
pub(crate) fn break_glass(global: &Global, args: &BreakGlassArgs) -> Result<Exit, String> {
    person::required("the glass is broken")?;
    let view = chosen(global, Some(&args.id))?;
    let dirs = global.dirs()?;
    let store = store::of(&dirs, &[]);
    let mut random = [0; 3];
    getrandom::fill(&mut random)
        .map_err(|error| format!("the system gives no random numbers: {error}"))?;
    let text = shown(&view);
    let challenge =
        Challenge::begin(&store, view, random).map_err(|refusal| refusal.to_string())?;
    output::print(&format!(
        "{text}\nA reviewer called this critical. To let it run once, exactly as it is, type\n\n    {}\n\nwithin a minute: ",
        challenge.code()
    ))?;
    let answer = typed()?;
    let mut audit = config::audit_log(&dirs);
    challenge
        .typed(&store, &mut audit, &answer)
        .map_err(|refusal| refusal.to_string())?;
    said("Authorised. Tell the agent to try again, unchanged, within a minute.\n")
}

fn said(text: &str) -> Result<Exit, String> {
    output::print(text)?;
    Ok(Exit::Done)
}

fn approved(global: &Global, view: &DenialView, shown: &Digest) -> Result<(), String> {
    let dirs = global.dirs()?;
    let mut audit = config::audit_log(&dirs);
    authorize(&store::of(&dirs, &[]), &mut audit, view, shown)
        .map_err(|refusal| refusal.to_string())
}

fn typed() -> Result<String, String> {
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|error| format!("cannot read what was typed: {error}"))?;
    Ok(line.trim().to_owned())
}

fn denials(global: &Global) -> Result<Vec<DenialView>, String> {
    let dirs = global.dirs()?;
    let mut views = countersign_broker::denials(&store::of(&dirs, &[]), SESSIONS)
        .map_err(|error| error.to_string())?;
    views.sort_by_key(|view| std::cmp::Reverse((view.denial.era, view.denial.at_ms)));
    Ok(views)
}

fn chosen(global: &Global, id: Option<&str>) -> Result<DenialView, String> {
    let mut views = denials(global)?;
    if let Some(id) = id {
        views.retain(|view| view.denial.id == id);
    }
    views.into_iter().next().ok_or_else(|| {
        format!(
            "no such denial is kept; `countersign denials` lists those that are (the last {KEPT_DENIALS} of a session)"
        )
    })
}

/// A denial for a person: nothing in it can pretend to be something else, and every line of the call
/// begins alike.
fn shown(view: &DenialView) -> String {
    let denial = &view.denial;
    let risk = serde_json::to_value(denial.risk).ok();
    let risk = risk.as_ref().and_then(|risk| risk.as_str()).unwrap_or("?");
    let mut text = format!(
        "{}  {}  risk {risk}  {} session {}\n",
        denial.id,
        view.state,
        visible(&view.source),
        visible(&view.session),
    );
    for line in denial.call.lines() {
        let _infallible = writeln!(text, "  | {}", visible(line));
    }
    let hash: String = denial.key.as_str().chars().take(16).collect();
    let _infallible = writeln!(
        text,
        "  denied: {}\n  hash {hash}",
        visible(&denial.rationale)
    );
    text
}
