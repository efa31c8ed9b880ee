use super::PreToolUse;
use countersign_core::{Request, Surface};
use serde_json::{Map, Value};

/// Tools without effects of their own. They are never asked about.
const NO_EFFECT: &[&str] = &[
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
];

/// The request that a tool call makes.
pub fn request(call: &PreToolUse) -> Request {
    let mut request = of_tool(&call.tool_name, &call.tool_input, &call.cwd);
    request.tool_call_id.clone_from(&call.tool_use_id);
    request.agent.clone_from(&call.agent_type);
    request.session = Some(call.session_id.clone());
    request.scope = call
        .prompt_id
        .as_ref()
        .map(|prompt| format!("{}:{prompt}", call.session_id));
    if let Some(id) = &call.tool_use_id {
        request.id.clone_from(id);
    }
    request
}

/// The request that a tool with this name and input makes, whoever calls it.
pub(crate) fn of_tool(tool: &str, input: &Map<String, Value>, cwd: &str) -> Request {
    let (surface, operation) = surface(tool, input);
    let mut request = Request::new("hook", "claude-code", surface, operation, cwd);
    let text = |key: &str| input.get(key).and_then(Value::as_str).map(str::to_owned);
    match request.surface {
        Surface::Command => request.command = text("command"),
        Surface::FilesystemRead | Surface::FilesystemWrite => {
            request.path = text("file_path")
                .or_else(|| text("notebook_path"))
                .or_else(|| text("path"));
        }
        Surface::Network => request.destination = text("url"),
        Surface::Skill => request.skill_name = text("skill"),
        Surface::Mcp | Surface::Other(_) => {}
    }
    request.tool_name = Some(tool.to_owned());
    request.input = Some(without_prose(tool, input));
    request
}

fn surface(tool: &str, input: &Map<String, Value>) -> (Surface, &'static str) {
    match tool {
        // Whatever carries a command runs it.
        _ if input.get("command").is_some_and(Value::is_string) && !tool.starts_with("mcp__") => {
            (Surface::Command, "run")
        }
        "Bash" | "Monitor" => (Surface::Command, "run"),
        "Read" | "NotebookRead" => (Surface::FilesystemRead, "read"),
        "Glob" | "Grep" | "LS" => (Surface::FilesystemRead, "search"),
        "Write" => (Surface::FilesystemWrite, "write"),
        "Edit" | "MultiEdit" | "NotebookEdit" => (Surface::FilesystemWrite, "edit"),
        "WebFetch" => (Surface::Network, "fetch"),
        "WebSearch" => (Surface::Network, "search"),
        "Skill" => (Surface::Skill, "use"),
        _ if tool.starts_with("mcp__") || tool == "ReadMcpResourceTool" => (Surface::Mcp, "call"),
        _ if NO_EFFECT.contains(&tool) => (Surface::Other("agent".to_owned()), "none"),
        _ => (Surface::Other("agent".to_owned()), "call"),
    }
}

/// The input without what the model says about its call: that must not change what is judged.
fn without_prose(tool: &str, input: &Map<String, Value>) -> Map<String, Value> {
    let mut input = input.clone();
    if matches!(tool, "Bash" | "Monitor") {
        input.remove("description");
    }
    input
}
