//! The tools of agents by their names, and the request that each makes.

use crate::tool::walk;
use countersign_core::{Request, Surface};
use serde_json::{Map, Value};

/// Tools that mean the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// They run shell source.
    Command,
    /// They read a file.
    Read,
    /// They read or list what lies below a directory.
    Search,
    /// They write a whole file.
    Write,
    /// They change a part of a file.
    Edit,
    /// They read or change a file, as an argument says.
    Editor,
    /// They remove a file.
    Delete,
    /// They change every file that a patch names.
    Patch,
    /// They fetch a URL.
    Fetch,
    /// They ask a search engine.
    WebSearch,
    /// They run a skill.
    Skill,
    /// They are another program's, behind a protocol.
    Mcp,
    /// They have no effect of their own.
    Nothing,
    /// They are not known.
    Other,
}

/// Every tool that is known, without case, `_` and `-`.
const TOOLS: &[(Family, &[&str])] = &[
    (
        Family::Command,
        &[
            "bash",
            "execcommand",
            "localshell",
            "monitor",
            "runshellcommand",
            "runterminalcmd",
            "shell",
            "shellcommand",
            "terminal",
            "unifiedexec",
        ],
    ),
    (
        Family::Read,
        &["notebookread", "read", "readfile", "view", "viewimage"],
    ),
    (
        Family::Search,
        &[
            "find",
            "glob",
            "grep",
            "grepfiles",
            "grepsearch",
            "list",
            "listdir",
            "listdirectory",
            "ls",
            "readmanyfiles",
            "searchfilecontent",
        ],
    ),
    (Family::Write, &["create", "write", "writefile"]),
    (
        Family::Edit,
        &[
            "edit",
            "editfile",
            "multiedit",
            "notebookedit",
            "replace",
            "searchreplace",
            "strreplace",
        ],
    ),
    (
        Family::Editor,
        &["strreplacebasededittool", "strreplaceeditor", "texteditor"],
    ),
    (Family::Delete, &["delete", "deletefile"]),
    (Family::Patch, &["applypatch", "patch"]),
    (Family::Fetch, &["fetch", "webfetch"]),
    (
        Family::WebSearch,
        &["codesearch", "googlewebsearch", "websearch"],
    ),
    (Family::Skill, &["skill", "activateskill"]),
];

/// Tools without effects of their own, exactly as they are spelled. They are never asked about.
const NOTHING: &[&str] = &[
    "AskUserQuestion",
    "BashOutput",
    "CronList",
    "EnterPlanMode",
    "ExitPlanMode",
    "ListAgents",
    "ListMcpResourcesTool",
    "ReportFindings",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskUpdate",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
    "ask_user",
    "question",
    "todoread",
    "todowrite",
    "update_plan",
    "write_todos",
];

/// The family of the tool with this name.
pub(crate) fn family(tool: &str) -> Family {
    if NOTHING.contains(&tool) {
        return Family::Nothing;
    }
    if is_mcp(tool) {
        return Family::Mcp;
    }
    let name = walk::plain(tool);
    TOOLS
        .iter()
        .find(|(_, names)| names.contains(&name.as_str()))
        .map_or(Family::Other, |(family, _)| *family)
}

fn is_mcp(tool: &str) -> bool {
    let start = tool.get(..4).unwrap_or_default();
    start.eq_ignore_ascii_case("mcp_")
        || start.eq_ignore_ascii_case("mcp:")
        || tool == "ReadMcpResourceTool"
}

/// The request that a tool with this name and input makes, whichever agent calls it. `source` names
/// the adapter that saw the call.
pub fn tool_request(source: &str, tool: &str, input: &Map<String, Value>, cwd: &str) -> Request {
    let family = family(tool);
    let (surface, operation) = boundary(family);
    let mut request = Request::new("tool", source, surface, operation, cwd);
    let text = |key: &str| input.get(key).and_then(Value::as_str).map(str::to_owned);
    match family {
        Family::Command => request.command = command(tool, input),
        Family::Read
        | Family::Search
        | Family::Write
        | Family::Edit
        | Family::Editor
        | Family::Delete => request.path = walk::first_path(input).map(str::to_owned),
        Family::Fetch => request.destination = text("url").or_else(|| text("uri")),
        Family::Skill => request.skill_name = text("skill").or_else(|| text("name")),
        Family::Patch | Family::WebSearch | Family::Mcp | Family::Nothing | Family::Other => {}
    }
    request.tool_name = Some(tool.to_owned());
    request.input = Some(without_prose(family, input));
    request
}

fn boundary(family: Family) -> (Surface, &'static str) {
    let other = || Surface::Other("agent".to_owned());
    match family {
        Family::Command => (Surface::Command, "run"),
        Family::Read => (Surface::FilesystemRead, "read"),
        Family::Search => (Surface::FilesystemRead, "search"),
        Family::Write => (Surface::FilesystemWrite, "write"),
        Family::Edit | Family::Editor => (Surface::FilesystemWrite, "edit"),
        Family::Delete => (Surface::FilesystemWrite, "delete"),
        Family::Patch => (Surface::FilesystemWrite, "patch"),
        Family::Fetch => (Surface::Network, "fetch"),
        Family::WebSearch => (Surface::Network, "search"),
        Family::Skill => (Surface::Skill, "use"),
        Family::Mcp => (Surface::Mcp, "call"),
        Family::Nothing => (other(), "none"),
        Family::Other => (other(), "call"),
    }
}

/// The source that a shell tool runs: a text, or the words of one command.
fn command(tool: &str, input: &Map<String, Value>) -> Option<String> {
    // Claude Code's tools take a text and nothing else.
    let takes_words = !matches!(tool, "Bash" | "Monitor");
    let of = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(_) if takes_words => walk::quoted(value),
        _ => None,
    };
    let action = || input.get("action").and_then(|action| action.get("command"));
    let named = input.get("command").or_else(|| input.get("cmd"));
    named.or_else(action).and_then(of)
}

/// The input without what the model says about its call: that must not change what is judged.
fn without_prose(family: Family, input: &Map<String, Value>) -> Map<String, Value> {
    let mut input = input.clone();
    if family == Family::Command {
        for prose in ["description", "justification"] {
            input.remove(prose);
        }
    }
    input
}
