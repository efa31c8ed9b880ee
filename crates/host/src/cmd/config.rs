use crate::cli::Global;
use crate::{Exit, config, output, person, session};
use clap::{Args, Subcommand, ValueEnum};
use countersign_broker::AuditPort as _;
use countersign_core::{AuditEvent, AuditKind, OnFailure};
use countersign_policy::{COMMAND_FILE_SCHEMA, CommandFile};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Args)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Clone, Subcommand)]
enum What {
    /// Print the settings in force here, and where they come from
    Show,
    /// Check the files, or one file, and say what is wrong where
    Check {
        /// The file; without it, every file in force here
        file: Option<PathBuf>,
    },
    /// List the packs of rules in force here, with every rule and how it weighs
    Packs,
    /// Print the built-in settings, as a file to start from
    Defaults,
    /// Print a command file about a program to go on from, with comments, and where to put it
    Command {
        /// The program, by the name that it is called by
        program: String,
    },
    /// Print the JSON Schema of a configuration file
    Schema {
        /// The files it is for
        #[arg(value_enum, default_value_t)]
        of: Files,
    },
    /// Have running sessions take over what the files hold now (from a person's terminal)
    Reload,
}

/// Files that a schema is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Files {
    /// Configuration files
    #[default]
    Config,
    /// Command files
    Commands,
}

pub(crate) fn run(global: &Global, args: &ConfigArgs) -> Result<Exit, String> {
    match &args.what {
        What::Show => show(global),
        What::Check { file: Some(file) } => check_file(file),
        What::Check { file: None } => check(global),
        What::Packs => packs(global),
        What::Defaults => done(&config::defaults()),
        What::Reload => reload(global),
        What::Command { program } => command(global, program),
        What::Schema { of: Files::Config } => done(&format!("{:#}\n", config::schema())),
        What::Schema {
            of: Files::Commands,
        } => done(COMMAND_FILE_SCHEMA),
    }
}

/// A file to go on from, which says where it belongs.
fn command(global: &Global, program: &str) -> Result<Exit, String> {
    let plain = |c: char| c.is_alphanumeric() || "+-._[@".contains(c);
    if program.is_empty() || !program.chars().all(plain) {
        return Err(format!(
            "`{program}` is no program's name; give it without its folder and its arguments"
        ));
    }
    let [folder, _] = global.dirs()?.commands();
    let mut text = format!(
        "# Put this into {}: make the folder, print it there, fill it in,\n\
         # and let `countersign config check` look at it.\n",
        folder.join(format!("{program}.toml")).display(),
    );
    if CommandFile::is_built_in(program) {
        let _infallible = writeln!(
            text,
            "# Much is built in about `{program}`: this file takes the place of all of it."
        );
    }
    text.push_str("#\n");
    text.push_str(&CommandFile::skeleton(program));
    done(&text)
}

fn done(text: &str) -> Result<Exit, String> {
    output::print(text)?;
    Ok(Exit::Done)
}

/// Every session begins its next call with what the files hold then; takes a person.
fn reload(global: &Global) -> Result<Exit, String> {
    person::required("settings are taken over in running sessions")?;
    let dirs = global.dirs()?;
    // Nothing is taken over that would deny every call.
    load(global)?;
    config::audit_log(&dirs)
        .record(&AuditEvent::note(
            AuditKind::ConfigChange,
            "countersign",
            "reload",
        ))
        .map_err(|error| error.to_string())?;
    let forgotten = session::forget(&dirs).map_err(|error| error.to_string())?;
    done(&format!(
        "reloaded: the next call of every session takes what the files hold then ({forgotten} had kept theirs)\n"
    ))
}

fn load(global: &Global) -> Result<config::Loaded, String> {
    let cwd = std::env::current_dir().map_err(|error| error.to_string())?;
    config::load(&global.dirs()?, &[cwd.to_string_lossy().into_owned()])
        .map_err(|error| error.to_string())
}

