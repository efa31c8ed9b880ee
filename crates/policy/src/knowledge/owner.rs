//! Command files that an owner writes, in the form of the built-in ones.

use super::file::{ExampleFile, NodeFile};
use super::lookup::built_in;
use super::{Keep as _, Node, check, examples};
use crate::policy::Policy;
use crate::settings::Settings;
use countersign_core::Digest;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// What one program does with its arguments, as an owner wrote it down.
///
/// It goes into [`Settings::commands`], and there takes the place of what is built in about a program
/// of the same name. What was read is kept as long as the process runs, once for each text; a process
/// takes at most 32 MiB of them.
///
/// ```
/// use countersign_core::{Facts, Request};
/// use countersign_policy::{CommandFile, Policy, Settings};
///
/// let text = r#"
/// name = "shipit"
/// summary = "releases the site"
///
/// [[subcommand]]
/// name = "status"
/// reads = true
///
/// [[subcommand]]
/// name = "now"
/// effects = ["send"]
/// tags = ["deploy"]
///
/// [[example]]
/// run = "shipit status"
/// reads = true
///
/// [[example]]
/// run = "shipit now"
/// effects = ["send"]
/// tags = ["deploy"]
/// "#;
/// let shipit = CommandFile::parse("shipit.toml", text)?;
/// assert_eq!(shipit.wrong_examples(), Vec::<String>::new());
///
/// let policy = Policy::new(Settings {
///     commands: vec![shipit],
///     ..Settings::default()
/// });
/// let facts = Facts::virtual_at("/home/user", &["/home/user/project"]);
/// let judge = |command: &str| {
///     let request = Request::command("r-1", "example", "/home/user/project", command);
///     policy.judge(&request, &facts)
/// };
/// assert!(judge("shipit status").read_only);
/// assert!(!judge("shipit now").read_only);
/// # Ok::<(), countersign_policy::CommandFileError>(())
/// ```
#[derive(Debug, Clone)]
pub struct CommandFile {
    node: &'static Node,
    examples: Arc<[ExampleFile]>,
}

/// A command file that cannot be used.
#[derive(Debug, Error)]
#[error("{name}: {problem}")]
pub struct CommandFileError {
    /// What the file is called.
    pub name: String,
    /// What is wrong.
    pub problem: CommandFileProblem,
}

/// What is wrong with a command file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CommandFileProblem {
    /// It is not what `commands/README.md` describes: everything that is wrong, each with what to
    /// write instead.
    #[error("{}", .0.join("; "))]
    Wrong(Vec<String>),
    /// It is larger than is worth reading before every call.
    #[error(
        "is too big: at most {MAX_TEXT} bytes and {MAX_EXAMPLES} examples of {MAX_EXAMPLE} bytes; leave out what you do not use"
    )]
    TooBig,
    /// The process has read as much as it keeps.
    #[error(
        "{MAX_KEPT} bytes of command files were read by this process, which keeps them all; start another"
    )]
    Full,
}

/// The largest file, in bytes.
const MAX_TEXT: usize = 256 << 10;
/// The most examples in one file.
const MAX_EXAMPLES: usize = 1_000;
/// The longest example, in bytes.
const MAX_EXAMPLE: usize = 1_000;
/// How much text a process reads altogether.
const MAX_KEPT: usize = 32 << 20;

