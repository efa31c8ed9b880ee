//! Settings as files: written whole, the old one kept.

use crate::install::file::{FileErrorKind, SettingsFile, read_settings};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

#[test]
fn files_are_written_whole_and_the_old_one_is_kept() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(scratch.path())
            .expect("it exists")
            .map(|entry| {
                entry
                    .expect("readable")
                    .file_name()
                    .into_string()
                    .expect("UTF-8")
            })
            .collect();
        names.sort();
        names
    };
    let mode = |path: &Path| {
        std::fs::metadata(path)
            .expect("it exists")
            .permissions()
            .mode()
            & 0o7777
    };
    let file = scratch.path().join("settings.json");
    let link = scratch.path().join("link.json");
    std::fs::write(&file, "{}").expect("a file");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).expect("ours");
    std::os::unix::fs::symlink("settings.json", &link).expect("a link");

    let read = SettingsFile::read(&link).expect("readable");
    assert_eq!(read.text.as_deref(), Some("{}"));
    let backup = read
        .write("{\"a\": 1}", 7)
        .expect("writable")
        .expect("there was a file");
    assert!(
        std::fs::symlink_metadata(&link)
            .expect("it exists")
            .is_symlink()
    );
    assert_eq!(
        std::fs::read_to_string(&file).expect("readable"),
        "{\"a\": 1}"
    );
    assert_eq!(std::fs::read_to_string(&backup).expect("readable"), "{}");
    assert_eq!((mode(&file), mode(&backup)), (0o640, 0o640));
    assert_eq!(
        names(),
        [
            "link.json",
            "settings.json",
            "settings.json.countersign-backup-7"
        ]
    );

    // The file has changed since it was read.
    let error = read.write("{}", 8).expect_err("it changed");
    assert!(matches!(error.kind, FileErrorKind::Changed), "{error}");
    // Two edits in one second.
    let again = SettingsFile::read(&file).expect("readable");
    let second = again
        .write("{}", 7)
        .expect("writable")
        .expect("there was a file");
    assert!(
        second.to_string_lossy().ends_with("backup-7-1"),
        "{}",
        second.display()
    );

    let fresh = scratch.path().join("new/.claude/settings.json");
    let none = SettingsFile::read(&fresh).expect("nothing is no error");
    assert_eq!(none.write("{}", 9).expect("writable"), None);
    assert_eq!(
        (mode(&fresh), mode(fresh.parent().unwrap())),
        (0o600, 0o700)
    );
}

#[test]
fn what_is_no_file_of_text_is_not_read() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let at = |name: &str| scratch.path().join(name);
    std::fs::write(at("bytes"), [b'{', 0xff, b'}']).expect("a file");
    nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    std::fs::File::create(at("big"))
        .and_then(|big| big.set_len(5 << 20))
        .expect("a file");
    assert!(matches!(
        read_settings(&at("bytes")).unwrap_err().kind,
        FileErrorKind::NoText
    ));
    for name in ["pipe", "big", "."] {
        assert!(
            matches!(
                read_settings(&at(name)).unwrap_err().kind,
                FileErrorKind::NoFile
            ),
            "{name}"
        );
    }
    assert_eq!(read_settings(&at("nothing")).expect("no error"), None);
}
