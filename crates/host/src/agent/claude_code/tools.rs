use super::PreToolUse;
use countersign_core::Request;
use countersign_policy::tool_request;
use serde_json::{Map, Value};

/// The request that a tool call makes.
pub fn request(call: &PreToolUse) -> Request {
    let mut request = of_tool(&call.tool_name, &call.tool_input, &call.cwd);
    request.tool_call_id.clone_from(&call.tool_use_id);
    request.agent.clone_from(&call.agent_type);
    request.session = Some(call.session_id.clone());
    // No scope: prompts of tools and timers have ids as those of people have, and only the hook that
    // sees a prompt come knows which it is.
    if let Some(id) = &call.tool_use_id {
        request.id.clone_from(id);
    }
    request
}

/// The request that a tool with this name and input makes, whoever calls it.
pub(crate) fn of_tool(tool: &str, input: &Map<String, Value>, cwd: &str) -> Request {
    Request {
        id: "hook".to_owned(),
        ..tool_request("claude-code", tool, input, cwd)
    }
}
