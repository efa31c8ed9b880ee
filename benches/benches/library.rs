//! Lexing, a whole verdict and a digest, on commands of three sizes.

use countersign_bench::{COMMANDS, CWD, facts};
use countersign_core::{Request, digest, retry_key};
use countersign_lexer::{Options, lex};
use countersign_policy::{Policy, Settings};
use divan::counter::BytesCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

fn names() -> [&'static str; 3] {
    ["20 B", "200 B", "10 KB"]
}

fn command(name: &str) -> String {
    COMMANDS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, make)| make())
        .unwrap_or_default()
}

#[divan::bench(args = names())]
fn lexing(bencher: Bencher<'_, '_>, name: &str) {
    let command = command(name);
    bencher
        .counter(BytesCount::of_str(&command))
        .bench(|| lex(black_box(command.as_bytes()), &Options::default()));
}

#[divan::bench(args = names())]
fn verdict(bencher: Bencher<'_, '_>, name: &str) {
    let policy = Policy::new(Settings::default());
    let command = command(name);
    let request = Request::command("bench", "bench", CWD, &command);
    let facts = facts();
    bencher
        .counter(BytesCount::of_str(&command))
        .bench(|| policy.judge(black_box(&request), black_box(&facts)));
}

#[divan::bench(args = names())]
fn digesting(bencher: Bencher<'_, '_>, name: &str) {
    let command = command(name);
    let request = Request::command("bench", "bench", CWD, &command);
    let facts = facts();
    bencher.counter(BytesCount::of_str(&command)).bench(|| {
        retry_key(black_box(&request), &facts, "bench").and_then(|key| digest(&key, Some("call-1")))
    });
}
