//! Rates over commands that others labelled. They may only improve.

use crate::support::Machine;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

/// The folder of labelled commands; outside CI the tests that need it are skipped without it.
fn corpora() -> Option<PathBuf> {
    let folder = std::env::var_os("COUNTERSIGN_CORPORA").map(PathBuf::from);
    let found = folder.filter(|folder| folder.join("README.md").is_file());
    if found.is_none() {
        assert!(
            std::env::var_os("CI").is_none(),
            "COUNTERSIGN_CORPORA must name the labelled commands in CI"
        );
        eprintln!("skipped: COUNTERSIGN_CORPORA does not name a folder of labelled commands");
    }
    found
}

fn files(folder: &PathBuf) -> Vec<String> {
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    files.sort();
    files
}

/// The figures of one row of the table that `eval` prints, by column.
type Figures = BTreeMap<&'static str, f64>;

fn table(folder: &PathBuf, disputes: Option<&str>) -> BTreeMap<String, Figures> {
    let machine = Machine::new();
    let files = files(folder);
    let mut args = vec!["eval"];
    args.extend(files.iter().map(String::as_str));
    args.extend(disputes.into_iter().flat_map(|file| ["--disputes", file]));
    let answer = machine.run(&args, b"");
    assert_eq!(answer.code, Some(0), "{answer:?}");
    println!("{}", answer.stdout);
    answer
        .stdout
        .lines()
        .skip(1)
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let number = |at: usize| words[at].trim_end_matches('%').parse().expect("a number");
            let figures = [
                ("rows", number(2)),
                ("allowed", number(3)),
                ("allowed %", number(4)),
                ("undecided", number(5)),
                ("flagged %", number(8)),
                ("denied", number(9)),
                ("hard", number(11)),
                ("broken", number(12)),
                ("disputed", number(13)),
            ];
            (
                format!("{} {}", words[0], words[1]),
                figures.into_iter().collect(),
            )
        })
        .collect()
}

/// `(rows, column, bound)`: the figure must not pass the bound, in the direction named.
enum Bound {
    AtMost(f64),
    AtLeast(f64),
}
use Bound::{AtLeast, AtMost};

/// As the rows are labelled.
const BOUNDS: &[(&str, &str, Bound)] = &[
    // What is dangerous is recognised: denied, or flagged with a rule's name.
    ("wrappers deny", "allowed", AtMost(0.0)),
    ("wrappers deny", "undecided", AtMost(0.0)),
    ("evasions deny", "allowed", AtMost(0.0)),
    ("evasions deny", "undecided", AtMost(0.0)),
    ("field deny", "allowed", AtMost(0.0)),
    ("field deny", "undecided", AtMost(0.0)),
    ("nah deny", "allowed", AtMost(0.0)),
    ("nah deny", "undecided", AtMost(0.0)),
    ("dcg deny", "allowed", AtMost(0.0)),
    ("dcg deny", "undecided", AtMost(1.0)),
    ("cc-safety-net deny", "allowed", AtMost(2.0)),
    ("cc-safety-net deny", "undecided", AtMost(2.0)),
    ("hazards change", "allowed", AtMost(0.0)),
    ("dcg-packs change", "allowed", AtMost(0.0)),
    ("dippy secret", "allowed", AtMost(0.0)),
    // What is ordinary is not in the way.
    ("field pass", "denied", AtMost(0.0)),
    ("field pass", "flagged %", AtMost(4.8)),
    ("dcg pass", "denied", AtMost(0.0)),
    ("dcg pass", "flagged %", AtMost(4.6)),
    ("dcg-packs pass", "denied", AtMost(0.0)),
    ("cc-safety-net pass", "denied", AtMost(0.0)),
    ("dippy readonly", "allowed %", AtLeast(86.7)),
    ("dippy apiread", "denied", AtMost(0.0)),
    // Hard denies are few and certain.
    ("nah delegate", "hard", AtMost(4.0)),
    ("nl2bash parse", "hard", AtMost(7.0)),
    ("tldr parse", "hard", AtMost(20.0)),
];

/// Without the rows that are disputed, each with its reason.
const DISPUTED_BOUNDS: &[(&str, &str, Bound)] = &[
    ("cc-safety-net deny", "broken", AtMost(2.0)),
    ("cc-safety-net pass", "broken", AtMost(4.0)),
    ("dcg pass", "broken", AtMost(7.0)),
    ("field pass", "broken", AtMost(0.0)),
    ("nah delegate", "broken", AtMost(0.0)),
];

#[test]
fn measured_rates_hold() {
    let Some(folder) = corpora() else { return };
    hold(&table(&folder, None), BOUNDS);
    let disputes = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../policy/tests/corpus-disputes.toml"
    );
    let table = table(&folder, Some(disputes));
    hold(&table, DISPUTED_BOUNDS);
    let total = |column| table.values().map(|figures| figures[column]).sum::<f64>();
    assert!(
        total("disputed") < total("rows") / 100.0,
        "fewer than one row in a hundred may be disputed"
    );
}

fn hold(table: &BTreeMap<String, Figures>, bounds: &[(&str, &str, Bound)]) {
    for (rows, column, bound) in bounds {
        let figure = table[*rows][column];
        match bound {
            AtMost(most) => assert!(
                figure <= *most,
                "{rows}: {column} is {figure}, more than {most}"
            ),
            AtLeast(least) => assert!(
                figure >= *least,
                "{rows}: {column} is {figure}, less than {least}"
            ),
        }
    }
}

#[test]
fn every_row_is_answered_in_time() {
    let Some(folder) = corpora() else { return };
    let machine = Machine::new();
    let rows: String = files(&folder)
        .iter()
        .map(|file| std::fs::read_to_string(file).expect("a file of rows"))
        .collect();
    let count = rows.lines().filter(|line| !line.trim().is_empty()).count();
    let start = Instant::now();
    let answer = machine.run(&["check", "--batch"], rows.as_bytes());
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(
        (answer.code, answer.stdout.lines().count()),
        (Some(0), count),
        "{}",
        answer.stderr
    );
    println!("{count} rows in {seconds:.1} s");
    // Ten seconds is the bound for a release build; this one is not optimised.
    assert!(seconds < 60.0, "{seconds:.1} s");
    let lexed = machine.run(&["lex", "--batch"], rows.as_bytes());
    assert_eq!(
        (lexed.code, lexed.stdout.lines().count()),
        (Some(0), count),
        "{}",
        lexed.stderr
    );
}