fn show(global: &Global) -> Result<Exit, String> {
    let loaded = load(global)?;
    let settings = &loaded.settings;
    let mut text = String::new();
    match loaded.files.as_slice() {
        [] => text.push_str("# no configuration file: the built-in settings are in force\n"),
        files => {
            for file in files {
                let _infallible = writeln!(text, "# from {}", file.display());
            }
        }
    }
    let kept = session::told(&global.dirs()?);
    for note in loaded.notes.iter().chain(&settings.complaints).chain(&kept) {
        let _infallible = writeln!(text, "# {note}");
    }
    let undecided = if loaded.undecided == config::Undecided::Ask {
        "ask"
    } else {
        "no-opinion"
    };
    let _infallible = writeln!(text, "undecided = {undecided:?}\n\n[permissions]");
    for (name, patterns) in [
        ("deny", &settings.deny),
        ("ask", &settings.ask),
        ("allow", &settings.allow),
    ] {
        list(
            &mut text,
            name,
            patterns.iter().map(countersign_policy::Pattern::as_str),
        );
    }
    text.push_str("\n[paths]\n");
    for (name, paths) in [
        ("protected", &settings.protected),
        ("secret", &settings.secret),
        ("denied", &settings.denied),
    ] {
        list(&mut text, name, paths.iter().map(String::as_str));
    }
    text.push_str("\n[network]\n");
    list(
        &mut text,
        "read_hosts",
        settings.read_hosts.iter().map(String::as_str),
    );
    for (name, on) in [
        ("remote_reads", settings.remote_reads),
        ("plain_gets", settings.plain_gets),
    ] {
        let _infallible = writeln!(text, "{name} = {on}");
    }
    if let Some(anchor) = &loaded.anchor {
        let _infallible = writeln!(
            text,
            "\n[audit]\nanchor = {:?}\nanchor_required = {}",
            anchor.file.to_string_lossy(),
            anchor.required
        );
    }
    review(&mut text, &loaded.review);
    for exception in &settings.exceptions {
        let _infallible = writeln!(text, "\n[[hard_deny.except]]\nrule = {:?}", exception.rule);
        for (name, value) in [("path", &exception.path), ("host", &exception.host)] {
            if let Some(value) = value {
                let _infallible = writeln!(text, "{name} = {value:?}");
            }
        }
        let _infallible = writeln!(text, "reason = {:?}", exception.reason);
    }
    done(&text)
}

/// Who is asked and what they are told; the reviewers themselves have a command of their own.
fn review(text: &mut String, review: &config::Review) {
    let mode = match review.mode {
        config::ModeFile::First => "first",
        config::ModeFile::All => "all",
        config::ModeFile::Quorum => "quorum",
    };
    let on_failure = match review.on_failure {
        OnFailure::Ask => "ask",
        OnFailure::Deny => "deny",
    };
    text.push_str("\n[review] # `countersign reviewer show` shows the reviewers\n");
    list(text, "ask", review.ask.iter().map(String::as_str));
    let _infallible = writeln!(
        text,
        "mode = {mode:?}\nquorum = {}\ndeadline_s = {}\nretries = {}\non_failure = {on_failure:?}\n\n[guidance]",
        review.quorum,
        review.deadline.as_secs(),
        review.retries
    );
    let guidance = &review.guidance;
    for (name, entries) in [
        ("environment", &guidance.environment),
        ("allow", &guidance.allow),
        ("soft_deny", &guidance.soft_deny),
        ("hard_deny", &guidance.hard_deny),
    ] {
        list(text, name, entries.iter().map(String::as_str));
    }
}

fn list<'t>(text: &mut String, name: &str, items: impl Iterator<Item = &'t str>) {
    let items: Vec<String> = items.map(|item| format!("{item:?}")).collect();
    let _infallible = writeln!(text, "{name} = [{}]", items.join(", "));
}

fn packs(global: &Global) -> Result<Exit, String> {
    let loaded = load(global)?;
    let mut text = String::new();
    for (name, about) in countersign_policy::built_in_packs() {
        let rules = countersign_policy::built_in_rules();
        let mine = rules.filter(|(id, _)| id.split('.').next() == Some(name));
        pack(&mut text, (name, about, "built in"), mine);
    }
    for (own, file) in loaded.settings.packs.iter().zip(&loaded.pack_files) {
        let file = file.display().to_string();
        pack(&mut text, (own.name(), own.about(), &file), own.ids());
    }
    done(&text)
}

fn pack<'r>(
    text: &mut String,
    (name, about, whose): (&str, &str, &str),
    rules: impl Iterator<Item = (&'r str, countersign_core::Severity)>,
) {
    let about = crate::reason::visible(about);
    let _infallible = writeln!(text, "{name}: {about} ({whose})");
    for (id, severity) in rules {
        let weight = match severity {
            countersign_core::Severity::Hard => "hard",
            countersign_core::Severity::Soft => "soft",
            _ => "ask",
        };
        let _infallible = writeln!(text, "  {weight:4}  {id}");
    }
}

fn check(global: &Global) -> Result<Exit, String> {
    let loaded = match load(global) {
        Ok(loaded) => loaded,
        Err(problem) => {
            output::print(&format!("{problem}\n"))?;
            return Ok(Exit::Found);
        }
    };
    let mut text = String::new();
    for file in &loaded.files {
        let _infallible = writeln!(text, "ok       {}", file.display());
    }
    for note in &loaded.notes {
        let _infallible = writeln!(text, "note     {note}");
    }
    for complaint in &loaded.settings.complaints {
        let _infallible = writeln!(text, "problem  {complaint}");
    }
    if text.is_empty() {
        text.push_str("ok       no configuration file: the built-in settings are in force\n");
    }
    output::print(&text)?;
    Ok(if loaded.settings.complaints.is_empty() {
        Exit::Done
    } else {
        Exit::Found
    })
}

fn check_file(file: &Path) -> Result<Exit, String> {
    match config::check(file) {
        Ok(()) => done(&format!("ok       {}\n", file.display())),
        Err(problem) => {
            output::print(&format!("problem  {problem}\n"))?;
            Ok(Exit::Found)
        }
    }
}
