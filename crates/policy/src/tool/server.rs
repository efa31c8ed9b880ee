//! What is known of an MCP server's tool beyond its arguments: what it says of itself, and what the
//! owner says of it.

use crate::settings::McpServer;
use countersign_core::Request;
use std::collections::BTreeMap;

/// What counts of that.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hints {
    /// It only reads: the owner says so, or trusts the server that does.
    pub(super) reads: bool,
    /// It says that it destroys. Anybody is believed who says so.
    pub(super) destroys: bool,
}

pub(super) fn hints(request: &Request, servers: &BTreeMap<String, McpServer>) -> Hints {
    let said = request.annotations.unwrap_or_default();
    let destroys = said.destructive_hint == Some(true) && said.read_only_hint != Some(true);
    let name = request.tool_name.as_deref().unwrap_or_default();
    let known = servers
        .iter()
        .find_map(|(server, settings)| Some((settings, tool_of(name, server)?)));
    let Some((server, tool)) = known else {
        return Hints {
            reads: false,
            destroys: said.destructive_hint == Some(true),
        };
    };
    let listed = server.read_only.iter().any(|name| name == tool);
    let trusted = server.trust
        && said.read_only_hint == Some(true)
        && said.destructive_hint != Some(true)
        && said.open_world_hint != Some(true);
    Hints {
        reads: listed || trusted,
        destroys: if server.trust {
            destroys
        } else {
            said.destructive_hint == Some(true)
        },
    }
}

/// The name that a server gives its tool, from the name that an agent gives it; none where another
/// server could be meant. Whoever writes a repository chooses the names of its servers.
fn tool_of<'n>(name: &'n str, server: &str) -> Option<&'n str> {
    let (rest, between) = match name.strip_prefix("mcp__") {
        Some(rest) => (rest, "__"),
        // Gemini's form: one line between server and tool.
        None => (name.strip_prefix("mcp_")?, "_"),
    };
    let tool = rest.strip_prefix(server)?.strip_prefix(between)?;
    let certain = !server.contains(between)
        && !server.ends_with('_')
        && !tool.starts_with('_')
        && !tool.contains(between);
    certain.then_some(tool)
}
