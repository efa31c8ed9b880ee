use super::document::text;
use super::front::FRONT;
use jsonc_parser::ast::{Object, Value};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The events that are registered.
pub(crate) const EVENTS: [&str; 4] = [
    "PreToolUse",
    "ConfigChange",
    "SessionStart",
    "UserPromptSubmit",
];

/// Seconds that the agent waits for an answer, well above the hook's own deadline.
const TIMEOUT: u32 = 60;

/// The names of the program and its front, by which older registrations are recognised.
const PROGRAMS: [&str; 2] = ["countersign", FRONT];

/// Ends of the names of variables that the front passes on unasked: keys.
const KEYS: [&str; 2] = ["_KEY", "_TOKEN"];

/// What the agent is told to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Registration {
    /// The absolute path of the program.
    pub(crate) program: String,
    /// Its arguments.
    pub(crate) args: Vec<String>,
}

/// One hook in exec form: no shell reads it.
#[derive(Debug, Serialize)]
pub(super) struct Hook<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    command: &'a str,
    args: &'a [String],
    timeout: u32,
    #[serde(rename = "onFailure")]
    on_failure: &'static str,
}

/// A group without a matcher: it holds for every call.
#[derive(Debug, Serialize)]
pub(super) struct Group<'a> {
    hooks: [Hook<'a>; 1],
}

impl Registration {
    /// The registration of this program; folders that were given on the command line go with it.
    ///
    /// # Errors
    /// When a path is not UTF-8, so that settings cannot hold it.
    pub(crate) fn new(
        program: &Path,
        config: Option<&Path>,
        state: Option<&Path>,
    ) -> Result<Self, String> {
        let mut args = Vec::new();
        for (option, dir) in [("--config-dir", config), ("--state-dir", state)] {
            if let Some(dir) = dir {
                let dir = std::path::absolute(dir)
                    .map_err(|error| format!("{option} {}: {error}", dir.display()))?;
                args.extend([option.to_owned(), utf8(&dir)?]);
            }
        }
        args.extend(["hook".to_owned(), "claude-code".to_owned()]);
        Ok(Self {
            program: utf8(program)?,
            args,
        })
    }

    /// The same through the front, which passes on the variables that the owner grants to reviewers.
    ///
    /// # Errors
    /// When its path is not UTF-8.
    pub(crate) fn through(
        mut self,
        front: &Path,
        granted: impl IntoIterator<Item = String>,
    ) -> Result<Self, String> {
        let mut names: Vec<String> = granted
            .into_iter()
            .filter(|name| !KEYS.iter().any(|end| name.ends_with(end)))
            .collect();
        names.sort();
        names.dedup();
        let kept = names
            .into_iter()
            .flat_map(|name| ["--keep".to_owned(), name]);
        self.args.splice(0..0, kept);
        self.program = utf8(front)?;
        Ok(self)
    }

    /// The programs that answer a hook: the registered one, and what it hands over to.
    pub(crate) fn programs(&self) -> Vec<PathBuf> {
        let program = PathBuf::from(&self.program);
        if program.file_name().is_some_and(|name| name == FRONT) {
            let host = program.with_file_name("countersign");
            vec![program, host]
        } else {
            vec![program]
        }
    }

    pub(super) fn hook(&self) -> Hook<'_> {
        Hook {
            kind: "command",
            command: &self.program,
            args: &self.args,
            timeout: TIMEOUT,
            on_failure: "block",
        }
    }

    pub(super) fn group(&self) -> Group<'_> {
        Group {
            hooks: [self.hook()],
        }
    }

    /// Whether a hook is this registration or an older one of this program.
    pub(super) fn owns(&self, hook: &Object<'_>) -> bool {
        let Some(command) = text(hook, "command") else {
            return false;
        };
        if let Some(args) = strings(hook, "args") {
            return self.is_ours(command, &args);
        }
        // Without `args` a shell reads the command.
        let mut words = command
            .split_whitespace()
            .map(|word| word.trim_matches(['"', '\'']));
        words
            .next()
            .is_some_and(|program| self.is_ours(program, &words.collect::<Vec<_>>()))
    }

    fn is_ours(&self, program: &str, args: &[&str]) -> bool {
        let named = Path::new(program)
            .file_name()
            .is_some_and(|name| PROGRAMS.iter().any(|known| name == *known));
        (named || program == self.program)
            && ["hook", "claude-code"]
                .iter()
                .all(|word| args.contains(word))
    }

    /// In what a hook differs from this registration; nothing when it is just that.
    pub(super) fn differences(&self, hook: &Object<'_>) -> Vec<String> {
        let mut found = Vec::new();
        match text(hook, "command") {
            Some(command) if command == self.program => {}
            other => found.push(format!(
                "it runs `{}`, not `{}`",
                other.unwrap_or_default(),
                self.program
            )),
        }
        match strings(hook, "args") {
            None => found.push("it goes through a shell, because it has no `args`".to_owned()),
            Some(args) if args == self.args => {}
            Some(args) => found.push(format!(
                "its arguments are `{}`, not `{}`",
                args.join(" "),
                self.args.join(" ")
            )),
        }
        if text(hook, "onFailure") != Some("block") {
            found.push(
                "a hook that fails lets the call run, because `onFailure` is not `block`"
                    .to_owned(),
            );
        }
        let timeout = hook.get_number("timeout").map(|number| number.value);
        if timeout != Some(TIMEOUT.to_string().as_str()) {
            found.push(format!(
                "its timeout is {}, not {TIMEOUT} s",
                timeout.unwrap_or("the agent's own")
            ));
        }
        if text(hook, "type") != Some("command") {
            found.push("its type is not `command`".to_owned());
        }
        let known = ["type", "command", "args", "timeout", "onFailure"];
        for (index, property) in hook.properties.iter().enumerate() {
            let name = property.name.as_str();
            let mut earlier = hook.properties.iter().take(index);
            if name == "async" {
                found.push(
                    "it may run in the background, so that its answer comes too late".to_owned(),
                );
            } else if !known.contains(&name) || earlier.any(|other| other.name.as_str() == name) {
                found.push(format!("it also has `{name}`"));
            }
        }
        found
    }
}

fn strings<'v>(object: &'v Object<'_>, name: &str) -> Option<Vec<&'v str>> {
    object
        .get_array(name)?
        .elements
        .iter()
        .map(|element| match element {
            Value::StringLit(text) => Some(&*text.value),
            _ => None,
        })
        .collect()
}

fn utf8(path: &Path) -> Result<String, String> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        format!(
            "{} is not UTF-8, so settings cannot name it; move it",
            path.display()
        )
    })
}
