//! What agents read all day, and beside it what looks like it and is not: one command a line in
//! `tests/data/reading`, `+` before what only reads and `-` before what must be asked about.

use crate::support::{judge, met};

/// The rows of one family that are judged otherwise than they say.
#[track_caller]
fn holds(rows: &str) {
    let wrong = rows.lines().filter_map(|row| {
        let (sign, command) = row.split_at_checked(2).unwrap_or((row, ""));
        assert!(
            matches!(sign, "+ " | "- "),
            "{row:?} begins with neither `+ ` nor `- `"
        );
        let judgement = judge(command);
        (judgement.read_only != (sign == "+ ")).then(|| format!("{row}: {}", met(&judgement)))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

macro_rules! families {
    ($($name:ident: $file:literal),* $(,)?) => {
        $(#[test]
        fn $name() {
            holds(include_str!(concat!("../data/reading/", $file, ".txt")));
        })*
    };
}

families! {
    files_are_looked_at: "files",
    text_is_searched: "text",
    history_is_shown: "version-control",
    packages_are_listed: "packages",
    builds_and_checks_tell_reading_from_fixing: "build",
    the_machine_is_asked: "machine",
    the_network_is_asked_about: "network",
    other_systems_are_asked: "systems",
}
