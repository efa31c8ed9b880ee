//! Holds the lexer to one answer of bash.

mod claims;
mod matching;
mod never_ran;
mod opened;
mod spans;

use crate::answer::{Answer, Ran, Runs};
use crate::bytes::Bytes;
use claims::Claim;
pub(crate) use claims::of_word;
use countersign_lexer::{Dialect, Options, Script, Status, lex};
pub(crate) use matching::Slot;
use matching::matches;
use serde::Serialize;

/// What can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// bash ran a command that is not reported.
    Missing,
    /// bash ran a command whose reported form has other words.
    Different,
    /// bash ran something before a syntax error that is not reported.
    MissingBeforeError,
    /// Something that another command runs (`eval`, `bash -c`, `xargs`) is not reported.
    MissingEffect,
    /// A command without dynamic words is reported and can only have run, but did not.
    NeverRan,
    /// A literal target of a redirection was never opened.
    NotOpened,
    /// A word on its own is lexed into something else.
    Span,
    /// bash accepts what the lexer rejects.
    RejectsValid,
    /// bash rejects what the lexer accepts.
    AcceptsInvalid,
}

impl Kind {
    /// All of them, worst first.
    pub const ALL: [Self; 9] = [
        Self::Missing,
        Self::Different,
        Self::MissingBeforeError,
        Self::MissingEffect,
        Self::NeverRan,
        Self::NotOpened,
        Self::Span,
        Self::RejectsValid,
        Self::AcceptsInvalid,
    ];

    /// Whether it breaks a promise of the lexer, so that the test must fail.
    pub fn breaks_a_promise(self) -> bool {
        !matches!(
            self,
            Self::MissingEffect | Self::RejectsValid | Self::AcceptsInvalid
        )
    }

    /// The name in tables and rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Different => "different",
            Self::MissingBeforeError => "missing-before-error",
            Self::MissingEffect => "missing-effect",
            Self::NeverRan => "never-ran",
            Self::NotOpened => "not-opened",
            Self::Span => "span",
            Self::RejectsValid => "rejects-valid",
            Self::AcceptsInvalid => "accepts-invalid",
        }
    }
}

const LONGEST_DETAIL: usize = 600;

/// One disagreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// What is wrong.
    pub kind: Kind,
    /// What bash did or did not do, and what the lexer said.
    pub detail: String,
}

/// How lexer and `bash -n` compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agreement {
    /// Both accept.
    Accepted,
    /// Both reject.
    Rejected,
    /// bash accepts; the lexer says that it does not understand part of it.
    OpaqueValid,
    /// bash rejects; the lexer says that it does not understand part of it.
    OpaqueInvalid,
    /// The lexer reached a limit.
    TooBig,
    /// The lexer rejects what bash rejects as well, but not under `-n`.
    BlindSpot,
    /// bash accepts, the lexer rejects.
    RejectsValid,
    /// bash rejects, the lexer accepts.
    AcceptsInvalid,
}

/// What judging one answer gave.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// What the lexer said.
    pub status: Status,
    /// Accepted or rejected, by whom.
    pub agreement: Agreement,
    /// Everything that is wrong.
    pub problems: Vec<Problem>,
    /// Commands that bash ran and that were looked for in the report.
    pub looked_for: usize,
    /// Of these, found only with a wildcard for some word.
    pub by_wildcard: usize,
    /// Of these, found only because the name of a reported command is not known.
    pub by_unknown_name: usize,
    /// Literal words that bash passed exactly so.
    pub exact_words: usize,
    /// Literal targets that were looked for among the opened files.
    pub targets: usize,
    /// Words that were lexed on their own.
    pub spans: usize,
}

/// How the judged lexer is called: the answers are those of bash.
pub fn options() -> Options {
    Options {
        dialect: Dialect::Bash,
        ..Options::default()
    }
}

/// The words of every command of a script that has any.
pub(crate) fn reported(script: &Script) -> Vec<Vec<Slot>> {
    let claims = claims::of_script(script).into_iter();
    claims.map(|claim| claim.slots).collect()
}

/// The words of every command that other commands run.
pub(crate) fn reported_effects(source: &[u8]) -> Vec<Vec<Slot>> {
    let claims = claims::of_effects(source).claims.into_iter();
    claims.map(|claim| claim.slots).collect()
}

