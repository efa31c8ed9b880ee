use super::diagnose::{Check, Status, diagnose};
use super::look::{Folder, Found, Seen};
use super::text;
use crate::audit::AuditLog;
use crate::install::{self, Registration};
use crate::paths::Dirs;
use crate::switch::{self, Switch};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A machine of one user with a home, a project and a program, under a scratch folder.
struct Machine {
    scratch: tempfile::TempDir,
    dirs: Dirs,
    project: PathBuf,
    program: PathBuf,
}

impl Machine {
    fn new() -> Self {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let base = std::fs::canonicalize(scratch.path()).expect("it exists");
        let home = base.join("home/user");
        let machine = Self {
            project: home.join("project"),
            program: home.join(".local/bin/countersign"),
            dirs: Dirs {
                config: home.join(".config/countersign"),
                state: home.join(".local/state/countersign"),
                managed: base.join("etc"),
                home,
            },
            scratch,
        };
        std::fs::create_dir_all(&machine.project).expect("a folder");
        machine.write(&machine.program, "", 0o755);
        machine
    }

    /// A machine on which everything is as it should be.
    fn good() -> Self {
        let machine = Self::new();
        for dir in [&machine.dirs.config, &machine.dirs.state] {
            std::fs::create_dir_all(dir).expect("a folder");
            machine.mode(dir, 0o700);
        }
        let edited = install::install("{}\n", &machine.registration()).expect("settings");
        machine.write(&machine.settings(), &edited.text, 0o600);
        machine
    }

    fn settings(&self) -> PathBuf {
        self.dirs.home.join(install::USER_SETTINGS)
    }

    fn registration(&self) -> Registration {
        Registration::new(&self.program, None, None).expect("it is UTF-8")
    }

    fn write(&self, file: &Path, text: &str, mode: u32) {
        let folder = file.parent().expect("it lies in a folder");
        std::fs::create_dir_all(folder).expect("a folder");
        self.mode(folder, 0o755);
        std::fs::write(file, text).expect("a file");
        self.mode(file, mode);
    }

    fn mode(&self, path: &Path, mode: u32) {
        assert!(path.starts_with(std::fs::canonicalize(self.scratch.path()).expect("it exists")));
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is ours");
    }

    fn look(&self) -> Seen {
        Seen::look(
            &self.dirs,
            &self.project,
            &self.settings(),
            self.registration(),
        )
    }

    fn checks(&self) -> Vec<Check> {
        diagnose(&self.look())
    }

    /// What a person reads, with the scratch folder's name taken out.
    fn shown(&self) -> String {
        let base = std::fs::canonicalize(self.scratch.path()).expect("it exists");
        text(&self.checks()).replace(&*base.to_string_lossy(), "")
    }
}

fn found(checks: &[Check], name: &str) -> Vec<Status> {
    checks
        .iter()
        .filter(|check| check.name == name)
        .map(|check| check.status)
        .collect()
}

#[test]
fn a_machine_without_anything() {
    insta::assert_snapshot!(Machine::new().shown());
}

#[test]
fn a_good_machine() {
    let machine = Machine::good();
    insta::assert_snapshot!(machine.shown());
    assert!(
        machine
            .checks()
            .iter()
            .all(|check| check.status != Status::Problem)
    );
    let json = serde_json::to_value(machine.checks()).expect("it is JSON");
    assert_eq!(json[3]["check"], "state-mode");
    assert_eq!(json[3]["status"], "ok");
    assert!(json[3].get("remedy").is_none());
}

#[test]
fn everything_is_wrong() {
    let machine = Machine::good();
    let home = &machine.dirs.home;
    machine.mode(&machine.dirs.state, 0o770);
    machine.write(
        &machine.dirs.config_file(),
        "[[hard_deny.except]]\nrule = \"tls.weaken\"\nhost = \"dev.example.org\"\nreason = \"a test\"\n",
        0o600,
    );
    machine.mode(&machine.dirs.config, 0o777);
    machine.write(
        &machine.project.join(".countersign.toml"),
        "undecided = 1\n",
        0o600,
    );
    machine.write(&machine.dirs.state.join("switch"), "lockdown\n", 0o600);
    machine.mode(&machine.dirs.state, 0o770);
    machine.write(
        &machine.dirs.audit_folder().join("2026-12-01.jsonl"),
        "{}\n",
        0o600,
    );
    machine.mode(&machine.dirs.state, 0o770);
    machine.mode(&machine.program, 0o777);
    machine.write(
        &machine.settings(),
        &format!(
            "{{ // mine\n \"disableAllHooks\": true, \"hooks\": {{\"PreToolUse\": [{{\"matcher\": \"Bash\", \"hooks\": [{{\"type\": \"command\", \"command\": \"{}/old/countersign hook claude-code\"}}, {{\"type\": \"command\", \"command\": \"rewrite\"}}]}}]}}}}",
            home.display()
        ),
        0o600,
    );
    machine.write(
        &machine.project.join(".claude/settings.json"),
        "{\"disableAllHooks\": true, \"env\": {\"LD_PRELOAD\": \"x.so\"}}",
        0o600,
    );
    machine.write(
        &machine.project.join(".claude/settings.local.json"),
        "{",
        0o600,
    );
    insta::assert_snapshot!(machine.shown());
}

