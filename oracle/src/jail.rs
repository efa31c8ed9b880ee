//! The jail, seen from outside. Nothing that is generated or collected runs anywhere else.
//!
//! Bubblewrap gives every namespace anew, a file system of `/usr` alone and read-only, empty memory
//! file systems to write to, no network, an unprivileged user without capabilities. This very
//! program runs in it as the first process and drives bash.

use crate::answer::{Answer, Question, Wanted};
use crate::inside::{Batch, HOME, SHIM};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tempfile::TempDir;

const SHIM_SOURCE: &str = include_str!("../shim/shim.c");
const DRIVER: &str = "/oracle/driver";

/// The recorder, compiled for this machine, and the program to run in the jail.
#[derive(Debug)]
pub struct Workshop {
    folder: TempDir,
    program: PathBuf,
}

impl Workshop {
    /// Compiles the recorder into a scratch folder.
    ///
    /// # Errors
    ///
    /// When there is no compiler, or no place to write.
    pub fn new() -> Result<Self, String> {
        let folder = tempfile::tempdir()
            .map_err(|error| format!("cannot make a scratch folder for the recorder: {error}"))?;
        let source = folder.path().join("shim.c");
        std::fs::write(&source, SHIM_SOURCE)
            .map_err(|error| format!("cannot write {}: {error}", source.display()))?;
        let status = Command::new("cc")
            .args(["-O1", "-Wall", "-shared", "-fPIC", "-o"])
            .arg(folder.path().join("shim.so"))
            .arg(&source)
            .arg("-ldl")
            .status()
            .map_err(|error| {
                format!("cannot start the C compiler `cc` (Debian package `gcc`): {error}")
            })?;
        if !status.success() {
            return Err(format!(
                "the recorder does not compile: `cc` ended with {status}"
            ));
        }
        let program = std::env::current_exe()
            .map_err(|error| format!("cannot find the program itself: {error}"))?;
        Ok(Self { folder, program })
    }

    /// Starts a jail with a driver in it. The workshop must live for as long.
    ///
    /// # Errors
    ///
    /// When bubblewrap is not installed.
    pub fn jail(&self) -> Result<Jail, String> {
        let mut process = self
            .command()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| {
                format!("cannot start `bwrap` ({error}): install bubblewrap, on Debian with `apt-get install bubblewrap`")
            })?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (input, output) = pipes.ok_or("the jail has no pipes")?;
        Ok(Jail {
            process,
            input: Some(input),
            output: BufReader::new(output),
        })
    }

    fn command(&self) -> Command {
        let mut command = Command::new("bwrap");
        command
            .args(["--unshare-all", "--die-with-parent", "--new-session"])
            .args(["--as-pid-1", "--cap-drop", "ALL"])
            .args(["--uid", "65534", "--gid", "65534", "--clearenv"])
            .args(["--ro-bind", "/usr", "/usr"]);
        for folder in ["/bin", "/lib", "/lib64"] {
            if let Ok(target) = std::fs::read_link(folder) {
                command.arg("--symlink").arg(target).arg(folder);
            } else {
                command.args(["--ro-bind-try", folder, folder]);
            }
        }
        let shim = self.folder.path().join("shim.so");
        command
            .args(["--ro-bind-try", "/etc/passwd", "/etc/passwd"])
            .args(["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"])
            .args(["--dev", "/dev", "--proc", "/proc"])
            .args(["--tmpfs", "/tmp", "--tmpfs", "/var", "--tmpfs", "/home"])
            .args(["--dir", HOME, "--dir", "/oracle", "--ro-bind"])
            .arg(shim)
            .args([SHIM, "--ro-bind"])
            .arg(&self.program)
            .args([DRIVER, "--remount-ro", "/", "--chdir", "/tmp"])
            .args([DRIVER, "inside"]);
        command
    }
}

/// A running jail. It ends when this is dropped.
#[derive(Debug)]
pub struct Jail {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Jail {
    /// Asks bash about some commands; the answers are in the same order.
    ///
    /// # Errors
    ///
    /// When the driver in the jail is gone.
    pub fn ask(&mut self, questions: Vec<Question>, wanted: Wanted) -> Result<Vec<Answer>, String> {
        let batch = Batch { questions, wanted };
        let gone = |error: std::io::Error| format!("the driver in the jail is gone: {error}");
        let mut line = serde_json::to_vec(&batch).map_err(|error| error.to_string())?;
        line.push(b'\n');
        if let Some(input) = &mut self.input {
            input.write_all(&line).map_err(gone)?;
        }
        let mut answers = String::new();
        if self.output.read_line(&mut answers).map_err(gone)? == 0 {
            return Err("the driver in the jail ended; its last words are above".to_owned());
        }
        serde_json::from_str(&answers)
            .map_err(|error| format!("the driver in the jail answers nonsense: {error}"))
    }
}

impl Drop for Jail {
    fn drop(&mut self) {
        // The driver ends at the end of its input.
        self.input = None;
        let _gone = self.process.wait();
    }
}
