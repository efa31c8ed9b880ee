//! Reviewers: who is asked, by which plugin, with which settings.

use super::plugin::Owner;
use crate::cli::Global;
use crate::config::edit::{Edit, assignment};
use crate::config::{self, ModeFile, ReviewerFile};
use crate::paths::Dirs;
use crate::{Exit, output, person, reason};
use clap::{Args, Subcommand};
use countersign_core::{FailureKind, OnFailure};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::time::Duration;

/// How long a plugin may take to start and say how it is.
const HEALTH: Duration = Duration::from_secs(15);

#[derive(Debug, Clone, Args)]
pub(crate) struct ReviewerArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Clone, Subcommand)]
enum What {
    /// Ask a reviewer from now on, with these settings
    Use(UseArgs),
    /// Show who is asked, and how
    Show,
    /// Ask a reviewer no more, and forget its settings
    Remove {
        /// Its name
        name: String,
    },
}

#[derive(Debug, Clone, Args)]
struct UseArgs {
    /// The reviewer's name
    name: String,
    /// Settings of its plugin
    #[arg(value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Its plugin, where that has another name
    #[arg(long, value_name = "NAME")]
    plugin: Option<String>,
    /// An environment variable that it may have; may be given again
    #[arg(long, value_name = "VARIABLE")]
    env: Vec<String>,
    /// Ask it after those that are asked already
    #[arg(long)]
    also: bool,
    /// Ask it even though it is not well now, such as a model whose server is down
    #[arg(long)]
    anyway: bool,
}

pub(crate) fn run(global: &Global, args: &ReviewerArgs) -> Result<Exit, String> {
    match &args.what {
        What::Use(args) => use_reviewer(global, args),
        What::Show => show(&Owner::new(global)?),
        What::Remove { name } => remove(global, name),
    }
}

fn use_reviewer(global: &Global, args: &UseArgs) -> Result<Exit, String> {
    person::not_in_an_agent("reviewers are chosen")?;
    let owner = Owner::new(global)?;
    let (file, _) = owner
        .loaded
        .review
        .reviewers
        .get(&args.name)
        .cloned()
        .unwrap_or_default();
    let mut wanted = ReviewerFile {
        plugin: args.plugin.clone().or(file.plugin.clone()),
        ..file.clone()
    };
    let mut edit = Edit::open(&owner.dirs)?;
    let table = ["reviewers", args.name.as_str()];
    edit.table(&table)?;
    if let Some(plugin) = &args.plugin {
        edit.set(&table, "plugin", plugin.as_str().into())?;
    }
    for setting in &args.settings {
        let (keys, value) = assignment(setting)?;
        put(&mut wanted.config, &keys, json(&value)?);
        let (last, tables) = keys.split_last().ok_or("an empty key")?;
        let tables: Vec<&str> = table
            .into_iter()
            .chain(["config"])
            .chain(tables.iter().map(String::as_str))
            .collect();
        edit.set(&tables, last, value)?;
    }
    wanted.env.extend(named_variables(&wanted.config));
    wanted.env.extend(args.env.iter().cloned());
    dedup(&mut wanted.env);
    if wanted.env != file.env {
        let names: toml_edit::Array = wanted.env.iter().map(String::as_str).collect();
        edit.set(&table, "env", names.into())?;
    }

    let unwell = tried(&owner, &args.name, &wanted)?;
    if let (Some(why), false) = (&unwell, args.anyway) {
        return Err(format!(
            "reviewer {} is not well: {why}; nothing was changed (`--anyway` asks it all the same)",
            args.name
        ));
    }

    let mut ask = if args.also {
        owner.loaded.review.ask.clone()
    } else {
        Vec::new()
    };
    ask.push(args.name.clone());
    dedup(&mut ask);
    if ask != owner.loaded.review.ask {
        let names: toml_edit::Array = ask.iter().map(String::as_str).collect();
        edit.set(&["review"], "ask", names.into())?;
    }
    owner.record(&format!(
        "use reviewer {} (asked: {})",
        args.name,
        ask.join(", ")
    ))?;
    edit.write(&owner.dirs)?;
    let mut text = format!("asked from now on: {}\n", ask.join(", "));
    if let Some(why) = unwell {
        let _infallible = writeln!(
            text,
            "but it is not well, and until it is every review fails: {}",
            reason::visible(&why)
        );
    }
    text.push_str(&overridden(&owner.dirs, &args.name, &wanted, &ask)?);
    output::print(&text)?;
    Ok(Exit::Done)
}

