//! Command files of an owner: what they change, and what is said of one that is wrong.

use crate::support::{self, judge_with};
use countersign_policy::{CommandFile, Pattern, Settings};
use std::fmt::Write as _;

/// A file of the program `acme` with these lines, and what a file must have.
fn with(lines: &str) -> String {
    format!(
        "name = \"acme\"\nsummary = \"does what is tested\"\n{lines}\n\n[[example]]\nrun = \"acme\"\n"
    )
}

/// Whole files with a mistake.
const FILES: &[(&str, &str)] = &[
    ("no TOML", "name = "),
    ("no name", "summary = \"x\"\n"),
    (
        "no summary",
        "name = \"acme\"\n\n[[example]]\nrun = \"acme\"\n",
    ),
    ("no example", "name = \"acme\"\nsummary = \"has none\"\n"),
];

/// Lines with a mistake, in a file that has all that it needs.
const LINES: &[(&str, &str)] = &[
    ("an unknown key", "read = true"),
    ("a key that is far from all", "banana = true"),
    ("a list by its plural", "[[options]]\nnames = [\"-x\"]"),
    ("an unknown key of an option", "[[option]]\nname = [\"-x\"]"),
    ("a name that is no list", "[[option]]\nnames = \"-x\""),
    (
        "an unknown role",
        "[[option]]\nnames = [\"-x\"]\nvalue = \"reed\"",
    ),
    ("a role by another word", "[[operand]]\nrole = \"file\""),
    (
        "a role that is far from all",
        "[[operand]]\nrole = \"banana\"",
    ),
    ("an unknown effect", "effects = [\"deletes\"]"),
    ("an effect by another word", "effects = [\"network\"]"),
    ("an unknown way to parse", "parse = \"posix\""),
    ("an unknown place", "place = \"remot\""),
    ("a key twice", "reads = true\nreads = false"),
    ("a path for a name", "aliases = [\"bin/acme\"]"),
    ("two words for a name", "aliases = [\"acme two\"]"),
    ("a name twice", "aliases = [\"acme\"]"),
    (
        "reads beside a change",
        "reads = true\neffects = [\"vcs-write\"]",
    ),
    ("an option without a name", "[[option]]\nnames = []"),
    (
        "an option without a dash",
        "[[option]]\nnames = [\"force\", \"f\"]",
    ),
    (
        "the same where each is a word",
        "parse = \"words\"\n[[option]]\nnames = [\"force\"]",
    ),
    (
        "options where there are none",
        "parse = \"raw\"\n[[option]]\nnames = [\"-f\"]",
    ),
    (
        "an option with its value",
        "[[option]]\nnames = [\"--to FILE\"]",
    ),
    (
        "an option twice",
        "[[option]]\nnames = [\"-f\"]\n[[option]]\nnames = [\"-f\"]",
    ),
    (
        "an optional value that is none",
        "[[option]]\nnames = [\"-f\"]\noptional = true",
    ),
    (
        "exceptions of no value",
        "[[option]]\nnames = [\"-f\"]\ntags = [\"force\"]\nexcept = [\"no\"]",
    ),
    (
        "two that take any number",
        "[[operand]]\nrole = \"read\"\nmany = true\n[[operand]]\nrole = \"write\"\nmany = true",
    ),
    (
        "an operand after the rest",
        "[[operand]]\nrole = \"run\"\n[[operand]]\nrole = \"read\"",
    ),
    (
        "source of many words before another",
        "[[operand]]\nrole = \"code-sh\"\nmany = true\n[[operand]]\nrole = \"read\"",
    ),
    ("a mode of no option", "[[mode]]\noptions = []"),
    (
        "a mode of an unknown option",
        "[[option]]\nnames = [\"--list\"]\n[[mode]]\noptions = [\"--lst\"]",
    ),
    (
        "a mode of half a table",
        "[[option]]\nnames = [\"-l\", \"--list\"]\n[[mode]]\noptions = [\"-l\"]",
    ),
    (
        "a mode that reads and changes",
        "[[option]]\nnames = [\"-l\"]\n[[mode]]\noptions = [\"-l\"]\nreads = true\neffects = [\"delete\"]",
    ),
    (
        "a mode with a value of none",
        "[[option]]\nnames = [\"-l\"]\n[[mode]]\noptions = [\"-l\"]\nvalues = { -l = \"read\" }",
    ),
    (
        "a subcommand twice",
        "[[subcommand]]\nname = \"a\"\n[[subcommand]]\nname = \"b\"\naliases = [\"a\"]",
    ),
    (
        "a mistake in a subcommand",
        "[[subcommand]]\nname = \"push\"\n[[subcommand.subcommand]]\nname = \"all\"\nreads = true\neffects = [\"send\"]",
    ),
    ("an empty example", "[[example]]\nrun = \"\""),
    (
        "an example with an unknown effect",
        "[[example]]\nrun = \"acme\"\neffects = [\"reads a.txt\"]",
    ),
    (
        "an example that reads and changes",
        "[[example]]\nrun = \"acme\"\nreads = true\neffects = [\"delete a.txt\"]",
    ),
    (
        "two mistakes",
        "reads = true\neffects = [\"send\"]\n[[option]]\nnames = [\"f\"]",
    ),
];

