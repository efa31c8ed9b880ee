use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A home directory with one workspace, and folders for Countersign, all under one scratch folder.
pub(crate) struct Machine {
    scratch: tempfile::TempDir,
    pub(crate) home: PathBuf,
    pub(crate) project: PathBuf,
    pub(crate) config: PathBuf,
    pub(crate) state: PathBuf,
}

/// How a process ended and what it said, with the scratch folder's name taken out.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let base = std::fs::canonicalize(scratch.path()).expect("it exists");
        let machine = Self {
            home: base.join("home/user"),
            project: base.join("home/user/project"),
            config: base.join("home/user/.config/countersign"),
            state: base.join("home/user/.local/state/countersign"),
            scratch,
        };
        machine.write("src/a.rs", "fn main() {}\n");
        machine.write("README.md", "# Read me\n");
        machine.write("Cargo.toml", "[package]\n");
        machine.write(".env", "TOKEN=x\n");
        machine.write(".git/HEAD", "ref: refs/heads/feature\n");
        machine.write(".git/config", "[core]\n\tbare = false\n");
        std::fs::create_dir_all(machine.home.join("work")).expect("a folder");
        machine
    }

    /// Writes a file of the workspace.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let file = self.project.join(path);
        std::fs::create_dir_all(file.parent().expect("it lies in a folder")).expect("a folder");
        std::fs::write(file, text).expect("a file");
    }

    /// Writes a file beside the user's configuration folder.
    pub(crate) fn write_beside(&self, name: &str) -> PathBuf {
        let file = self.config.with_file_name(name);
        std::fs::write(&file, "kept").expect("a file");
        file
    }

    /// Writes the user's configuration file.
    pub(crate) fn configure(&self, text: &str) {
        std::fs::create_dir_all(&self.config).expect("a folder");
        std::fs::write(self.config.join("config.toml"), text).expect("a file");
    }

    /// Every session so far is over: what follows runs with the settings of now.
    pub(crate) fn end_sessions(&self) {
        let _none = std::fs::remove_dir_all(self.state.join("sessions"));
        self.forget();
    }

    /// Nothing is kept of the calls so far: denials do not add up over the rows of a table.
    pub(crate) fn forget(&self) {
        for name in ["store.db", "store.db-wal", "store.db-shm"] {
            let _none = std::fs::remove_file(self.state.join(name));
        }
    }

    /// The audit log's folder.
    pub(crate) fn log(&self) -> PathBuf {
        self.state.join("audit")
    }

    /// The segments of the audit log.
    pub(crate) fn segments(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.log()).expect("a log");
        let mut files: Vec<PathBuf> = entries
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some())
            .collect();
        files.sort();
        files
    }

    /// Every line of the audit log.
    pub(crate) fn records(&self) -> String {
        let read = |file: &PathBuf| std::fs::read_to_string(file).expect("a segment");
        self.segments().iter().map(read).collect()
    }

    /// The program with this machine's folders.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        command
            .env_clear()
            .env("HOME", &self.home)
            .env("PATH", "/usr/bin:/bin")
            .env("CLAUDE_PROJECT_DIR", &self.project)
            .current_dir(&self.project)
            .arg("--config-dir")
            .arg(&self.config)
            .arg("--state-dir")
            .arg(&self.state)
            .args(args);
        command
    }

    pub(crate) fn run(&self, args: &[&str], input: &[u8]) -> Answer {
        self.finish(self.command(args), input)
    }

    pub(crate) fn finish(&self, mut command: Command, input: &[u8]) -> Answer {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        std::thread::scope(|scope| {
            // A program that answers without reading everything closes its end.
            scope.spawn(move || stdin.write_all(input).ok());
            self.answer(&child.wait_with_output().expect("the program ends"))
        })
    }

    pub(crate) fn answer(&self, output: &Output) -> Answer {
        Answer {
            code: output.status.code(),
            stdout: self.without_scratch(&output.stdout),
            stderr: self.without_scratch(&output.stderr),
        }
    }

    fn without_scratch(&self, text: &[u8]) -> String {
        let base = std::fs::canonicalize(self.scratch.path()).expect("it exists");
        String::from_utf8_lossy(text).replace(&*base.to_string_lossy(), "")
    }

    /// A text whose paths are those of an agent's machine, with this machine's in their place.
    pub(crate) fn here(&self, text: &str) -> String {
        text.replace("/home/user", &self.home.to_string_lossy())
    }

    /// Answers one hook call.
    pub(crate) fn hook(&self, input: &Value) -> Answer {
        self.run(
            &["hook", "claude-code"],
            self.here(&input.to_string()).as_bytes(),
        )
    }

    /// Answers a tool call in a permission mode, as if it were the first.
    pub(crate) fn tool(&self, mode: &str, tool: &str, input: &Value) -> Answer {
        self.forget();
        self.hook(&json!({
            "session_id": "s-1",
            "cwd": "/home/user/project",
            "permission_mode": mode,
            "hook_event_name": "PreToolUse",
            "tool_name": tool,
            "tool_input": input,
            "tool_use_id": "toolu_1",
        }))
    }
}

/// The answer in one word: `allow`, `ask`, `deny`, `block` or `silent`.
pub(crate) fn word(answer: &Answer) -> String {
    if answer.code == Some(2) {
        return "exit 2".to_owned();
    }
    assert_eq!(answer.code, Some(0), "{answer:?}");
    if answer.stdout.is_empty() {
        return "silent".to_owned();
    }
    let reply: Value =
        serde_json::from_str(&answer.stdout).unwrap_or_else(|_| panic!("{answer:?}"));
    reply["hookSpecificOutput"]["permissionDecision"]
        .as_str()
        .or(reply["decision"].as_str())
        .unwrap_or("message")
        .to_owned()
}

/// The reason given with an answer.
pub(crate) fn reason(answer: &Answer) -> String {
    let reply: Value = serde_json::from_str(&answer.stdout).unwrap_or_default();
    reply["hookSpecificOutput"]["permissionDecisionReason"]
        .as_str()
        .or(reply["reason"].as_str())
        .unwrap_or_default()
        .to_owned()
}

/// A folder of this crate's test data.
pub(crate) fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(path)
}
