//! Disagreements that were bugs stay settled, also where there is no bash to ask: each row holds
//! its answer. A row that is `"open": true` still waits for the lexer.

use countersign_oracle::answer::Answer;
use countersign_oracle::judge::judge;
use countersign_oracle::sources::ROWS;

#[test]
fn settled_disagreements_stay_settled() {
    let mut wrong = Vec::new();
    for line in ROWS.lines() {
        let answer: Answer = serde_json::from_str(line).expect("a row is an answer with a note");
        let problems = judge(&answer).problems;
        let open = line.contains(r#""open":true"#);
        if open && problems.is_empty() {
            wrong.push(format!("{} is settled: take its `open` away", answer.id));
        }
        for problem in problems.iter().filter(|_| !open) {
            let kind = problem.kind.as_str();
            wrong.push(format!(
                "{} {:?}: {kind}: {}",
                answer.id, answer.command, problem.detail
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
