//! The key for a server: where it comes from, and a type that does not show it.

#[cfg(test)]
mod tests;

use countersign_core::{FailureKind, ReviewFailure};
use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The longest time that a command for the key may take.
const COMMAND_LIMIT: Duration = Duration::from_secs(5);

/// The most that is read for a key, in bytes.
const MAX_BYTES: u64 = 8 << 10;

/// A key. It is shown nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The key itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Where the key is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// In an environment variable.
    Env(String),
    /// In a file, which only its owner can read.
    File(PathBuf),
    /// In the first line that a program prints.
    Command(Vec<String>),
}

impl KeySource {
    /// The one source that an owner's configuration names, or none.
    ///
    /// # Errors
    /// [`FailureKind::Configuration`], with the key of the configuration that is wrong.
    pub fn choose(
        key_env: Option<String>,
        key_file: Option<PathBuf>,
        key_command: Option<Vec<String>>,
    ) -> Result<Option<Self>, ReviewFailure> {
        match (key_env, key_file, key_command) {
            (None, None, None) => Ok(None),
            (Some(name), None, None) => {
                if name.is_empty() || name.contains(['=', '\0']) {
                    return Err(configuration(
                        "`key_env` is not the name of an environment variable",
                    ));
                }
                Ok(Some(Self::Env(name)))
            }
            (None, Some(path), None) => {
                if !path.is_absolute() {
                    return Err(configuration(
                        "`key_file` is not an absolute path; give one",
                    ));
                }
                Ok(Some(Self::File(path)))
            }
            (None, None, Some(argv)) => {
                if !argv
                    .first()
                    .is_some_and(|program| Path::new(program).is_absolute())
                {
                    return Err(configuration(
                        "`key_command` must begin with the absolute path of a program",
                    ));
                }
                Ok(Some(Self::Command(argv)))
            }
            _ => Err(configuration(
                "there is more than one of `key_env`, `key_file` and `key_command`; keep one",
            )),
        }
    }

    /// Reads the key. A command gets at most `limit`, and never more than five seconds.
    ///
    /// # Errors
    /// [`FailureKind::Configuration`] with what keeps it from the key, and never with the key.
    pub fn read(&self, limit: Duration) -> Result<Secret, ReviewFailure> {
        let text = match self {
            Self::Env(name) => from_env(name),
            Self::File(path) => from_file(path),
            Self::Command(argv) => from_command(argv, limit.min(COMMAND_LIMIT)),
        }
        .map_err(|problem| configuration(format!("{self} {problem}")))?;
        let key = text.trim();
        if key.is_empty() {
            return Err(configuration(format!("{self} gives an empty key")));
        }
        if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(configuration(format!(
                "{self} gives a key with blanks or characters that no key has"
            )));
        }
        Ok(Secret(key.to_owned()))
    }
}

/// The source as a configuration names it.
impl fmt::Display for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Env(name) => write!(f, "`key_env` {name}"),
            Self::File(path) => write!(f, "`key_file` {}", path.display()),
            Self::Command(argv) => {
                write!(
                    f,
                    "`key_command` {}",
                    argv.first().map_or("", String::as_str)
                )
            }
        }
    }
}

fn from_env(name: &str) -> Result<String, String> {
    match std::env::var(name) {
        Ok(text) => Ok(text),
        Err(std::env::VarError::NotPresent) => {
            Err("is not set in the reviewer's environment".to_owned())
        }
        Err(std::env::VarError::NotUnicode(_)) => Err("is not text".to_owned()),
    }
}

fn from_file(path: &Path) -> Result<String, String> {
    let unreadable = |error: std::io::Error| format!("cannot be read: {error}");
    // Before it is opened, since a pipe would block.
    if !path.metadata().map_err(unreadable)?.is_file() {
        return Err("is not a regular file".to_owned());
    }
    let mut file = File::open(path).map_err(unreadable)?;
    let found = file.metadata().map_err(unreadable)?;
    if !found.is_file() {
        return Err("is not a regular file".to_owned());
    }
    if found.mode() & 0o077 != 0 {
        return Err(format!(
            "can be read by others (mode {:04o}); run `chmod 600` on it",
            found.mode() & 0o7777
        ));
    }
    let bytes = bounded(&mut file).map_err(unreadable)?;
    bytes.ok_or_else(too_long).and_then(text)
}

/// The first line that a program prints. It gets no input, and what it says on standard error goes
/// nowhere: it could be the key.
fn from_command(argv: &[String], limit: Duration) -> Result<String, String> {
    let deadline = Instant::now() + limit;
    let (program, arguments) = argv.split_first().ok_or("is empty")?;
    let mut child = Command::new(OsStr::new(program))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot be run: {error}"))?;
    let (sender, receiver) = mpsc::channel();
    if let Some(mut out) = child.stdout.take() {
        // Not joined: a grandchild can hold the pipe open for as long as it likes.
        std::thread::spawn(move || {
            let _nobody_waits = sender.send(bounded(&mut out));
        });
    }
    let printed = receiver.recv_timeout(limit);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if printed.is_ok() && Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(5));
            }
            _ => break None,
        }
    };
    let Some(status) = status else {
        let _dead_already = child.kill();
        let _reaped = child.wait();
        return Err(format!("did not end within {:.1} s", limit.as_secs_f64()));
    };
    // A program that is cut off because it prints without end also fails, and this says why.
    let bytes = printed
        .map_err(|_| "did not close its output".to_owned())?
        .map_err(|error| format!("cannot be read: {error}"))?
        .ok_or_else(too_long)?;
    if !status.success() {
        return Err(format!("failed ({status})"));
    }
    let line = text(bytes)?;
    Ok(line.lines().next().unwrap_or_default().to_owned())
}

/// Everything there is to read; `None` when it is too much for a key.
fn bounded(from: &mut impl std::io::Read) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    from.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= MAX_BYTES).then_some(bytes))
}

fn text(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|_| "gives something that is no text".to_owned())
}

fn too_long() -> String {
    format!("gives more than {MAX_BYTES} bytes, which is no key")
}

fn configuration(message: impl Into<String>) -> ReviewFailure {
    ReviewFailure::new(FailureKind::Configuration, message)
}
