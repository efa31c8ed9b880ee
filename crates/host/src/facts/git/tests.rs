mod real;

use super::super::read::Unknown;
use super::{config, harmless, index, look};
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;

/// The settings of a configuration that are not harmless; `?` when it cannot be read.
fn judge(text: &[u8]) -> String {
    match config::read(text) {
        Ok(settings) => settings
            .iter()
            .filter(|setting| !harmless::is_harmless(setting))
            .map(config::Setting::key)
            .collect::<Vec<_>>()
            .join(" "),
        Err(Unknown) => "?".to_owned(),
    }
}

#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    "",
    "[core]\n\tbare = false\n\tignorecase = true\n[user]\n\tname = x",
    "[core]\r\n\tbare = false\r\n\tautocrlf\r\n",
    "\u{feff}[core]\nbare = false",
    "[core]\n\tfsmonitor = true",
    "[core]\n\tfsmonitor = \"Yes\" ; built in",
    "[core]\n\tfsmonitor",
    "# [core]\n; fsmonitor = x\n[log]date=iso",
    "[remote \"o\"]\nurl = git@github.com:a/b.git\nfetch = +refs/heads/*:refs/remotes/o/*",
    "[remote \"o\"]\nurl = https://[::1]:80/a",
    "[remote \"o\"]\nurl = ../a::b",
    "[branch \"a ] b\"]\nremote = o\nmerge = refs/heads/a\nvscode-merge-base = o/a",
    "[branch \"a\"]\ndescription = a \\\n[core] fsmonitor = ./evil",
    "[branch \"a\"]\ndescription = \"a # b\" # c",
    "[submodule \"x\"]\nactive = true\nurl = ../x\nupdate = rebase",
    "[filter \"lfs\"]\nclean = git-lfs clean -- %f\nrequired = true",
    "[filter \"lfs\"]\nsmudge = git-lfs smudge --skip -- %f",
    "[filter \"lfs\"]\nprocess = \"git-lfs\" filter-process # x",
    "[lfs \"https://x/info/lfs\"]\naccess = basic",
    "[pager]\nlog = false",
    "[filter \"lfs\"]\nclean = git-lfs clean -- %f; ./evil",
];

