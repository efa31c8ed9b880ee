//! What the benches share: commands of three sizes as agents write them.

pub mod tiny;

use countersign_core::Facts;
use std::fmt::Write as _;

/// Where the commands would run.
pub const CWD: &str = "/home/user/project";

/// A machine with nothing on it.
pub fn facts() -> Facts {
    Facts::virtual_at("/home/user", &[CWD])
}

/// Makes a command.
pub type Make = fn() -> String;

/// Commands by their size.
pub const COMMANDS: &[(&str, Make)] = &[
    ("20 B", || "git status --short  ".to_owned()),
    ("200 B", command_of_200_bytes),
    ("10 KB", || {
        let mut script = String::new();
        let mut n = 0;
        while script.len() < 10_000 {
            n += 1;
            let _infallible = write!(
                script,
                "if [ -f src/part{n}.rs ]; then\n  for f in a b \"c d\"; do\n    grep -n 'needle' \"src/$f.rs\" | head -{n} > /tmp/out{n}.txt 2>&1 || echo \"no $f in part {n}\"\n  done\nfi\n"
            );
        }
        script
    }),
];

/// A command of 200 bytes, as an agent writes it.
pub fn command_of_200_bytes() -> String {
    "cd crates/host && cargo test --locked --workspace 2>&1 | tail -n 40; git diff --stat HEAD~1 -- 'src/*.rs' | \
     sort -k2 > /tmp/changed.txt && grep -rn \"TODO(me)\" src tests --include='*.rs' | wc -l"
        .to_owned()
}
