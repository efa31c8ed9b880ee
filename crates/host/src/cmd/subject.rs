//! What a command is asked about: a call from the command line, or a row of a batch.

use crate::agent::claude_code;
use crate::cli::Global;
use crate::{Exit, config, facts, output, paths};
use clap::{Args, ValueEnum};
use countersign_core::{Facts, Request, parse_strict};
use countersign_policy::{Policy, Settings};
use serde_json::{Map, Value};
use std::fmt::Display;
use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};

/// How an answer is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// The call that a command is asked about.
#[derive(Debug, Clone, Args)]
pub(crate) struct SubjectArgs {
    /// The directory it would run in [default: this one]
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// The home directory [default: $HOME]
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
    /// A workspace root; may be given again [default: the directory it would run in]
    #[arg(long, value_name = "DIR")]
    project: Vec<PathBuf>,
    /// The shell that would run it
    #[arg(long, value_name = "SHELL")]
    shell: Option<String>,
    /// A tool, by the name that Claude Code gives it
    #[arg(
        long,
        value_name = "TOOL",
        requires = "input",
        conflicts_with = "command"
    )]
    tool: Option<String>,
    /// The tool's input
    #[arg(long, value_name = "JSON", requires = "tool")]
    input: Option<String>,
    /// The command line
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// A request with what the host knows about it.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    pub(crate) request: Request,
    pub(crate) facts: Facts,
}

impl SubjectArgs {
    /// The call, on this machine.
    pub(crate) fn subject(&self) -> Result<Subject, String> {
        let cwd = match &self.cwd {
            Some(dir) => text(&std::path::absolute(dir).map_err(|error| error.to_string())?)?,
            None => text(&std::env::current_dir().map_err(|error| error.to_string())?)?,
        };
        let home = match &self.home {
            Some(dir) => text(dir)?,
            None => std::env::var("HOME").unwrap_or_else(|_| "/".to_owned()),
        };
        let mut base = Facts::at(&home, &[]);
        base.roots = if self.project.is_empty() {
            vec![text(&facts::real(Path::new(&cwd)))?]
        } else {
            self.project
                .iter()
                .map(|dir| text(&facts::real(dir)))
                .collect::<Result<_, _>>()?
        };
        base.temp_roots = facts::temp_roots();
        base.shell.clone_from(&self.shell);
        let request = match (&self.tool, &self.input) {
            (Some(tool), Some(input)) => tool_request(tool, input, &cwd)?,
            _ if self.command.is_empty() => {
                return Err(
                    "nothing to judge: give a command after `--`, or `--tool` and `--input`"
                        .to_owned(),
                );
            }
            _ => Request::command("check", "command-line", &cwd, &self.command.join(" ")),
        };
        Ok(Subject {
            request,
            facts: base,
        })
    }
}

fn tool_request(tool: &str, input: &str, cwd: &str) -> Result<Request, String> {
    match parse_strict(input.as_bytes()) {
        Ok(Value::Object(input)) => Ok(claude_code::of_tool(tool, &input, cwd)),
        Ok(_) => Err("`--input` must be a JSON object".to_owned()),
        Err(error) => Err(format!("`--input` is {error}")),
    }
}

fn text(path: &Path) -> Result<String, String> {
    path.to_str()
        .map(str::to_owned)
        .ok_or_else(|| format!("{} is not UTF-8", path.display()))
}

/// The owner's policy for these workspace roots.
pub(crate) fn owner_policy(
    global: &Global,
    roots: &[String],
) -> Result<(Policy, paths::Dirs), String> {
    let dirs = global.dirs()?;
    let loaded = config::load(&dirs, roots).map_err(|error| error.to_string())?;
    Ok((Policy::new(loaded.settings), dirs))
}

/// The policy of a batch: the built-in one, unless a configuration folder was named.
pub(crate) fn batch_policy(global: &Global) -> Result<Policy, String> {
    match global.config_dir {
        Some(_) => owner_policy(global, &[]).map(|(policy, _)| policy),
        None => Ok(Policy::new(Settings::default())),
    }
}

/// One row of a batch: a command or a tool, on a machine with nothing on it.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// The row's own name, given back with the answer.
    pub(crate) id: Value,
    /// What it asks, or why it cannot be asked.
    pub(crate) subject: Result<Subject, String>,
    /// Every field of the row.
    pub(crate) fields: Map<String, Value>,
}

/// Answers the rows on standard input line for line, in order. `answer` gives the line, and whether
/// the row could be answered; one that could not shows in the exit code.
pub(crate) fn answer_rows<T: Display>(answer: impl Fn(&Row) -> (T, bool)) -> Result<Exit, String> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut every_row_answered = true;
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| format!("cannot read standard input: {error}"))?;
        if line.trim().is_empty() {
            continue;
        }
        let (line, answered) = answer(&Row::parse(&line));
        every_row_answered &= answered;
        writeln!(out, "{line}").map_err(|error| output::unwritable(&error))?;
    }
    out.flush().map_err(|error| output::unwritable(&error))?;
    Ok(if every_row_answered {
        Exit::Done
    } else {
        Exit::Usage
    })
}

impl Row {
    pub(crate) fn parse(line: &str) -> Self {
        let fields = match parse_strict(line.as_bytes()) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return Self::broken("the row is not a JSON object"),
            Err(error) => return Self::broken(&format!("the row is {error}")),
        };
        let id = fields.get("id").cloned().unwrap_or(Value::Null);
        Self {
            subject: row_subject(&fields),
            id,
            fields,
        }
    }

    fn broken(problem: &str) -> Self {
        Self {
            id: Value::Null,
            subject: Err(problem.to_owned()),
            fields: Map::new(),
        }
    }
}

fn row_subject(fields: &Map<String, Value>) -> Result<Subject, String> {
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    let home = text("home").unwrap_or("/home/user");
    let project: Vec<&str> = match fields.get("project") {
        Some(Value::String(root)) => vec![root],
        Some(Value::Array(roots)) => roots.iter().filter_map(Value::as_str).collect(),
        _ => vec!["/home/user/project"],
    };
    let cwd = text("cwd").unwrap_or("/home/user/project");
    let facts = match fields.get("facts") {
        Some(facts) => serde_json::from_value(facts.clone())
            .map_err(|error| format!("`facts` cannot be used: {error}"))?,
        None => Facts::virtual_at(home, &project),
    };
    let mut request = match (text("command"), text("tool"), fields.get("input")) {
        (Some(command), None, _) => Request::command("row", "batch", cwd, command),
        (None, Some(tool), Some(Value::Object(input))) => claude_code::of_tool(tool, input, cwd),
        _ => return Err("the row needs a `command`, or a `tool` and an `input` object".to_owned()),
    };
    request.annotations = match fields.get("annotations") {
        Some(said) => serde_json::from_value(said.clone())
            .map_err(|error| format!("`annotations` cannot be used: {error}"))?,
        None => None,
    };
    let id = text("id").filter(|id| !id.trim().is_empty());
    id.unwrap_or("row").clone_into(&mut request.id);
    Ok(Subject { request, facts })
}
