//! What `eval` counts beside its table.

use crate::support::Machine;

const ROWS: &str = r#"{"id": "1", "command": "git status && git log | head", "label": "readonly"}
{"id": "2", "command": "sudo timeout 5 frob --all; /usr/bin/frob", "label": "readonly"}
{"id": "3", "command": "greet() { echo hi; }; greet; greet", "label": "readonly"}
{"id": "4", "command": "./run.sh; $TOOL x; bash -c 'later() { frob; }; later'", "label": "change"}
{"id": "5", "command": "rm -rf ~", "label": "deny"}
{"id": "6", "command": "rm -rf / && sudo rm -rf ~", "label": "deny"}
{"id": "7", "command": "grep x a.txt"}
"#;

fn eval(args: &[&str]) -> String {
    let machine = Machine::new();
    machine.write("rows.jsonl", ROWS);
    let file = machine.project.join("rows.jsonl");
    let file = file.to_str().expect("UTF-8");
    let answer = machine.run(&[&["eval", file], args].concat(), b"");
    assert_eq!(answer.code, Some(0), "{answer:?}");
    answer.stdout
}

#[test]
fn programs_are_counted_as_the_analysis_meets_them() {
    insta::assert_snapshot!(eval(&["--programs", "20"]));
}

#[test]
fn unknown_programs_and_flags_are_counted() {
    insta::assert_snapshot!(eval(&["--unknown", "1", "--flags", "2"]));
}