/// Judges the lexer by one answer.
pub fn judge(answer: &Answer) -> Verdict {
    let source = answer.command.0.as_slice();
    let script = lex(source, &options());
    let mut verdict = Verdict {
        status: script.status(),
        agreement: agreement(answer, &script),
        problems: Vec::new(),
        looked_for: 0,
        by_wildcard: 0,
        by_unknown_name: 0,
        exact_words: 0,
        targets: 0,
        spans: 0,
    };
    match verdict.agreement {
        Agreement::RejectsValid => verdict.add(Kind::RejectsValid, diagnostics(&script)),
        Agreement::AcceptsInvalid => {
            let message = answer.check.message.trim_end().to_owned();
            verdict.add(Kind::AcceptsInvalid, message);
        }
        _ => {}
    }
    spans::judge(&script, &mut verdict);
    let Some(runs) = &answer.runs else {
        return verdict;
    };
    let judged = match script.status() {
        Status::Complete | Status::Warnings => true,
        Status::SyntaxError => !answer.check.accepts(),
        Status::Opaque | Status::TooBig => false,
    };
    if judged && !hides_its_trace(&script) {
        let effects = claims::of_effects(source);
        let mut claims = claims::of_script(&script);
        claims.extend(effects.claims);
        soundness(&script, &claims, effects.open, runs, &mut verdict);
        if verdict.agreement == Agreement::Accepted {
            never_ran::judge(&script, &claims, runs, &mut verdict);
            opened::judge(&script, &claims, runs, &mut verdict);
        }
    }
    verdict
}

impl Verdict {
    fn add(&mut self, kind: Kind, mut detail: String) {
        if let Some((end, _)) = detail.char_indices().nth(LONGEST_DETAIL) {
            detail.truncate(end);
            detail.push('…');
        }
        self.problems.push(Problem { kind, detail });
    }

    /// Whether there is a problem of this kind.
    pub fn has(&self, kind: Kind) -> bool {
        self.problems.iter().any(|problem| problem.kind == kind)
    }
}

fn diagnostics(script: &Script) -> String {
    let shown = script.diagnostics().iter().map(|found| {
        let span = found.span;
        format!("{} at {}..{}", found.kind, span.start, span.end)
    });
    shown.collect::<Vec<_>>().join("; ")
}

fn agreement(answer: &Answer, script: &Script) -> Agreement {
    match (answer.check.accepts(), script.status()) {
        (_, Status::TooBig) => Agreement::TooBig,
        (false, Status::Opaque) => Agreement::OpaqueInvalid,
        (false, Status::SyntaxError) => Agreement::Rejected,
        (true, _) if fails_silently(answer) => Agreement::BlindSpot,
        (true, Status::SyntaxError) if fails_later(answer) => Agreement::BlindSpot,
        (true, Status::Complete | Status::Warnings) => Agreement::Accepted,
        (true, Status::Opaque) => Agreement::OpaqueValid,
        (true, Status::SyntaxError) => Agreement::RejectsValid,
        // `-n` runs no `shopt`, so it does not know the patterns that an earlier line allows.
        (false, _) if contains(&answer.command.0, b"extglob") => Agreement::BlindSpot,
        (false, _) => Agreement::AcceptsInvalid,
    }
}

/// `-n` does not look inside `${ }`, backquotes and arithmetic; a run does.
fn fails_later(answer: &Answer) -> bool {
    let complaints: [&[u8]; 5] = [
        b"syntax error",
        b"bad substitution",
        b"unexpected EOF",
        b"arithmetic",
        b"operand expected",
    ];
    let message = answer.runs.as_ref().map(|runs| runs.message.as_bytes());
    message.is_some_and(|message| complaints.iter().any(|text| contains(message, text)))
}

/// bash says nothing about some errors inside `[[ ]]`, ends with 0 and runs nothing.
fn fails_silently(answer: &Answer) -> bool {
    let runs = answer.runs.as_ref();
    contains(&answer.command.0, b"[[") && runs.is_some_and(|runs| runs.ran.is_empty())
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|found| found == part)
}

/// Setting the prompt of the trace runs code in it, and makes the trace unreadable.
fn hides_its_trace(script: &Script) -> bool {
    [&b"PS4"[..], b"BASH_ENV", b"SHELLOPTS", b"BASH_XTRACEFD"]
        .iter()
        .any(|name| contains(script.source(), name))
}

