//! What can be wrong with a configuration file, and how it is said.

use super::layers::MAX_CONFIG;
use std::collections::BTreeMap;
use std::path::PathBuf;
use thiserror::Error;

/// A configuration file that cannot be used.
#[derive(Debug, Error)]
#[error("{}: {kind}", .file.display())]
pub struct ConfigError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong.
    pub kind: ConfigErrorKind,
}

impl ConfigError {
    /// The same, saying where in the text a permission pattern stands.
    pub(super) fn located(mut self, text: &str) -> Self {
        if let ConfigErrorKind::Pattern {
            place,
            list,
            pattern,
            ..
        } = &mut self.kind
        {
            *place = spot(text, list, pattern)
                .map(|(line, column)| format!("line {line}, column {column}: "))
                .unwrap_or_default();
        }
        self
    }
}

/// The line and column of an entry in a list of permissions.
fn spot(text: &str, list: &str, entry: &str) -> Option<(usize, usize)> {
    #[derive(serde::Deserialize)]
    struct Spots {
        permissions: BTreeMap<String, Vec<toml::Spanned<String>>>,
    }
    let spots: Spots = toml::from_str(text).ok()?;
    let entries = spots.permissions.get(list)?;
    let found = entries.iter().find(|found| found.get_ref() == entry)?;
    let before = text.get(..found.span().start)?;
    let line = before.matches('\n').count().saturating_add(1);
    let column = before.rsplit('\n').next()?.chars().count();
    Some((line, column.saturating_add(1)))
}

/// What is wrong with a configuration file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfigErrorKind {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Read(std::io::Error),
    /// It is no regular file, or too big.
    #[error("is not a regular file of at most {MAX_CONFIG} bytes")]
    NoFile,
    /// Another user wrote it.
    #[error(
        "belongs to user {0}, who is neither you nor root; look at it, then make it yours with `chown`"
    )]
    Owner(u32),
    /// Every user can write it.
    #[error("can be changed by every user (mode {0:04o}); look at it, then run `chmod o-w` on it")]
    Writable(u32),
    /// It is not the TOML that is expected.
    #[error("{0}")]
    Parse(toml::de::Error),
    /// A permission pattern means nothing.
    #[error("{place}permissions.{list}: `{pattern}` {problem}")]
    Pattern {
        /// Where it stands: a line and a column, or nothing where that is not known.
        place: String,
        /// `deny`, `ask` or `allow`.
        list: &'static str,
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        problem: String,
    },
    /// An exception that names nothing, or a rule that does not exist.
    #[error("hard_deny.except: {0}")]
    Exception(String),
    /// An anchor that names no file, wherever a call is made.
    #[error("audit.anchor: `{}` is no full path; begin it with `/`", .0.display())]
    Anchor(PathBuf),
    /// A pack of rules that cannot be read.
    #[error("{0}")]
    Pack(countersign_policy::PackError),
    /// Two packs of rules go by one name.
    #[error("there is another pack with the name `{0}`; rename one of them")]
    PackTwice(String),
    /// A folder holds more packs than are loaded before every call.
    #[error("holds more than {0} packs of rules; put several into one file")]
    ManyPacks(usize),
    /// A command file that cannot be read.
    #[error("{0}")]
    Command(countersign_policy::CommandFileProblem),
    /// Two command files describe one program.
    #[error("{} describes `{name}` too; keep one of them", .other.display())]
    CommandTwice {
        /// The name that both give.
        name: String,
        /// The file that was read first.
        other: PathBuf,
    },
    /// A folder holds more command files than are loaded before every call.
    #[error("holds more than {0} command files; leave out those of programs that are not used")]
    ManyCommands(usize),
    /// Examples of a pack of rules or a command file that do not hold.
    #[error("{}", wrong_examples(.0))]
    Examples(Vec<String>),
    /// Reviewers that cannot be asked so.
    #[error("{0}")]
    Review(String),
}

fn wrong_examples(wrong: &[String]) -> String {
    // A workspace's pack may hold anything.
    let short = |text: &String| text.chars().take(240).collect::<String>();
    let (shown, more) = wrong.split_at(wrong.len().min(3));
    let shown: Vec<String> = shown.iter().map(short).collect();
    let more = match more.len() {
        0 => String::new(),
        count => format!("; and {count} more"),
    };
    format!(
        "examples do not hold: {}{more}; mend the file or the example",
        shown.join("; ")
    )
}
