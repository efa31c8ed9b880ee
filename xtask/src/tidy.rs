//! Rules on the tree that no compiler checks.

use crate::commands;
use crate::layers;
use crate::step::Outcome;
use std::path::{Path, PathBuf};

/// The longest source file, in lines.
const MAX_FILE: usize = 800;

/// The longest function, in lines.
const MAX_FUNCTION: usize = 100;

/// Checks every rule and names what breaks one.
pub(crate) fn tidy() -> Outcome {
    let mut found = layers::violations(&layers::metadata()?);
    for file in sources(&root())? {
        let text = std::fs::read_to_string(&file)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        found.extend(complaints(&file.display().to_string(), &text));
    }
    found.extend(commands::stale()?);
    if found.is_empty() {
        Ok(())
    } else {
        Err(format!("not tidy:\n  {}", found.join("\n  ")))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every Rust source file under the folders of this workspace.
fn sources(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = [
        "crates", "plugins", "xtask", "benches", "examples", "fuzz", "oracle", "peers", "storm",
    ]
    .iter()
    .map(|name| root.join(name))
    .collect();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let entry = entry.map_err(|error| format!("{}: {error}", folder.display()))?;
            let path = entry.path();
            if path.is_dir() && entry.file_name() != "target" {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// What is wrong with one source file.
fn complaints(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let lines = text.lines().count();
    if lines > MAX_FILE {
        found.push(format!("{name}: {lines} lines, more than {MAX_FILE}"));
    }
    for (function, length) in functions(text) {
        if length > MAX_FUNCTION {
            found.push(format!(
                "{name}: `{function}` has {length} lines, more than {MAX_FUNCTION}"
            ));
        }
    }
    found
}

/// The name and length of every function, told by the indentation that rustfmt gives it.
fn functions(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut open: Option<(String, usize, usize)> = None;
    for (number, line) in text.lines().enumerate() {
        let indent = line.len().saturating_sub(line.trim_start().len());
        if let Some((name, start, depth)) = &open {
            if indent == *depth && line.trim_start().starts_with('}') {
                found.push((
                    name.clone(),
                    number.saturating_sub(*start).saturating_add(1),
                ));
                open = None;
            }
            continue;
        }
        if let Some(name) = function_name(line.trim_start())
            && !line.trim_end().ends_with([';', '}'])
        {
            open = Some((name, number, indent));
        }
    }
    found
}

fn function_name(line: &str) -> Option<String> {
    let before = line.split_once("fn ")?;
    let only_modifiers = before.0.split_whitespace().all(|word| {
        word.starts_with("pub")
            || matches!(
                word,
                "const" | "unsafe" | "extern" | "\"C\"" | "in" | "async"
            )
    });
    only_modifiers.then(|| {
        before
            .1
            .chars()
            .take_while(|&c| c.is_alphanumeric() || c == '_')
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::{complaints, tidy};

    #[test]
    fn this_workspace_is_tidy() {
        assert_eq!(tidy(), Ok(()));
    }

    #[test]
    fn long_files_and_functions_are_found() {
        let body = "    let x = 1;\n".repeat(120);
        let text = format!(
            "pub(crate) fn long(\n    a: u8,\n) {{\n{body}}}\n\nfn short() {{\n    x();\n}}\n"
        );
        assert_eq!(
            complaints("a.rs", &text),
            ["a.rs: `long` has 124 lines, more than 100"]
        );
        let long = "// x\n".repeat(801);
        assert_eq!(
            complaints("b.rs", &long),
            ["b.rs: 801 lines, more than 800"]
        );
    }
}
