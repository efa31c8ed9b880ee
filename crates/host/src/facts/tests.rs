use super::{git, real};
use std::os::unix::fs::symlink;

#[track_caller]
fn executes(config: &str, expected: &[&str]) {
    assert_eq!(git::executing(config), expected, "{config}");
}

#[test]
fn executing_settings_of_a_repository_are_found() {
    executes(
        "[core]\n\tbare = false\n\tignorecase = true\n[user]\n\tname = x",
        &[],
    );
    executes("[core]\n\tfsmonitor = true", &[]);
    executes("[core]\n\tfsmonitor = ./evil", &["core.fsmonitor"]);
    executes("[core] fsmonitor = ./evil", &["core.fsmonitor"]);
    executes("[CORE]\nFSMonitor=./evil", &["core.fsmonitor"]);
    executes("[diff \"img\"]\n\ttextconv = x", &["diff.img.textconv"]);
    executes(
        "[filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n\trequired = true",
        &[],
    );
    executes("[filter \"lfs\"]\n\tclean = evil", &["filter.lfs.clean"]);
    executes(
        "[includeIf \"gitdir:~/\"]\n\tpath = x",
        &["includeif.gitdir:~/.path"],
    );
    executes(
        "# [core]\n; fsmonitor = x\n[alias]\n\tst = status",
        &["alias.st"],
    );
}

#[test]
fn links_are_followed_as_far_as_the_path_exists() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let base = std::fs::canonicalize(scratch.path()).expect("it exists");
    std::fs::create_dir(base.join("real")).expect("a directory");
    std::fs::write(base.join("real/file"), "x").expect("a file");
    symlink(base.join("real"), base.join("link")).expect("a link");
    symlink("real/new", base.join("dangling")).expect("a link");
    symlink("loop", base.join("loop")).expect("a link");

    assert_eq!(real(&base.join("link/file")), base.join("real/file"));
    assert_eq!(
        real(&base.join("link/not/there")),
        base.join("real/not/there")
    );
    assert_eq!(real(&base.join("dangling")), base.join("real/new"));
    assert_eq!(real(&base.join("loop")), base.join("loop"));
    assert_eq!(real(&base.join("nothing")), base.join("nothing"));
}
