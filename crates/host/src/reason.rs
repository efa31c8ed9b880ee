//! The text that says why, for the agent and for people.

pub(crate) use crate::visible::visible;
use crate::visible::visible_in_escapes;
use countersign_core::{Decision, Risk, RuleHit, Severity, Stage, Verdict};
use std::fmt::Write as _;

/// The longest reason given to an agent, in bytes.
const MAX_REASON: usize = 4_000;

/// One paragraph that names the rule, the real target and a safer way.
pub(crate) fn for_agent(decision: &Decision) -> String {
    let mut text = String::from("Countersign: ");
    text.push_str(headline(decision));
    for hit in decision
        .reasons
        .iter()
        .filter(|hit| hit.severity != Severity::Allow)
        .take(5)
    {
        let _infallible = write!(text, " {}", visible(&sentence(hit)));
    }
    for line in review(decision) {
        let _infallible = write!(text, " {line}");
    }
    for diagnostic in &decision.diagnostics {
        let _infallible = write!(text, " {}.", visible(diagnostic));
    }
    if decision.verdict == Verdict::Deny {
        text.push_str(ending(decision));
    }
    truncate(text)
}

/// What happened, in one sentence.
pub(crate) fn headline(decision: &Decision) -> &'static str {
    match (decision.verdict, decision.code.as_str()) {
        (_, "hard-deny") => "denied by a hard rule, which nothing at run time can lift.",
        (_, "rule-deny") => "denied by a rule of the owner.",
        (_, "lockdown") => "everything is denied: a person has locked the gate down.",
        (_, "cancelled") => "denied: the turn was cancelled.",
        (_, "too-big") => "denied: the call is too big to be judged.",
        (_, "invalid-request") => "denied: the call could not be understood.",
        (_, "review-unavailable") => "nobody has judged this: the review is unavailable.",
        (_, "audit-unavailable") => "denied: the decision could not be recorded.",
        (_, "store-unavailable") => {
            "denied: what was decided before cannot be read, or this could not be kept."
        }
        (Verdict::Allow, "answered") => "allowed: a person allowed this call before it came again.",
        (_, "answered") => "denied: a person denied this call before it came again.",
        (_, "approved") => "allowed: a person approved this one retry.",
        (_, "break-glass") => "allowed: a person broke the glass for this one retry.",
        (_, "denied-before") => {
            "denied: the same was denied before, and too much was denied to review it again."
        }
        (Verdict::Deny, "breaker") => {
            "denied: too many calls were denied, so none is reviewed now."
        }
        (_, "breaker") => "a person decides this: too many calls were denied to review more.",
        (_, "resubmitted") => "denied: it was answered before, and comes back unchanged.",
        (_, "revise-budget-exhausted") => {
            "not sent back once more: it was changed as often as may be."
        }
        (_, "review-suspended") => "nobody has judged this: reviews have failed again and again.",
        (_, "read-only") => "allowed: it only reads ordinary places.",
        (_, "rule-allow") => "allowed by a rule of the owner.",
        (_, "no-effect") => "the tool has no effect of its own.",
        (_, "undecided") => "nothing speaks against it, and nobody has decided it.",
        (Verdict::Deny, _) if decision.stage == Stage::Failure => "denied: Countersign failed.",
        (Verdict::Allow, "reviewed") => "allowed by review.",
        (Verdict::Deny, "reviewed") => "denied by review.",
        (Verdict::Allow, _) => "allowed.",
        (Verdict::Revise, _) => "not as it is.",
        (Verdict::Defer, _) => "a person decides this.",
        (Verdict::Deny, _) => "denied.",
    }
}

/// What a reviewer said, or why it said nothing; a sentence each, with everything in it visible.
pub(crate) fn review(decision: &Decision) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(review) = &decision.review {
        let who = review.reviewer.as_deref().unwrap_or("The reviewer");
        lines.push(visible(&format!("{who}: {}", stopped(&review.rationale))));
        if let Some(instruction) = &review.instruction {
            lines.push(visible(&format!(
                "Do this instead: {}",
                stopped(instruction)
            )));
        }
        if let Some(replacement) = &review.replacement {
            let input = serde_json::Value::Object(replacement.clone());
            let input = visible_in_escapes(&input.to_string());
            lines.push(format!("The input would be {input}."));
        }
    }
    if let Some(failure) = &decision.failure {
        lines.push(visible(&format!(
            "{}; nothing was judged unsafe.",
            stopped_not(&failure.to_string())
        )));
    }
    lines
}

fn stopped(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

fn stopped_not(text: &str) -> &str {
    text.trim().trim_end_matches('.')
}

/// A rule, its target and its reason.
pub(crate) fn sentence(hit: &RuleHit) -> String {
    let mut text = format!("[{}] ", hit.rule);
    if let Some(target) = &hit.target {
        let _infallible = write!(text, "`{target}`");
        if let Some(resolved) = hit.resolved.as_ref().filter(|resolved| *resolved != target) {
            let _infallible = write!(text, " (really `{resolved}`)");
        }
        text.push_str(": ");
    }
    let _infallible = write!(text, "{}.", hit.why);
    if let Some(safer) = &hit.safer {
        let _infallible = write!(text, " Safer: {safer}.");
    }
    text
}

fn is_critical(decision: &Decision) -> bool {
    decision
        .review
        .as_ref()
        .is_some_and(|review| review.risk == Risk::Critical)
}

fn ending(decision: &Decision) -> &'static str {
    match decision.stage {
        Stage::Deny => {
            " This was not a person's click. Do not reword the call or work around it; take the safer way, or ask the user."
        }
        Stage::Request | Stage::Review if decision.code == "too-big" => {
            " Split it into smaller calls."
        }
        Stage::Join if is_critical(decision) => {
            " This was not a person's click. Do not reword the call or work around it; find a safer way, or ask the user, who can let exactly this call run once with `countersign break-glass` in a terminal."
        }
        Stage::Join => {
            " This was not a person's click. Do not reword the call or work around it; find a safer way, or ask the user, who can let exactly this call run once with `countersign approve` in a terminal."
        }
        Stage::Breaker | Stage::ReviseBudget => {
            " This was not a person's click. Do not reword the call or work around it. Stop, and tell the user what was denied and why you wanted it: a new message of the user begins anew."
        }
        Stage::Review => " Tell the user; `countersign reviewer show` says who is asked.",
        _ => " Tell the user.",
    }
}

fn truncate(mut text: String) -> String {
    if text.len() > MAX_REASON {
        let cut = (0..=MAX_REASON)
            .rev()
            .find(|&at| text.is_char_boundary(at))
            .unwrap_or(0);
        text.truncate(cut);
        text.push_str(" …");
    }
    text
}
