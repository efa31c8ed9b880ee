use super::support::{HOSTILE, Place, ask, hostile, settings, word};
use countersign_plugin_testing::library::example;
use countersign_reviewers::load::{Checks, Image, Pin, Plugin, Store};
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(5);

fn refusal(place: &Place, path: &Path, checks: &Checks<'_>) -> String {
    match Image::open(path, checks) {
        Ok(image) => format!("TAKEN: {}", image.manifest().name),
        Err(error) => place.told(&error.to_string()),
    }
}

/// Every file that is refused, and what its owner reads. Nothing of any of them runs.
#[test]
fn every_refusal_says_what_and_why() {
    let place = Place::new();
    let whole = hostile();
    let any = Checks::any();
    let mut text = String::new();
    let mut row = |name: &str, line: String| {
        let _infallible = writeln!(text, "{name:<22} {line}");
    };
    for (name, bytes) in [
        ("empty", &b""[..]),
        ("text", b"#!/bin/sh\nexit 0\n"),
        ("first 50 bytes", &whole[..50]),
        ("first 100 bytes", &whole[..100]),
        ("first half", &whole[..whole.len() / 2]),
        ("without its end", &whole[..whole.len() - 200]),
    ] {
        row(name, refusal(&place, &place.write("x.so", bytes), &any));
    }
    let mut foreign = whole.to_vec();
    foreign[18] = 183;
    foreign[19] = 0;
    row(
        "for aarch64",
        refusal(&place, &place.write("x.so", &foreign), &any),
    );
    let mut program = whole.to_vec();
    program[16] = 2;
    row(
        "a program",
        refusal(&place, &place.write("x.so", &program), &any),
    );
    for name in ["no_manifest", "future_abi"] {
        row(
            name,
            refusal(&place, &place.copy(&example(HOSTILE, name), "x.so"), &any),
        );
    }
    row("missing", refusal(&place, &place.path("nowhere.so"), &any));
    row("relative", refusal(&place, Path::new("x.so"), &any));
    row("a folder", refusal(&place, &place.path(""), &any));

    let good = place.copy(
        &countersign_plugin_testing::library::library(HOSTILE),
        "hostile.so",
    );
    row(
        "another name",
        refusal(
            &place,
            &good,
            &Checks {
                name: Some("other"),
                ..Checks::any()
            },
        ),
    );
    row(
        "no pin",
        without_hash(&refusal(&place, &good, &Checks::of("hostile"))),
    );
    let pin = Pin::Sha256("0".repeat(64));
    row(
        "another pin",
        without_hash(&refusal(
            &place,
            &good,
            &Checks {
                pin,
                ..Checks::of("hostile")
            },
        )),
    );
    let workspaces = [place.path("")];
    row(
        "in a workspace",
        refusal(
            &place,
            &good,
            &Checks {
                outside: &workspaces,
                ..Checks::any()
            },
        ),
    );
    for (name, mode) in [("group-writable", 0o664), ("world-writable", 0o646)] {
        std::fs::set_permissions(&good, PermissionsExt::from_mode(mode)).expect("a mode");
        row(name, refusal(&place, &good, &any));
    }
    std::fs::set_permissions(&good, PermissionsExt::from_mode(0o644)).expect("a mode");
    std::fs::set_permissions(place.path(""), PermissionsExt::from_mode(0o777)).expect("a mode");
    row("in an open folder", refusal(&place, &good, &any));
    std::fs::set_permissions(place.path(""), PermissionsExt::from_mode(0o700)).expect("a mode");
    let pipe = place.path("pipe.so");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .expect("mkfifo")
            .success()
    );
    row("a pipe", refusal(&place, &pipe, &any));
    row("good", refusal(&place, &good, &any));
    insta::assert_snapshot!(text);
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
