use countersign_reviewers::plugin::prelude::*;
use std::path::PathBuf;

/// The most that a program may ever print, in bytes: what a host takes from a plugin.
const MAX_OUTPUT: usize = 1 << 20;

/// Which program is asked, and how it is run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(crate = "countersign_reviewers::plugin::serde", deny_unknown_fields)]
#[schemars(crate = "countersign_reviewers::plugin::schemars")]
pub struct Config {
    /// The program: an absolute path, outside every workspace.
    pub program: PathBuf,
    /// Its arguments. No shell reads them.
    #[serde(default)]
    pub args: Vec<String>,
    /// The names of the environment variables that it gets. It gets no others.
    #[serde(default)]
    pub env: Vec<String>,
    /// The most that it may print, in bytes.
    #[serde(default = "default_output")]
    #[schemars(range(min = 1, max = MAX_OUTPUT))]
    pub max_output_bytes: usize,
}

fn default_output() -> usize {
    64 << 10
}

impl Config {
    /// What the types cannot hold.
    pub(crate) fn check(&self) -> Result<(), ReviewFailure> {
        if !self.program.is_absolute() {
            return Err(wrong(format!(
                "`program`: `{}` is not an absolute path; give one",
                self.program.display()
            )));
        }
        if self.args.iter().any(|argument| argument.contains('\0')) {
            return Err(wrong("`args`: no argument can hold a NUL character"));
        }
        let bad = |name: &&String| name.is_empty() || name.contains(['=', '\0']);
        if let Some(name) = self.env.iter().find(bad) {
            // What follows the name may be a secret.
            let name = name.split('=').next().unwrap_or_default();
            return Err(wrong(format!(
                "`env`: the entry `{}` is not the name of a variable; list names without values",
                name.escape_debug()
            )));
        }
        if !(1..=MAX_OUTPUT).contains(&self.max_output_bytes) {
            return Err(wrong(format!(
                "`max_output_bytes`: {} is not between 1 and {MAX_OUTPUT}",
                self.max_output_bytes
            )));
        }
        Ok(())
    }
}

fn wrong(message: impl Into<String>) -> ReviewFailure {
    ReviewFailure::new(FailureKind::Configuration, message)
}