/// With the setting that runs something.
#[rustfmt::skip]
const EXECUTING: &[(&str, &str)] = &[
    ("[core]\n\tfsmonitor = ./evil", "core.fsmonitor"),
    ("[core] fsmonitor = ./evil", "core.fsmonitor"),
    ("[core] fsmonitor = ./evil #]", "core.fsmonitor"),
    ("[core]fsmonitor=./evil;]", "core.fsmonitor"),
    ("[core] bare = \"]\" #\n fsmonitor = ./evil", "core.fsmonitor"),
    ("[CORE]\nFSMonitor=./evil", "core.fsmonitor"),
    ("[core]\nfsmonitor = \\\n./evil", "core.fsmonitor"),
    ("[core]\nfsmonitor = \"true\"\" ; ./evil\"", "core.fsmonitor"),
    ("[core]\nfsmonitor = true \\\n; x\n", "core.fsmonitor"),
    ("[core]\nfsmonitor = true\nfsmonitor = ./evil", "core.fsmonitor"),
    ("\u{feff}[core]\nfsmonitor = ./evil", "core.fsmonitor"),
    ("[core]\r\nfsmonitor = ./evil\r\n", "core.fsmonitor"),
    ("[core]\n# a \\\nfsmonitor = ./evil", "core.fsmonitor"),
    ("[user]\rname = \"a\" # x\r[core]\n[core]\nfsmonitor = ./evil", "core.fsmonitor"),
    ("[core]\nhooksPath = ~/hooks", "core.hookspath"),
    ("[core \"x\"]\nbare = true", "core.x.bare"),
    ("[diff \"img\"]\n\ttextconv = x", "diff.img.textconv"),
    ("[diff.img]\n\ttextconv = x", "diff.img.textconv"),
    ("[diff \"a\\\"]b\"]\n\ttextconv = x", "diff.a\"]b.textconv"),
    ("[filter \"lfs\"]\n\tclean = evil", "filter.lfs.clean"),
    ("[filter \"lfs\"]\nclean = git-lfs version || ./evil", "filter.lfs.clean"),
    ("[filter \"lfs\"]\nclean = \"git-lfs clean -- %f; ./evil\"", "filter.lfs.clean"),
    ("[filter \"lfs\"]\nclean = git-lfs clean -- %f\\n./evil", "filter.lfs.clean"),
    ("[filter \"LFS\"]\nclean = git-lfs clean -- %f", "filter.LFS.clean"),
    ("[includeIf \"gitdir:~/\"]\n\tpath = x", "includeif.gitdir:~/.path"),
    ("[include]\npath = x", "include.path"),
    ("[alias]\n\tst = status", "alias.st"),
    ("[extensions]\npartialClone = o", "extensions.partialclone"),
    ("[remote \"x\"]\npromisor = true", "remote.x.promisor"),
    ("[remote \"x\"]\nuploadpack = touch x", "remote.x.uploadpack"),
    ("[remote \"x\"]\nvcs = x", "remote.x.vcs"),
    ("[remote \"x\"]\nurl = ext::sh -c x", "remote.x.url"),
    ("[remote \"x\"]\nurl = evil://x", "remote.x.url"),
    ("[remote \"x\"]\nurl = -x", "remote.x.url"),
    ("[remote \"x\"]\nurl", "remote.x.url"),
    ("[branch \"x\"]\nremote = ext::x", "branch.x.remote"),
    ("[url \"e\"]\ninsteadOf = f", "url.e.insteadof"),
    ("[tar \"foo\"]\ncommand = touch x", "tar.foo.command"),
    ("[man \"x\"]\ncmd = touch x", "man.x.cmd"),
    ("[submodule \"x\"]\nupdate = !touch x", "submodule.x.update"),
    ("[lfs \"customtransfer.x\"]\npath = x", "lfs.customtransfer.x.path"),
    ("[gc]\nrecentObjectsHook = x", "gc.recentobjectshook"),
    ("[pager]\nlog = ./evil", "pager.log"),
    ("[made]\nup = 1", "made.up"),
];

#[rustfmt::skip]
const UNKNOWN: &[&str] = &[
    "[]\nx = 1",
    "fsmonitor = ./evil",
    "[core\nfsmonitor = ./evil",
    "[core \"x]\nbare = 1",
    "[core \"x\" ]\nbare = 1",
    "[core x]\nbare = 1",
    "[core\n\"x\"]\nbare = 1",
    "[core]\nbare = \"true",
    "[core]\nbare = \\x",
    "[core]\nbare true",
    "[core]\nbare\r= true",
    "[core]\n= true",
    "[core]\n1bare = true",
    "[core]\nfs_monitor = ./evil",
    "[core]\nbare = true\0",
    "[core]\n\u{b}bare = true",
    " \u{feff}[core]\nbare = 1",
];

#[test]
fn settings_that_run_something_are_told_from_those_that_do_not() {
    for text in HARMLESS {
        assert_eq!(judge(text.as_bytes()), "", "{text:?}");
    }
    for (text, expected) in EXECUTING {
        assert_eq!(judge(text.as_bytes()), *expected, "{text:?}");
    }
    for text in UNKNOWN {
        assert_eq!(judge(text.as_bytes()), "?", "{text:?}");
    }
    assert_eq!(judge(b"[user]\nname = \xff"), "?");
}