/// Everything that bash ran is reported.
fn soundness(script: &Script, claims: &[Claim], open: bool, runs: &Runs, verdict: &mut Verdict) {
    for ran in &runs.ran {
        let found = claims
            .iter()
            .filter(|claim| is(claim, ran))
            .max_by_key(|claim| {
                (
                    claim.head().is_some(),
                    claim.is_exact(),
                    claim.exact_words(),
                )
            });
        if let Some(claim) = found {
            verdict.looked_for = verdict.looked_for.saturating_add(1);
            let words = claim.exact_words();
            verdict.exact_words = verdict.exact_words.saturating_add(words);
            if claim.head().is_none() {
                verdict.by_unknown_name = verdict.by_unknown_name.saturating_add(1);
            }
            if !claim.is_exact() {
                verdict.by_wildcard = verdict.by_wildcard.saturating_add(1);
            }
            continue;
        }
        if is_default_of_xargs(ran, claims) {
            continue;
        }
        let derived = ran.depth > 0 || claims.iter().any(runs_others);
        if derived && open {
            continue;
        }
        verdict.looked_for = verdict.looked_for.saturating_add(1);
        let kind = match (derived, script.status()) {
            (true, _) => Kind::MissingEffect,
            (_, Status::SyntaxError) => Kind::MissingBeforeError,
            _ if resembles_one(ran, claims, runs) => Kind::Different,
            _ => Kind::Missing,
        };
        verdict.add(kind, detail(ran, claims));
    }
}

/// Whether this command is what is claimed, by its own name for itself or by its program's.
fn is(claim: &Claim, ran: &Ran) -> bool {
    matches(&claim.slots, &ran.argv)
        || ran.program.as_ref().is_some_and(|program| {
            let rest = ran.argv.iter().skip(1).cloned();
            let argv: Vec<Bytes> = std::iter::once(program.clone()).chain(rest).collect();
            matches(&claim.slots, &argv)
        })
}

fn detail(ran: &Ran, claims: &[Claim]) -> String {
    let claims: Vec<String> = claims.iter().map(Claim::shown).collect();
    format!("bash ran {:?}, reported: {}", ran.argv, claims.join(" / "))
}

/// Without a command `xargs` runs `echo`, which nobody needs to know.
fn is_default_of_xargs(ran: &Ran, claims: &[Claim]) -> bool {
    let echo = ran.argv.first().is_some_and(|name| name.0 == b"echo");
    echo && claims.iter().any(|claim| claim.head() == Some(b"xargs"))
}

/// Whether a claim that nothing else bears out has half of the words.
fn resembles_one(ran: &Ran, claims: &[Claim], runs: &Runs) -> bool {
    let idle = |claim: &&Claim| !runs.ran.iter().any(|ran| matches(&claim.slots, &ran.argv));
    claims.iter().filter(idle).any(|claim| {
        let pairs = claim.slots.iter().zip(&ran.argv);
        let same = pairs
            .filter(|(slot, word)| matches!(slot, Slot::Exactly(bytes) if *bytes == word.0))
            .count();
        same.saturating_mul(2) >= claim.slots.len()
    })
}

/// Programs and builtins that run what they are given.
const RUNNERS: &[&str] = &[
    "bash",
    "sh",
    "eval",
    "source",
    ".",
    "trap",
    "env",
    "xargs",
    "find",
    "timeout",
    "nice",
    "nohup",
    "setsid",
    "stdbuf",
    "command",
    "builtin",
    "exec",
    "coproc",
    "time",
    "let",
    "declare",
    "typeset",
    "local",
    "export",
    "readonly",
    "printf",
    "read",
    "unset",
    "test",
    "[",
    "mapfile",
    "readarray",
    "wait",
    "compgen",
    "complete",
    "bind",
    "fc",
    "getopts",
    "hash",
    "alias",
];

fn runs_others(claim: &Claim) -> bool {
    match claim.head() {
        None => true,
        Some(head) => {
            let name = head.rsplit(|byte| *byte == b'/').next().unwrap_or(head);
            RUNNERS.iter().any(|runner| runner.as_bytes() == name)
        }
    }
}
