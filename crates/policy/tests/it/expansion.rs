//! Commands inside commands, however deep and however spelled.

use crate::support::{facts, judge};
use countersign_policy::expand;

#[track_caller]
fn finds(source: &str, expected: &[&str]) {
    let found: Vec<String> = expand(source.as_bytes(), "/home/user/project", &facts())
        .commands
        .into_iter()
        .map(|found| found.view.argv.join(" "))
        .collect();
    for command in expected {
        assert!(
            found.iter().any(|found| found == command),
            "{source}: no `{command}` in {found:?}"
        );
    }
}

#[test]
fn wrappers_and_nested_shells() {
    finds(
        "sudo -u root env -i A=1 timeout -k 5 10 nice -n 5 rm -rf x",
        &["rm -rf x"],
    );
    finds("bash -c \"sh -c 'rm x'\"", &["rm x"]);
    finds("eval \"rm x\"; eval rm '$HOME'", &["rm x", "rm $HOME"]);
    finds("xargs -n1 -I{} sh -c 'rm {}'", &["sh -c rm {}", "rm $_"]);
    finds("find . -exec true \\; -exec rm {} +", &["rm ./{}"]);
    finds("trap 'rm x' EXIT; alias z='rm y'", &["rm x", "rm y"]);
    finds(
        "ssh host 'rm x'; docker exec c sh -c 'rm y'",
        &["rm x", "rm y"],
    );
    finds(
        "echo 'rm x' | sh; bash <<< 'rm y'; bash <<E\nrm z\nE",
        &["rm x", "rm y", "rm z"],
    );
    finds(
        "source <(echo 'rm x'); echo 'rm y' > /tmp/s; bash /tmp/s",
        &["rm x", "rm y"],
    );
    finds(
        "git -c alias.z='!rm x' z; env -S 'rm y'; test -v 'a[$(rm z)]'",
        &["rm x", "rm y", "rm z"],
    );
    finds("mywrap rm x; $x rm y", &["rm x", "rm y"]);
}

/// Depth and size are bounded, and beyond the bound nothing is taken for harmless.
#[test]
fn what_is_too_deep_is_opaque() {
    let nested = "eval ".repeat(40) + "ls";
    let wrapped = "nice ".repeat(2_000) + "ls";
    for command in [nested, wrapped, "$(".repeat(50_000), "eval $(".repeat(300)] {
        let judgement = judge(&command);
        assert!(
            !judgement.read_only,
            "{}",
            command.get(..40).unwrap_or(&command)
        );
        assert!(
            !judgement.hits.is_empty(),
            "{}",
            command.get(..40).unwrap_or(&command)
        );
    }
}
