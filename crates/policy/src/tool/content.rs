//! What is written to a file that is shell source, judged as what it does once somebody runs it.

use super::Tool;
use crate::analysis::{Analysis, Frame, State};
use crate::paths;
use countersign_core::{EffectKind, Target};
use serde_json::Value;
use std::collections::BTreeMap;

/// Endings of shell scripts.
const ENDINGS: &[&str] = &["sh", "bash", "zsh", "ksh", "command"];

/// Files that shells read when they start, by their names.
const START_UP: &[&str] = &[
    ".bash_aliases",
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".envrc",
    ".profile",
    ".zlogin",
    ".zlogout",
    ".zprofile",
    ".zshenv",
    ".zshrc",
];

/// Files whose indented lines are commands.
const RECIPES: &[&str] = &["makefile", "gnumakefile", "justfile", ".justfile"];

/// Shells, as the first line of a script names them.
const SHELLS: &[&str] = &["sh", "bash", "zsh", "ksh", "dash", "ash"];

impl Analysis<'_> {
    /// Notes what files of shell source would do that commands of the call wrote.
    pub(super) fn written_code(&mut self, state: &State) {
        let mut writers: BTreeMap<&str, u32> = BTreeMap::new();
        for effect in &self.found.effects {
            if let (EffectKind::Write, Some(Target::Path { resolved, .. })) =
                (effect.kind, &effect.target)
                && let Some(path) = resolved
            {
                writers.insert(path, effect.command);
            }
        }
        let mut later = Vec::new();
        for (path, output) in &self.found.files {
            let (Some(&command), Some(text)) = (writers.get(path.as_str()), &output.text) else {
                continue;
            };
            later.extend(
                sources(path, text)
                    .into_iter()
                    .map(|source| (command, source)),
            );
        }
        for (command, source) in later {
            self.later(command, &source, state);
        }
    }

    /// Notes what source would do, apart from what the call does itself.
    fn later(&mut self, command: u32, source: &str, state: &State) {
        let mut inner = Analysis::new(self.world, self.secret, self.commands);
        let frame = Frame::outermost(state.clone(), None);
        inner.script(source.as_bytes(), &frame);
        self.found.later.push((command, inner.found));
    }
}

impl Tool<'_, '_> {
    /// Notes what the file would do when it is run, apart from what the call does itself.
    pub(super) fn content(&mut self, path: &str, text: &str) {
        for source in sources(path, text) {
            self.analysis.later(self.index, &source, &self.state);
        }
    }

    /// Notes what a text would do if whoever gets it were a shell.
    pub(super) fn perhaps_code(&mut self, text: &str) {
        self.content("code.sh", text);
    }
}

/// The shell source in what a file is to hold.
fn sources(path: &str, text: &str) -> Vec<String> {
    let name = paths::base_name(path).to_lowercase();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    let hook = path.contains(".git/hooks/") || path.contains(".husky/");
    if hook
        || START_UP.contains(&name.as_str())
        || ending.is_some_and(|ending| ENDINGS.contains(&ending))
        || names_shell(text)
    {
        return vec![text.to_owned()];
    }
    if RECIPES.contains(&name.as_str()) || ending == Some("mk") {
        return vec![recipe(text)];
    }
    if name == "package.json"
        && let Ok(Value::Object(package)) = serde_json::from_str(text)
        && let Some(Value::Object(scripts)) = package.get("scripts")
    {
        return scripts
            .values()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
    }
    Vec::new()
}

/// The commands of a Makefile or its like.
pub(crate) fn recipe(text: &str) -> String {
    let recipe: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix(['\t', ' ']))
        .map(|line| line.trim_start().trim_start_matches(['@', '-', '+']))
        .collect();
    recipe.join("\n")
}

/// Whether a text begins with `#!` and a shell.
fn names_shell(text: &str) -> bool {
    let Some(line) = text.trim_start().strip_prefix("#!") else {
        return false;
    };
    line.lines()
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .any(|word| SHELLS.contains(&paths::base_name(word)))
}

#[cfg(test)]
mod tests {
    use super::sources;

    #[test]
    fn shell_source_is_told_by_path_and_first_line() {
        for (path, text, expected) in [
            ("a.sh", "ls", &["ls"][..]),
            (
                "bin/run",
                "#!/usr/bin/env bash\nls",
                &["#!/usr/bin/env bash\nls"],
            ),
            ("bin/run", "#!/usr/bin/env python3\nls", &[]),
            (".git/hooks/pre-commit", "ls", &["ls"]),
            ("a.md", "rm -rf /", &[]),
            ("Makefile", "all:\n\t@ls\n\t-pwd\nX = 1\n", &["ls\npwd"]),
            ("package.json", "{\"scripts\":{\"a\":\"ls\"}}", &["ls"]),
            ("package.json", "{\"scripts\"", &[]),
        ] {
            assert_eq!(sources(path, text), expected, "{path}");
        }
    }
}
