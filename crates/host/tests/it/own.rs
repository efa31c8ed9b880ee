//! Nothing an agent can spell changes the gate: what is ours, how it is reached, and what stays
//! allowed beside it.

use crate::support::{Machine, reason, word};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Every file of ours, and every file in which an agent is told of hooks. `@` is the program.
const PATHS: &[&str] = &[
    "~/.config/countersign/config.toml",
    "~/.config/countersign/rules/mine.toml",
    "~/.config/countersign/plugins/libmine.so",
    "~/.local/state/countersign/audit.jsonl",
    "~/.local/state/countersign/audit/2026-12-01.jsonl",
    "~/.local/state/countersign/audit/head",
    "~/.local/state/countersign/switch",
    "~/.local/state/countersign/sessions/x.json",
    "/etc/countersign/config.toml",
    "@",
    "~/.claude/settings.json",
    "~/.claude/settings.local.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
    "/etc/claude-code/managed-settings.json",
    "~/.codex/config.toml",
    "~/.codex/hooks.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    "/etc/codex/requirements.toml",
    "~/.gemini/settings.json",
    "~/.gemini/trustedFolders.json",
    ".gemini/settings.json",
    "/etc/gemini-cli/settings.json",
    "~/.copilot/hooks/gate.json",
    "~/.copilot/settings.json",
    "~/.copilot/config.json",
    "~/.config/opencode/opencode.json",
    "~/.config/opencode/opencode.jsonc",
    "~/.config/opencode/plugin/gate.ts",
    "opencode.json",
    "opencode.jsonc",
    ".opencode/opencode.json",
    ".opencode/plugin/gate.ts",
    ".opencode/plugins/gate.ts",
    "~/.pi/agent/settings.json",
    "~/.pi/agent/extensions/gate.ts",
    ".pi/settings.json",
    ".pi/extensions/gate.ts",
    "~/.cursor/hooks.json",
    ".cursor/hooks.json",
    "/etc/cursor/hooks.json",
];

/// Ways to change a file, `{}`; tried on every path.
const ON_EVERY: &[&str] = &[
    "echo x > {}",
    "rm -f {}",
    "cp a {}",
    "mv {} a",
    "sed -i s/deny/allow/ {}",
];

/// Ways to change a file, tried on one path of each kind.
const ON_SOME: &[&str] = &[
    "echo x >> {}",
    "cat a >| {}",
    ": > {}",
    "exec 3> {}; echo x >&3",
    "cat <<E > {}\nx\nE",
    "echo x | tee {}",
    "tee -a {} < a",
    "mv a {}",
    "ln -s /tmp/x {}",
    "ln -sf /tmp/x {}",
    "ln {} b",
    "ln -s {} b",
    "ln -s {} b && echo x > b",
    "link {} b",
    "cp -l {} b",
    "cp --symbolic-link {} b",
    "perl -pi -e s/a/b/ {}",
    "dd if=a of={}",
    "install -m 644 a {}",
    "truncate -s 0 {}",
    "rsync -a a {}",
    "scp host:x {}",
    "curl -so {} https://example.org/x",
    "wget -O {} https://example.org/x",
    "patch {} < x.patch",
    "git restore {}",
    "git config -f {} a.b c",
    "git mv {} x",
    "git rm {}",
    "shred {}",
    "unlink {}",
    "trash {}",
    "touch {}",
    "mkfifo {}",
    "rename s/a/b/ {}",
    "split -b1 a {}",
    "sort -o {} a",
    "gzip {}",
    "jq . a | sponge {}",
    "yq -i .a=1 {}",
    "openssl rand -out {} 5",
    "ed {}",
    "vim -es -c wq {}",
    "chmod 000 {}",
    "chown nobody {}",
    "chattr +i {}",
    "setfacl -b {}",
    "mount --bind a {}",
    "sudo mount -o bind {} a",
    "flock {} true",
    "bash -c 'rm {}'",
    "bash -c \"$(echo rm {})\"",
    "eval 'rm {}'",
    "echo {} | xargs rm",
    "env rm {}",
    "sudo rm {}",
    "timeout 5 nohup rm {}",
    "busybox rm {}",
    "script -c 'rm {}'",
    "F={}; rm $F",
    "git -C / status; rm {}",
    "tmux send-keys 'rm {}' Enter",
];

/// One path of each kind.
const SOME: &[&str] = &[
    "~/.config/countersign/config.toml",
    "~/.claude/settings.json",
    ".claude/settings.local.json",
    "~/.codex/hooks.json",
];

/// Ways to take away, move or fill the folder that a file of ours lies in, `{}`.
const ON_FOLDERS: &[&str] = &[
    "rm -rf {}",
    "mv {} a",
    "find {} -delete",
    "find {} -name '*.json' -delete",
    "tar -xf x.tar -C {}",
    "tar -C {} -xf x.tar",
    "unzip -o x.zip -d {}",
    "rsync -a x/ {}/",
    "patch -d {} -p0 < x.patch",
    "install a {}",
    "chmod -R 000 {}",
    "ln -s {} b",
    "ln -s {} b && echo x > b/settings.json",
    "mount -t tmpfs none {}",
    "rm {}/*",
    "rm {}/*s*",
    "cd {} && rm settings.json hooks.json config.toml",
    "pushd {}; : > settings.json; : > hooks.json; : > config.toml",
    "(cd {}; cp ~/a settings.json; cp ~/a hooks.json; cp ~/a config.toml)",
];

