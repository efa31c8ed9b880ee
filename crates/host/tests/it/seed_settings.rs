//! Settings, against what one of the systems this one grows from does with its own (seeds 1.1, 1.4,
//! 1.5 and the configuration rows of 1.9): the same where it was right, stricter where it was not.

use crate::support::{Machine, reason, word};
use countersign::config::{Loaded, Undecided, load};
use countersign::paths::Dirs;
use countersign_policy::{Pattern, defaults};
use serde_json::json;
use std::path::PathBuf;

/// The files of one case: the user's, the administrator's and the workspace's.
type Files<'a> = [Option<&'a str>; 3];

/// Loads them, with the folder that they lie in shown as nothing.
fn loaded(files: Files<'_>) -> Result<Loaded, String> {
    let place = tempfile::tempdir().expect("a folder");
    let dirs = Dirs {
        home: place.path().join("home"),
        config: place.path().join("user"),
        state: place.path().join("state"),
        managed: place.path().join("managed"),
    };
    let root = place.path().join("project");
    let paths: [PathBuf; 3] = [
        dirs.config_file(),
        dirs.managed_file(),
        root.join(".countersign.toml"),
    ];
    for (file, text) in paths.iter().zip(files) {
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        if let Some(text) = text {
            std::fs::write(file, text).expect("a file");
        }
    }
    let base = place.path().to_string_lossy().into_owned();
    load(&dirs, &[root.to_string_lossy().into_owned()])
        .map_err(|error| error.to_string().replace(&base, ""))
}

#[track_caller]
fn fits(files: Files<'_>) -> Loaded {
    loaded(files).unwrap_or_else(|error| panic!("{files:?}: {error}"))
}

/// 1.4: the later file wins. The workspace's may only make it stricter.
#[test]
fn scalars_over_layers() {
    use Undecided::{Ask, NoOpinion};
    let ask = Some("undecided = \"ask\"\n");
    let none = Some("undecided = \"no-opinion\"\n");
    for (files, expected, complains) in [
        ([None, None, None], NoOpinion, false),
        ([ask, None, None], Ask, false),
        ([ask, none, None], NoOpinion, false),
        ([none, ask, None], Ask, false),
        ([none, None, ask], Ask, false),
        ([ask, None, none], Ask, true),
        ([None, ask, none], Ask, true),
    ] {
        let loaded = fits(files);
        assert_eq!(loaded.undecided, expected, "{files:?}");
        let complaints = &loaded.settings.complaints;
        assert_eq!(complaints.len(), usize::from(complains), "{files:?}");
    }
}

/// 1.4, 1.9: a list without `$defaults` replaces that list and no other; one that names it in any
/// file keeps the built-in entries; an empty one is told of too, as it was not there.
#[test]
fn lists_over_layers() {
    let of = |entries: &str| format!("[paths]\nsecret = [{entries}]\n");
    let built_in = defaults::secret().len();
    for (user, managed, workspace, built, own, told) in [
        (None, None, None, built_in, &[][..], false),
        (Some("\"a\""), None, None, 0, &["a"], true),
        (Some(""), None, None, 0, &[], true),
        (None, Some(""), None, 0, &[], true),
        (
            Some("\"$defaults\", \"a\""),
            None,
            None,
            built_in,
            &["a"],
            false,
        ),
        (
            Some("\"$defaults\", \"a\""),
            Some("\"$defaults\", \"b\""),
            Some("\"$defaults\", \"c\""),
            built_in,
            &["a", "b", "c"],
            false,
        ),
        // There the last file that set the list decided alone.
        (
            Some("\"a\""),
            Some("\"$defaults\", \"b\""),
            None,
            built_in,
            &["a", "b"],
            false,
        ),
        (
            Some("\"$defaults\", \"a\""),
            Some("\"b\""),
            None,
            built_in,
            &["a", "b"],
            false,
        ),
        (
            Some("\"$defaults\""),
            Some("\"b\""),
            None,
            built_in,
            &["b"],
            false,
        ),
        (Some("\"$defaults\""), Some(""), None, built_in, &[], false),
        (
            Some("\"a\""),
            Some("\"a\", \"b\""),
            None,
            0,
            &["a", "b"],
            true,
        ),
        // A workspace neither replaces nor brings back.
        (None, None, Some("\"c\""), built_in, &["c"], false),
        (None, None, Some(""), built_in, &[], false),
        (Some("\"a\""), None, Some("\"$defaults\""), 0, &["a"], true),
    ] {
        let texts = [user, managed, workspace].map(|entries| entries.map(of));
        let files = [0, 1, 2].map(|at| texts[at].as_deref());
        let loaded = fits(files);
        let secret = &loaded.settings.secret;
        let is_built_in = |entry: &&String| defaults::secret().contains(&entry.as_str());
        assert_eq!(
            secret.iter().filter(is_built_in).count(),
            built,
            "{files:?}"
        );
        let others: Vec<&String> = secret.iter().filter(|entry| !is_built_in(entry)).collect();
        assert_eq!(others, own, "{files:?}");
        assert_eq!(
            loaded.settings.protected.len(),
            defaults::protected().len(),
            "{files:?}: another list is as it was"
        );
        let notes = loaded.notes.join("\n");
        assert_eq!(
            notes.contains("paths.secret has no `$defaults`"),
            told,
            "{files:?}: {notes}"
        );
        assert!(loaded.settings.complaints.is_empty(), "{files:?}");
    }
}

