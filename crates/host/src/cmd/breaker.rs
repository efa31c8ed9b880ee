//! Breakers, revise budgets and grants, as persons see and reset them.

use super::subject::Format;
use crate::cli::Global;
use crate::config;
use crate::reason::visible;
use crate::{Exit, output, person, store};
use clap::{Args, Subcommand};
use countersign_broker::{BreakerView, Limits};
use serde::Serialize;
use std::fmt::Write as _;

/// How many rows are looked through.
const ROWS: usize = 10_000;

#[derive(Debug, Clone, Args)]
pub(crate) struct BreakerArgs {
    #[command(subcommand)]
    what: BreakerWhat,
}

#[derive(Debug, Clone, Subcommand)]
enum BreakerWhat {
    /// Print what has been counted, open breakers first
    Show(Shown),
    /// Close a breaker, so that calls are reviewed again (from a person's terminal)
    Reset {
        /// The breaker, as `countersign breaker show` names it; all that are open where none is given
        id: Option<String>,
    },
}

#[derive(Debug, Clone, Args)]
pub(crate) struct BudgetArgs {
    #[command(subcommand)]
    what: BudgetWhat,
}

#[derive(Debug, Clone, Subcommand)]
enum BudgetWhat {
    /// Print how often calls were sent back to be changed
    Show(Shown),
    /// Let a call be sent back more often (from a person's terminal)
    Extend {
        /// The intent, as `countersign budget show` names it
        intent: String,
        /// How often
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=16))]
        by: u32,
    },
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Shown {
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn breaker(global: &Global, args: &BreakerArgs) -> Result<Exit, String> {
    match &args.what {
        BreakerWhat::Show(shown) => {
            let views = breakers(global)?;
            print(shown, &views, "nothing has been counted", |view| {
                format!(
                    "{}  {:<6} {:<6} {} in a row, {} among the last  {}\n",
                    short(&view.id),
                    if view.open { "OPEN" } else { "closed" },
                    view.kind,
                    view.in_a_row,
                    view.denials,
                    visible(&view.of.join(" ")),
                )
            })
        }
        BreakerWhat::Reset { id } => {
            person::required("a breaker is reset")?;
            reset(global, id.as_deref())
        }
    }
}

/// Closes every open breaker.
pub(crate) fn reset_all(global: &Global) -> Result<Exit, String> {
    person::required("breakers are reset")?;
    reset(global, None)
}

fn reset(global: &Global, id: Option<&str>) -> Result<Exit, String> {
    let dirs = global.dirs()?;
    let mut audit = config::audit_log(&dirs);
    let mut views = breakers(global)?;
    views.retain(|view| id.map_or(view.open, |id| view.id.starts_with(id)));
    if let (Some(id), [_, _, ..] | []) = (id, views.as_slice()) {
        return Err(format!(
            "{} breakers are named {id}; `countersign breaker show` lists them",
            views.len()
        ));
    }
    let store = store::of(&dirs, &[]);
    for view in &views {
        countersign_broker::reset_breaker(&store, &mut audit, view)
            .map_err(|error| error.to_string())?;
    }
    output::print(&match views.len() {
        0 => "no breaker is open\n".to_owned(),
        1 => "closed: calls are reviewed again\n".to_owned(),
        many => format!("{many} breakers are closed: calls are reviewed again\n"),
    })?;
    Ok(Exit::Done)
}

fn breakers(global: &Global) -> Result<Vec<BreakerView>, String> {
    let dirs = global.dirs()?;
    let mut views = countersign_broker::breakers(&store::of(&dirs, &[]), ROWS)
        .map_err(|error| error.to_string())?;
    views.sort_by_key(|view| !view.open);
    Ok(views)
}

/// How many breakers are open.
pub(crate) fn open(global: &Global) -> Result<usize, String> {
    Ok(breakers(global)?.iter().filter(|view| view.open).count())
}

pub(crate) fn budget(global: &Global, args: &BudgetArgs) -> Result<Exit, String> {
    let dirs = global.dirs()?;
    let store = store::of(&dirs, &[]);
    let limits = limits(global)?;
    let views =
        countersign_broker::budgets(&store, &limits, ROWS).map_err(|error| error.to_string())?;
    match &args.what {
        BudgetWhat::Show(shown) => print(shown, &views, "nothing was sent back", |view| {
            format!(
                "{}  sent back {} times, {} left  {} {}\n",
                short(&view.intent),
                view.used,
                view.left,
                visible(&view.session),
                visible(&view.scope),
            )
        }),
        BudgetWhat::Extend { intent, by } => {
            person::required("a budget is extended")?;
            let mut views = views;
            views.retain(|view| view.intent.starts_with(intent.as_str()));
            let [view] = views.as_slice() else {
                return Err(format!(
                    "{} intents are named {intent}; `countersign budget show` lists them",
                    views.len()
                ));
            };
            let mut audit = config::audit_log(&dirs);
            let left = countersign_broker::extend_budget(&store, &mut audit, view, *by, &limits)
                .map_err(|error| error.to_string())?;
            output::print(&format!("it may be sent back {left} times more\n"))?;
            Ok(Exit::Done)
        }
    }
}

fn limits(global: &Global) -> Result<Limits, String> {
    let cwd = std::env::current_dir().map_err(|error| error.to_string())?;
    config::load(&global.dirs()?, &[cwd.to_string_lossy().into_owned()])
        .map(|loaded| loaded.limits)
        .map_err(|error| error.to_string())
}

#[derive(Debug, Clone, Args)]
pub(crate) struct GrantsArgs {
    #[command(flatten)]
    shown: Shown,
}

pub(crate) fn grants(global: &Global, args: &GrantsArgs) -> Result<Exit, String> {
    let dirs = global.dirs()?;
    let views = countersign_broker::grants(&store::of(&dirs, &[]), ROWS)
        .map_err(|error| error.to_string())?;
    print(&args.shown, &views, "no grant is remembered", |view| {
        format!(
            "{}  {:<7}  {} {}  session {}  call {}\n",
            view.id,
            view.state,
            visible(&view.source),
            visible(view.tool.as_deref().unwrap_or_default()),
            visible(&view.session),
            short(view.digest.as_str()),
        )
    })
}

fn short(id: &str) -> String {
    id.chars().take(12).collect()
}

fn print<T: Serialize>(
    shown: &Shown,
    views: &[T],
    nothing: &str,
    line: impl Fn(&T) -> String,
) -> Result<Exit, String> {
    let mut text = String::new();
    match shown.format {
        Format::Json => {
            for view in views {
                text.push_str(&serde_json::to_string(view).map_err(|error| error.to_string())?);
                text.push('\n');
            }
        }
        Format::Text if views.is_empty() => {
            let _infallible = writeln!(text, "{nothing}");
        }
        Format::Text => text.extend(views.iter().map(line)),
    }
    output::print(&text)?;
    Ok(Exit::Done)
}
