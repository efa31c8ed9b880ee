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

#[test]
fn a_mistake_is_named_with_what_to_write_instead() {
    let mut table = String::new();
    for (what, text) in [
        ("no TOML", "name = ".to_owned()),
        ("no name", "summary = \"x\"\n".to_owned()),
        ("an unknown key", with("read = true")),
        ("a key that is far from all", with("banana = true")),
        (
            "a list by its plural",
            with("[[options]]\nnames = [\"-x\"]"),
        ),
        (
            "an unknown key of an option",
            with("[[option]]\nname = [\"-x\"]"),
        ),
        ("a name that is no list", with("[[option]]\nnames = \"-x\"")),
        (
            "an unknown role",
            with("[[option]]\nnames = [\"-x\"]\nvalue = \"reed\""),
        ),
        (
            "a role by another word",
            with("[[operand]]\nrole = \"file\""),
        ),
        (
            "a role that is far from all",
            with("[[operand]]\nrole = \"banana\""),
        ),
        ("an unknown effect", with("effects = [\"deletes\"]")),
        ("an effect by another word", with("effects = [\"network\"]")),
        ("an unknown way to parse", with("parse = \"posix\"")),
        ("an unknown place", with("place = \"remot\"")),
        ("a key twice", with("reads = true\nreads = false")),
        (
            "no summary",
            "name = \"acme\"\n\n[[example]]\nrun = \"acme\"\n".to_owned(),
        ),
        ("a path for a name", with("aliases = [\"bin/acme\"]")),
        ("two words for a name", with("aliases = [\"acme two\"]")),
        ("a name twice", with("aliases = [\"acme\"]")),
        (
            "reads beside a change",
            with("reads = true\neffects = [\"vcs-write\"]"),
        ),
        ("an option without a name", with("[[option]]\nnames = []")),
        (
            "an option without a dash",
            with("[[option]]\nnames = [\"force\", \"f\"]"),
        ),
        (
            "the same where each is a word",
            with("parse = \"words\"\n[[option]]\nnames = [\"force\"]"),
        ),
        (
            "options where there are none",
            with("parse = \"raw\"\n[[option]]\nnames = [\"-f\"]"),
        ),
        (
            "an option with its value",
            with("[[option]]\nnames = [\"--to FILE\"]"),
        ),
        (
            "an option twice",
            with("[[option]]\nnames = [\"-f\"]\n[[option]]\nnames = [\"-f\"]"),
        ),
        (
            "an optional value that is none",
            with("[[option]]\nnames = [\"-f\"]\noptional = true"),
        ),
        (
            "exceptions of no value",
            with("[[option]]\nnames = [\"-f\"]\ntags = [\"force\"]\nexcept = [\"no\"]"),
        ),
        (
            "two that take any number",
            with(
                "[[operand]]\nrole = \"read\"\nmany = true\n[[operand]]\nrole = \"write\"\nmany = true",
            ),
        ),
        (
            "an operand after the rest",
            with("[[operand]]\nrole = \"run\"\n[[operand]]\nrole = \"read\""),
        ),
        (
            "source of many words before another",
            with("[[operand]]\nrole = \"code-sh\"\nmany = true\n[[operand]]\nrole = \"read\""),
        ),
        ("a mode of no option", with("[[mode]]\noptions = []")),
        (
            "a mode of an unknown option",
            with("[[option]]\nnames = [\"--list\"]\n[[mode]]\noptions = [\"--lst\"]"),
        ),
        (
            "a mode of half a table",
            with("[[option]]\nnames = [\"-l\", \"--list\"]\n[[mode]]\noptions = [\"-l\"]"),
        ),
        (
            "a mode that reads and changes",
            with(
                "[[option]]\nnames = [\"-l\"]\n[[mode]]\noptions = [\"-l\"]\nreads = true\neffects = [\"delete\"]",
            ),
        ),
        (
            "a mode with a value of none",
            with(
                "[[option]]\nnames = [\"-l\"]\n[[mode]]\noptions = [\"-l\"]\nvalues = { -l = \"read\" }",
            ),
        ),
        (
            "a subcommand twice",
            with("[[subcommand]]\nname = \"a\"\n[[subcommand]]\nname = \"b\"\naliases = [\"a\"]"),
        ),
        (
            "a mistake in a subcommand",
            with(
                "[[subcommand]]\nname = \"push\"\n[[subcommand.subcommand]]\nname = \"all\"\nreads = true\neffects = [\"send\"]",
            ),
        ),
        (
            "no example",
            "name = \"acme\"\nsummary = \"has none\"\n".to_owned(),
        ),
        ("an empty example", with("[[example]]\nrun = \"\"")),
        (
            "an example with an unknown effect",
            with("[[example]]\nrun = \"acme\"\neffects = [\"reads a.txt\"]"),
        ),
        (
            "an example that reads and changes",
            with("[[example]]\nrun = \"acme\"\nreads = true\neffects = [\"delete a.txt\"]"),
        ),
        (
            "two mistakes",
            with("reads = true\neffects = [\"send\"]\n[[option]]\nnames = [\"f\"]"),
        ),
    ] {
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
        ("acme list extra", true),
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
fn an_example_that_does_not_hold_is_named() {
    let text = with(
        "[[example]]\nrun = \"acme a.txt\"\nreads = true\neffects = [\"read a.txt\"]\ntags = [\"force\"]",
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
