use super::support::{HOSTILE, Place, ask, hostile, settings, word};
use countersign_plugin_testing::library::example;
use countersign_reviewers::load::{Checks, Image, Pin, Plugin, Store};
use std::fmt::Write as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(5);

fn refusal(place: &Place, path: &Path, checks: &Checks<'_>) -> String {
    match Image::open(path, checks) {
        Ok(image) => format!("TAKEN: {}", image.manifest().name),
        Err(error) => place.told(&error.to_string()),
    }
}

/// A table of refusals, a line each.
#[derive(Default)]
struct Rows(String);

impl Rows {
    fn add(&mut self, name: &str, line: &str) {
        let _infallible = writeln!(self.0, "{name:<18} {line}");
    }
}

/// Every file that is refused, and what its owner reads. Nothing of any of them runs.
#[test]
fn every_bad_file_is_refused_before_it_is_loaded() {
    let place = Place::new();
    let whole = hostile();
    let mut foreign = whole.to_vec();
    foreign[18..20].copy_from_slice(&[183, 0]);
    let mut program = whole.to_vec();
    program[16] = 2;
    let mut rows = Rows::default();
    for (name, bytes) in [
        ("empty", &b""[..]),
        ("text", b"#!/bin/sh\nexit 0\n"),
        ("first 50 bytes", &whole[..50]),
        ("first 100 bytes", &whole[..100]),
        ("first half", &whole[..whole.len() / 2]),
        ("without its end", &whole[..whole.len() - 200]),
        ("for aarch64", &foreign),
        ("a program", &program),
    ] {
        rows.add(
            name,
            &refusal(&place, &place.write("x.so", bytes), &Checks::any()),
        );
    }
    for (name, tag) in [("with a run path", 29), ("with an audit", 0x6fff_fefc)] {
        let path = place.write("x.so", &with_tag(whole, tag));
        rows.add(name, &refusal(&place, &path, &Checks::any()));
    }
    for name in ["no_manifest", "future_abi"] {
        let path = place.copy(&example(HOSTILE, name), "x.so");
        rows.add(name, &refusal(&place, &path, &Checks::any()));
    }
    rows.add(
        "whole",
        &refusal(&place, &place.write("x.so", whole), &Checks::any()),
    );
    insta::assert_snapshot!(rows.0);
}

/// Every place and state that a file is refused for, and what its owner reads.
#[test]
fn every_file_that_others_could_change_is_refused() {
    let place = Place::new();
    let any = Checks::any();
    let mut rows = Rows::default();
    rows.add("missing", &refusal(&place, &place.path("nowhere.so"), &any));
    rows.add("relative", &refusal(&place, Path::new("x.so"), &any));
    rows.add("a folder", &refusal(&place, &place.path(""), &any));
    let pipe = place.path("pipe.so");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    rows.add("a pipe", &refusal(&place, &pipe, &any));

    let good = place.write("hostile.so", hostile());
    let pinned = |pin| Checks {
        pin,
        ..Checks::of("hostile")
    };
    let other = Checks {
        name: Some("other"),
        ..Checks::any()
    };
    rows.add("another name", &refusal(&place, &good, &other));
    let no_pin = refusal(&place, &good, &pinned(Pin::Missing));
    rows.add("no pin", &without_hash(&no_pin));
    let other_pin = refusal(&place, &good, &pinned(Pin::Sha256("0".repeat(64))));
    rows.add("another pin", &without_hash(&other_pin));

    let workspaces = [place.path("workspace")];
    let inside = Checks {
        outside: &workspaces,
        ..Checks::any()
    };
    std::fs::create_dir(&workspaces[0]).expect("a folder");
    let in_workspace = place.write("workspace/hostile.so", hostile());
    rows.add("in a workspace", &refusal(&place, &in_workspace, &inside));
    symlink(&in_workspace, place.path("in.so")).expect("a link");
    rows.add(
        "a link into one",
        &refusal(&place, &place.path("in.so"), &inside),
    );
    symlink(&good, place.path("workspace/out.so")).expect("a link");
    let out = place.path("workspace/out.so");
    rows.add("a link out of one", &refusal(&place, &out, &inside));
    symlink("loop.so", place.path("loop.so")).expect("a link");
    rows.add(
        "a loop of links",
        &refusal(&place, &place.path("loop.so"), &any),
    );

    let mode = |path: &Path, mode| {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("a mode");
    };
    for (name, bits) in [("group-writable", 0o664), ("world-writable", 0o646)] {
        mode(&good, bits);
        rows.add(name, &refusal(&place, &good, &any));
    }
    mode(&good, 0o644);
    let folder = place.path("");
    mode(&folder, 0o777);
    rows.add("in an open folder", &refusal(&place, &good, &any));
    mode(&folder, 0o700);
    rows.add("good", &refusal(&place, &good, &any));
    insta::assert_snapshot!(rows.0);
}

