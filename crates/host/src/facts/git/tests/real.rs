//! Against the git that is installed; without one these tests say nothing.

use super::{Unknown, executes, index, scratch};
use std::path::{Path, PathBuf};
use std::process::Command;

fn command(dir: &Path, home: &Path) -> Command {
    let mut git = Command::new("git");
    git.current_dir(dir)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", home)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_PAGER_IN_USE", "1")
        .stdin(std::process::Stdio::null());
    git
}

#[track_caller]
fn git(dir: &Path, home: &Path, arguments: &[&str]) {
    let output = command(dir, home)
        .args(arguments)
        .output()
        .expect("git starts");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

/// A repository with a commit, a changed file, and attributes that ask for every kind of driver.
fn repository(base: &Path, name: &str) -> Option<PathBuf> {
    command(base, base).arg("version").output().ok()?;
    let root = base.join(name);
    std::fs::create_dir(&root).expect("a directory");
    git(&root, base, &["init", "-q", "-b", "main"]);
    git(&root, base, &["config", "user.email", "x@example.org"]);
    git(&root, base, &["config", "user.name", "x"]);
    std::fs::write(root.join(".gitattributes"), "* filter=d diff=d merge=d\n").expect("a file");
    std::fs::write(root.join("file"), "1\n").expect("a file");
    git(&root, base, &["add", "."]);
    git(&root, base, &["commit", "-q", "-m", "1"]);
    std::fs::write(root.join("file"), "2\n").expect("a file");
    Some(root)
}

/// Reads a repository in every way and says whether the trap in it went off.
fn springs(root: &Path, base: &Path) -> bool {
    for arguments in [
        &["status"][..],
        &["status", "--porcelain"],
        &["log", "-p"],
        &["diff"],
        &["diff", "HEAD"],
        &["show"],
        &["blame", "file"],
        &["branch", "-a"],
        &["stash", "list"],
        &["grep", "1"],
        &["ls-files"],
        &["describe", "--always", "--dirty"],
        &["remote", "-v"],
    ] {
        let _status = command(root, base)
            .args(arguments)
            .output()
            .expect("git starts");
    }
    base.join("sprung").exists()
}

#[test]
fn what_a_repository_runs_is_among_what_was_found() {
    let (_scratch, base) = scratch();
    let Some(root) = repository(&base, "r") else {
        return;
    };
    let trap = format!("touch {}", base.join("sprung").display());
    let config = root.join(".git/config");
    let clean = std::fs::read_to_string(&config).expect("git made it");
    assert_eq!(executes(&root), "");
    assert!(!springs(&root, &base));
    let mut sprung = Vec::new();
    for (header, name) in [
        ("core", "fsmonitor"),
        ("core", "sshCommand"),
        ("core", "pager"),
        ("core", "editor"),
        ("core", "gitProxy"),
        ("core", "alternateRefsCommand"),
        ("diff", "external"),
        ("diff \"d\"", "command"),
        ("diff \"d\"", "textconv"),
        ("diff \"d\"", "xfuncname"),
        ("filter \"d\"", "clean"),
        ("filter \"d\"", "process"),
        ("filter \"d\"", "smudge"),
        ("merge \"d\"", "driver"),
        ("merge \"d\"", "name"),
        ("log", "date"),
        ("status", "branch"),
        ("user", "signingKey"),
        ("commit", "template"),
        ("branch \"main\"", "remote"),
        ("branch \"main\"", "description"),
        ("remote \"o\"", "url"),
        ("remote \"o\"", "fetch"),
        ("core", "excludesFile"),
        ("core", "attributesFile"),
        ("blame", "ignoreRevsFile"),
        ("mailmap", "file"),
        ("pager", "status"),
    ] {
        std::fs::write(&config, format!("{clean}[{header}]\n{name} = {trap}\n")).expect("a file");
        let found = executes(&root);
        if springs(&root, &base) {
            sprung.push(format!("{header}.{name}"));
            assert_ne!(found, "", "{header} {name} runs");
            std::fs::remove_file(base.join("sprung")).expect("it is there");
        }
    }
    for expected in ["core.fsmonitor", "diff.external", "filter \"d\".clean"] {
        assert!(sprung.iter().any(|key| key == expected), "{sprung:?}");
    }
}

#[test]
fn ways_of_writing_a_setting_are_read_as_git_reads_them() {
    let (_scratch, base) = scratch();
    let Some(root) = repository(&base, "r") else {
        return;
    };
    let trap = format!("touch {}", base.join("sprung").display());
    let config = root.join(".git/config");
    let clean = std::fs::read_to_string(&config).expect("git made it");
    for text in [
        "[core] fsmonitor = @ #]",
        "\u{feff}[core]\nfsmonitor = @",
        "[core]fsmonitor=@;]",
        "[CORE]\r\n\tFSMonitor = \"@\"\r\n",
        "[core]\nfsmonitor = \\\n@",
        "[core]\nfsmonitor = true \\\n; @",
        "[core]\n# \\\nfsmonitor = @",
        "[branch \"]\"] description = \"[x]\" # \\\n[core] fsmonitor = @",
        "[filter \"d\"]\nclean = git-lfs clean -- %f \"; @\"",
        "[filter.d]\nclean = @",
        "[diff \"\\d\"]\ntextconv = @",
        "[core]\nfsmonitor = \"tr\"ue \"; @\"",
    ] {
        let text = text.replace('@', &trap);
        // A mark of the order of bytes counts only at the beginning.
        std::fs::write(&config, format!("{text}\n{clean}")).expect("a file");
        assert_ne!(executes(&root), "", "{text}");
        if springs(&root, &base) {
            std::fs::remove_file(base.join("sprung")).expect("it is there");
        }
    }
}

#[test]
fn submodules_are_read_along_with_the_repository() {
    let (_scratch, base) = scratch();
    let (Some(root), Some(inner)) = (repository(&base, "r"), repository(&base, "i")) else {
        return;
    };
    let allow = "protocol.file.allow=always";
    let source = inner.to_str().expect("it is UTF-8");
    git(
        &root,
        &base,
        &["-c", allow, "submodule", "--quiet", "add", source, "a/sub"],
    );
    assert_eq!(executes(&root), "");
    assert_eq!(executes(&root.join("a/sub")), "");

    let trap = format!(
        "[core]\nfsmonitor = touch {}\n",
        base.join("sprung").display()
    );
    let config = root.join(".git/modules/a/sub/config");
    let clean = std::fs::read_to_string(&config).expect("git made it");
    std::fs::write(&config, format!("{clean}{trap}")).expect("a file");
    assert_eq!(executes(&root), "core.fsmonitor in a/sub");
    assert_eq!(executes(&root.join("a/sub")), "core.fsmonitor");
    assert!(springs(&root, &base));
    std::fs::write(&config, clean).expect("a file");
    std::fs::remove_file(base.join("sprung")).expect("it is there");

    // A repository that the index names, without `.gitmodules` and `modules`.
    let Some(nested) = repository(&root, "nested") else {
        return;
    };
    git(&root, &base, &["add", "nested"]);
    for version in ["2", "3", "4"] {
        git(&root, &base, &["update-index", "--index-version", version]);
        assert_eq!(executes(&root), "", "{version}");
    }
    let config = nested.join(".git/config");
    let clean = std::fs::read_to_string(&config).expect("git made it");
    std::fs::write(&config, format!("{clean}{trap}")).expect("a file");
    for version in ["2", "3", "4"] {
        git(&root, &base, &["update-index", "--index-version", version]);
        assert_eq!(executes(&root), "core.fsmonitor in nested", "{version}");
    }
    assert!(springs(&root, &base));
    std::fs::write(&config, clean).expect("a file");

    // Another work tree of the same repository, where what its index names is there as well.
    std::fs::create_dir_all(root.join("twin/deep")).expect("a directory");
    let deep = repository(&nested, "deep").expect("git is there");
    git(&nested, &base, &["add", "deep"]);
    git(&nested, &base, &["commit", "-q", "-m", "2"]);
    std::fs::write(root.join("twin/.git"), "gitdir: ../nested/.git").expect("a file");
    git(&root, &base, &["add", "twin"]);
    assert_eq!(executes(&root), "");
    super::git_dir(&root.join("twin/deep/.git"), &trap);
    assert_eq!(executes(&root), "core.fsmonitor in twin/deep");
    std::fs::write(deep.join(".git/config"), &trap).expect("a file");
    assert_eq!(
        executes(&root),
        "core.fsmonitor in nested/deep core.fsmonitor in twin/deep"
    );

    git(&root, &base, &["update-index", "--split-index"]);
    assert_eq!(executes(&root), "?");
}

#[test]
fn linked_work_trees_and_large_indexes_are_read() {
    let (_scratch, base) = scratch();
    let Some(root) = repository(&base, "r") else {
        return;
    };
    git(
        &root,
        &base,
        &["worktree", "add", "-q", "../linked", "-b", "other"],
    );
    let linked = base.join("linked");
    assert_eq!(executes(&linked), "");
    let fact = super::look(&linked).expect("it can be told");
    assert_eq!(fact.branch.as_deref(), Some("other"));
    git(&root, &base, &["config", "core.pager", "less"]);
    assert_eq!(executes(&linked), "core.pager");
    git(&root, &base, &["config", "--unset", "core.pager"]);

    // So many that git adds a table of blocks to read at the same time.
    git(&root, &base, &["config", "index.threads", "4"]);
    let object = format!("{:040x}", 1);
    let line = |number| format!("100644 {object} 0\td/f{number}\n");
    let lines = (0..25_000).map(line).collect::<Vec<_>>().concat();
    let list = base.join("list");
    std::fs::write(&list, lines).expect("a file");
    for version in ["2", "4"] {
        let status = command(&root, &base)
            .args(["update-index", "--index-version", version, "--index-info"])
            .stdin(std::fs::File::open(&list).expect("it was written"))
            .status();
        assert!(status.expect("git starts").success(), "{version}");
        let mut bytes = std::fs::read(root.join(".git/index")).expect("an index");
        assert_eq!(index::links(&bytes, 20), Ok(Vec::new()), "{version}");
        let table = bytes.windows(4).rposition(|four| four == b"IEOT");
        let offset = table.expect("a table of blocks") + 15;
        bytes[offset] ^= 8;
        assert_eq!(index::links(&bytes, 20), Err(Unknown), "{version}");
    }
}

#[test]
fn other_object_names_are_read() {
    let (_scratch, base) = scratch();
    let Some(inner) = repository(&base, "i") else {
        return;
    };
    let root = base.join("long");
    std::fs::create_dir(&root).expect("a directory");
    git(&root, &base, &["init", "-q", "--object-format=sha256"]);
    std::fs::copy(inner.join("file"), root.join("file")).expect("a file");
    git(&root, &base, &["add", "file"]);
    assert_eq!(executes(&root), "");
}
