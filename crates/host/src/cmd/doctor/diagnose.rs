use super::look::{Folder, Found, Seen, Settings};
use crate::config::IsolationFile;
use crate::install::{EventState, reach, registered, switches_off};
use crate::switch::Switch;
use serde::Serialize;

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Check {
    /// Its name, for programs.
    #[serde(rename = "check")]
    pub(super) name: &'static str,
    pub(super) status: Status,
    /// What was found.
    pub(super) text: String,
    /// What can be done about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) remedy: Option<String>,
}

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// As it should be.
    Ok,
    /// Worth knowing.
    Warn,
    /// The gate does not work as it should.
    Problem,
}

impl Status {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Problem => "problem",
        }
    }
}

const INSTALL: &str = "run `countersign install claude-code`";

const HOOKS_ON: &str =
    "start sessions here with --settings '{\"disableAllHooks\":false}' or --setting-sources user";

/// Judges what was seen.
pub(super) fn diagnose(seen: &Seen) -> Vec<Check> {
    let mut checks = vec![
        folder("home", &seen.home, seen.uid),
        folder("config-folder", &seen.config, seen.uid),
        folder("state-folder", &seen.state, seen.uid),
    ];
    checks.extend(config_mode(&seen.config));
    checks.extend(state_mode(&seen.state));
    checks.extend(configuration(seen));
    checks.extend(reviewers(seen));
    checks.extend(seen.sessions.as_ref().map(|told| {
        warn(
            "sessions",
            told.clone(),
            "run it when what the files hold is what you want",
        )
    }));
    checks.push(switch(seen));
    checks.push(audit(seen));
    checks.push(program(seen));
    checks.push(front(seen));
    checks.extend(registration(seen));
    checks.extend(seen.project.iter().flat_map(project));
    checks.push(tier(seen));
    checks
}

fn ok(name: &'static str, text: impl Into<String>) -> Check {
    Check {
        name,
        status: Status::Ok,
        text: text.into(),
        remedy: None,
    }
}

fn warn(name: &'static str, text: impl Into<String>, remedy: impl Into<String>) -> Check {
    Check {
        name,
        status: Status::Warn,
        text: text.into(),
        remedy: Some(remedy.into()),
    }
}

fn problem(name: &'static str, text: impl Into<String>, remedy: impl Into<String>) -> Check {
    Check {
        status: Status::Problem,
        ..warn(name, text, remedy)
    }
}

fn folder(name: &'static str, folder: &Folder, uid: u32) -> Check {
    let path = folder.path.display();
    match &folder.found {
        Found::Folder { owner, .. } if *owner != uid && *owner != 0 => problem(
            name,
            format!("{path} belongs to user {owner}"),
            "give it to the user that the agent runs as, or to root",
        ),
        Found::Folder { .. } => ok(name, path.to_string()),
        Found::Nothing { can_be_made: true } => {
            ok(name, format!("{path} does not exist yet, and can be made"))
        }
        Found::Nothing { can_be_made: false } => problem(
            name,
            format!("{path} does not exist and cannot be made"),
            "make it, or choose another with --config-dir or --state-dir",
        ),
        Found::NoFolder => problem(
            name,
            format!("{path} is no folder"),
            "move what is there out of the way",
        ),
        Found::Unseen(why) => problem(
            name,
            format!("{path} cannot be looked at: {why}"),
            "make it readable for this user",
        ),
    }
}

fn config_mode(config: &Folder) -> Option<Check> {
    let path = config.path.display();
    match &config.found {
        Found::Folder { mode, .. } if mode & 0o022 != 0 => Some(problem(
            "config-mode",
            format!(
                "{path} can be written by others (mode {mode:04o}), who could change the rules"
            ),
            format!("chmod go-w {path}"),
        )),
        _ => None,
    }
}

