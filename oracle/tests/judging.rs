//! The judge notices every kind of mistake: each answer here is not what the lexer reports.

use countersign_oracle::answer::{Answer, Check, Opened, Ran, Runs};
use countersign_oracle::bytes::Bytes;
use countersign_oracle::judge::{Kind, judge};

fn answer(command: &str, status: i32, ran: &[&str], opened: &[&str]) -> Answer {
    let ran = ran.iter().map(|argv| Ran {
        argv: argv.split(' ').map(Bytes::from).collect(),
        program: None,
        depth: 0,
        traced: false,
    });
    let opened = opened.iter().map(|path| Opened {
        path: Bytes::from(*path),
        how: "wt".to_owned(),
        failed: false,
    });
    Answer {
        command: Bytes::from(command),
        check: Check {
            status,
            message: String::new(),
        },
        runs: Some(Runs {
            ran: ran.collect(),
            opened: opened.collect(),
            ..Runs::default()
        }),
        ..Answer::default()
    }
}

fn kinds(answer: &Answer) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = judge(answer).problems.iter().map(|it| it.kind).collect();
    kinds.dedup();
    kinds
}

#[test]
fn what_bash_and_lexer_agree_on_is_no_problem() {
    let agreed: [(&str, &[&str], &[&str]); 5] = [
        ("rm x > f", &["rm x"], &["f"]),
        ("rm x && $a b", &["rm x", "b"], &[]),
        ("if a; then b; fi", &["a"], &[]),
        ("bash -c 'rm x'", &["bash -c rm\u{a0}x"], &[]),
        ("a <(b) \"$c\"", &["a /dev/fd/63 1", "b"], &[]),
    ];
    for (command, ran, opened) in agreed {
        let mut answer = answer(command, 0, ran, opened);
        for ran in answer.runs.iter_mut().flat_map(|runs| &mut runs.ran) {
            for word in &mut ran.argv {
                *word = Bytes(
                    String::from_utf8_lossy(&word.0)
                        .replace('\u{a0}', " ")
                        .into(),
                );
            }
        }
        assert_eq!(kinds(&answer), [], "{command}");
    }
}

/// A command, what `bash -n` ends with, what ran and was opened, and what is wrong then.
type Case<'a> = (&'a str, i32, &'a [&'a str], &'a [&'a str], Kind);

#[test]
fn every_kind_of_disagreement_is_noticed() {
    let disagreed: [Case<'_>; 8] = [
        ("rm x", 0, &["rm x", "b"], &[], Kind::Missing),
        ("rm 'x'", 0, &["rm y"], &[], Kind::Different),
        (
            "rm x\necho $(",
            2,
            &["rm x", "b"],
            &[],
            Kind::MissingBeforeError,
        ),
        ("eval 'rm x'", 0, &["eval y", "b"], &[], Kind::MissingEffect),
        ("a; b", 0, &["a"], &[], Kind::NeverRan),
        ("rm x > f", 0, &["rm x"], &["g"], Kind::NotOpened),
        ("if a", 0, &["a"], &[], Kind::RejectsValid),
        ("a", 2, &[], &[], Kind::AcceptsInvalid),
    ];
    for (command, status, ran, opened, kind) in disagreed {
        let found = kinds(&answer(command, status, ran, opened));
        assert!(found.contains(&kind), "{command}: {found:?}");
    }
}