#[test]
fn every_fault_is_a_problem_of_its_own() {
    type Harm = fn(&Machine);
    let harms: &[(&str, Status, Harm)] = &[
        ("state-mode", Status::Problem, |it| {
            it.mode(&it.dirs.state, 0o720);
        }),
        ("state-mode", Status::Warn, |it| {
            it.mode(&it.dirs.state, 0o750);
        }),
        ("config-mode", Status::Problem, |it| {
            it.mode(&it.dirs.config, 0o702);
        }),
        ("configuration", Status::Problem, |it| {
            it.write(&it.dirs.config_file(), "x = 1", 0o600);
        }),
        ("workspace-file", Status::Warn, |it| {
            it.write(
                &it.project.join(".countersign.toml"),
                "[permissions]\nallow = [\"Bash\"]",
                0o600,
            );
        }),
        ("switch", Status::Problem, |it| {
            switch::set(
                &it.dirs,
                Switch::Off,
                &mut AuditLog::new(it.dirs.audit_folder()),
            )
            .expect("writable");
        }),
        ("switch", Status::Problem, |it| {
            std::fs::write(it.dirs.state.join("switch"), "?").expect("a file");
        }),
        ("audit-log", Status::Problem, |it| {
            let segment = it.dirs.audit_folder().join("2026-12-01.jsonl");
            it.write(&segment, "x\n", 0o600);
        }),
        ("program", Status::Warn, |it| it.mode(&it.program, 0o757)),
        ("registration", Status::Problem, |it| {
            std::fs::remove_file(it.settings()).expect("it exists");
        }),
        ("registration", Status::Problem, |it| {
            it.write(&it.settings(), "[]", 0o600);
        }),
        ("hooks-off", Status::Problem, |it| {
            let text = std::fs::read_to_string(it.settings()).expect("readable");
            it.write(
                &it.settings(),
                &text.replacen('{', "{\"disableAllHooks\": true,", 1),
                0o600,
            );
        }),
        ("settings", Status::Problem, |it| {
            let text = std::fs::read_to_string(it.settings()).expect("readable");
            it.write(&it.settings(), &format!("{text}// mine\n"), 0o600);
        }),
        ("project", Status::Problem, |it| {
            it.write(
                &it.project.join(".claude/settings.json"),
                "{\"disableAllHooks\": true}",
                0o600,
            );
        }),
        ("project", Status::Warn, |it| {
            it.write(
                &it.project.join(".claude/settings.local.json"),
                "{\"env\": {\"PATH\": \"\"}}",
                0o600,
            );
        }),
        ("project", Status::Warn, |it| {
            std::fs::create_dir_all(it.project.join(".claude/settings.json")).expect("a folder");
        }),
    ];
    for (name, status, harm) in harms {
        let machine = Machine::good();
        harm(&machine);
        let checks = machine.checks();
        let seen = found(&checks, name);
        assert!(seen.contains(status), "{name}: {}", text(&checks));
        let other = checks
            .iter()
            .find(|check| check.status == Status::Problem && check.name != *name);
        assert_eq!(other, None);
        assert!(
            checks
                .iter()
                .all(|check| check.status == Status::Ok || check.remedy.is_some())
        );
    }
}

#[test]
fn a_mark_before_the_settings_is_no_fault() {
    let machine = Machine::good();
    let text = std::fs::read_to_string(machine.settings()).expect("readable");
    machine.write(&machine.settings(), &format!("\u{feff}{text}"), 0o600);
    assert_eq!(found(&machine.checks(), "settings"), []);
}

#[test]
fn the_users_own_file_is_not_taken_for_a_projects() {
    let mut machine = Machine::good();
    machine.project = machine.dirs.home.clone();
    assert_eq!(found(&machine.checks(), "project"), []);
}

#[test]
fn the_tier_follows_from_who_can_change_the_configuration() {
    let tier = |uid, owner, writable| {
        let machine = Machine::good();
        let mut seen = machine.look();
        seen.uid = uid;
        seen.config = Folder {
            path: machine.dirs.config.clone(),
            found: Found::Folder {
                mode: 0o755,
                owner,
                writable,
            },
        };
        found(&diagnose(&seen), "tier")
    };
    assert_eq!(tier(1000, 0, false), [Status::Ok]);
    assert_eq!(tier(1000, 0, true), [Status::Warn]);
    assert_eq!(tier(1000, 1000, false), [Status::Warn]);
    assert_eq!(tier(0, 0, false), [Status::Warn]);
}

#[test]
fn folders_of_others_and_folders_that_cannot_be_made_are_problems() {
    let mut seen = Machine::good().look();
    seen.uid = 1000;
    for found_there in [
        Found::Folder {
            mode: 0o700,
            owner: 1001,
            writable: true,
        },
        Found::NoFolder,
        Found::Nothing { can_be_made: false },
        Found::Unseen("permission denied".to_owned()),
    ] {
        seen.config.found = found_there.clone();
        assert_eq!(
            found(&diagnose(&seen), "config-folder"),
            [Status::Problem],
            "{found_there:?}"
        );
    }
    seen.state.found = Found::Folder {
        mode: 0o700,
        owner: 0,
        writable: false,
    };
    assert_eq!(found(&diagnose(&seen), "state-mode"), [Status::Problem]);
}

#[test]
fn reviewers_that_cannot_be_asked_are_a_problem() {
    let machine = Machine::good();
    let plugin = countersign_plugin_testing::library::library("countersign-plugin-hostile");
    let file = machine.dirs.plugins().join("hostile.so");
    machine.write(&file, "", 0o644);
    std::fs::copy(plugin, &file).expect("a copy");
    machine.mode(&file, 0o644);
    machine.write(
        &machine.dirs.config_file(),
        "[review]\nask = [\"hostile\", \"gone\"]\n[reviewers.hostile]\nisolation = \"in-process\"\n[plugins.hostile]\nunpinned = true\n[reviewers.gone]\n",
        0o600,
    );
    machine.mode(&machine.dirs.config, 0o700);
    let lines: Vec<String> = machine
        .shown()
        .lines()
        .filter(|line| line.contains("reviewer"))
        .map(str::to_owned)
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}
