//! What is written to a file that is shell source, judged as what it does once somebody runs it.

use super::Tool;
use crate::analysis::{Analysis, Frame};
use crate::paths;
use serde_json::Value;

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

impl Tool<'_, '_> {
    /// Notes what the file would do when it is run, apart from what the call does itself.
    pub(super) fn content(&mut self, path: &str, text: &str) {
        for source in sources(path, text) {
            let mut inner = Analysis::new(self.analysis.world, self.analysis.secret);
            let frame = Frame::outermost(self.state.clone(), None);
            inner.script(source.as_bytes(), &frame);
            self.analysis.found.later.push((self.index, inner.found));
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
        let recipe: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix(['\t', ' ']))
            .map(|line| line.trim_start().trim_start_matches(['@', '-', '+']))
            .collect();
        return vec![recipe.join("\n")];
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
