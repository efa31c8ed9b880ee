use crate::support::{Answer, Machine, word};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Settings with somebody else's hooks, a comment-free file with a style of its own.
const OTHERS: &str = "{\n    \"model\": \"opus\",\n\n    \"hooks\": {\n        \"PreToolUse\": [ { \"matcher\": \"Bash\", \"hooks\": [] } ]\n    }\n}";

/// A machine with a settings file that no real one is mistaken for.
struct Setup {
    machine: Machine,
    settings: PathBuf,
}

impl Setup {
    fn new() -> Self {
        let machine = Machine::new();
        let settings = machine.home.join(".claude/settings.json");
        Self { machine, settings }
    }

    fn with(text: &str) -> Self {
        let setup = Self::new();
        std::fs::create_dir_all(setup.settings.parent().expect("a folder")).expect("a folder");
        std::fs::write(&setup.settings, text).expect("a file");
        setup
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.settings).expect("readable")
    }

    /// The settings without what differs between machines.
    fn shown(&self) -> String {
        let base = self
            .machine
            .home
            .ancestors()
            .nth(2)
            .expect("a scratch folder");
        without_program(&self.text()).replace(&*base.to_string_lossy(), "")
    }

    /// Runs `install`, `uninstall` or `doctor` on the settings file, never on the real one.
    fn run(&self, args: &[&str]) -> Answer {
        let settings = self.settings.to_string_lossy();
        let args = [args, &["--settings", &settings]].concat();
        let answer = self.machine.run(&args, b"");
        Answer {
            stdout: without_program(&answer.stdout),
            stderr: without_program(&answer.stderr),
            ..answer
        }
    }

    fn install(&self, options: &[&str]) -> Answer {
        self.run(&[&["install", "claude-code", "--allow-build-folder"], options].concat())
    }

    fn uninstall(&self, options: &[&str]) -> Answer {
        self.run(&[&["uninstall", "claude-code"], options].concat())
    }

    /// What lies beside the settings file.
    fn beside(&self) -> Vec<PathBuf> {
        let folder = self.settings.parent().expect("a folder");
        let entries = std::fs::read_dir(folder).expect("it exists");
        let mut files: Vec<_> = entries
            .map(|entry| entry.expect("readable").path())
            .collect();
        files.retain(|file| *file != self.settings);
        files
    }
}

fn without_program(text: &str) -> String {
    text.replace(env!("CARGO_BIN_EXE_countersign"), "/PROGRAM")
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path)
        .expect("it exists")
        .permissions()
        .mode()
        & 0o7777
}

#[test]
fn a_missing_file_is_made_for_the_user_alone() {
    let setup = Setup::new();
    let answer = setup.install(&["--yes"]);
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!("created_file", setup.shown());
    insta::assert_snapshot!("created_output", answer.stdout);
    assert_eq!(mode(&setup.settings), 0o600);
    assert_eq!(mode(setup.settings.parent().expect("a folder")), 0o700);
    assert_eq!(setup.beside(), Vec::<PathBuf>::new());

    let again = setup.install(&["--yes"]);
    assert_eq!(again.code, Some(0));
    assert!(
        again.stdout.contains("already registered"),
        "{}",
        again.stdout
    );
    assert_eq!(setup.beside(), Vec::<PathBuf>::new());
}

#[test]
fn a_dry_run_shows_the_change_and_writes_nothing() {
    let setup = Setup::with(OTHERS);
    let answer = setup.install(&["--dry-run", "--yes"]);
    assert_eq!(answer.code, Some(0));
    insta::assert_snapshot!("dry_run", answer.stdout);
    assert_eq!(setup.text(), OTHERS);
    assert_eq!(setup.beside(), Vec::<PathBuf>::new());

    setup.install(&["--yes"]);
    let registered = setup.text();
    let answer = setup.uninstall(&["--dry-run"]);
    assert_eq!(answer.code, Some(0));
    assert!(
        answer.stdout.contains("\n-        \"ConfigChange\""),
        "{}",
        answer.stdout
    );
    assert_eq!(setup.text(), registered);
}

#[test]
fn without_a_terminal_nothing_is_written_unasked() {
    let setup = Setup::with(OTHERS);
    let asks = |answer: &Answer| {
        assert_eq!(answer.code, Some(2));
        assert!(answer.stdout.contains("\n@@ "), "{}", answer.stdout);
        assert!(answer.stderr.contains("pass --yes"), "{}", answer.stderr);
    };
    asks(&setup.install(&[]));
    assert_eq!(setup.text(), OTHERS);
    setup.install(&["--yes"]);
    let registered = setup.text();
    asks(&setup.uninstall(&[]));
    assert_eq!(setup.text(), registered);
}

