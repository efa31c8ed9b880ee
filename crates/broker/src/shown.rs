//! A call in words, for what is kept and for persons. Nothing here is redacted or escaped yet.

use crate::Call;
use countersign_core::Request;
use std::fmt::Write as _;

/// The longest text of a whole call, in bytes.
pub(crate) const WHOLE: usize = 16 << 10;

/// The programs of a command, or the tool and where it acts. Never the text of a command.
pub(crate) fn brief(call: &Call<'_>) -> String {
    let request = call.request;
    let programs: Vec<&str> = call
        .judgement
        .commands
        .iter()
        .map(|command| command.program().unwrap_or("?"))
        .take(6)
        .collect();
    if !programs.is_empty() {
        return programs.join(" ");
    }
    let what = request.tool_name.as_deref().unwrap_or(&request.operation);
    match request.path.as_deref().or(request.destination.as_deref()) {
        Some(place) => format!("{what} {place}"),
        None => what.to_owned(),
    }
}

/// All that a person needs to see of a call.
pub(crate) fn whole(request: &Request) -> String {
    let tool = request.tool_name.as_deref();
    let mut text = tool.unwrap_or(request.surface.as_str()).to_owned();
    let mut line = |name: &str, value: &str| {
        let _infallible = write!(text, "\n{name}{value}");
    };
    if let Some(command) = &request.command {
        line("", command);
    } else if let Some(input) = &request.input {
        line("", &serde_json::Value::Object(input.clone()).to_string());
    } else if let Some(place) = request.path.as_ref().or(request.destination.as_ref()) {
        line("", place);
    }
    if let Some(real) = &request.resolved_path {
        line("really ", real);
    }
    line("in ", &request.cwd);
    text
}

/// At most so many bytes of a text, saying how many more there are.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let kept = text
        .char_indices()
        .map(|(at, _)| at)
        .take_while(|at| *at <= most)
        .last()
        .unwrap_or(0);
    let (head, tail) = text.split_at_checked(kept).unwrap_or((text, ""));
    format!("{head} … ({} more bytes)", tail.len())
}
