//! Which programs are met in files of commands, how often, and whether they are known.

use super::share;
use crate::cmd::subject::Subject;
use crate::reason::visible;
use countersign_core::{CommandView, Judgement};
use countersign_lexer::ScopeKind;
use countersign_policy::expand;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Programs that were met, as the analysis sees them: behind wrappers and in nested source too.
#[derive(Debug, Clone, Default)]
pub(super) struct Programs {
    /// How often each was met, and how often it was known.
    met: BTreeMap<String, (usize, usize)>,
    /// Calls of functions that the same script defines.
    functions: usize,
    /// Calls of files by their paths, which are no programs that could be known.
    files: usize,
    /// Calls of what is only known when it runs.
    open: usize,
    /// Words in a command's place that are the name of no program: `$`, `--option`, `…`.
    words: usize,
}

impl Programs {
    /// Counts the programs of one call.
    pub(super) fn count(&mut self, subject: &Subject, judgement: &Judgement) {
        let add = |count: &mut usize, by: usize| *count = count.saturating_add(by);
        let functions = functions(subject);
        for view in judgement.commands.iter().filter(|view| is_called(view)) {
            let Some(program) = view.program() else {
                add(&mut self.open, 1);
                continue;
            };
            let typed = view.argv.first().map_or("", String::as_str);
            if functions.contains(typed) {
                add(&mut self.functions, 1);
            } else if typed.contains('/') && !is_installed(typed) {
                add(&mut self.files, 1);
            } else if !view.known && !is_name(program) {
                add(&mut self.words, 1);
            } else {
                let (met, known) = self.met.entry(program.to_owned()).or_default();
                add(met, 1);
                add(known, usize::from(view.known));
            }
        }
    }

    /// The share that is known, and the most frequent programs: all, or the unknown ones.
    pub(super) fn table(&self, most: usize, unknown_only: bool) -> String {
        let programs = self.met.len();
        let known = self.met.values().filter(|(_, known)| *known > 0).count();
        let calls = || self.met.values();
        let met: usize = calls().map(|(met, _)| met).sum::<usize>() + self.functions;
        let of_known: usize = calls().map(|(_, known)| known).sum::<usize>() + self.functions;
        let mut text = format!(
            "\n{known} of {programs} programs are known, and {of_known} of {met} calls ({:.2}%); {} of them call functions of their own script\n\
             apart: {} calls of files by their paths, {} of what is only known when it runs, {} of words that name no program\n\n",
            share(of_known, met),
            self.functions,
            self.files,
            self.open,
            self.words,
        );
        let mut rows: Vec<(&String, usize, bool)> = self
            .met
            .iter()
            .map(|(name, (met, known))| (name, *met, *known > 0))
            .filter(|(_, _, known)| !(*known && unknown_only))
            .collect();
        rows.sort_by_key(|(_, met, _)| std::cmp::Reverse(*met));
        for (name, met, known) in rows.into_iter().take(most) {
            let known = if known { "known" } else { "unknown" };
            let _infallible = writeln!(text, "{met:>7}  {known:<8} {}", visible(name));
        }
        text
    }
}

/// It is a call, and not what an unknown program is given and may run.
fn is_called(view: &CommandView) -> bool {
    !view.argv.is_empty() && view.context != "forwarded"
}

/// Whether a word could be the name of a program.
fn is_name(word: &str) -> bool {
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '[';
    let plain = |c: char| c.is_ascii_alphanumeric() || "._+-[".contains(c);
    let number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let named = word.starts_with(begins) || word.starts_with(|c: char| c.is_ascii_digit());
    named && word.chars().all(plain) && !number(word)
}

/// A program of the machine by its path.
fn is_installed(path: &str) -> bool {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    folder.starts_with('/') && (folder.ends_with("/bin") || folder.ends_with("/sbin"))
}

/// The functions that a call's source defines, at any depth.
fn functions(subject: &Subject) -> BTreeSet<String> {
    let Some(command) = &subject.request.command else {
        return BTreeSet::new();
    };
    let expansion = expand(command.as_bytes(), &subject.request.cwd, &subject.facts);
    let scopes = expansion
        .sources
        .iter()
        .flat_map(|source| source.script.scopes());
    scopes
        .filter_map(|scope| match scope.kind() {
            ScopeKind::Function { name } => Some(String::from_utf8_lossy(name).into_owned()),
            _ => None,
        })
        .collect()
}