/// 1.4: patterns of all files add up.
#[test]
fn permissions_over_layers() {
    let of = |list: &str, name: &str| format!("[permissions]\n{list} = [\"Bash({name}:*)\"]\n");
    for list in ["deny", "ask"] {
        let texts = ["a", "b", "c"].map(|name| of(list, name));
        let loaded = fits([0, 1, 2].map(|at| Some(texts[at].as_str())));
        let settings = &loaded.settings;
        let given = if list == "deny" {
            &settings.deny
        } else {
            &settings.ask
        };
        let given: Vec<&str> = given.iter().map(Pattern::as_str).collect();
        assert_eq!(given, ["Bash(a:*)", "Bash(b:*)", "Bash(c:*)"]);
    }
    let texts = ["a", "b", "c"].map(|name| of("allow", name));
    let loaded = fits([0, 1, 2].map(|at| Some(texts[at].as_str())));
    assert_eq!(loaded.settings.allow.len(), 2, "none of the workspace's");
    assert_eq!(loaded.settings.complaints.len(), 1);
}

/// 1.4: there a wrong type was used as it was, a file that did not parse was left out with its
/// denies, and a list of the wrong type was ignored. Here each is an error that says where.
#[test]
fn a_bad_file_is_never_an_empty_policy() {
    for (text, place, problem) in [
        ("undecided = true\n", "line 1, column 13", "undecided"),
        (
            "\nundecided = \"maybe\"\n",
            "line 2, column 13",
            "no-opinion",
        ),
        (
            "[permissions]\ndeny = \"Bash\"\n",
            "line 2, column 8",
            "sequence",
        ),
        ("[permissions]\ndeny = [1]\n", "line 2, column 9", "string"),
        (
            "[permissions]\ndeny = [\"Bash\"\n",
            "line 2, column 15",
            "unclosed",
        ),
        ("[permission]\n", "line 1, column 2", "permission"),
        ("[permissions]\ndenied = []\n", "line 2, column 1", "denied"),
        (
            "[paths]\nprotectedPaths = []\n",
            "line 2, column 1",
            "protected",
        ),
        ("[paths]\nsecret = \"x\"\n", "line 2, column 10", "sequence"),
        (
            "[mcp.servers.a]\ntrust = \"true\"\n",
            "line 2, column 9",
            "boolean",
        ),
        (
            "[review]\ndeadline_s = \"10\"\n",
            "line 2, column 14",
            "string",
        ),
        ("null\n", "line 1, column 5", ""),
        ("{}\n", "line 1, column 1", ""),
        // Both spellings at once: there one of them was taken.
        (
            "[guidance]\nhard_deny = [\"a\"]\nhardDeny = [\"b\"]\n",
            "line 1, column 1",
            "hard_deny",
        ),
        (
            "[permissions]\ndeny = [\"Bash(a:*)\", \"Bash(b\"]\n",
            "line 2, column 22",
            "permissions.deny: `Bash(b` has parentheses that do not fit",
        ),
        (
            "[permissions]\nask = [\n  \"Bash(a:*)\",\n  \"(b)\",\n]\n",
            "line 4, column 3",
            "permissions.ask: `(b)` names no tool",
        ),
    ] {
        for files in [[Some(text), None, None], [None, Some(text), None]] {
            let error = loaded(files).expect_err(text);
            assert!(error.contains("config.toml: "), "{text}: {error}");
            assert!(error.contains(place), "{text}: {error}");
            assert!(error.contains(problem), "{text}: {error}");
        }
        // A workspace's is left out, named, and everything but reads is flagged.
        let loaded = fits([None, None, Some(text)]);
        let complaints = loaded.settings.complaints.join("\n");
        assert!(complaints.contains(".countersign.toml: "), "{complaints}");
        assert!(complaints.contains(place), "{text}: {complaints}");

        let machine = Machine::new();
        machine.configure(text);
        let answer = machine.tool("default", "Bash", &json!({"command": "ls"}));
        assert_eq!(word(&answer), "deny", "{text}");
        assert!(reason(&answer).contains(place), "{text}: {answer:?}");
    }
}

