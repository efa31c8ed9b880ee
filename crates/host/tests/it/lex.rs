//! `lex`: the rows that programs read, and the tree that people read.

use crate::support::Machine;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Spellings with the commands that bash was seen to run, by both layers.
const TRICKY: &str = include_str!("../../../lexer/tests/data/tricky.jsonl");

/// Rows whose commands are not those of the table, each with the reason.
const DIFFERENT: &[(&str, &str)] = &[
    (
        "brace-not-group",
        "bash rejects it; what was recognised is listed all the same",
    ),
    (
        "error-second-line",
        "bash rejects it; what was recognised is listed all the same",
    ),
    (
        "reserved-as-arg",
        "`if` is no program here, and may run one that is known",
    ),
    ("quote-parens", "what an awk program runs is a command too"),
    (
        "xargs",
        "the text that xargs fills in is `$_` in derived source, as is all text that is not known",
    ),
    (
        "alias-off",
        "an alias is listed where it is defined, whether or not aliases are on",
    ),
    (
        "alias-on",
        "an alias is listed where it is defined, without the words of its use",
    ),
    (
        "dyn-name",
        "a known program behind an unknown name is listed as `forwarded`",
    ),
    (
        "empty-words",
        "a known program behind an unknown name is listed as `forwarded`",
    ),
    (
        "subst-empty-name",
        "a known program behind an unknown name is listed as `forwarded`",
    ),
    (
        "python-c",
        "the shell in the container is listed too, and what it runs is `bash-c` like everywhere",
    ),
    (
        "funsub-5.3",
        "a substitution in `${ ; }` has its own context, and the assignment around it is listed",
    ),
];

fn answers(rows: &[Value]) -> Vec<Value> {
    let rows: Vec<String> = rows.iter().map(Value::to_string).collect();
    let answer = Machine::new().run(&["lex", "--batch"], rows.join("\n").as_bytes());
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let lines = answer.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a row is JSON"))
        .collect()
}

fn row(command: &str) -> Value {
    answers(&[json!({"id": "r", "command": command})]).remove(0)
}

/// Commands as text, without what the table leaves out.
fn commands(list: &Value, elided: bool) -> Vec<String> {
    let keep = |command: &Value| {
        let mut kept = BTreeMap::new();
        for field in [
            "argv",
            "dynamic",
            "kinds",
            "redirects",
            "assignments",
            "context",
            "layer",
        ] {
            if field != "assignments" || !elided {
                kept.insert(field, command[field].clone());
            }
        }
        json!(kept).to_string()
    };
    let mut list: Vec<String> = list
        .as_array()
        .expect("a list of commands")
        .iter()
        .map(keep)
        .collect();
    list.sort();
    list
}

