mod words;

use super::subject::SubjectArgs;
use crate::agent::claude_code::Reply;
use crate::cli::Global;
use crate::config::commands::Known;
use crate::config::{Undecided, load};
use crate::gate::{Outcome, Unrecorded, judge_and_decide};
use crate::paths::Dirs;
use crate::reason::{headline, review, visible};
use crate::visible::visible_in_escapes;
use crate::{Exit, facts, output};
use clap::Args;
use countersign_broker::Situation;
use countersign_core::{
    CommandView, Decision, DeferKind, Facts, Judgement, Request, RuleHit, Stage, Target, Verdict,
};
use countersign_policy::{Policy, Settings};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The characters shown of a tool's input.
const MAX_INPUT: usize = 400;
/// The facts shown.
const MAX_FACTS: usize = 12;

#[derive(Debug, Clone, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    subject: SubjectArgs,
}

/// Shows the way from text to commands, effects, rules and verdict.
pub(crate) fn run(global: &Global, args: &ExplainArgs) -> Result<Exit, String> {
    let mut subject = args.subject.subject()?;
    let dirs = global.dirs()?;
    subject.facts.own = facts::own_paths(&dirs, &subject.facts.home, &subject.facts.roots);
    let loaded = load(&dirs, &subject.facts.roots).map_err(|error| error.to_string())?;
    let asks = loaded.review.ask.join(", ");
    let policy = Policy::new(loaded.settings);
    let request = subject.request.clone();
    let outcome = judge_and_decide(
        &policy,
        &request,
        subject.facts,
        Situation::default(),
        None,
        None,
        &mut Unrecorded,
    );
    let ask_undecided = loaded.undecided == Undecided::Ask;
    let told = match Reply::lower(&outcome.decision, ask_undecided) {
        Reply::Allow(reason) | Reply::Ask(reason) | Reply::Deny(reason) => Some(reason),
        _ => None,
    };
    let mut text = render(&request, &outcome, told.as_deref());
    let undecided = outcome.decision.stage == Stage::Undecided && !outcome.judgement.no_effect;
    if undecided && !asks.is_empty() {
        let _infallible = writeln!(
            text,
            "  that is by rules alone; before that, {asks} would be asked, as `check` does"
        );
    }
    if undecided {
        missing_settings(&mut text, &policy, &request, &outcome.judgement);
    }
    own_files(&mut text, &outcome.judgement, &loaded.commands);
    unknown_programs(&mut text, &outcome.judgement, &dirs);
    output::print(&text)?;
    Ok(Exit::Done)
}

/// The whole explanation, as text. `told` is what the agent would be told, if anything.
pub(crate) fn render(request: &Request, outcome: &Outcome, told: Option<&str>) -> String {
    let judgement = &outcome.judgement;
    let mut text = format!("{}\n\n", asked(request));
    for (at, view) in judgement.commands.iter().enumerate() {
        let index = u32::try_from(at).unwrap_or(u32::MAX);
        command(&mut text, request, index, view);
        effects(&mut text, judgement, index, view);
        for hit in judgement
            .hits
            .iter()
            .filter(|hit| hit.command == Some(index))
        {
            rule(&mut text, hit);
        }
    }
    for hit in judgement.hits.iter().filter(|hit| hit.command.is_none()) {
        rule(&mut text, hit);
    }
    facts(&mut text, &judgement.observed);
    let _infallible = write!(text, "\n{}", verdict(&outcome.decision));
    if let Some(told) = told {
        let _infallible = writeln!(text, "  the agent is told:\n    {told}");
    }
    text
}