fn state_mode(state: &Folder) -> Option<Check> {
    let path = state.path.display();
    let Found::Folder { mode, writable, .. } = &state.found else {
        return None;
    };
    Some(if !writable {
        problem(
            "state-mode",
            format!("{path} cannot be written, so nothing is recorded and every call is denied"),
            "make it writable for this user",
        )
    } else if mode & 0o022 != 0 {
        problem(
            "state-mode",
            format!(
                "{path} can be written by others (mode {mode:04o}), who could change switches and the log"
            ),
            format!("chmod 0700 {path}"),
        )
    } else if mode & 0o077 != 0 {
        warn(
            "state-mode",
            format!("{path} can be read by others (mode {mode:04o})"),
            format!("chmod 0700 {path}"),
        )
    } else {
        ok("state-mode", format!("mode {mode:04o}"))
    })
}

/// Those who are asked can be, and run where their crash is their own.
fn reviewers(seen: &Seen) -> Vec<Check> {
    let Ok(loaded) = &seen.loaded else {
        return Vec::new();
    };
    let review = &loaded.review;
    let mut checks = Vec::new();
    for (name, usable) in &seen.reviewers {
        match usable {
            Ok(()) => checks.push(ok("reviewer", format!("{name} can be asked"))),
            Err(error) => checks.push(problem(
                "reviewer",
                format!("{name} cannot be asked: {error}"),
                "mend it, or run `countersign reviewer remove` for it",
            )),
        }
        let Some((file, _)) = review.reviewers.get(name) else {
            continue;
        };
        if file.isolation == IsolationFile::InProcess {
            checks.push(warn(
                "reviewer",
                format!("{name} runs in the gate's own process"),
                "take `isolation` out of its settings, unless you trust it as the gate itself",
            ));
        }
        let plugin = file.plugin(name);
        if review
            .plugins
            .get(plugin)
            .is_some_and(|(plugin, _)| plugin.unpinned)
        {
            checks.push(warn(
                "reviewer",
                format!("the plugin {plugin} of {name} is loaded whatever its file holds"),
                format!("run `countersign plugin pin {plugin}`, and take `unpinned` out"),
            ));
        }
    }
    checks
}

fn configuration(seen: &Seen) -> Vec<Check> {
    let loaded = match &seen.loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            return vec![problem(
                "configuration",
                format!("{error}; until then every call is denied"),
                "mend the file; `countersign config check` says more",
            )];
        }
    };
    let files: Vec<String> = loaded
        .files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    let mut checks = vec![ok(
        "configuration",
        if files.is_empty() {
            "no file; the built-in settings are in force".to_owned()
        } else {
            files.join(", ")
        },
    )];
    checks.extend(loaded.settings.complaints.iter().map(|complaint| {
        warn(
            "workspace-file",
            complaint.clone(),
            "mend it; until then everything but reads is asked about",
        )
    }));
    checks.extend(loaded.notes.iter().map(|note| {
        warn(
            "in-force",
            note.clone(),
            "take it out of the configuration when it is no longer wanted",
        )
    }));
    checks
}

fn switch(seen: &Seen) -> Check {
    match &seen.switch {
        Ok(Switch::On) => ok("switch", "on: every call is judged"),
        Ok(Switch::Off) => problem("switch", "off: no call is judged", "run `countersign on`"),
        Ok(Switch::Lockdown) => warn(
            "switch",
            "lockdown: every call is denied",
            "run `countersign on` in a terminal to end it",
        ),
        Err(error) => problem(
            "switch",
            format!("{error}; until then every call is denied"),
            "run `countersign on` in a terminal",
        ),
    }
}

fn audit(seen: &Seen) -> Check {
    let log = &seen.audit;
    let file = log.file.display();
    if let Some(why) = &log.unwritable {
        return problem(
            "audit-log",
            format!("{file} cannot be written, so every call is denied: {why}"),
            "make it writable for this user",
        );
    }
    match &log.verified {
        Ok(verified) => match &verified.broken {
            None => ok(
                "audit-log",
                format!("{file}: {} records, unbroken", verified.records),
            ),
            Some(found) => problem(
                "audit-log",
                format!("{file}: {}; somebody changed the log", found.said()),
                "find out who, then move the folder away; a new one is begun",
            ),
        },
        Err(error) => problem(
            "audit-log",
            format!("{file} cannot be read: {error}"),
            "make it readable for this user",
        ),
    }
}

fn program(seen: &Seen) -> Check {
    let program = &seen.registration.program;
    if seen.place.is_empty() {
        return ok("program", program.clone());
    }
    warn(
        "program",
        format!(
            "an agent could replace {program}: {}",
            seen.place.join("; ")
        ),
        "copy it to a folder that only you or root can write, and install that one",
    )
}