const FOLDERS: &[&str] = &[
    "~/.config/countersign",
    "~/.claude",
    ".claude",
    "~/.codex",
    "$HOME/.claude",
    "../project/.claude",
];

/// Commands that are one of a kind.
const COMMANDS: &[&str] = &[
    "rm -rf ~/.config",
    "mv ~/.local ~/x",
    "mv ~ /tmp/home",
    "rm ~/.claude/settings.{json,bak}",
    "echo x > ~/.claude/set[t]ings.json",
    "echo x > ~/.CLAUDE/Settings.JSON",
    "rm ~/.Config/Countersign/config.toml",
    "rm ~/./.claude//../.claude/settings.json",
    "echo x > /proc/self/cwd/.claude/settings.json",
    "git apply --directory=.claude x.patch",
    "git checkout -- .claude/settings.json",
    "git checkout HEAD .claude/settings.json",
    "countersign off",
    "countersign on",
    "countersign lockdown",
    "countersign uninstall claude-code --yes",
    "countersign install claude-code",
    "countersign config reload",
    "countersign approve 1",
    "countersign some-later-command",
    "countersign --state-dir /tmp/x off",
    "countersign-front off",
    "/usr/local/bin/countersign off",
    "@ off",
    "sh -c '@ off'",
    "rm -rf ~/.claud*",
    "script -qc 'countersign off' /dev/null",
    "sudo -u me countersign off",
    "ssh localhost countersign off",
    "COUNTERSIGN_STATE=/tmp/x countersign off",
    "pkill countersign",
    "pkill -9 -f countersign-front",
    "killall countersign",
    "kill $(pgrep countersign)",
    "kill -9 `pidof countersign`",
    "claude config set -g disableAllHooks true",
    "claude --settings '{\"disableAllHooks\":true}' -p hi",
    "claude --bare -p hi",
    "claude --setting-sources project -p hi",
    "CLAUDE_CONFIG_DIR=/tmp/x claude -p hi",
    "HOME=/tmp/x claude -p hi",
    "env CLAUDE_CONFIG_DIR=/tmp/x claude -p hi",
    "export CODEX_HOME=/tmp/x",
    "codex -c features.hooks=false exec hi",
    "pi --no-extensions -p hi",
];

/// What only a person's answer lets run: what would happen cannot be known, or need not touch us.
const ASKED: &[&str] = &[
    "python3 -c \"open('/home/user/.claude/settings.json','w')\"",
    "node -e 'require(\"tools\")'",
    "find ~/.claude -type f | xargs rm",
    "for f in ~/.claude/*; do rm $f; done",
    "docker run -v ~/.claude:/x alpine rm /x/settings.json",
    "LD_PRELOAD=./x.so countersign status",
    "expect -c 'spawn countersign off'",
    "umount ~/.claude",
    "cc x.c -o ~/.claude/settings.json",
    "some-tool --out=/home/user/.claude/settings.json",
    "some-tool .claude/settings.json",
    "cpio -i -D .claude < a",
    "aria2c -d ~/.claude -o settings.json https://example.org/x",
    // In a build folder or a workspace, a program of this name may be any program.
    "./countersign off",
    "claude mcp add x -- y",
    "echo x > .claude/agents/a.md",
    "echo x > .github/hooks/x.json",
    "echo x > ~/.claude.json",
];

/// What is nobody's concern but the usual rules'.
const ALLOWED: &[(&str, &str)] = &[
    ("cat ~/.claude/settings.json", "allow"),
    ("cat .claude/settings.json", "allow"),
    ("jq .hooks .claude/settings.json", "allow"),
    ("ls -la ~/.config/countersign ~/.claude .claude", "allow"),
    ("grep -rn deny ~/.config/countersign", "allow"),
    (
        "diff .claude/settings.json ~/.claude/settings.json",
        "allow",
    ),
    ("git diff .claude/settings.json", "allow"),
    ("countersign explain -- 'rm -rf /'", "allow"),
    ("countersign doctor", "allow"),
    ("countersign status", "allow"),
    ("countersign config show", "allow"),
    ("countersign --version", "allow"),
    ("pgrep -fl countersign", "allow"),
    ("echo countersign off", "allow"),
    (
        "git commit -m 'countersign off; rm ~/.claude/settings.json'",
        "silent",
    ),
    ("cp .claude/settings.json copy.json", "silent"),
    ("echo x > settings.json", "silent"),
    ("echo x > tests/.claude-settings.json", "silent"),
    ("rm src/a.rs", "silent"),
    ("mkdir -p docs/.claude", "ask"),
    ("mkdir -p .claude/commands", "ask"),
    ("rm .claude/notes.md", "ask"),
    ("rm *.json", "ask"),
    ("rm -rf .*", "ask"),
    ("rm -rf .github", "ask"),
    ("rm -rf build", "silent"),
    ("find . -name '*.pyc' -delete", "ask"),
    ("find . -name '*.json' -delete", "ask"),
    ("chmod -R u+w .", "ask"),
    ("pkill node", "ask"),
    ("claude -p 'fix the build'", "silent"),
    ("ln -s ../shared shared", "silent"),
];

