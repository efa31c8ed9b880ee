//! The front as an agent starts it: built static, with a library preloaded that ends every program
//! it is loaded into without a word.
#![expect(
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Its constructor runs before `main` of whatever loads it.
const LIBRARY: &str =
    "#include <unistd.h>\n__attribute__((constructor)) static void go(void) { _exit(0); }\n";

/// A program as plain as the host's end: it denies, in words and in code.
const DENIES: &str = "use std::io::Write; fn main() { let _ = writeln!(std::io::stderr(), \"denied {:?} {:?} {:?}\", std::env::args().skip(1).collect::<Vec<_>>(), std::env::var_os(\"LD_PRELOAD\"), std::env::var_os(\"MODEL_DIR\")); std::process::exit(2) }";

struct Place {
    scratch: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self {
            scratch: tempfile::tempdir().expect("a folder"),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// The front, as `cargo xtask dist` links it.
    fn front(&self) -> PathBuf {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/main.rs");
        self.build(
            &source,
            "countersign-front",
            &["-Ctarget-feature=+crt-static"],
        )
    }

    fn build(&self, source: &Path, name: &str, options: &[&str]) -> PathBuf {
        let program = self.path(name);
        let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
        let built = Command::new(rustc)
            .args(["--edition=2024", "-Cpanic=unwind"])
            .args(options)
            .arg("-o")
            .arg(&program)
            .arg(source)
            .output()
            .expect("rustc starts");
        assert!(built.status.success(), "{built:?}");
        program
    }

    fn host(&self) -> PathBuf {
        let source = self.path("denies.rs");
        std::fs::write(&source, DENIES).expect("a file");
        self.build(&source, "countersign", &[])
    }

    /// The library; nothing where there is no compiler for C.
    fn library(&self) -> Option<PathBuf> {
        let (source, library) = (self.path("evil.c"), self.path("evil.so"));
        std::fs::write(&source, LIBRARY).expect("a file");
        match Command::new("cc")
            .args(["-shared", "-fPIC", "-o"])
            .args([&library, &source])
            .status()
        {
            Ok(status) => {
                assert!(status.success(), "cc failed");
                Some(library)
            }
            Err(error) => {
                assert!(
                    std::env::var_os("CI").is_none(),
                    "no compiler for C: {error}"
                );
                eprintln!("skipped: no compiler for C");
                None
            }
        }
    }
}

fn run(program: &Path, args: &[&str], variables: &[(&str, &Path)]) -> Output {
    Command::new(program)
        .args(args)
        .envs(variables.iter().copied())
        .output()
        .expect("it starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
#[cfg(target_os = "linux")]
fn a_preloaded_library_takes_no_deny_away() {
    let place = Place::new();
    let (front, host) = (place.front(), place.host());
    let Some(library) = place.library() else {
        return;
    };
    let evil = [("LD_PRELOAD", library.as_path())];
    // The control: without the front, the deny is gone.
    let bare = run(&host, &[], &evil);
    assert_eq!((bare.status.code(), said(&bare)), (Some(0), String::new()));

    for variables in [&[][..], &evil] {
        let fronted = run(&front, &["hook", "claude-code"], variables);
        assert_eq!(
            (fronted.status.code(), said(&fronted).trim()),
            (Some(2), "denied [\"hook\", \"claude-code\"] None None"),
        );
    }
    let kept = run(
        &front,
        &["--keep", "MODEL_DIR", "--keep", "LD_PRELOAD", "hook"],
        &[("MODEL_DIR", Path::new("/m")), evil[0]],
    );
    assert_eq!(said(&kept).trim(), "denied [\"hook\"] None Some(\"/m\")");
}

#[test]
fn a_host_that_cannot_be_started_is_a_deny_with_a_reason() {
    let place = Place::new();
    let front = place.front();
    let host = place.path("countersign");
    let stages: [(&str, &dyn Fn()); 5] = [
        ("missing", &|| {}),
        // A C library would hand what is no program to a shell, which ends an empty script well.
        ("an empty file", &|| {
            std::fs::write(&host, "").expect("a file");
            std::fs::set_permissions(&host, Permissions::from_mode(0o755)).expect("a mode");
        }),
        ("a script", &|| {
            std::fs::write(&host, "#!/bin/sh\n").expect("a file");
        }),
        ("not executable", &|| {
            std::fs::set_permissions(&host, Permissions::from_mode(0o644)).expect("a mode");
        }),
        ("a folder", &|| {
            std::fs::remove_file(&host).expect("it is there");
            std::fs::create_dir(&host).expect("a folder");
        }),
    ];
    for (name, make) in stages {
        make();
        for args in [&["hook", "claude-code"][..], &["--keep"], &[]] {
            let output = run(&front, args, &[]);
            assert_eq!(output.status.code(), Some(2), "{name}: {output:?}");
            assert!(output.stdout.is_empty(), "{name}");
            assert!(said(&output).contains("the call is blocked"), "{name}");
        }
    }
}
