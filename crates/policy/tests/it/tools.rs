//! Tools that are not shell commands.

use crate::support::{CWD, facts, rules};
use countersign_core::{Judgement, Request, Surface};
use countersign_policy::{Policy, Settings};

fn judge(request: &Request) -> Judgement {
    Policy::new(Settings::default()).judge(request, &facts())
}

fn file(surface: Surface, operation: &str, path: Option<&str>) -> Judgement {
    let mut request = Request::new("t", "t", surface, operation, CWD);
    request.path = path.map(str::to_owned);
    judge(&request)
}

#[test]
fn files() {
    for (operation, path, expected) in [
        ("write", "src/a.rs", &[][..]),
        (
            "write",
            "/home/user/project/../x",
            &["filesystem.write-outside"],
        ),
        (
            "write",
            "~/.bashrc",
            &[
                "persistence.profile",
                "filesystem.write-outside",
                "paths.protected",
            ],
        ),
        ("edit", ".git/hooks/pre-commit", &["paths.protected"]),
        ("delete", "/etc/hosts", &["filesystem.delete-outside"]),
        (
            "chmod",
            "/etc/passwd",
            &["privilege.grant", "filesystem.write-outside"],
        ),
        (
            "edit",
            "/etc/countersign/config.toml",
            &["paths.own", "filesystem.write-outside"],
        ),
    ] {
        let found = file(Surface::FilesystemWrite, operation, Some(path));
        assert_eq!(rules(&found), expected, "{operation} {path}");
    }
    assert!(file(Surface::FilesystemRead, "read", Some("src/a.rs")).read_only);
    assert_eq!(
        rules(&file(Surface::FilesystemRead, "read", Some(".env"))),
        ["secrets.file"]
    );
    assert_eq!(
        rules(&file(Surface::FilesystemRead, "search", Some("/"))),
        ["secrets.sweep"]
    );
}

/// The path that the source resolved is judged beside the typed one.
#[test]
fn a_resolved_path_counts() {
    let mut request = Request::new("t", "t", Surface::FilesystemWrite, "write", CWD);
    request.path = Some("notes".to_owned());
    request.resolved_path = Some("/home/user/.ssh/authorized_keys".to_owned());
    assert!(rules(&judge(&request)).contains(&"persistence.access"));
}

#[test]
fn a_call_that_names_nothing_is_flagged() {
    assert_eq!(
        rules(&file(Surface::FilesystemWrite, "write", None)),
        ["opaque.call"]
    );
    assert_eq!(
        rules(&judge(&Request::new(
            "t",
            "t",
            Surface::Command,
            "run",
            CWD
        ))),
        ["opaque.call"]
    );
}

#[test]
fn hosts() {
    let fetch = |url: &str| {
        let mut request = Request::new("t", "t", Surface::Network, "fetch", CWD);
        request.destination = Some(url.to_owned());
        judge(&request)
    };
    assert!(fetch("http://127.0.0.1:8080/x").read_only);
    assert!(!fetch("https://example.org").read_only);
    assert!(!fetch("http://127.0.0.1@evil.example/").read_only);
    assert_eq!(
        rules(&fetch("file:///home/user/.ssh/id_rsa")),
        ["secrets.file"]
    );
}