#[test]
fn indexes_that_cannot_be_read_are_unknown() {
    assert_eq!(index::links(b"", 20), Err(Unknown));
    assert_eq!(index::links(b"DIRC\0\0\0\x09\0\0\0\0", 20), Err(Unknown));
    assert_eq!(index::links(b"DIRC\0\0\0\x02\0\0\0\x01", 20), Err(Unknown));
    let mut empty = b"DIRC\0\0\0\x02\0\0\0\0".to_vec();
    empty.extend([0; 20]);
    assert_eq!(index::links(&empty, 20), Ok(Vec::new()));
    let mut shared = b"DIRC\0\0\0\x02\0\0\0\0link\0\0\0\0".to_vec();
    shared.extend([0; 20]);
    assert_eq!(index::links(&shared, 20), Err(Unknown));
}

/// Makes a git directory with a configuration.
#[track_caller]
fn git_dir(at: &Path, config: &str) {
    for dir in ["objects", "refs"] {
        std::fs::create_dir_all(at.join(dir)).expect("a directory");
    }
    std::fs::write(at.join("HEAD"), "ref: refs/heads/main\n").expect("a file");
    std::fs::write(at.join("config"), config).expect("a file");
}

/// What is executed around a directory, in one line; `?` when it is unknown and `-` when there is
/// no repository.
fn executes(dir: &Path) -> String {
    match look(dir) {
        Ok(fact) if fact.root.is_none() => "-".to_owned(),
        Ok(fact) => fact.executes.join(" "),
        Err(Unknown) => "?".to_owned(),
    }
}

const EVIL: &str = "[core]\nfsmonitor = ./evil";
const CLEAN: &str = "[core]\nbare = false";

/// A scratch directory that no repository is around, and its real path.
fn scratch() -> (tempfile::TempDir, std::path::PathBuf) {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let base = std::fs::canonicalize(scratch.path()).expect("it exists");
    (scratch, base)
}

#[test]
fn repositories_are_found_where_git_finds_them() {
    let (_scratch, base) = scratch();
    let dir = |name: &str| {
        let dir = base.join(name);
        std::fs::create_dir_all(&dir).expect("a directory");
        dir
    };
    let evil = "core.fsmonitor";
    assert_eq!(executes(&dir("none")), "-");

    git_dir(&base.join("evil/.git"), EVIL);
    git_dir(&base.join("clean/.git"), CLEAN);
    assert_eq!(executes(&base.join("evil")), evil);
    assert_eq!(executes(&dir("evil/a/b")), evil);
    assert_eq!(executes(&base.join("evil/not/there")), evil);
    assert_eq!(executes(&base.join("evil/../clean")), "?");
    assert_eq!(executes(Path::new("evil")), "?");
    assert_eq!(executes(&base.join("clean")), "");
    assert_eq!(executes(&base.join("clean/.git")), "");
    let fact = look(&base.join("clean")).expect("it can be told");
    assert_eq!(fact.branch.as_deref(), Some("main"));
    assert_eq!(fact.root, base.join("clean").to_str().map(str::to_owned));

    // Git goes by where a directory really is.
    symlink("../evil/a/b", base.join("clean/link")).expect("a link");
    assert_eq!(executes(&base.join("clean/link")), evil);

    // It skips what is no repository.
    dir("evil/sub/.git");
    assert_eq!(executes(&base.join("evil/sub")), evil);
    git_dir(&base.join("evil/sub2/.git"), CLEAN);
    assert_eq!(executes(&base.join("evil/sub2")), "");
    for head in ["", "ref: x", "ref:\u{c}refs/heads/x", "0123"] {
        std::fs::write(base.join("evil/sub2/.git/HEAD"), head).expect("a file");
        assert_eq!(executes(&base.join("evil/sub2")), evil, "{head:?}");
    }

    // A bare one inside another one is one.
    git_dir(&base.join("clean/bare"), EVIL);
    assert_eq!(executes(&base.join("clean/bare")), evil);
    assert_eq!(executes(&dir("clean/bare/x")), evil);

    // Its own work tree is within; another one is not.
    git_dir(&base.join("tree/.git"), "[core]\nworktree = ..");
    assert_eq!(executes(&base.join("tree")), "");
    git_dir(&base.join("tree/.git"), "[core]\nworktree = a\tb");
    assert_eq!(executes(&base.join("tree")), "?");
    git_dir(&base.join("tree/.git"), "[core]\nworktree = ../..");
    assert_eq!(executes(&base.join("tree")), "core.worktree");

    std::fs::write(base.join("clean/.git/config.worktree"), EVIL).expect("a file");
    assert_eq!(executes(&base.join("clean")), evil);
    std::fs::remove_file(base.join("clean/.git/config.worktree")).expect("it is there");
    dir("clean/.git/hooks");
    std::fs::write(base.join("clean/.git/hooks/post-index-change"), "").expect("a file");
    assert_eq!(executes(&base.join("clean")), "hooks/post-index-change");

    git_dir(&base.join("husky/.git"), "[core]\nhooksPath = .husky/_");
    dir("husky/.husky/_");
    std::fs::write(base.join("husky/.husky/_/pre-commit"), "").expect("a file");
    assert_eq!(executes(&base.join("husky")), "");
    std::fs::write(base.join("husky/.husky/_/post-index-change"), "").expect("a file");
    assert_eq!(executes(&base.join("husky")), "hooks/post-index-change");
}