/// guards #53: one bad rule of a workspace does not take the others with it.
#[test]
fn one_bad_pattern_of_a_workspace_leaves_the_others() {
    let text = "[permissions]\ndeny = [\"Bash(make deploy:*)\", \"Bash(x\"]\nask = [\"Bash(make lint:*)\"]\n";
    let loaded = fits([None, None, Some(text)]);
    let settings = &loaded.settings;
    assert_eq!((settings.deny.len(), settings.ask.len()), (1, 1));
    let complaints = settings.complaints.join("\n");
    assert!(
        complaints.contains("line 2, column 32: permissions.deny: `Bash(x`"),
        "{complaints}"
    );
}

/// 1.1: lists of the guidance go by two spellings.
#[test]
fn both_spellings() {
    for text in [
        "[guidance]\nsoft_deny = [\"a\"]\nhard_deny = [\"b\"]\n",
        "[guidance]\nsoftDeny = [\"a\"]\nhardDeny = [\"b\"]\n",
    ] {
        let guidance = fits([Some(text), None, None]).review.guidance;
        assert_eq!(guidance.soft_deny, ["a"], "{text}");
        assert_eq!(guidance.hard_deny, ["b"], "{text}");
    }
}

/// 1.9: a shared file can switch nothing off, and its denies count.
#[test]
fn a_workspace_switches_nothing_off() {
    let machine = Machine::new();
    machine.write(
        ".countersign.toml",
        "undecided = \"no-opinion\"\n[permissions]\ndeny = [\"Bash(git push:*)\"]\n",
    );
    let bash = |command: &str| word(&machine.tool("default", "Bash", &json!({"command": command})));
    assert_eq!(bash("git push origin main"), "deny");
    assert_eq!(bash("rm -rf ~"), "deny");
    // The rule keeps its argument: it does not become a deny of every command.
    assert_eq!(bash("git status"), "allow");
    assert_eq!(bash("git commit -m x"), "silent");
}

/// 1.5: how a rule is read.
#[test]
fn patterns_are_read_or_refused() {
    for (text, right) in [
        ("Bash", true),
        ("bash", true),
        ("@bash", true),
        ("Bash()", true),
        ("Bash(*)", true),
        (" Bash(git push:*) ", true),
        ("Bash(f(x))", true),
        ("mcp__server__tool", true),
        ("mcp__server", true),
        ("mcp.tool", true),
        ("*", true),
        ("read(?.env)", true),
        ("my-tool_2(x)", true),
        ("", false),
        ("  ", false),
        ("@", false),
        ("(git push)", false),
        ("Bash(git push", false),
        ("Bash git push)", false),
        ("Bash(a)b", false),
        ("Bash)(", false),
        ("rm -rf /", false),
        ("Bash;x", false),
    ] {
        assert_eq!(Pattern::parse(text).is_ok(), right, "{text:?}");
    }
}

/// 1.5: what a deny rule meets. There it was the whole text of a call, unsplit.
#[test]
fn denies_meet_every_command_and_no_text() {
    for (rule, command, expected) in [
        (
            "bash(git push --force*)",
            "git push --force origin x",
            "deny",
        ),
        (
            "bash(git push --force*)",
            "cd x && git push --force",
            "deny",
        ),
        ("bash(git push --force*)", " git push --force", "deny"),
        ("bash(git push --force*)", "git  push --force", "deny"),
        ("bash(git push --force*)", "git push -f", "deny"),
        ("bash(git push --force*)", "git push x --force", "deny"),
        ("bash(git push --force*)", "git push x", "silent"),
        ("bash(git push *)", "git push", "deny"),
        ("bash(rm -rf *)", "rm -fr build", "deny"),
        ("bash(rm -rf *)", "git commit -m 'rm -rf x'", "silent"),
        ("@bash(make *)", "make all", "deny"),
        ("bash", "ls", "deny"),
        ("bash()", "ls", "deny"),
        ("bash(*)", "ls", "deny"),
        ("*", "ls", "deny"),
        ("write(../x)", "echo a > ../x", "deny"),
        ("write(/etc/**)", "echo a > /etc/x", "deny"),
        ("read(?.env)", "cat a.env", "deny"),
        ("read(?.env)", "cat README.md", "allow"),
    ] {
        let machine = Machine::new();
        machine.configure(&format!("[permissions]\ndeny = ['{rule}']\n"));
        let answer = machine.tool("default", "Bash", &json!({ "command": command }));
        assert_eq!(word(&answer), expected, "{rule} on {command}: {answer:?}");
    }
}