/// The library with its first dynamic entry turned into another one.
fn with_tag(library: &[u8], tag: u64) -> Vec<u8> {
    const DYNAMIC: &[u8] = &2_u32.to_le_bytes();
    let number = |at: usize| {
        let bytes = library[at..at + 8].try_into().expect("eight bytes");
        usize::try_from(u64::from_le_bytes(bytes)).expect("it fits")
    };
    let headers = number(32);
    let header = (0..usize::from(library[56]))
        .map(|at| headers + at * 56)
        .find(|at| &library[*at..*at + 4] == DYNAMIC)
        .expect("a dynamic part");
    let entry = number(header + 8);
    let mut changed = library.to_vec();
    changed[entry..entry + 8].copy_from_slice(&tag.to_le_bytes());
    changed
}

/// The hash of a build differs from machine to machine.
fn without_hash(text: &str) -> String {
    text.split(' ')
        .map(|word| {
            let bare = word.trim_end_matches([',', ';']);
            if bare.len() == 64 && bare.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                word.replace(bare, "[hash]")
            } else {
                word.to_owned()
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// Random damage is refused, or loaded in a process where it can do no harm.
#[test]
fn a_damaged_file_is_no_danger() {
    let place = Place::new();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 1).expect("64 bits")
    };
    for _ in 0..12 {
        let mut bytes = hostile().to_vec();
        for _ in 0..64 {
            let at = random() % bytes.len();
            bytes[at] = random().to_le_bytes()[0];
        }
        let Ok(image) = Image::open(&place.write("x.so", &bytes), &Checks::any()) else {
            continue;
        };
        let plugin = Plugin::new(image, settings("deny")).expect("may run so");
        let opinion = word(&ask(&plugin, LIMIT).0);
        assert_ne!(opinion, "allow");
    }
}

/// What runs is what was checked, whatever becomes of the file.
#[test]
fn a_file_that_is_swapped_after_the_check_is_not_what_runs() {
    let place = Place::new();
    let path = place.write("hostile.so", hostile());
    let sha256 = Image::open(&path, &Checks::any())
        .expect("a good file")
        .sha256()
        .to_owned();
    let checks = Checks {
        pin: Pin::Sha256(sha256),
        ..Checks::of("hostile")
    };
    let image = Image::open(&path, &checks).expect("the pinned file");

    // The same file, written through another handle; then another in its place.
    let evil = std::fs::read(example(HOSTILE, "ctor_exit")).expect("the library");
    std::fs::write(&path, &evil).expect("a file");
    let plugin = Plugin::new(image, settings("deny")).expect("may run so");
    assert_eq!(word(&ask(&plugin, LIMIT).0), "deny");
    assert!(
        Image::open(&path, &checks).is_err(),
        "and the next check sees it"
    );
    std::fs::remove_file(&path).expect("it is there");
    assert_eq!(word(&ask(&plugin, LIMIT).0), "deny");
}

#[test]
fn a_store_finds_by_name() {
    let place = Place::new();
    for folder in ["first", "second"] {
        std::fs::create_dir(place.path(folder)).expect("a folder");
    }
    let store = Store::new(vec![place.path("first"), place.path("second")]);
    let told = |name: &str| match store.find(name) {
        Ok(path) => place.told(&path.to_string_lossy()),
        Err(error) => place.told(&error.to_string()),
    };
    let mut text = format!("nowhere    {}\n", told("hostile"));
    place.write("second/hostile.so", hostile());
    let _infallible = writeln!(text, "one        {}", told("hostile"));
    place.write("first/hostile.so", hostile());
    let _infallible = writeln!(text, "two        {}", told("hostile"));
    place.write("first/other.so", hostile());
    place.write("second/not-a-plugin.so", b"no");
    for found in store.list() {
        let line = match found.image {
            Ok(image) => image.manifest().name.clone(),
            Err(error) => error.to_string(),
        };
        let line = format!("{}: {line}", found.path.display());
        let _infallible = writeln!(text, "listed     {}", place.told(&line));
    }
    insta::assert_snapshot!(text);
}