/// The call as it was asked about.
fn asked(request: &Request) -> String {
    if let Some(command) = &request.command {
        return visible(command);
    }
    let tool = visible(request.tool_name.as_deref().unwrap_or_default());
    match &request.input {
        Some(input) => {
            let input = serde_json::Value::Object(input.clone()).to_string();
            format!("{tool} {}", visible_in_escapes(&shortened(&input)))
        }
        None => tool,
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_INPUT) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn command(text: &mut String, request: &Request, index: u32, view: &CommandView) {
    let words: Vec<String> = view
        .argv
        .iter()
        .zip(view.dynamic.iter().chain(std::iter::repeat(&false)))
        .map(|(word, dynamic)| if *dynamic { word.clone() } else { quoted(word) })
        .collect();
    let source = request.command.as_deref().unwrap_or_default();
    let shown = if words.is_empty() {
        source.get(view.span.0..view.span.1).unwrap_or_default()
    } else {
        &words.join(" ")
    };
    let found = words::found(view);
    let found = if found.is_empty() {
        found
    } else {
        format!("   ({found})")
    };
    let number = index.saturating_add(1);
    let _infallible = writeln!(text, "{number:>3}  {}{found}", visible(shown));
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,~*?[]{}^#".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn effects(text: &mut String, judgement: &Judgement, index: u32, view: &CommandView) {
    let mut shown = Vec::new();
    for effect in judgement
        .effects
        .iter()
        .filter(|effect| effect.command == index)
    {
        let line = words::effect(effect);
        if !shown.contains(&line) {
            let _infallible = writeln!(text, "       {line}");
            shown.push(line);
        }
    }
    let runs_others = judgement
        .commands
        .iter()
        .any(|other| other.parent == Some(index));
    if !shown.is_empty() || view.argv.is_empty() {
        return;
    }
    text.push_str(match (runs_others, view.known) {
        (true, _) => "       runs what is listed below\n",
        (false, true) => "       only reads\n",
        (false, false) => "       does nothing of its own\n",
    });
}

fn rule(text: &mut String, hit: &RuleHit) {
    let (mark, weight) = words::severity(hit.severity);
    let met = match (&hit.target, &hit.resolved) {
        (Some(target), Some(real)) if target != real => {
            format!(" on {} → {}", visible(target), visible(real))
        }
        (Some(target), _) => format!(" on {}", visible(target)),
        (None, _) => String::new(),
    };
    let _infallible = writeln!(
        text,
        "     {mark} {}{met} ({weight})\n       why: {}",
        hit.rule,
        visible(&hit.why)
    );
    if let Some(safer) = &hit.safer {
        let _infallible = writeln!(text, "       safer: {}", visible(safer));
    }
}

fn facts(text: &mut String, observed: &Facts) {
    let lines = words::facts(observed);
    let (shown, more) = lines.split_at(lines.len().min(MAX_FACTS));
    text.push_str("\nfacts used:\n");
    for line in shown {
        let _infallible = writeln!(text, "  {line}");
    }
    if !more.is_empty() {
        let _infallible = writeln!(
            text,
            "  and {} more; `check --format json` has all",
            more.len()
        );
    }
}

/// The settings with which the call would be allowed as a read is.
fn missing_settings(text: &mut String, policy: &Policy, request: &Request, judgement: &Judgement) {
    let now = policy.settings();
    for (remote_reads, plain_gets, names) in [
        (true, false, "remote_reads = true"),
        (false, true, "plain_gets = true"),
        (true, true, "remote_reads = true` and `plain_gets = true"),
    ] {
        let settings = Settings {
            remote_reads: remote_reads || now.remote_reads,
            plain_gets: plain_gets || now.plain_gets,
            ..now.clone()
        };
        let with = Policy::new(settings).judge(request, &judgement.observed);
        if with.read_only {
            let _infallible = writeln!(
                text,
                "\nto allow such reads, set `{names}` under [network] in your configuration"
            );
            return;
        }
    }
}

/// Which programs are known by files of the owner's.
fn own_files(text: &mut String, judgement: &Judgement, known: &[Known]) {
    let programs: BTreeSet<&str> = judgement
        .commands
        .iter()
        .filter(|view| view.known)
        .filter_map(CommandView::program)
        .collect();
    for program in programs {
        let of_program = |known: &&Known| known.names.iter().any(|name| name == program);
        if let Some(known) = known.iter().find(of_program) {
            let replaces = if known.replaces {
                ", in place of what is built in"
            } else {
                ""
            };
            let program = visible(program);
            let file = known.file.display();
            let _infallible = writeln!(text, "\n{program} is known by {file}{replaces}");
        }
    }
}

/// How to make programs known that are not.
fn unknown_programs(text: &mut String, judgement: &Judgement, dirs: &Dirs) {
    let mut unknown: Vec<&str> = Vec::new();
    for effect in &judgement.effects {
        let is_unknown = effect.tags.iter().any(|tag| tag == "unknown-program");
        if let (true, Some(Target::Name { name })) = (is_unknown, &effect.target)
            && !unknown.contains(&name.as_str())
        {
            unknown.push(name);
        }
    }
    if let [first, ..] = unknown.as_slice() {
        let (first, all) = (visible(first), visible(&unknown.join(", ")));
        let [folder, _] = dirs.commands();
        let _infallible = write!(
            text,
            "\nunknown program: {all}\n  \
             to decide such calls, allow, ask or deny `Bash({first}:*)` under [permissions]\n  \
             to have it known what it does, put a command file into {folder}:\n  \
             `countersign config command {first}` prints one to fill in\n",
            folder = folder.display()
        );
    }
}

/// The verdict in a line or two.
pub(crate) fn verdict(decision: &Decision) -> String {
    let word = match (decision.verdict, decision.defer) {
        (Verdict::Allow, _) => "ALLOW",
        (Verdict::Defer, Some(DeferKind::Flagged)) => "ASK",
        (Verdict::Defer, _) => "NO OPINION",
        (Verdict::Revise, _) => "REVISE",
        (Verdict::Deny, _) => "DENY",
    };
    let mut text = format!("{word}: {}\n", headline(decision));
    let mut named: Vec<&str> = Vec::new();
    for hit in &decision.reasons {
        if !named.contains(&hit.rule.as_str()) {
            named.push(&hit.rule);
        }
    }
    if !named.is_empty() {
        let _infallible = writeln!(text, "  because of {}", named.join(", "));
    }
    if decision.defer == Some(DeferKind::Undecided) && decision.code != "no-effect" {
        text.push_str(
            "  the agent's own permission flow decides, and where there is none, a person\n",
        );
    }
    let diagnostics = decision.diagnostics.iter().map(|line| visible(line));
    for line in review(decision).into_iter().chain(diagnostics) {
        let _infallible = writeln!(text, "  {line}");
    }
    text
}
