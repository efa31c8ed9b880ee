//! Programs of the system that some chores need.

use crate::step::{Outcome, run};
use std::process::Command;

/// Sees that a program is there. It is installed only where that needs no question: for root on a
/// Debian machine, which is what CI is.
pub(crate) fn need(program: &str, package: &str) -> Outcome {
    if answers(program, "--version").is_some() {
        return Ok(());
    }
    if answers("id", "-u").as_deref() != Some("0") || answers("apt-get", "--version").is_none() {
        return Err(format!(
            "this needs `{program}`: install {package}, on Debian with `apt-get install {package}`"
        ));
    }
    let install = ["install", "--yes", "--no-install-recommends", package];
    run("apt-get", &install).or_else(|_| {
        run("apt-get", &["update"])?;
        run("apt-get", &install)
    })
}

/// What a program prints, when it is there and content.
fn answers(program: &str, argument: &str) -> Option<String> {
    let output = Command::new(program).arg(argument).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}