/// Measured on Claude Code 2.1.332: what `env` of a project's settings holds reaches the hook, and
/// a library that is loaded before its first line can end it without an answer.
fn front(seen: &Seen) -> Check {
    if seen.is_static {
        ok("front", "the registered program is statically linked")
    } else {
        warn(
            "front",
            "no statically linked countersign-front lies beside the program, so the settings of a project can load a library into the hook (`env.LD_PRELOAD`)",
            "build one with `cargo xtask dist`, put it beside the program, and run `countersign install claude-code`; until then, --setting-sources user",
        )
    }
}

fn registration(seen: &Seen) -> Vec<Check> {
    let file = seen.user.file.display();
    let text = match &seen.user.text {
        Ok(Some(text)) => text,
        Ok(None) => {
            return vec![problem(
                "registration",
                format!("{file} does not exist"),
                INSTALL,
            )];
        }
        Err(why) => {
            return vec![problem(
                "registration",
                format!("{file} {why}"),
                "mend the file",
            )];
        }
    };
    let found = match registered(text, &seen.registration) {
        Ok(found) => found,
        Err(error) => {
            return vec![problem(
                "registration",
                format!("{file}: {error}"),
                "mend the file",
            )];
        }
    };
    let mut checks: Vec<Check> = found
        .events
        .iter()
        .map(|(event, state)| match state {
            EventState::Good => ok("registration", format!("{event} in {file}")),
            EventState::Missing => {
                problem("registration", format!("{event} is not in {file}"), INSTALL)
            }
            EventState::Differs(faults) => problem(
                "registration",
                format!("{event} in {file}: {}", faults.join("; ")),
                INSTALL,
            ),
        })
        .collect();
    if switches_off(text) {
        checks.push(problem(
            "hooks-off",
            format!("{file}: `disableAllHooks` switches every hook off, the gate's too"),
            "take it out of the file",
        ));
    }
    checks.extend(found.beside.iter().map(|hook| {
        warn(
            "other-hook",
            format!("{file}: {hook}"),
            "all hooks see the same call at once: this one can change or answer it unseen by the gate",
        )
    }));
    checks.extend(plain_json(text, seen));
    checks
}

/// Measured on Claude Code 2.1.332: comments and trailing commas make it drop the whole file without
/// a word, a byte order mark does not.
fn plain_json(text: &str, seen: &Seen) -> Option<Check> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str::<serde::de::IgnoredAny>(body).err().map(|error| {
        problem(
            "settings",
            format!(
                "{}: not plain JSON ({error}), so the agent drops the whole file, the gate with it",
                seen.user.file.display()
            ),
            "take comments and trailing commas out",
        )
    })
}

fn project(settings: &Settings) -> Vec<Check> {
    let file = settings.file.display();
    match &settings.text {
        Ok(None) => Vec::new(),
        Ok(Some(text)) => {
            let off = switches_off(text);
            reach(text)
                .into_iter()
                .map(|what| {
                    let fatal = off && what.starts_with("`disableAllHooks`");
                    let text = format!("{file}: {what}");
                    if fatal {
                        problem("project", text, HOOKS_ON)
                    } else {
                        warn(
                            "project",
                            text,
                            "read it before you trust it; --setting-sources user leaves it out",
                        )
                    }
                })
                .collect()
        }
        Err(why) => vec![warn(
            "project",
            format!("{file} {why}"),
            "look at what it is",
        )],
    }
}

/// Only what can be told from files: whether this user could change the configuration.
fn tier(seen: &Seen) -> Check {
    match &seen.config.found {
        Found::Folder {
            owner: 0,
            writable: false,
            ..
        } if seen.uid != 0 => ok(
            "tier",
            "T2 gate under its own user: the agent's user cannot change the configuration",
        ),
        _ => warn(
            "tier",
            "T0 same user: an agent that can run code as this user can bypass the gate; it guards against accidents and its log is best effort",
            "T1: run the agent in a sandbox that hides the configuration and state folders; T2: give them and the program to another user",
        ),
    }
}
