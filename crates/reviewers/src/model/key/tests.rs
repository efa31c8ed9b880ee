use super::{KeySource, Secret};
use std::fs::{Permissions, create_dir_all, remove_dir_all, set_permissions, write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(5);

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("countersign-key-{}-{name}", std::process::id()));
    create_dir_all(&path).expect("a folder");
    path
}

fn file(folder: &std::path::Path, name: &str, text: &[u8], mode: u32) -> KeySource {
    let path = folder.join(name);
    write(&path, text).expect("a file");
    set_permissions(&path, Permissions::from_mode(mode)).expect("its mode");
    KeySource::File(path)
}

fn shell(script: &str) -> KeySource {
    KeySource::Command(["/bin/sh", "-c", script].map(str::to_owned).to_vec())
}

#[test]
fn a_key_is_shown_nowhere() {
    let key = Secret("k3y".to_owned());
    assert_eq!(
        format!("{key:?} {:?}", Some(key.clone())),
        "Secret(…) Some(Secret(…))"
    );
}

#[test]
fn a_key_is_what_is_there_without_blanks_around_it() {
    let folder = folder("good");
    for source in [
        file(&folder, "a", b"k3y", 0o600),
        file(&folder, "b", b" k3y\n\n", 0o400),
        shell("echo k3y"),
        shell("echo k3y; echo a second line; echo noise >&2"),
        shell("printf k3y"),
    ] {
        let key = source.read(LIMIT).map(|key| key.expose().to_owned());
        assert_eq!(key.as_deref(), Ok("k3y"), "{source:?}");
    }
    remove_dir_all(folder).expect("the folder");
}

#[test]
fn what_is_no_key_is_told_without_it() {
    let folder = folder("bad");
    let long = "k".repeat(9000);
    let mut text = String::new();
    for source in [
        file(&folder, "group", b"k3y", 0o640),
        file(&folder, "world", b"k3y", 0o604),
        file(&folder, "empty", b"\n", 0o600),
        file(&folder, "two-words", b"k3y k3y", 0o600),
        file(&folder, "two-lines", b"k3y\nk3y", 0o600),
        file(&folder, "control", b"k3\x07y", 0o600),
        file(&folder, "not-ascii", "k3ü".as_bytes(), 0o600),
        file(&folder, "not-text", b"k3y\xff", 0o600),
        file(&folder, "long", long.as_bytes(), 0o600),
        KeySource::File(folder.clone()),
        KeySource::File("/dev/null".into()),
        KeySource::File(folder.join("absent")),
        KeySource::Env("COUNTERSIGN_NO_SUCH_KEY".to_owned()),
        KeySource::Command(vec![folder.join("absent").display().to_string()]),
        shell("exit 3"),
        shell("echo k3y; exit 1"),
        shell(":"),
        shell("yes k3y"),
        shell("echo 'k3y k3y'"),
    ] {
        let problem = source.read(LIMIT).expect_err("no key");
        assert!(!problem.message.contains("k3"), "{problem}");
        text.push_str(&problem.message.replace(&folder.display().to_string(), "/…"));
        text.push('\n');
    }
    insta::assert_snapshot!(text);
    remove_dir_all(folder).expect("the folder");
}

#[test]
fn a_command_that_hangs_is_ended() {
    for script in ["sleep 60", "echo k3y; exec sleep 60", "sleep 60 & echo k3y"] {
        let started = Instant::now();
        let problem = shell(script).read(Duration::from_millis(300));
        assert!(problem.is_err(), "{script}");
        assert!(started.elapsed() < Duration::from_secs(2), "{script}");
    }
}

#[test]
fn there_is_one_source_or_none() {
    let (env, path) = (Some("A".to_owned()), Some(PathBuf::from("/a")));
    let argv = Some(vec!["/a".to_owned()]);
    assert_eq!(KeySource::choose(None, None, None), Ok(None));
    assert!(KeySource::choose(env.clone(), None, None).is_ok());
    assert!(KeySource::choose(None, path.clone(), None).is_ok());
    assert!(KeySource::choose(None, None, argv.clone()).is_ok());
    assert!(KeySource::choose(env.clone(), path.clone(), None).is_err());
    assert!(KeySource::choose(env.clone(), None, argv.clone()).is_err());
    assert!(KeySource::choose(None, path.clone(), argv.clone()).is_err());
    assert!(KeySource::choose(env, path, argv).is_err());
}