/// Tools that write a file, and the key that names it.
const TOOLS: &[(&str, &str)] = &[
    ("Write", "file_path"),
    ("Edit", "file_path"),
    ("MultiEdit", "file_path"),
    ("NotebookEdit", "notebook_path"),
    ("mcp__files__write_file", "path"),
    ("mcp__files__delete", "target"),
    ("write_file", "file_path"),
];

fn here(text: &str) -> String {
    text.replace('@', env!("CARGO_BIN_EXE_countersign"))
}

/// What is answered, with the rule that answers where it is one of ours.
fn answer(machine: &Machine, tool: &str, input: &Value) -> String {
    let answer = machine.tool("bypassPermissions", tool, input);
    let word = word(&answer);
    let reason = reason(&answer);
    let ours = reason.contains("[paths.own]") || reason.contains("[paths.gate]");
    match (word.as_str(), ours) {
        ("deny", true) => "ours".to_owned(),
        _ => word,
    }
}

fn bash(machine: &Machine, command: &str) -> String {
    answer(machine, "Bash", &json!({"command": command}))
}

fn machine() -> Machine {
    let machine = Machine::new();
    for path in PATHS {
        if let Some(path) = path.strip_prefix('.') {
            machine.write(&format!(".{path}"), "{}\n");
        }
    }
    machine.configure("");
    for folder in [".claude", ".codex", ".config/countersign/rules"] {
        std::fs::create_dir_all(machine.home.join(folder)).expect("a folder");
    }
    machine
}

#[test]
fn no_spelling_changes_what_is_ours() {
    let machine = machine();
    let mut commands: Vec<String> = Vec::new();
    for (paths, spellings) in [
        (PATHS, ON_EVERY),
        (SOME, ON_SOME),
        (FOLDERS, ON_FOLDERS),
        (&[""][..], COMMANDS),
    ] {
        for path in paths {
            commands.extend(
                spellings
                    .iter()
                    .map(|spelling| here(&spelling.replace("{}", path))),
            );
        }
    }
    let mut slipped = String::new();
    for command in &commands {
        let answer = bash(&machine, command);
        if answer != "ours" {
            let _infallible = writeln!(slipped, "{answer:<7} {command}");
        }
    }
    assert!(slipped.is_empty(), "of {}:\n{slipped}", commands.len());
}

#[test]
fn no_tool_writes_what_is_ours() {
    let machine = machine();
    let mut slipped = String::new();
    for path in PATHS {
        let path = here(&path.replace('~', "/home/user"));
        let path = if path.starts_with('/') {
            path
        } else {
            format!("/home/user/project/{path}")
        };
        for (tool, key) in TOOLS {
            let answer = answer(&machine, tool, &json!({*key: path, "content": "{}"}));
            if answer != "ours" {
                let _infallible = writeln!(slipped, "{answer:<7} {tool} {path}");
            }
        }
        for (verb, content) in [("Add", "+{}\n"), ("Delete", "")] {
            let patch = format!("*** Begin Patch\n*** {verb} File: {path}\n{content}*** End Patch");
            let answer = answer(&machine, "apply_patch", &json!({"input": patch}));
            if answer != "ours" {
                let _infallible = writeln!(slipped, "{answer:<7} apply_patch: {verb} {path}");
            }
        }
    }
    assert!(slipped.is_empty(), "{slipped}");
}

#[test]
fn links_to_what_is_ours_are_ours() {
    use std::os::unix::fs::symlink;
    let machine = machine();
    // A person who keeps the settings elsewhere; and a link that was there before.
    machine.write("dotfiles/claude.json", "{}\n");
    symlink(
        machine.project.join("dotfiles/claude.json"),
        machine.home.join(".claude/settings.json"),
    )
    .expect("a link");
    symlink(machine.home.join(".codex"), machine.project.join("notes")).expect("a link");
    for command in [
        "echo x > dotfiles/claude.json",
        "echo x > notes/hooks.json",
        "rm -rf dotfiles",
        "cd notes && rm config.toml",
    ] {
        assert_eq!(bash(&machine, command), "ours", "{command}");
    }
    assert_eq!(bash(&machine, "echo x > dotfiles/other"), "silent");
}

#[test]
fn what_cannot_be_known_is_asked() {
    let machine = machine();
    for command in ASKED {
        let answer = bash(&machine, &here(command));
        assert!(
            ["ask", "deny", "ours"].contains(&answer.as_str()),
            "{answer}: {command}"
        );
    }
}

#[test]
fn looking_and_working_beside_it_stay_as_they_were() {
    let machine = machine();
    let mut wrong = String::new();
    for (command, wanted) in ALLOWED {
        let answer = bash(&machine, command);
        if answer != *wanted {
            let _infallible = writeln!(wrong, "{answer}, not {wanted}: {command}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
