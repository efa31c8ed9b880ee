//! `docs/commands.md`: which programs are known, made of the command files.

use crate::step::Outcome;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Roles of a word that changes nothing by being given.
const READS: &[&str] = &[
    "text", "read", "assign", "setting", "object", "dir", "package", "code-awk", "code-sed",
    "code-sql", "code-jq", "code-yq",
];

const HEAD: &str = "# Programs that are known

Made by `cargo xtask commands` from [the command files](../crates/policy/commands/README.md), which
say what arguments mean; `countersign explain -- COMMAND` shows it for one call. A program that is not
here is asked about, but for what the owner's rules and files say of it.

Answered as: **reads** only reads, whatever its options; **changes** never only reads; **by form** means
that some options or subcommands only read and others change something. A form that only reads is
allowed where it reads ordinary places. Sub: how many subcommands are known.
";

/// Writes the page.
pub(crate) fn commands() -> Outcome {
    let (file, text) = page()?;
    std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))
}

/// What is wrong where the page is not what the files say.
pub(crate) fn stale() -> Result<Option<String>, String> {
    let (file, text) = page()?;
    let found = std::fs::read_to_string(&file).unwrap_or_default();
    Ok((found != text).then(|| {
        "docs/commands.md is not what the command files say: run `cargo xtask commands`".to_owned()
    }))
}

fn page() -> Result<(PathBuf, String), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut programs = Vec::new();
    let mut folders = vec![root.join("crates/policy/commands")];
    while let Some(folder) = folders.pop() {
        let fail =
            |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        for entry in std::fs::read_dir(&folder).map_err(|error| fail(&folder, &error))? {
            let path = entry.map_err(|error| fail(&folder, &error))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "toml") {
                let text = std::fs::read_to_string(&path).map_err(|error| fail(&path, &error))?;
                programs.push(text.parse().map_err(|error| fail(&path, &error))?);
            }
        }
    }
    Ok((root.join("docs/commands.md"), written(&programs)))
}

/// The page: a table for each first letter.
fn written(programs: &[Table]) -> String {
    let mut letters: BTreeMap<char, BTreeMap<(String, &str), String>> = BTreeMap::new();
    for program in programs {
        let name = text(program, "name");
        let first = name.chars().next().unwrap_or('0').to_ascii_uppercase();
        let letter = if first.is_ascii_uppercase() {
            first
        } else {
            '0'
        };
        let rows = letters.entry(letter).or_default();
        rows.insert((name.to_lowercase(), name), row(program));
    }
    let mut page = HEAD.to_owned();
    let _infallible = write!(page, "\n{} programs:", programs.len());
    for letter in letters.keys() {
        let shown = if *letter == '0' {
            "other".to_owned()
        } else {
            letter.to_string()
        };
        let _infallible = write!(page, " [{shown}](#{})", shown.to_lowercase());
    }
    page.push('\n');
    for (letter, rows) in &letters {
        let shown = if *letter == '0' {
            "Other".to_owned()
        } else {
            letter.to_string()
        };
        let _infallible = write!(
            page,
            "\n## {shown}\n\n| program | what it does | answered as | sub |\n|---|---|---|---|\n"
        );
        page.extend(rows.values().map(String::as_str));
    }
    page
}

fn row(program: &Table) -> String {
    let aliases = list(program, "aliases").filter_map(Value::as_str);
    let names: Vec<String> = std::iter::once(text(program, "name"))
        .chain(aliases)
        .map(|name| format!("`{}`", cell(name)))
        .collect();
    let subcommands = tables(program, "subcommand").count();
    let subcommands = if subcommands == 0 {
        String::new()
    } else {
        subcommands.to_string()
    };
    format!(
        "| {} | {} | {} | {subcommands} |\n",
        names.join(", "),
        cell(text(program, "summary")),
        answered(program)
    )
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// How calls of it are answered, over all its forms.
fn answered(program: &Table) -> &'static str {
    let (mut reads, mut changes) = (false, false);
    let mut nodes = vec![program];
    while let Some(node) = nodes.pop() {
        nodes.extend(tables(node, "subcommand"));
        // One that does nothing of its own is there for its subcommands.
        let own = ["reads", "effects", "operand"];
        let groups = tables(node, "subcommand").next().is_some();
        if !groups || own.iter().any(|key| node.contains_key(*key)) {
            form(node, &mut reads, &mut changes);
        }
        changes |= tables(node, "option").any(|option| {
            let value = option.get("value").and_then(Value::as_str);
            acts(option) || value.is_some_and(|role| !READS.contains(&role))
        });
        for mode in tables(node, "mode") {
            form(mode, &mut reads, &mut changes);
        }
    }
    match (reads, changes) {
        (true, false) => "reads",
        (true, true) => "by form",
        (false, _) => "changes",
    }
}

fn form(node: &Table, reads: &mut bool, changes: &mut bool) {
    *reads |= is_set(node, "reads");
    *changes |= !is_set(node, "reads");
    *changes |= tables(node, "operand")
        .any(|operand| acts(operand) || !READS.contains(&text(operand, "role")));
}

/// It has effects beyond reading.
fn acts(part: &Table) -> bool {
    list(part, "effects").any(|effect| effect.as_str() != Some("read"))
}

fn is_set(table: &Table, key: &str) -> bool {
    table.get(key).and_then(Value::as_bool).unwrap_or_default()
}

fn text<'t>(table: &'t Table, key: &str) -> &'t str {
    table.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn list<'t>(table: &'t Table, key: &str) -> impl Iterator<Item = &'t Value> {
    table
        .get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

fn tables<'t>(table: &'t Table, key: &str) -> impl Iterator<Item = &'t Table> {
    list(table, key).filter_map(Value::as_table)
}

#[cfg(test)]
mod tests {
    use super::row;

    #[test]
    fn a_row_says_what_a_program_is_answered_as() {
        for (file, wanted) in [
            (
                "name = \"a\"\nsummary = \"shows a|b\"\nreads = true\noperand = [{ role = \"read\" }]",
                "| `a` | shows a\\|b | reads |  |\n",
            ),
            (
                "name = \"a\"\naliases = [\"b\"]\nreads = true\noption = [{ names = [\"-o\"], value = \"write\" }]",
                "| `a`, `b` |  | by form |  |\n",
            ),
            (
                "name = \"a\"\noperand = [{ role = \"delete\" }]",
                "| `a` |  | changes |  |\n",
            ),
            (
                "name = \"a\"\nsubcommand = [{ name = \"x\", reads = true }, { name = \"y\", reads = true }]",
                "| `a` |  | reads | 2 |\n",
            ),
            (
                "name = \"a\"\nsubcommand = [{ name = \"x\", reads = true }, { name = \"y\" }]",
                "| `a` |  | by form | 2 |\n",
            ),
            (
                "name = \"a\"\neffects = [\"send\"]\nmode = [{ options = [\"-l\"], reads = true }]",
                "| `a` |  | by form |  |\n",
            ),
        ] {
            assert_eq!(row(&file.parse().expect(file)), wanted, "{file}");
        }
    }

    #[test]
    fn the_page_is_what_the_files_say() {
        assert_eq!(super::stale(), Ok(None));
    }
}