#[test]
fn every_tricky_row_lists_the_commands_of_both_layers() {
    let table: Vec<Value> = TRICKY
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row is JSON"))
        .collect();
    assert!(table.len() >= 82);
    let mut failures = Vec::new();
    for (row, answer) in table.iter().zip(answers(&table)) {
        let id = row["id"].as_str().expect("a row has an id");
        // The table shortens arrays and subscripts; the answer has them as typed.
        let elided = row["expected"].to_string().contains('…');
        let expected = commands(&row["expected"], elided);
        let found = commands(&answer["commands"], elided);
        let differs = DIFFERENT.iter().any(|(other, _)| *other == id);
        if (expected == found) == differs {
            failures.push(format!(
                "{id}: {}\n  expected {expected:#?}\n  found {found:#?}",
                row["command"]
            ));
        }
        let status = answer["status"].as_str().expect("a status");
        let fits = match row["bash_n"].as_str() {
            // `bash -n` does not run the `shopt` that makes the next line right.
            // It is not said which shell reads, and zsh reads some of these otherwise.
            Some("err") if id == "extglob" => matches!(status, "complete" | "opaque"),
            Some("err") => matches!(status, "syntax-error" | "opaque"),
            Some("warn") => matches!(status, "warnings" | "opaque"),
            _ => matches!(status, "complete" | "opaque"),
        };
        assert!(fits, "{id}: {status}");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A context word, source that shows it, and the command that has it.
const CONTEXTS: &[(&str, &str, &str)] = &[
    ("top", "a", "a"),
    ("pipe", "a | b", "b"),
    ("and", "a && b", "b"),
    ("or", "a || b", "b"),
    ("background", "a & b", "a"),
    ("cond", "if a; then b; fi", "a"),
    ("body", "if a; then b; fi", "b"),
    ("loop", "while a; do b; done", "b"),
    ("case", "case x in x) a;; esac", "a"),
    ("group", "{ a; }", "a"),
    ("subshell", "(a)", "a"),
    ("function-body", "f() { a; }", "a"),
    ("subst", "echo $(a)", "a"),
    ("backtick", "echo `a`", "a"),
    ("funsubst", "echo ${ a; }", "a"),
    ("procsubst", "cat <(a)", "a"),
    ("heredoc-subst", "cat <<E\n$(a)\nE", "a"),
    ("arith-subst", "echo $((1 + $(a)))", "a"),
    ("cond-subst", "[[ -f $(a) ]]", "a"),
    ("redirect-subst", "b >$(a)", "a"),
    ("coproc", "coproc a", "a"),
    ("assign", "x=1", ""),
    ("redirect-only", ">f", ""),
    ("bash-c", "bash -c 'rm x'", "rm x"),
    ("eval", "eval 'rm x'", "rm x"),
    ("trap", "trap 'rm x' EXIT", "rm x"),
    ("alias", "alias a='rm x'", "rm x"),
    ("heredoc-shell", "sh <<E\nrm x\nE", "rm x"),
    ("heredoc-shell", "sudo sh <<E\nrm x\nE", "rm x"),
    ("herestring-shell", "sh <<<'rm x'", "rm x"),
    ("stdin-shell", "echo 'rm x' | sh", "rm x"),
    ("stdin-shell", "cat <<E | sh\nrm x\nE", "rm x"),
    ("written-script", "echo 'rm x' >s; bash s", "rm x"),
    ("arith-eval", "let 'a[$(rm x)]=1'", "rm x"),
    ("arith-eval", "x='a[$(rm x)]'", "rm x"),
    ("env-exec", "PS4='$(rm x)'", "rm x"),
    ("env-exec", "export PROMPT_COMMAND='rm x'", "rm x"),
    ("setting", "git -c alias.z='!rm x' z", "rm x"),
    ("forwarded", "unknown-program rm x", "rm x"),
    ("xargs", "ls | xargs rm x", "rm x …"),
    ("xargs", "ls | xargs", "echo …"),
    ("wrapper:sudo", "sudo rm x", "rm x"),
    ("wrapper:env", "A=1 env B=2 rm x", "rm x"),
    ("wrapper:env-S", "env -S 'rm x'", "rm x"),
    ("wrapper:env-S", "env -S 'A=1 rm' x", "rm x"),
    ("exec:find", "find . -exec rm x \\;", "rm x"),
    ("shell:su", "su -c 'rm x'", "rm x"),
    ("shell:flock", "flock f -c 'rm x'", "rm x"),
    ("shell:mapfile", "mapfile -C 'rm x' a", "rm x $_ $_"),
    ("shell:sed", "sed '1e rm x' f", "rm x"),
    ("remote:ssh", "ssh h 'rm x'", "rm x"),
    ("container:docker", "docker exec c rm x", "rm x"),
];

#[test]
fn every_context_word_has_an_example_and_a_line_in_the_documentation() {
    let page = include_str!("../../../../docs/lex.md");
    let rows: Vec<Value> = CONTEXTS
        .iter()
        .map(|(_, source, _)| json!({"command": source}))
        .collect();
    for ((context, source, command), answer) in CONTEXTS.iter().zip(answers(&rows)) {
        let list = answer["commands"].as_array().expect("commands");
        let has = list.iter().any(|found| {
            let argv = found["argv"].as_array().expect("words");
            let argv: Vec<_> = argv.iter().filter_map(Value::as_str).collect();
            found["context"] == *context && argv.join(" ") == *command
        });
        assert!(has, "{context}: {source}: {answer:#}");
        let family = context.split_once(':').map(|(how, _)| format!("`{how}:"));
        let word = family.unwrap_or_else(|| format!("`{context}`"));
        assert!(page.contains(&word), "docs/lex.md does not name {word}");
    }
}

#[test]
fn derived_commands_have_their_redirections_assignments_and_kinds() {
    let answer = row("sudo env A=1 bash -c 'B=$x rm -- *.o ~ >\"$f\" 2>&1'");
    let inner = answer["commands"].as_array().expect("commands");
    let inner = inner.iter().find(|it| it["context"] == "bash-c");
    assert_eq!(
        inner.expect("the inner command"),
        &json!({
            "argv": ["rm", "--", "*.o", "~"],
            "dynamic": [false, false, true, true],
            "kinds": ["static", "static", "glob", "tilde"],
            "redirects": [
                {"op": ">", "fd": 1, "target": "\"$f\"", "dynamic": true},
                {"op": ">&", "fd": 2, "target": "1", "dynamic": false},
            ],
            "assignments": ["B=$x"],
            "context": "bash-c",
            "layer": "effect",
            "span": [0, 50],
            "runs": true,
        })
    );
    let list = answer["commands"].as_array().expect("commands");
    let by_env = list.iter().find(|it| it["context"] == "wrapper:env");
    assert_eq!(by_env.expect("it")["assignments"], json!(["A=1"]));
}

#[test]
fn statuses_and_diagnostics_have_words_and_places() {
    let table = [
        ("ls", "complete", Value::Null),
        ("cat <<E\nx", "warnings", json!("heredoc-ended-by-eof")),
        ("echo ${x y}", "opaque", json!("bad-substitution")),
        ("ls\nö 'x", "syntax-error", json!("unterminated-quote")),
    ];
    for (source, status, kind) in table {
        let answer = row(source);
        assert_eq!(answer["status"], status, "{answer:#}");
        assert_eq!(answer["diagnostics"][0]["kind"], kind, "{answer:#}");
    }
    let deep = row(&"( ".repeat(10_000));
    assert_eq!(deep["status"], "too-big", "{:#}", deep["diagnostics"]);
    assert_eq!(
        row("ls\nö 'x")["diagnostics"],
        json!([{
            "kind": "unterminated-quote",
            "text": "unterminated quotation",
            "span": [6, 8],
            "line": 2,
            "column": 3,
        }])
    );
}

#[test]
fn what_stands_after_a_syntax_error_does_not_run() {
    let answer = row("eval 'rm x'\nsudo rm y; )");
    let list = answer["commands"].as_array().expect("commands");
    let runs = list.iter().map(|it| it["runs"].as_bool());
    let expected = [true, false, true, false].map(Some);
    assert_eq!(runs.collect::<Vec<_>>(), expected, "{answer:#}");
}

#[test]
fn bytes_that_are_no_text_are_marked() {
    let lossy = |answer: &Value| answer["commands"][0].get("lossy").cloned();
    let answer = row("echo $'\\xff' ä");
    assert_eq!(
        answer["commands"][0]["argv"],
        json!(["echo", "\u{fffd}", "ä"])
    );
    assert_eq!(lossy(&answer), Some(json!(true)));
    assert_eq!(lossy(&row("echo ä")), None);
}

#[test]
fn source_comes_from_arguments_a_file_or_standard_input() {
    let machine = Machine::new();
    machine.write("s.sh", "echo a\nrm 'x'\n");
    let of_file = machine.run(&["lex", "--file", "s.sh"], b"");
    let of_input = machine.run(&["lex", "-"], b"echo a\nrm 'x'\n");
    assert_eq!(of_file.stdout, of_input.stdout);
    assert!(of_file.stdout.contains("2  └─ rm x"), "{of_file:?}");
    let no_text = machine.run(&["lex", "-"], b"rm \xff");
    assert!(no_text.stdout.contains("rm $'\\xff'"), "{no_text:?}");
    let missing = machine.run(&["lex", "--file", "none.sh"], b"");
    assert_eq!(missing.code, Some(2));
    assert!(
        missing.stderr.contains("cannot read none.sh"),
        "{missing:?}"
    );
    for wrong in [
        &["lex"][..],
        &["lex", "-", "--", "a"],
        &["lex", "--batch", "--file", "s.sh"],
    ] {
        assert_eq!(machine.run(wrong, b"").code, Some(2), "{wrong:?}");
    }
}

#[test]
fn every_shell_has_a_name_and_others_are_named() {
    let machine = Machine::new();
    for shell in ["bash", "sh", "dash", "zsh", "fish", "pwsh", "powershell"] {
        let answer = machine.run(&["lex", "--shell", shell, "--", "ls"], b"");
        assert_eq!(answer.code, Some(0), "{answer:?}");
        let opaque = matches!(shell, "fish" | "pwsh" | "powershell");
        assert_eq!(answer.stdout.starts_with("opaque"), opaque, "{answer:?}");
    }
    let other = machine.run(&["lex", "--shell", "ksh", "--", "ls"], b"");
    assert_eq!(other.code, Some(2));
    assert!(
        other
            .stderr
            .contains("bash, sh, dash, zsh, fish, pwsh, powershell"),
        "{other:?}"
    );
}

#[test]
fn a_tree_can_be_as_deep_and_as_long_as_source_is() {
    let machine = Machine::new();
    let deep = format!("{}rm x{}", "$(".repeat(250), ")".repeat(250));
    let long = "if a; then b | c; fi\n".repeat(1_000);
    for source in [&deep, &long, &"eval ".repeat(40), &"nice ".repeat(200)] {
        let answer = machine.run(&["lex", "-"], source.as_bytes());
        assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    }
}

#[test]
fn nothing_is_coloured_outside_a_terminal_and_nothing_can_colour_it() {
    let answer = Machine::new().run(&["lex", "-"], b"echo '\x1b[31m' \x1b[31m ${\x1b}");
    assert!(!answer.stdout.contains('\u{1b}'), "{answer:?}");
}

#[test]
fn trees_and_rows() {
    let machine = Machine::new();
    for (name, source) in [
        (
            "quotes",
            "A=1 B='x y' echo \"it's\" '*' * \"$HOME\"/x $'a\\nb'",
        ),
        ("list", "git status && rm -rf ~/work || echo no & wait"),
        (
            "pipeline",
            "a=1 cat <<E | bash -c 'rm \"$1\"' _ x >out 2>&1\nhi $(id)\nE",
        ),
        (
            "loops",
            "for f in *.rs; do while read -r l; do rm \"$f\" | wc -l; done <\"$f\"; done\nselect x in a; do b; done",
        ),
        (
            "branches",
            "if [[ -f $(id -u) ]]; then (cd x && make); elif a; then b; else c; fi\ncase \"$1\" in a) x;; b) y;; esac >o",
        ),
        (
            "functions",
            "f() { local x; rm \"$1\"; }\ncoproc N { f; }\n(( x + $(n) ))\nf",
        ),
        (
            "substitutions",
            "diff <(a) >(b) `c \\`d\\`` \"$(e \"$(f)\")\" ${x:-$(g)} ${ h; }",
        ),
        (
            "wrappers",
            "sudo -u root env -i A=1 timeout -k 5 10 nice rm -rf x",
        ),
        (
            "shells",
            "sudo bash <<'E'\nls $HOME; rm x\nE\nssh h 'rm y'; docker run i sh -c 'rm *'",
        ),
        (
            "each",
            "find . -exec rm {} +; ls | xargs -I% sh -c 'mv % x'",
        ),
        (
            "unknown",
            "eval \"$x\"; $c a; python3 -c 'import os'; curl http://x.example | sh; bash -c 'a ('",
        ),
        ("evaluated", "let 'a[$(rm x)]=1'; PS4='$(id)'"),
        ("syntax_error", "echo one\nif true; then\n\trm x; )\nfi\n"),
        ("opaque", "echo ok\n\techo ${x y} z"),
    ] {
        let tree = machine.run(&["lex", "--", source], b"").stdout;
        let line = json!({"id": name, "command": source}).to_string();
        let row = machine.run(&["lex", "--batch"], line.as_bytes()).stdout;
        insta::assert_snapshot!(name, format!("{source}\n\n{tree}\n{row}"));
    }
}