#[test]
fn installing_and_uninstalling_gives_back_every_byte_and_keeps_what_was() {
    let setup = Setup::with(OTHERS);
    std::fs::set_permissions(&setup.settings, std::fs::Permissions::from_mode(0o640))
        .expect("ours");
    assert_eq!(setup.install(&["--yes"]).code, Some(0));
    let [backup] = &setup.beside()[..] else {
        panic!("{:?}", setup.beside())
    };
    let name = backup
        .file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    let seconds = name
        .strip_prefix("settings.json.countersign-backup-")
        .expect("its name");
    assert!(seconds.parse::<u64>().is_ok(), "{name}");
    assert_eq!(std::fs::read_to_string(backup).expect("readable"), OTHERS);
    assert_ne!(setup.text(), OTHERS);

    let answer = setup.uninstall(&["--yes"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert_eq!(setup.text(), OTHERS);
    assert_eq!(mode(&setup.settings), 0o640);
    let again = setup.uninstall(&["--yes"]);
    assert_eq!(again.code, Some(0));
    assert!(again.stdout.contains("not registered"), "{}", again.stdout);
    assert_eq!(setup.beside().len(), 2);
}

#[test]
fn a_link_stays_a_link() {
    let mut setup = Setup::with(OTHERS);
    let real = setup.settings.clone();
    setup.settings = setup.machine.home.join("dotfiles.json");
    std::os::unix::fs::symlink(&real, &setup.settings).expect("a link");
    assert_eq!(setup.install(&["--yes"]).code, Some(0));
    assert!(
        std::fs::symlink_metadata(&setup.settings)
            .expect("it exists")
            .is_symlink()
    );
    assert!(
        std::fs::read_to_string(&real)
            .expect("readable")
            .contains("ConfigChange")
    );
}

#[test]
fn what_cannot_be_edited_is_refused_and_left_alone() {
    for text in [
        "[]",
        "{\n  \"hooks\": []\n}",
        "{ // mine\n}",
        "{\"a\": 1",
        "",
    ] {
        let setup = Setup::with(text);
        let answer = setup.install(&["--yes"]);
        assert_eq!(
            (answer.code, answer.stdout.contains("registered in")),
            (Some(2), false)
        );
        assert!(
            answer.stderr.contains("settings.json: line "),
            "{}",
            answer.stderr
        );
        assert!(
            answer.stderr.contains("Nothing was written"),
            "{}",
            answer.stderr
        );
        assert_eq!(setup.text(), text);
        assert_eq!(setup.beside(), Vec::<PathBuf>::new());
    }
}

#[test]
fn a_program_in_a_build_folder_is_not_registered() {
    let setup = Setup::with(OTHERS);
    let answer = setup.run(&["install", "claude-code", "--yes"]);
    assert_eq!(answer.code, Some(2));
    assert!(answer.stderr.contains("build folder"), "{}", answer.stderr);
    assert!(
        answer.stderr.contains("--allow-build-folder"),
        "{}",
        answer.stderr
    );
    assert_eq!(setup.text(), OTHERS);
    assert!(setup.install(&["--yes"]).stdout.starts_with("warning: "));
}

/// What a registered hook answers to a shell command, started as the agent would.
fn call_registered(
    setup: &Setup,
    hook: &Value,
    environment: &[(&str, &Path)],
    shell: &str,
) -> Answer {
    let mut command = std::process::Command::new(hook["command"].as_str().expect("a path"));
    command
        .env_clear()
        .envs(environment.iter().copied())
        .current_dir(&setup.machine.project);
    for arg in hook["args"].as_array().expect("arguments") {
        command.arg(arg.as_str().expect("text"));
    }
    let call = json!({
        "session_id": "s-1",
        "cwd": setup.machine.project,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": shell},
        "tool_use_id": "toolu_1",
    });
    setup.machine.finish(command, call.to_string().as_bytes())
}

#[test]
fn what_is_registered_answers_as_a_hook() {
    let setup = Setup::new();
    setup.install(&["--yes"]);
    let settings: Value = serde_json::from_str(&setup.text()).expect("it is JSON");
    let hook = &settings["hooks"]["PreToolUse"][0]["hooks"][0];
    let answer = call_registered(&setup, hook, &[], "rm -rf /");
    assert_eq!(word(&answer), "deny", "{answer:?}");
    assert!(setup.machine.log().exists());
}

#[test]
fn the_doctor_says_what_is_wrong_and_that_all_is_well() {
    let setup = Setup::new();
    let before = setup.run(&["doctor"]);
    assert_eq!(before.code, Some(1), "{before:?}");
    assert!(
        before.stdout.contains("problem  registration"),
        "{}",
        before.stdout
    );

    setup.install(&["--yes"]);
    let after = setup.run(&["doctor"]);
    assert_eq!(after.code, Some(0), "{after:?}");
    let lines: Vec<&str> = after
        .stdout
        .lines()
        .filter(|line| !line.starts_with("ok       home "))
        .collect();
    insta::assert_snapshot!("doctor", lines.join("\n"));

    let json = setup.run(&["doctor", "--format", "json"]);
    let checks: Value = serde_json::from_str(&json.stdout).expect("it is JSON");
    let checks = checks["checks"].as_array().expect("checks");
    assert_eq!(checks.len(), lines.len() + 1);
    assert!(
        checks
            .iter()
            .all(|check| check["text"].is_string() && check["status"] != "problem")
    );

    setup
        .machine
        .write(".claude/settings.local.json", "{\"disableAllHooks\": true}");
    assert_eq!(setup.run(&["doctor"]).code, Some(1));
    // Looking leaves nothing behind.
    assert!(!setup.machine.state.exists() && !setup.machine.config.exists());
}

/// The program with a static front beside it, in a folder of their own.
fn with_front(place: &Path) -> PathBuf {
    let program = place.join("countersign");
    std::fs::copy(env!("CARGO_BIN_EXE_countersign"), &program).expect("a copy");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let built = std::process::Command::new(rustc)
        .args(["--edition=2024", "-Ctarget-feature=+crt-static", "-o"])
        .arg(place.join("countersign-front"))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../front/src/main.rs"))
        .status()
        .expect("rustc starts");
    assert!(built.success());
    program
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn a_static_front_is_registered_and_answers() {
    let setup = Setup::new();
    let bin = setup.machine.home.join("bin");
    std::fs::create_dir_all(&bin).expect("a folder");
    let program = with_front(&bin);
    setup.machine.configure(
        "[reviewers.mine]\nenv = [\"MODEL_DIR\", \"MY_API_KEY\"]\n[reviewers.other]\nenv = [\"MODEL_DIR\"]\n",
    );
    let run = |args: &[&str]| {
        let mut command = std::process::Command::new(&program);
        command
            .env_clear()
            .current_dir(&setup.machine.project)
            .arg("--config-dir")
            .arg(&setup.machine.config)
            .arg("--state-dir")
            .arg(&setup.machine.state)
            .args(args)
            .arg("--settings")
            .arg(&setup.settings);
        setup.machine.finish(command, b"")
    };
    let installed = run(&["install", "claude-code", "--yes"]);
    assert_eq!(installed.code, Some(0), "{installed:?}");
    assert!(!installed.stdout.contains("LD_PRELOAD"), "{installed:?}");
    let doctor = run(&["doctor"]);
    assert!(
        doctor.stdout.contains("ok       front") && !doctor.stdout.contains("problem"),
        "{}",
        doctor.stdout
    );

    let settings: Value = serde_json::from_str(&setup.text()).expect("it is JSON");
    let hook = &settings["hooks"]["PreToolUse"][0]["hooks"][0];
    assert_eq!(
        hook["command"],
        *bin.join("countersign-front").to_string_lossy()
    );
    assert_eq!(hook["args"][0], "--keep");
    assert_eq!(hook["args"][1], "MODEL_DIR");
    assert_eq!(hook["args"][2], "--config-dir");
    let answer = call_registered(
        &setup,
        hook,
        &[("LD_LIBRARY_PATH", &bin)],
        &format!("rm {}", program.display()),
    );
    assert_eq!(word(&answer), "deny", "{answer:?}");

    // An older registration of the program itself is the same registration.
    let plain = setup.text().replace("countersign-front", "countersign");
    std::fs::write(&setup.settings, plain).expect("a file");
    assert_eq!(run(&["install", "claude-code", "--yes"]).code, Some(0));
    let again = setup.text();
    assert_eq!(again.matches("countersign-front").count(), 4, "{again}");
    assert_eq!(run(&["uninstall", "claude-code", "--yes"]).code, Some(0));
    assert!(!setup.text().contains("countersign"), "{}", setup.text());
}
