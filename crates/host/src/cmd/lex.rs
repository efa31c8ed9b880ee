use super::subject::{Format, answer_rows};
use crate::reason::visible;
use crate::{Exit, output};
use clap::Args;
use countersign_core::Facts;
use countersign_lexer::{Command, Dialect, Options, Redirect, Script, Word, lex};
use countersign_policy::{Expanded, expand};
use serde_json::{Value, json};
use std::fmt::Write as _;

#[derive(Debug, Clone, Args)]
pub(crate) struct LexArgs {
    /// The shell that would run it
    #[arg(long, value_name = "SHELL")]
    shell: Option<String>,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Read rows of JSON from standard input and answer line for line
    #[arg(long)]
    batch: bool,
    /// The command line
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "batch")]
    command: Vec<String>,
}

pub(crate) fn run(args: &LexArgs) -> Result<Exit, String> {
    let options = Options {
        dialect: dialect(args.shell.as_deref()),
        ..Options::default()
    };
    if args.batch {
        return batch(&options);
    }
    let source = args.command.join(" ");
    let script = lex(source.as_bytes(), &options);
    let derived = derived(&source, args.shell.as_deref());
    match args.format {
        Format::Text => output::print(&tree(&script, &derived))?,
        Format::Json => output::print(&format!("{:#}\n", answer(&Value::Null, &script, &derived)))?,
    }
    Ok(Exit::Done)
}

fn batch(options: &Options) -> Result<Exit, String> {
    answer_rows(|row| {
        let Some(command) = row.fields.get("command").and_then(Value::as_str) else {
            let problem = "the row needs a `command`";
            return (json!({"id": row.id, "error": problem}), false);
        };
        let script = lex(command.as_bytes(), options);
        (answer(&row.id, &script, &derived(command, None)), true)
    })
}

fn dialect(shell: Option<&str>) -> Dialect {
    match shell {
        Some("bash") => Dialect::Bash,
        Some("sh" | "dash") => Dialect::Sh,
        Some("zsh") => Dialect::Zsh,
        Some("fish") => Dialect::Fish,
        Some("pwsh" | "powershell") => Dialect::PowerShell,
        _ => Dialect::Unknown,
    }
}

/// What commands run in turn, which only policy knows.
fn derived(source: &str, shell: Option<&str>) -> Vec<Expanded> {
    let mut facts = Facts::virtual_at("/home/user", &["/home/user/project"]);
    facts.shell = shell.map(str::to_owned);
    expand(source, "/home/user/project", &facts)
        .into_iter()
        .filter(|found| found.derived)
        .collect()
}

/// The row that programs read; field names and kinds are part of the API.
fn answer(id: &Value, script: &Script, derived: &[Expanded]) -> Value {
    let mut commands: Vec<Value> = script.commands().map(|command| syntax(&command)).collect();
    commands.extend(derived.iter().map(effect));
    let diagnostics: Vec<Value> = script
        .diagnostics()
        .iter()
        .map(|found| json!({"text": found.kind.to_string(), "span": [found.span.start, found.span.end]}))
        .collect();
    json!({
        "id": id,
        "status": format!("{:?}", script.status()).to_lowercase(),
        "commands": commands,
        "diagnostics": diagnostics,
    })
}

fn shown(word: &Word<'_>) -> String {
    String::from_utf8_lossy(word.literal().unwrap_or(word.source())).into_owned()
}

fn syntax(command: &Command<'_>) -> Value {
    let span = command.span();
    json!({
        "argv": command.words().map(|word| shown(&word)).collect::<Vec<_>>(),
        "dynamic": command.words().map(|word| word.is_dynamic()).collect::<Vec<_>>(),
        "kinds": command.words().map(|word| word.kind().as_str()).collect::<Vec<_>>(),
        "redirects": command.redirects().map(|found| redirect(&found)).collect::<Vec<_>>(),
        "assignments": command.assignments().map(|found| {
            let name = String::from_utf8_lossy(found.name());
            match found.value().filter(|_| !found.has_subscript()) {
                Some(value) => format!("{name}{}={}", if found.append() { "+" } else { "" }, shown(&value)),
                None => String::from_utf8_lossy(found.source()).into_owned(),
            }
        }).collect::<Vec<_>>(),
        "context": command.context().as_str(),
        "layer": "syntax",
        "span": [span.start, span.end],
    })
}

fn redirect(found: &Redirect<'_>) -> Value {
    let target = found.target();
    let mut value = json!({"op": found.op().as_str(), "target": shown(&target), "dynamic": target.is_dynamic()});
    let Value::Object(fields) = &mut value else {
        return value;
    };
    if let Some(fd) = found.fd() {
        fields.insert("fd".to_owned(), json!(fd));
    }
    if let Some(name) = found.fd_variable() {
        fields.insert("var".to_owned(), json!(String::from_utf8_lossy(name)));
    }
    if let Some(body) = found.body() {
        fields.insert("quoted".to_owned(), json!(found.heredoc_quoted()));
        fields.insert("dynamic".to_owned(), json!(body.literal().is_none()));
        if let Some(text) = body.literal() {
            fields.insert("body".to_owned(), json!(String::from_utf8_lossy(text)));
        }
    }
    value
}

fn effect(found: &Expanded) -> Value {
    let view = &found.view;
    let kinds: Vec<&str> = view
        .dynamic
        .iter()
        .map(|dynamic| if *dynamic { "mixed" } else { "static" })
        .collect();
    json!({
        "argv": view.argv,
        "dynamic": view.dynamic,
        "kinds": kinds,
        "redirects": [],
        "assignments": [],
        "context": view.context,
        "layer": "effect",
        "span": [view.span.0, view.span.1],
    })
}

/// The commands as a person reads them, each under what it was found in.
fn tree(script: &Script, derived: &[Expanded]) -> String {
    let mut text = format!("{:?}\n", script.status());
    for command in script.commands() {
        let words: Vec<String> = command
            .words()
            .map(|word| String::from_utf8_lossy(word.source()).into_owned())
            .collect();
        let span = command.span();
        let _infallible = writeln!(
            text,
            "{:>5}..{:<5} {:<12} {}",
            span.start,
            span.end,
            command.context().as_str(),
            visible(&words.join(" "))
        );
        for found in command.redirects() {
            let target = String::from_utf8_lossy(found.target().source()).into_owned();
            let _infallible = writeln!(text, "{:>25} {}", found.op().as_str(), visible(&target));
        }
        for found in command.assignments() {
            let source = String::from_utf8_lossy(found.source()).into_owned();
            let _infallible = writeln!(text, "{:>25} {}", "sets", visible(&source));
        }
    }
    for found in derived {
        let view = &found.view;
        let _infallible = writeln!(
            text,
            "{:>5}..{:<5} {:<12} {}",
            view.span.0,
            view.span.1,
            view.context,
            visible(&view.argv.join(" "))
        );
    }
    for found in script.diagnostics() {
        let _infallible = writeln!(
            text,
            "{:>5}..{:<5} {}",
            found.span.start, found.span.end, found.kind
        );
    }
    text
}
