use super::subject::SubjectArgs;
use crate::cli::Global;
use crate::config::load;
use crate::gate::{Outcome, Unrecorded, judge_and_decide};
use crate::reason::{headline, review, visible};
use crate::{Exit, facts, output};
use clap::Args;
use countersign_broker::Situation;
use countersign_core::{
    CommandView, Decision, DeferKind, Effect, EffectKind, Place, Request, RuleHit, Severity, Stage,
    Target, Verdict, Zone,
};
use countersign_policy::Policy;
use std::fmt::Write as _;

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
        &mut Unrecorded,
    );
    let mut text = render(&request, &outcome);
    let undecided = outcome.decision.stage == Stage::Undecided && !outcome.judgement.no_effect;
    if undecided && !asks.is_empty() {
        let _infallible = writeln!(
            text,
            "  that is by rules alone; before that, {asks} would be asked, as `check` does"
        );
    }
    output::print(&text)?;
    Ok(Exit::Done)
}

/// The whole explanation, as text.
pub(crate) fn render(request: &Request, outcome: &Outcome) -> String {
    let mut text = String::new();
    let asked = request
        .command
        .as_deref()
        .or(request.tool_name.as_deref())
        .unwrap_or_default();
    let _infallible = writeln!(text, "{}\n", visible(asked));
    let judgement = &outcome.judgement;
    for (at, view) in judgement.commands.iter().enumerate() {
        let index = u32::try_from(at).unwrap_or(u32::MAX);
        command(&mut text, index, view);
        let mut shown = Vec::new();
        for effect in judgement
            .effects
            .iter()
            .filter(|effect| effect.command == index)
        {
            let line = effect_line(effect);
            if !shown.contains(&line) {
                let _infallible = writeln!(text, "       {line}");
                shown.push(line);
            }
        }
        let runs_others = judgement
            .commands
            .iter()
            .any(|other| other.parent == Some(index));
        match (shown.is_empty(), runs_others) {
            (true, true) => text.push_str("       runs what is listed below\n"),
            (true, false) if view.known => text.push_str("       only reads\n"),
            _ => {}
        }
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
    text.push('\n');
    text.push_str(&verdict(&outcome.decision));
    text
}

fn command(text: &mut String, index: u32, view: &CommandView) {
    let words: Vec<String> = view
        .argv
        .iter()
        .zip(view.dynamic.iter().chain(std::iter::repeat(&false)))
        .map(|(word, dynamic)| if *dynamic { word.clone() } else { quoted(word) })
        .collect();
    let place = match view.place {
        Place::Here => "",
        Place::Remote => ", on another host",
        Place::Container => ", in a container",
    };
    let context = match view.context.as_str() {
        "top" => String::new(),
        context => format!("   ({context}{place})"),
    };
    let number = index.saturating_add(1);
    let _infallible = writeln!(text, "{number:>3}  {}{context}", visible(&words.join(" ")));
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,~*?[]{}^#".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn effect_line(effect: &Effect) -> String {
    let what = match effect.kind {
        EffectKind::Read => "reads",
        EffectKind::Run => "runs something that is not known",
        EffectKind::WorkspaceCode => "runs code of the workspace",
        EffectKind::Write => "writes",
        EffectKind::Delete => "deletes",
        EffectKind::Move => "moves away",
        EffectKind::Permission => "changes the mode or owner of",
        EffectKind::Send => "sends data",
        EffectKind::Receive => "fetches",
        EffectKind::Listen => "listens for connections",
        EffectKind::Environment => "sets a variable",
        EffectKind::Privilege => "gains rights",
        EffectKind::Persistence => "arranges to run again later",
        EffectKind::Process => "acts on processes or the system",
        EffectKind::VcsWrite => "changes version control",
        EffectKind::Opaque => "cannot be known before it runs",
    };
    let on = match &effect.target {
        None => String::new(),
        Some(Target::Path {
            typed,
            resolved,
            zone,
        }) => {
            let real = resolved.as_ref().filter(|real| *real != typed);
            let real = real
                .map(|real| format!(" → {}", visible(real)))
                .unwrap_or_default();
            format!(" {}{real}  ({})", visible(typed), place_of(*zone))
        }
        Some(Target::Host { host }) => format!(" {}", visible(host)),
        Some(Target::Name { name }) => format!(" {}", visible(name)),
    };
    let tags: Vec<&str> = effect
        .tags
        .iter()
        .map(|tag| &**tag)
        .filter(|tag| {
            !matches!(
                *tag,
                "truncate" | "create" | "append" | "edit" | "whole" | "script" | "redirect"
            )
        })
        .collect();
    let tags = if tags.is_empty() {
        String::new()
    } else {
        format!("  [{}]", tags.join(", "))
    };
    format!("{what}{on}{tags}")
}

fn place_of(zone: Zone) -> &'static str {
    match zone {
        Zone::Root => "the whole file system",
        Zone::System => "the operating system's",
        Zone::Device => "a device",
        Zone::Home => "a whole home directory",
        Zone::InHome => "in a home directory, outside the workspace",
        Zone::WorkspaceRoot => "the whole workspace",
        Zone::Workspace => "in the workspace",
        Zone::Build => "made anew by building",
        Zone::Temp => "temporary",
        Zone::TempRoot => "everything that is temporary",
        Zone::Null => "kept nowhere",
        Zone::Elsewhere => "outside the workspace",
        Zone::Unknown => "only known when it runs",
    }
}

fn rule(text: &mut String, hit: &RuleHit) {
    let (mark, weight) = match hit.severity {
        Severity::Hard => ("✗", "never"),
        Severity::Deny => ("✗", "denied by the owner"),
        Severity::Soft => ("!", "not unless asked for"),
        Severity::Ask => ("?", "a person looks"),
        Severity::Allow => ("✓", "allowed by the owner"),
    };
    let pattern = match (hit.severity, &hit.target) {
        (Severity::Deny | Severity::Ask | Severity::Allow, Some(pattern))
            if hit.rule.starts_with("permissions.") =>
        {
            format!(" {}", visible(pattern))
        }
        _ => String::new(),
    };
    let _infallible = writeln!(
        text,
        "     {mark} {}{pattern} ({weight}): {}",
        hit.rule,
        visible(&hit.why)
    );
    if let Some(safer) = &hit.safer {
        let _infallible = writeln!(text, "       safer: {}", visible(safer));
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
    for line in review(decision).iter().chain(&decision.diagnostics) {
        let _infallible = writeln!(text, "  {}", visible(line));
    }
    text
}