/// The variables that a configuration names: a key that says which variable to read grants it.
fn named_variables(config: &Map<String, Value>) -> Vec<String> {
    let mut names = Vec::new();
    for (key, value) in config {
        match value {
            Value::String(name) if key.ends_with("_env") => names.push(name.clone()),
            Value::Array(list) if key == "env" => {
                names.extend(list.iter().filter_map(Value::as_str).map(str::to_owned));
            }
            _ => {}
        }
    }
    names
}

/// Starts the plugin with its settings before they are written; why it is not well, if it is not.
fn tried(owner: &Owner, name: &str, wanted: &ReviewerFile) -> Result<Option<String>, String> {
    let plugin = owner
        .reviewers()
        .plugin(name, wanted)
        .map_err(|error| error.to_string())?;
    match plugin.health(HEALTH) {
        Ok(()) => Ok(None),
        Err(failure) => match failure.kind {
            FailureKind::Failed => Ok(Some(failure.message)),
            _ => Err(format!(
                "reviewer {name} {}: {}; nothing was changed (`countersign plugin show {}` lists its settings)",
                failure.kind,
                failure.message,
                wanted.plugin(name)
            )),
        },
    }
}

/// What the administrator's file says otherwise, if anything.
fn overridden(
    dirs: &Dirs,
    name: &str,
    wanted: &ReviewerFile,
    ask: &[String],
) -> Result<String, String> {
    let now = config::load(dirs, &[])
        .map_err(|error| error.to_string())?
        .review;
    let mut text = String::new();
    if now.ask != ask {
        let _infallible = writeln!(
            text,
            "but {} has the last word on who is asked: {}",
            now.ask_from.unwrap_or_default().display(),
            now.ask.join(", ")
        );
    }
    if let Some((_, from)) = now.reviewers.get(name).filter(|(file, _)| file != wanted) {
        let _infallible = writeln!(
            text,
            "but {} has a [reviewers.{name}] of its own, and that one holds",
            from.display()
        );
    }
    Ok(text)
}

fn show(owner: &Owner) -> Result<Exit, String> {
    let review = &owner.loaded.review;
    let mut text = String::new();
    if review.ask.is_empty() {
        text.push_str(
            "nobody is asked: what rules cannot decide is left to the agent or to you\n`countersign plugin list` lists plugins, `countersign reviewer use NAME` uses one\n",
        );
    } else {
        let mode = match review.mode {
            ModeFile::First => "the first with an opinion".to_owned(),
            ModeFile::All => "the most restrictive opinion".to_owned(),
            ModeFile::Quorum => format!("an opinion that {} share", review.quorum),
        };
        let failure = match review.on_failure {
            OnFailure::Ask => "a question to you",
            OnFailure::Deny => "a deny",
        };
        let _infallible = write!(
            text,
            "asked       {}\ncounts      {mode}\ndeadline    {} s\nretries     {}\na failure   is {failure}\n",
            review.ask.join(", "),
            review.deadline.as_secs(),
            review.retries,
        );
        if let Some(from) = &review.ask_from {
            let _infallible = writeln!(text, "from        {}", from.display());
        }
    }
    let mut usable = true;
    for (name, (file, from)) in &review.reviewers {
        let asked = review.ask.contains(name);
        let _infallible = write!(
            text,
            "\n{name}{}\n  plugin     {}",
            if asked { "" } else { " (not asked)" },
            file.plugin(name)
        );
        match owner.reviewers().plugin(name, file) {
            Ok(plugin) => {
                let manifest = plugin.image().manifest();
                let _infallible = writeln!(text, " {}", manifest.version);
            }
            Err(error) => {
                usable &= !asked;
                let _infallible = writeln!(text, " — REFUSED: {}", error.kind);
            }
        }
        for (key, value) in &file.config {
            let _infallible = writeln!(text, "  {key} = {}", reason::visible(&value.to_string()));
        }
        if !file.env.is_empty() {
            let _infallible = writeln!(text, "  has the variables {}", file.env.join(", "));
        }
        let _infallible = writeln!(text, "  from {}", from.display());
    }
    output::print(&text)?;
    Ok(if usable { Exit::Done } else { Exit::Found })
}

