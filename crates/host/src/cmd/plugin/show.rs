use super::{Format, Owner, add::asks, is_path};
use crate::reason::visible;
use crate::{Exit, output};
use countersign_reviewers::load::{Description, Image, Plugin, Settings};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;

/// How long a plugin may take to say what it is.
const DESCRIBE: Duration = Duration::from_secs(10);

/// Prints a plugin's manifest and the settings it takes.
pub(super) fn run(owner: &Owner, plugin: &str, format: Format) -> Result<Exit, String> {
    let image = owner.look(plugin)?;
    let state = owner.pin_state(&image.manifest().name, image.sha256());
    let head = head(owner, &image, state);
    let facts = json!({
        "manifest": image.manifest(), "path": image.path(),
        "sha256": image.sha256(), "state": state,
    });
    if is_path(plugin) || !matches!(state, "pinned" | "unpinned") {
        // Looking at it must not run what nobody vouches for.
        match format {
            Format::Text => output::print(&format!(
                "{head}not run, since nobody vouches for it: `countersign plugin add FILE` does, and shows its settings afterwards\n"
            ))?,
            Format::Json => output::print(&format!("{facts:#}\n"))?,
        }
        return Ok(Exit::Found);
    }
    let described = Plugin::new(image, Settings::with_config(Value::Null))
        .map_err(|error| error.to_string())?
        .describe(DESCRIBE)
        .map_err(|failure| failure.to_string())?;
    match format {
        Format::Text => output::print(&format!("{head}{}", settings(&described)))?,
        Format::Json => {
            let mut all = facts;
            if let Value::Object(fields) = &mut all {
                fields.insert("operations".to_owned(), json!(described.operations));
                fields.insert("config_schema".to_owned(), described.config_schema);
            }
            output::print(&format!("{all:#}\n"))?;
        }
    }
    Ok(Exit::Done)
}

fn head(owner: &Owner, image: &Image, state: &str) -> String {
    let manifest = image.manifest();
    let mut text = format!("{} {}\n", manifest.name, visible(&manifest.version));
    if !manifest.description.is_empty() {
        let _infallible = writeln!(text, "  {}", visible(&manifest.description));
    }
    let _infallible = writeln!(text, "  file       {}", image.path().display());
    let _infallible = writeln!(text, "  SHA-256    {} ({state})", image.sha256());
    let built = match manifest.sdk.as_str() {
        "" => String::new(),
        sdk => format!(", built with countersign-reviewers {}", visible(sdk)),
    };
    let _infallible = writeln!(text, "  interface  {}{built}", manifest.abi);
    for line in asks(manifest) {
        let _infallible = writeln!(text, "  {line}");
    }
    let users = owner.users(&manifest.name);
    if !users.is_empty() {
        let _infallible = writeln!(text, "  used by    {}", users.join(", "));
    }
    text
}

/// The settings in a schema, a line each; what a line cannot say is in the JSON form.
fn settings(described: &Description) -> String {
    let schema = &described.config_schema;
    let Some(Value::Object(properties)) = schema.get("properties") else {
        return "  settings   not described\n".to_owned();
    };
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut text = "settings:\n".to_owned();
    for (key, property) in properties {
        let kind = kind(property);
        let need = if required.contains(&key.as_str()) {
            " (required)".to_owned()
        } else {
            default(property)
        };
        let key = visible(key);
        let _infallible = writeln!(text, "  {key:<20} {}{}", visible(&kind), visible(&need));
        let description = property.get("description").and_then(Value::as_str);
        for line in description.into_iter().flat_map(str::lines) {
            let _infallible = writeln!(text, "  {:<20}   {}", "", visible(line.trim()));
        }
    }
    text
}

fn default(property: &Value) -> String {
    match property.get("default") {
        None | Some(Value::Null) => String::new(),
        Some(value) => format!(" [default: {value}]"),
    }
}

fn kind(property: &Value) -> String {
    let words = match property.get("type") {
        Some(Value::String(word)) => vec![word.as_str()],
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let words: Vec<&str> = words.into_iter().filter(|word| *word != "null").collect();
    if words.is_empty() {
        "value".to_owned()
    } else {
        words.join(" or ")
    }
}
