//! A program that others could have changed is not run.

use crate::{ALLOWS, House, case, tested};
use countersign_reviewers::plugin::serde_json::json;
use countersign_reviewers::testkit::insta;
use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

fn answer(house: &House, program: &Path, workspace: &Path) -> String {
    let mut case = case();
    case.judgement.observed.roots = vec![workspace.display().to_string()];
    house.text(&tested(&json!({"program": program})).review(&case))
}

fn mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).expect("a mode");
}

#[test]
fn one_inside_a_workspace_is_not_run() {
    let house = House::new();
    let script = house.script(ALLOWS);
    insta::assert_snapshot!(answer(&house, &script, house.path()), @"failed: the reviewer is not available: HOUSE/review is in the workspace HOUSE or leads through it, and an agent can write there; move it out");
    let elsewhere = House::new();
    let link = elsewhere.path().join("link");
    symlink(&script, &link).expect("a link");
    let outward = house.path().join("outward");
    symlink("/bin/cat", &outward).expect("a link");
    insta::assert_snapshot!(answer(&house, &outward, house.path()), @"failed: the reviewer is not available: HOUSE/outward is in the workspace HOUSE or leads through it, and an agent can write there; move it out");
    let linked = answer(&house, &link, house.path());
    let linked = linked.replace(&elsewhere.path().display().to_string(), "ELSEWHERE");
    insta::assert_snapshot!(linked, @"failed: the reviewer is not available: ELSEWHERE/link is in the workspace HOUSE or leads through it, and an agent can write there; move it out");
}

#[test]
fn one_that_others_can_change_is_not_run() {
    let house = House::new();
    let script = house.script(ALLOWS);
    let outside = Path::new("/no/such/workspace");
    mode(&script, 0o775);
    insta::assert_snapshot!(answer(&house, &script, outside), @"failed: the reviewer is not available: HOUSE/review can be changed by others (mode 0775); run `chmod go-w` on it");
    mode(&script, 0o755);
    mode(house.path(), 0o777);
    insta::assert_snapshot!(answer(&house, &script, outside), @"failed: the reviewer is not available: HOUSE can be changed by others (mode 0777); run `chmod go-w` on it");
    mode(house.path(), 0o700);
    assert!(answer(&house, &script, outside).starts_with("allow"));
}

#[test]
fn what_is_no_program_is_not_run() {
    let house = House::new();
    let script = house.script(ALLOWS);
    let outside = Path::new("/no/such/workspace");
    mode(&script, 0o644);
    insta::assert_snapshot!(answer(&house, &script, outside), @"failed: the reviewer is not available: HOUSE/review is not executable; run `chmod u+x` on it");
    insta::assert_snapshot!(answer(&house, house.path(), outside), @"failed: the reviewer is not available: HOUSE is not a regular file");
    insta::assert_snapshot!(answer(&house, Path::new("/no/such/program"), outside), @"failed: the reviewer is not available: /no does not exist");
    insta::assert_snapshot!(answer(&house, Path::new("/dev/null"), outside), @"failed: the reviewer is not available: /dev/null is not a regular file");
}

#[test]
fn it_is_looked_at_before_every_call() {
    let house = House::new();
    let script = house.script(ALLOWS);
    let tested = tested(&json!({"program": script}));
    assert!(tested.review(&case()).is_ok());
    mode(&script, 0o757);
    assert!(tested.review(&case()).is_err());
}