fn remove(global: &Global, name: &str) -> Result<Exit, String> {
    person::not_in_an_agent("reviewers are chosen")?;
    let owner = Owner::new(global)?;
    let mut edit = Edit::open(&owner.dirs)?;
    let known = edit.remove(&["reviewers"], name);
    let ask: Vec<&str> = owner
        .loaded
        .review
        .ask
        .iter()
        .map(String::as_str)
        .filter(|asked| *asked != name)
        .collect();
    let asked = ask.len() != owner.loaded.review.ask.len();
    if !known && !asked {
        return Err(format!(
            "there is no reviewer {name}; `countersign reviewer show` lists them"
        ));
    }
    if asked && ask.is_empty() {
        edit.remove(&["review"], "ask");
    } else if asked {
        edit.set(
            &["review"],
            "ask",
            ask.iter().copied().collect::<toml_edit::Array>().into(),
        )?;
    }
    owner.record(&format!(
        "remove reviewer {name} (asked: {})",
        ask.join(", ")
    ))?;
    edit.write(&owner.dirs)?;
    let rest = if ask.is_empty() {
        "nobody".to_owned()
    } else {
        ask.join(", ")
    };
    let mut text = format!("removed {name}; asked from now on: {rest}\n");
    let ask: Vec<String> = ask.into_iter().map(str::to_owned).collect();
    text.push_str(&overridden(
        &owner.dirs,
        name,
        &ReviewerFile::default(),
        &ask,
    )?);
    output::print(&text)?;
    Ok(Exit::Done)
}

fn dedup(names: &mut Vec<String>) {
    let mut seen = Vec::new();
    names.retain(|name| {
        let new = !seen.contains(name);
        seen.push(name.clone());
        new
    });
}

/// Puts a value under nested keys.
pub(crate) fn put(config: &mut Map<String, Value>, keys: &[String], value: Value) {
    match keys {
        [] => {}
        [last] => {
            config.insert(last.clone(), value);
        }
        [first, rest @ ..] => {
            let inner = config
                .entry(first.clone())
                .or_insert_with(|| Value::Object(Map::new()));
            if !inner.is_object() {
                *inner = Value::Object(Map::new());
            }
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

/// A TOML value as the plugin gets it.
pub(crate) fn json(value: &toml_edit::Value) -> Result<Value, String> {
    let text = format!("value = {value}\n");
    let table: Map<String, Value> =
        toml::from_str(&text).map_err(|error| error.message().to_owned())?;
    Ok(table.get("value").cloned().unwrap_or(Value::Null))
}

#[cfg(test)]
mod tests {
    use super::{Dirs, ReviewerFile, overridden};

    #[test]
    fn the_administrators_word_is_told() {
        let place = tempfile::tempdir().expect("a folder");
        let dirs = Dirs::under(place.path());
        let write = |folder: &std::path::Path, text: &str| {
            std::fs::create_dir_all(folder).expect("a folder");
            std::fs::write(folder.join("config.toml"), text).expect("a file");
        };
        let mine = "[review]\nask = [\"mine\"]\n[reviewers.mine]\nfallback = true\n";
        write(&dirs.config, mine);
        let wanted = ReviewerFile {
            fallback: true,
            ..ReviewerFile::default()
        };
        let told = || overridden(&dirs, "mine", &wanted, &["mine".to_owned()]).expect("it loads");
        assert_eq!(told(), "");
        write(
            &dirs.managed,
            "[review]\nask = [\"theirs\"]\n[reviewers.theirs]\n[reviewers.mine]\n",
        );
        let base = place.path().to_string_lossy().into_owned();
        insta::assert_snapshot!(told().replace(&base, ""), @r"
        but /managed/config.toml has the last word on who is asked: theirs
        but /managed/config.toml has a [reviewers.mine] of its own, and that one holds
        ");
    }
}