#[test]
fn a_mistake_is_named_with_what_to_write_instead() {
    let files = FILES.iter().map(|(what, text)| (what, (*text).to_owned()));
    let lines = LINES.iter().map(|(what, lines)| (what, with(lines)));
    let mut table = String::new();
    for (what, text) in files.chain(lines) {
        let error = CommandFile::parse("acme.toml", &text).expect_err(what);
        let _infallible = writeln!(table, "{what}\n  {error}");
    }
    insta::assert_snapshot!(table);
}

#[test]
fn a_file_that_is_too_big_is_refused() {
    let long = with(&format!("# {}", "x".repeat(256 << 10)));
    let many = with(&"[[example]]\nrun = \"acme\"\n".repeat(1_000));
    let wide = with(&format!(
        "[[example]]\nrun = \"acme {}\"\n",
        "x".repeat(1_000)
    ));
    for text in [long, many, wide] {
        let error = CommandFile::parse("acme.toml", &text).expect_err("too big");
        assert!(
            error.to_string().starts_with("acme.toml: is too big"),
            "{error}"
        );
    }
}

fn settings(text: &str) -> Settings {
    let file = CommandFile::parse("own.toml", text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(file.wrong_examples(), Vec::<String>::new());
    Settings {
        commands: vec![file],
        ..Settings::default()
    }
}

const ACME: &str = r#"
name = "acme"
aliases = ["acmectl"]
summary = "keeps a list"

[[option]]
names = ["-c", "--config"]
value = "read"
global = true

[[subcommand]]
name = "list"
reads = true

[[subcommand]]
name = "run"

[[subcommand.option]]
names = ["-f", "--force"]
tags = ["force"]

[[subcommand.operand]]
role = "run"

[[example]]
run = "acme -c a.toml list"
reads = true
effects = ["read a.toml"]

[[example]]
run = "acme run rm -r out"
effects = ["delete out"]
"#;

#[test]
fn what_an_owner_says_of_a_program_counts_wherever_it_is_called() {
    for (command, reads) in [
        ("acme list", true),
        ("acmectl list", true),
        ("/usr/bin/acme list", true),
        ("acme list --help", true),
        ("acme --version", true),
        ("timeout 5 acme list", true),
        ("bash -c 'acme list'", true),
        ("find . -exec acme -c {} list \\;", true),
        ("echo $(acme list)", true),
        ("acme list --unknown", false),
        ("acme list extra", false),
        ("acme", false),
        ("./acme list", false),
        ("/tmp/acme list", false),
        ("acme run touch a", false),
        ("acme list > a", false),
    ] {
        let judgement = judge_with(settings(ACME), command);
        assert_eq!(
            judgement.read_only, reads,
            "{command}: {:?}",
            judgement.effects
        );
    }
    let worst = judge_with(settings(ACME), "acme run rm -rf ~");
    assert!(support::rules(&worst).contains(&"filesystem.delete-root"));
    assert!(!support::judge("acme list").read_only);
}

#[test]
fn a_pattern_knows_the_options_of_an_owners_program() {
    let mut settings = settings(ACME);
    settings.deny = vec![Pattern::parse("Bash(acme run --force:*)").expect("a pattern")];
    let judgement = judge_with(settings, "acme -c a.toml run -f true");
    assert!(support::rules(&judgement).contains(&"permissions.deny"));
}

#[test]
fn a_file_about_a_program_that_is_built_in_takes_its_place() {
    let text = "name = \"sort\"\nsummary = \"is another here\"\neffects = [\"send\"]\n\n\
                [[example]]\nrun = \"sort\"\neffects = [\"send\"]\n";
    assert!(support::judge("sort a.txt").read_only);
    assert!(!judge_with(settings(text), "sort a.txt").read_only);
    assert!(judge_with(settings(text), "uniq a.txt").read_only);
    let file = CommandFile::parse("sort.toml", text).expect("right");
    assert_eq!(file.replaces().collect::<Vec<_>>(), ["sort"]);
}

#[test]
fn an_example_that_does_not_hold_is_named_with_what_is_missing() {
    let text = with(
        "[[operand]]\nrole = \"read\"\n\
         [[example]]\nrun = \"acme a.txt\"\nreads = true\neffects = [\"read b.txt\"]\ntags = [\"force\"]\n\
         [[example]]\nrun = \"acme --all\"\nreads = true\n\
         [[example]]\nrun = \"acme a.txt b.txt\"\nreads = true\n\
         [[example]]\nrun = \"acme a.txt > b.txt\"\nreads = true\n\
         [[subcommand]]\nname = \"list\"\nreads = true\n\
         [[subcommand.example]]\nrun = \"acme list\"\neffects = [\"send\"]\n",
    );
    let file = CommandFile::parse("acme.toml", &text).expect("right");
    insta::assert_snapshot!(file.wrong_examples().join("\n"));
}

#[test]
fn settings_with_other_files_are_another_version_of_the_policy() {
    use countersign_policy::Policy;
    let changed = ACME.replace("reads = true\n\n[[subcommand]]", "\n[[subcommand]]");
    let version = |text: &str| {
        let file = CommandFile::parse("acme.toml", text).expect("right");
        let commands = vec![file];
        Policy::new(Settings {
            commands,
            ..Settings::default()
        })
        .version()
        .to_owned()
    };
    assert_ne!(version(ACME), version(&changed));
    assert_eq!(version(ACME), version(ACME));
}

/// Every built-in program and each of its subcommands, with whether its file has it print when it is
/// asked for help.
fn forms() -> Vec<(String, bool)> {
    let mut forms = Vec::new();
    for (path, text) in support::texts("commands") {
        let table: toml::Table = text
            .parse()
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut nodes = vec![(String::new(), table)];
        while let Some((outer, node)) = nodes.pop() {
            let name = node.get("name").and_then(toml::Value::as_str);
            let form = format!("{outer}{}", name.expect("a name"));
            let list = |key: &str| node.get(key).and_then(toml::Value::as_array);
            for subcommand in list("subcommand").into_iter().flatten() {
                let subcommand = subcommand.as_table().expect("a table").clone();
                nodes.push((format!("{form} "), subcommand));
            }
            let mut effects = list("effects").into_iter().flatten();
            let runs_workspace = effects.any(|effect| effect.as_str() == Some("workspace-code"));
            let help = node.get("help").and_then(toml::Value::as_bool);
            forms.push((form, help.unwrap_or(!runs_workspace)));
        }
    }
    forms
}

#[test]
fn asking_a_known_program_for_help_only_reads() {
    let mut wrong = Vec::new();
    for (form, _) in forms().into_iter().filter(|(_, prints)| *prints) {
        for word in ["--help", "--version"] {
            let command = format!("{form} {word}");
            if !support::judge(&command).read_only {
                wrong.push(command);
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn only_the_only_argument_of_a_known_program_asks_for_help() {
    for (command, reads) in [
        ("rm --help", true),
        ("rm --version", true),
        ("/usr/bin/rm --help", true),
        ("git push --help", true),
        ("git remote add --help", true),
        ("docker run --help | head -20", true),
        ("npm view --help 2>&1", true),
        ("sudo --help", true),
        ("bash -c 'rm --help'", true),
        ("frobnicate --help", false),
        // A file of that name would be run.
        ("source --help", false),
        (". --version", false),
        ("eval --help", false),
        ("exec --help", false),
        ("frobnicate --version", false),
        ("./rm --help", false),
        ("bin/rm --version", false),
        ("/tmp/rm --help", false),
        ("/home/user/project/tools/git --version", false),
        ("~/bin/git --version", false),
        ("$TOOL --help", false),
        ("rm --help ~", false),
        ("rm ~ --help", false),
        ("rm --help --force", false),
        ("rm -- --help", false),
        ("rm \"$x\" --help", false),
        ("git frobnicate --help", false),
        ("sudo frobnicate --help", false),
        ("xargs rm --help", false),
        ("find . -exec frobnicate --help \\;", false),
        ("rm --help > out.txt", false),
        ("rm --help=x", false),
        ("rm $(frobnicate) --help", false),
        ("alias rm=frobnicate; rm --help", false),
        ("rm() { frobnicate; }; rm --help", false),
    ] {
        let judgement = support::judge(command);
        assert_eq!(
            judgement.read_only, reads,
            "{command}: {:?}",
            judgement.effects
        );
    }
}
