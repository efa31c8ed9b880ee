//! Judging asks the system for nothing: no file, no variable, no clock, no process. A library
//! between the program and the system ends the program when it does.

use crate::support;
use countersign_core::{Facts, Request};
use countersign_policy::{Policy, Settings};
use serde::Deserialize;
use std::path::Path;
use std::process::{Command, Output};

/// What the library ends the program with.
const TOUCHED: i32 = 86;

/// What the child does while the library watches: judge, or one thing that it must notice.
const ACT: &str = "TOUCH_ACT";

#[derive(Deserialize)]
struct Pack {
    #[serde(rename = "rule")]
    rules: Vec<Examples>,
}

#[derive(Deserialize)]
struct Examples {
    #[serde(rename = "match")]
    matches: Vec<String>,
    not_match: Vec<String>,
}

fn commands() -> Vec<String> {
    support::files::<Pack>("rules")
        .into_iter()
        .flat_map(|(_, pack)| pack.rules)
        .flat_map(|rule| rule.matches.into_iter().chain(rule.not_match))
        .collect()
}

#[test]
#[ignore = "run by the test below, in a process of its own"]
fn child() {
    let act = std::env::var(ACT).unwrap_or_default();
    let commands = commands();
    let policy = Policy::new(Settings::default());
    // With real files, policy asks its host; what it is not told it must do without.
    let mut facts = Facts::at("/home/user", &[support::CWD]);
    facts.temp_roots = vec!["/tmp".to_owned()];
    let judge = || {
        for command in &commands {
            let request = Request::command("t", "t", support::CWD, command);
            let queries = policy.observe(&request, &facts);
            let judgement = policy.judge(&request, &facts);
            assert!(queries.len() < 1_000 && judgement.commands.len() < 1_000);
        }
    };
    // What is done once for a thread, such as seeding its maps, is done before.
    judge();
    let _nothing = std::env::var_os("TOUCH_ARM");
    match act.as_str() {
        "file" => drop(std::fs::read("/etc/hostname")),
        "look" => drop(std::fs::metadata("/")),
        "link" => drop(std::fs::read_link("/proc/self/exe")),
        "folder" => drop(std::env::current_dir()),
        "variable" => drop(std::env::var_os("HOME")),
        "clock" => drop(std::time::SystemTime::now()),
        "network" => drop(std::net::UdpSocket::bind("127.0.0.1:0")),
        _ => judge(),
    }
    let _nothing = std::env::var_os("TOUCH_DISARM");
}

fn run(library: &Path, act: &str) -> Output {
    Command::new(std::env::current_exe().expect("this program"))
        .args(["touch::child", "--exact", "--ignored", "--nocapture"])
        .env("LD_PRELOAD", library)
        .env(ACT, act)
        .output()
        .expect("it starts")
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn judging_asks_the_system_for_nothing() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("touch");
    std::fs::create_dir_all(&scratch).expect("a folder");
    let library = scratch.join("touch.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/touch.c");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .args([&library, &source])
        .output();
    let built = match built {
        Ok(built) => built,
        Err(error) => {
            assert!(
                std::env::var_os("CI").is_none(),
                "no compiler for C: {error}"
            );
            eprintln!("skipped: no compiler for C");
            return;
        }
    };
    assert!(built.status.success(), "{built:?}");
    let judged = run(&library, "judge");
    assert!(judged.status.success(), "{judged:?}");
    assert!(
        String::from_utf8_lossy(&judged.stdout).contains("1 passed"),
        "{judged:?}"
    );
    // The control: it sees what a program can ask for.
    for act in [
        "file", "look", "link", "folder", "variable", "clock", "network",
    ] {
        let noticed = run(&library, act);
        assert_eq!(noticed.status.code(), Some(TOUCHED), "{act}: {noticed:?}");
    }
}