/// What was read, by the hash of its text, and how long all the texts are.
static KEPT: Mutex<(BTreeMap<Digest, &'static Node>, usize)> = Mutex::new((BTreeMap::new(), 0));

impl CommandFile {
    /// Reads a command file. Errors call it by the name that is given.
    ///
    /// # Errors
    /// When it is not the TOML that `commands/README.md` describes, or too big.
    pub fn parse(name: &str, text: &str) -> Result<Self, CommandFileError> {
        Self::read(text).map_err(|problem| CommandFileError {
            name: name.to_owned(),
            problem,
        })
    }

    fn read(text: &str) -> Result<Self, CommandFileProblem> {
        if text.len() > MAX_TEXT {
            return Err(CommandFileProblem::TooBig);
        }
        let file = check::read(text).map_err(CommandFileProblem::Wrong)?;
        let examples = examples::all(&file);
        let long = |example: &ExampleFile| example.run.len() > MAX_EXAMPLE;
        if examples.len() > MAX_EXAMPLES || examples.iter().any(long) {
            return Err(CommandFileProblem::TooBig);
        }
        Ok(Self {
            node: kept(text, &file)?,
            examples: examples.into(),
        })
    }

    /// A file about a program to go on from, with comments. It is a command file as it is, and promises
    /// nothing.
    pub fn skeleton(program: &str) -> String {
        include_str!("skeleton.toml").replace("NAME", program)
    }

    /// The program's name.
    pub fn name(&self) -> &str {
        self.node.names.first().copied().unwrap_or_default()
    }

    /// Every name that it is called by, the first being its own.
    pub fn names(&self) -> &[&str] {
        self.node.names
    }

    /// Whether something is built in about a program of this name.
    pub fn is_built_in(program: &str) -> bool {
        built_in(program).is_some()
    }

    /// The names under which something is built in, whose place this takes.
    pub fn replaces(&self) -> impl Iterator<Item = &str> {
        let names = self.node.names.iter().copied();
        names.filter(|name| built_in(name).is_some())
    }

    /// Its examples that do not hold, each with what is wrong; judged with nothing else on the
    /// machine, in `/home/user/project`.
    pub fn wrong_examples(&self) -> Vec<String> {
        let policy = Policy::new(Settings {
            commands: vec![self.clone()],
            ..Settings::default()
        });
        examples::wrong(&self.examples, &policy)
    }

    pub(super) fn node(&self) -> &'static Node {
        self.node
    }
}

/// The form of a file that an analysis looks at, which is kept for good.
fn kept(text: &str, file: &NodeFile) -> Result<&'static Node, CommandFileProblem> {
    // Nothing panics while it is held.
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let (nodes, size) = &mut *kept;
    let digest = Digest::of("countersign.command.v1", text.as_bytes());
    if let Some(node) = nodes.get(&digest) {
        return Ok(node);
    }
    let all = size.saturating_add(text.len());
    if all > MAX_KEPT {
        return Err(CommandFileProblem::Full);
    }
    *size = all;
    let node: &'static Node = Box::leak(Box::new(file.keep()));
    nodes.insert(digest, node);
    Ok(node)
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::disallowed_methods,
        reason = "the files that the build compiled are read again"
    )]

    use super::{CommandFile, built_in};
    use std::path::{Path, PathBuf};

    /// One declaration makes both forms; this holds that the file of a program says the same in both.
    #[test]
    fn a_file_that_is_read_is_what_the_build_compiles() {
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("commands")];
        let mut files: Vec<PathBuf> = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("it is there") {
                let path = entry.expect("it can be read").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "toml") {
                    files.push(path);
                }
            }
        }
        assert!(files.len() > 400, "{}", files.len());
        for path in files {
            let text = std::fs::read_to_string(&path).expect("it can be read");
            let name = path.display().to_string();
            let file = CommandFile::parse(&name, &text).expect("the build took it");
            for known in file.names() {
                let built_in = built_in(known).expect("the build took it");
                assert_eq!(
                    format!("{:?}", file.node()),
                    format!("{built_in:?}"),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn a_skeleton_is_a_command_file() {
        let file = CommandFile::parse("acme.toml", &CommandFile::skeleton("acme")).expect("right");
        assert_eq!(file.name(), "acme");
        assert_eq!(file.wrong_examples(), Vec::<String>::new());
        // What is commented out may be used as it stands.
        let uncommented = |line: &str| match line.strip_prefix('#') {
            Some(key) if !key.starts_with(' ') => key.to_owned(),
            _ => line.to_owned(),
        };
        let lines = CommandFile::skeleton("acme");
        let whole: Vec<String> = lines.lines().map(uncommented).collect();
        CommandFile::parse("acme.toml", &whole.join("\n")).expect("right");
    }

    #[test]
    fn a_text_is_kept_once() {
        let text = "name = \"once\"\nsummary = \"is kept\"\n\n[[example]]\nrun = \"once\"\n";
        let [first, second] = ["a.toml", "b.toml"].map(|name| CommandFile::parse(name, text));
        let (first, second) = (first.expect("right"), second.expect("right"));
        assert!(std::ptr::eq(first.node(), second.node()));
        assert_eq!(first.replaces().count(), 0);
    }
}
