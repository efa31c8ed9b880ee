//! Real programs, asked for a review.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod answers;
mod configuration;
mod failures;
mod interface;
mod limits;
mod refusals;

use countersign_plugin_exec::Exec;
use countersign_reviewers::core::{Case, Review, ReviewFailure};
use countersign_reviewers::plugin::serde_json::{Value, json};
use countersign_reviewers::testkit::{self, Tested, show};
use std::path::{Path, PathBuf};
use std::process::Command;

const ABSTAINS: &str = r#"echo '{"v":1,"review":null}'"#;

const ALLOWS: &str = r#"echo '{"v":1,"review":{"verdict":"allow","risk":"low","authorization":"high","tier":"none","rationale":"it is fine"}}'"#;

/// A folder with programs in it.
struct House(tempfile::TempDir);

impl House {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// A program with this text. Another process writes it: a file that is open for writing in this
    /// one could be inherited by a program that another test starts, and then cannot be run.
    fn program(&self, name: &str, text: &str) -> PathBuf {
        let draft = self.path().join(format!("{name}.draft"));
        let program = self.path().join(name);
        std::fs::write(&draft, text).expect("a draft");
        let done = Command::new("install")
            .args(["-m", "755"])
            .args([&draft, &program])
            .status();
        assert!(done.expect("install runs").success());
        program
    }

    fn script(&self, body: &str) -> PathBuf {
        self.program("review", &format!("#!/bin/sh\n{body}\n"))
    }

    /// What a script with this body answers, in text.
    fn answer(&self, body: &str) -> String {
        self.text(&review(&json!({"program": self.script(body)})))
    }

    /// What scripts with these bodies answer, in a table.
    fn answers(&self, bodies: &[String]) -> String {
        let row = |body: &String| {
            let answer = self.answer(body).trim_end().replace('\n', "\n    ");
            format!("{}\n    {answer}", body.replace(ALLOWS, "ALLOWS"))
        };
        bodies.iter().map(row).collect::<Vec<_>>().join("\n")
    }

    fn text(&self, answer: &Answer) -> String {
        show(answer).replace(&self.path().display().to_string(), "HOUSE")
    }
}

type Answer = Result<Option<Review>, ReviewFailure>;

fn case() -> Case {
    testkit::case("git push --force").build()
}

fn tested(config: &Value) -> Tested<Exec> {
    Tested::new(config).expect("a good configuration")
}

fn review(config: &Value) -> Answer {
    tested(config).review(&case())
}