#[test]
fn git_files_lead_to_their_repositories() {
    let (_scratch, base) = scratch();
    let name = OsStr::from_bytes(b"git\xff");
    git_dir(&base.join(name), EVIL);
    git_dir(&base.join("common"), EVIL);
    std::fs::create_dir_all(base.join("linked")).expect("a directory");
    std::fs::write(base.join("linked/HEAD"), "ref: refs/heads/x").expect("a file");
    std::fs::write(base.join("linked/commondir"), "../common\n").expect("a file");
    std::fs::create_dir_all(base.join("tree/sub")).expect("a directory");
    for (text, expected) in [
        (&b"gitdir: ../git\xff\n"[..], "core.fsmonitor"),
        (b"gitdir: ../linked\r\n", "core.fsmonitor"),
        (b"gitdir: ../common", "core.fsmonitor"),
        (b"gitdir: ../nowhere", "?"),
        (b"gitdir: ../common\0x", "?"),
        (b"gitdir:../common", "?"),
        (b"gitdir: \n", "?"),
        (b"\xff", "?"),
        (b"", "?"),
    ] {
        std::fs::write(base.join("tree/.git"), text).expect("a file");
        assert_eq!(executes(&base.join("tree/sub")), expected, "{text:?}");
    }
    std::fs::write(base.join("tree/.git"), "gitdir: ../linked").expect("a file");
    for text in ["", "\n", "../common\0"] {
        std::fs::write(base.join("linked/commondir"), text).expect("a file");
        assert_eq!(executes(&base.join("tree")), "?", "{text:?}");
    }
}

#[test]
fn files_that_are_no_files_are_unknown_at_once() {
    let (_scratch, base) = scratch();
    for name in [
        ".git",
        ".git/HEAD",
        ".git/commondir",
        ".git/config",
        ".git/index",
    ] {
        for special in ["zero", "pipe", "big", "directory"] {
            let root = base.join(format!("{}-{special}", name.replace('/', "-")));
            std::fs::create_dir(&root).expect("a directory");
            let at = root.join(name);
            if name != ".git" {
                git_dir(&root.join(".git"), CLEAN);
                let _not_there_either = std::fs::remove_file(&at);
            }
            match special {
                "zero" => symlink("/dev/zero", &at).expect("a link"),
                "pipe" => mkfifo(&at, Mode::S_IRWXU).expect("a pipe"),
                "directory" => std::fs::create_dir(&at).expect("a directory"),
                _ => {
                    let file = std::fs::File::create(&at).expect("a file");
                    file.set_len(65 << 20).expect("a hole");
                }
            }
            // A link that is no reference and an empty directory are no repository to git.
            let skipped = matches!(
                (name, special),
                (".git", "directory") | (".git/HEAD", "zero")
            );
            let expected = if skipped { "-" } else { "?" };
            assert_eq!(executes(&root), expected, "{name} {special}");
        }
    }
}
