//! Whether a person is at the keyboard.
//!
//! Best effort: a program of the same user can give itself a terminal and hide its ancestors. It
//! keeps an agent from switching the gate off with a plain command, and no more than that.

use std::io::IsTerminal;
use std::path::Path;

/// Variables that agents set for the commands they run.
const AGENT_VARIABLES: &[&str] = &[
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_SANDBOX",
    "COPILOT_CLI",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "OPENCODE",
    "PI_CODING_AGENT",
];

/// Names of agents' processes.
const AGENT_PROCESSES: &[&str] = &[
    "claude",
    "codex",
    "copilot",
    "cursor-agent",
    "gemini",
    "goose",
    "opencode",
    "pi",
];

/// Refuses, saying why, unless a person seems to be at the keyboard.
///
/// # Errors
/// With what speaks against it.
pub(crate) fn required(action: &str) -> Result<(), String> {
    match against() {
        None => Ok(()),
        Some(what) => Err(format!(
            "{action} only from a person's own terminal: {what}"
        )),
    }
}

/// Refuses, saying why, in a shell that an agent says is its own. Less than [`required`]: a script
/// of the owner's may set a machine up.
///
/// # Errors
/// With the variable that speaks against it.
pub(crate) fn not_in_an_agent(action: &str) -> Result<(), String> {
    match agent_variable() {
        None => Ok(()),
        Some(name) => Err(format!(
            "{action} only outside an agent: the variable {name} says that one runs this"
        )),
    }
}

fn agent_variable() -> Option<&'static str> {
    AGENT_VARIABLES
        .iter()
        .copied()
        .find(|name| std::env::var_os(name).is_some())
}

fn against() -> Option<String> {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Some("standard input and output are not a terminal".to_owned());
    }
    if let Some(name) = agent_variable() {
        return Some(format!("the variable {name} says that an agent runs this"));
    }
    agent_ancestor().map(|name| format!("`{name}` is among the processes that started this"))
}

fn agent_ancestor() -> Option<String> {
    let mut process = std::process::id();
    for _ in 0..64 {
        let status =
            std::fs::read_to_string(Path::new("/proc").join(process.to_string()).join("status"))
                .ok()?;
        let field = |name: &str| {
            status
                .lines()
                .find_map(|line| line.strip_prefix(name))
                .map(str::trim)
        };
        let name = field("Name:")?;
        if AGENT_PROCESSES.contains(&name) {
            return Some(name.to_owned());
        }
        process = field("PPid:")?.parse().ok().filter(|parent| *parent > 1)?;
    }
    None
}
