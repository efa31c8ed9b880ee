//! P4, P5 and P11: The log when something is in the way: processes that are killed, a full disk, a lock that hangs.

use crate::support::{Machine, reason, word};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

fn call(id: &str) -> serde_json::Value {
    json!({
        "session_id": "s", "cwd": "/home/user/project", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": id,
    })
}

/// Eight writers at once, many of them killed at any moment: the chain holds, and what was answered
/// is there.
#[test]
fn killed_writers_lose_nothing_that_was_answered() {
    let machine = Machine::new();
    machine.hook(&call("first"));
    let (mut answered, mut locked) = (BTreeSet::new(), 0_usize);
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..8_u64)
            .map(|writer| {
                let machine = &machine;
                scope.spawn(move || writes(machine, writer))
            })
            .collect();
        for writer in writers {
            let (ids, switches) = writer.join().expect("a writer ends");
            answered.extend(ids);
            locked += switches;
        }
    });
    // What the last of them left is mended by the next.
    machine.hook(&call("last"));
    let verified = machine.run(&["audit", "verify"], b"");
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let text = machine.records();
    for id in &answered {
        assert!(text.contains(&format!("\"{id}\"")), "{id}");
    }
    let switches = text.matches("\"kind\":\"switch\"").count();
    assert!(switches >= locked, "{switches} of {locked}");
    assert!(!answered.is_empty() && locked > 0);
}

/// What one writer was answered: ids of calls, and how often it locked the gate down.
fn writes(machine: &Machine, writer: u64) -> (Vec<String>, usize) {
    let (mut answered, mut locked) = (Vec::new(), 0);
    let mut state = writer;
    for round in 0..16 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let id = format!("call-{writer}-{round}");
        let input = machine.here(&call(&id).to_string());
        let is_call = round % 2 == 0;
        let args: &[&str] = if is_call {
            &["hook", "claude-code"]
        } else {
            &["lockdown"]
        };
        let mut child = machine
            .command(args)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the program starts");
        if let Some(mut stdin) = child.stdin.take() {
            let _killed = std::io::Write::write_all(&mut stdin, input.as_bytes());
        }
        if !(state >> 40).is_multiple_of(3) {
            std::thread::sleep(Duration::from_micros((state >> 33) % 60_000));
            let _ended = child.kill();
        }
        let output = child.wait_with_output().expect("it ends");
        if output.status.code() == Some(0) {
            if is_call {
                answered.push(id);
            } else {
                locked += 1;
            }
        }
    }
    (answered, locked)
}

#[test]
fn a_file_that_may_not_grow_blocks_and_stays_as_it_is() {
    let machine = Machine::new();
    for number in 0..12 {
        machine.hook(&call(&format!("{number}")));
    }
    let before = machine.records();
    let program = machine.command(&["hook", "claude-code"]);
    let mut shell = Command::new("/bin/sh");
    shell
        .env_clear()
        .env("HOME", &machine.home)
        .env("CLAUDE_PROJECT_DIR", &machine.project)
        .args(["-c", "ulimit -f 1; exec \"$0\" \"$@\""])
        .arg(program.get_program())
        .args(program.get_args());
    let answer = machine.finish(shell, machine.here(&call("x").to_string()).as_bytes());
    assert!(
        matches!(word(&answer).as_str(), "exit 2" | "deny"),
        "{answer:?}"
    );
    assert_eq!(machine.records(), before);
    machine.hook(&call("after"));
    assert_eq!(machine.run(&["audit", "verify"], b"").code, Some(0));
}

/// A file system of so many kilobytes in the place of a folder, where one can be mounted.
struct Mounted<'p>(&'p Path);

impl<'p> Mounted<'p> {
    fn at(path: &'p Path, kilobytes: u32) -> Option<Self> {
        std::fs::create_dir_all(path).expect("a folder");
        let size = format!("size={kilobytes}k,mode=700");
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(path)
            .output();
        if mount.is_ok_and(|done| done.status.success()) {
            return Some(Self(path));
        }
        eprintln!("skipped: nothing can be mounted here");
        None
    }

    fn remount(&self, how: &str) {
        let done = Command::new("mount").args(["-o", how]).arg(self.0).status();
        assert!(done.expect("mount starts").success());
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _best_effort = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_denies_and_leaves_the_log_whole() {
    let machine = Machine::new();
    let Some(_mounted) = Mounted::at(&machine.state, 256) else {
        return;
    };
    machine.hook(&call("a"));
    let fill = machine.state.join("fill");
    let _until_full = std::fs::write(&fill, vec![b'x'; 1 << 20]);
    // The segment has room to the end of its last block.
    let mut denied = None;
    let mut before = machine.records();
    for number in 0..40 {
        let answer = machine.hook(&call(&format!("{number}")));
        if word(&answer) == "deny" {
            denied = Some(answer);
            break;
        }
        before = machine.records();
    }
    let denied = denied.expect("the disk is full");
    assert!(
        reason(&denied).contains("could not be recorded"),
        "{denied:?}"
    );
    assert_eq!(machine.records(), before);
    std::fs::remove_file(fill).expect("it was there");
    assert_eq!(word(&machine.hook(&call("after"))), "allow");
    assert_eq!(machine.run(&["audit", "verify"], b"").code, Some(0));
}

#[test]
fn a_read_only_disk_denies() {
    let machine = Machine::new();
    let Some(mounted) = Mounted::at(&machine.state, 256) else {
        return;
    };
    machine.hook(&call("a"));
    mounted.remount("remount,ro");
    assert_eq!(word(&machine.hook(&call("b"))), "deny");
    mounted.remount("remount,rw");
    assert_eq!(word(&machine.hook(&call("c"))), "allow");
}

/// Somebody holds the lock and hangs: an answer comes in time, and it is a deny.
#[test]
fn a_lock_that_hangs_denies_in_time() {
    let machine = Machine::new();
    machine.hook(&call("a"));
    let head = std::fs::File::open(machine.log().join("head")).expect("a head");
    head.lock().expect("it is free");
    let begun = std::time::Instant::now();
    let answer = machine.hook(&call("b"));
    assert_eq!(word(&answer), "deny", "{answer:?}");
    assert!(
        reason(&answer).contains("kept the log locked"),
        "{answer:?}"
    );
    assert!(
        begun.elapsed() < Duration::from_secs(30),
        "{:?}",
        begun.elapsed()
    );
    head.unlock().expect("it is held");
    assert_eq!(word(&machine.hook(&call("c"))), "allow");
}

/// What a workspace says of the anchor counts for nothing.
#[test]
fn a_workspace_anchors_nothing() {
    let machine = Machine::new();
    let anchor = machine.project.join("anchor");
    machine.write(
        ".countersign.toml",
        &format!("[audit]\nanchor = {anchor:?}\n"),
    );
    let answer = machine.tool("default", "Bash", &json!({"command": "cargo build"}));
    assert_eq!(word(&answer), "ask");
    assert!(reason(&answer).contains("remove audit"), "{answer:?}");
    assert!(!anchor.exists());
}

/// The anchor is one of the gate's own paths.
#[test]
fn an_agent_does_not_change_the_anchor() {
    let machine = Machine::new();
    let anchor = machine.home.join("work/anchor");
    machine.configure(&format!("[audit]\nanchor = {anchor:?}\n"));
    let write = json!({"command": "echo x > /home/user/work/anchor"});
    let answer = machine.tool("default", "Bash", &write);
    assert_eq!(word(&answer), "deny", "{answer:?}");
    assert!(reason(&answer).contains("paths.own"), "{answer:?}");
}
