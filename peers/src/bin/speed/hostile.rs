//! Whether the time for one byte stays the same when a hostile source grows a hundredfold.

use crate::clock;
use crate::generators::{GENERATORS, Generator};
use countersign_lexer::{Limits, Options, lex};
use countersign_peers::ours;
use std::hint::black_box;

/// How much more a byte of the large source may cost.
const AIM: f64 = 1.5;

const SMALL: usize = 10_000;
const MIDDLE: usize = 100_000;
const LARGE: usize = 1_000_000;

/// Fewer where they take long.
const ROUNDS: usize = 15;

/// A source that would take longer than this many nanoseconds is not tried.
const PATIENCE: f64 = 20e9;

/// Measures every generator with the limits as they are and with none, and says whether all of
/// them met the aim.
pub(crate) fn hostile(only: Option<&str>) -> bool {
    let mut met = true;
    for (name, options) in [
        ("default limits", Options::default()),
        ("raised limits", raised()),
    ] {
        println!("\n{name}, ns/B\n");
        println!("| source | 10 KB | 100 KB | 1 MB | 1 MB / 10 KB | aim {AIM} | status at 1 MB |");
        println!("|---|---|---|---|---|---|---|");
        let chosen = GENERATORS
            .iter()
            .filter(|(name, _)| only.is_none_or(|only| name.contains(only)));
        for &(name, generate) in chosen {
            met &= measure(name, generate, &options);
        }
    }
    met
}

/// Nothing stops early. The words of one brace expansion stay bounded: they double with every
/// pair of braces, and a longer list is no proof of slow reading.
fn raised() -> Options {
    let most = 1 << 30;
    Options {
        limits: Limits {
            input_bytes: most,
            depth: most,
            commands: most,
            words: most,
            ..Limits::default()
        },
        ..Options::default()
    }
}

fn measure(name: &str, generate: Generator, options: &Options) -> bool {
    let name = name.replace('|', "\\|");
    let mut sizes = [SMALL, MIDDLE].map(|bytes| Source::new(generate(bytes), options));
    let [small, middle] = &mut sizes;
    // A quadratic reader would need hours for the large one.
    if middle.least * 10.0 * bytes(LARGE) > PATIENCE {
        println!(
            "| {name} | {:.1} | {:.1} | not tried | - | MISSED | - |",
            small.least, middle.least
        );
        return false;
    }
    let mut large = Source::new(generate(LARGE), options);
    let start = clock::now();
    for _ in 0..ROUNDS {
        // In turns, so that a busy moment of the machine meets all three.
        small.sample(options);
        middle.sample(options);
        large.sample(options);
        if clock::since(start).as_secs() >= 1 {
            break;
        }
    }
    let ratio = large.least / small.least;
    let met = ratio <= AIM;
    println!(
        "| {name} | {:.1} | {:.1} | {:.1} | {ratio:.2} | {} | {:?} |",
        small.least,
        middle.least,
        large.least,
        if met { "met" } else { "MISSED" },
        lex(large.text.as_bytes(), options).status(),
    );
    met
}

struct Source {
    text: String,
    calls: u32,
    /// The least time for one byte so far.
    least: f64,
}

impl Source {
    fn new(text: String, options: &Options) -> Self {
        let calls = clock::calls_for(|| visit(&text, options));
        let mut source = Self {
            text,
            calls,
            least: f64::INFINITY,
        };
        source.sample(options);
        source
    }

    fn sample(&mut self, options: &Options) {
        let time = clock::time(self.calls, || visit(&self.text, options));
        self.least = self.least.min(time / bytes(self.text.len()));
    }
}

fn visit(source: &str, options: &Options) {
    black_box(ours::visit(black_box(source.as_bytes()), options));
}

#[expect(clippy::cast_precision_loss, reason = "lengths are small")]
fn bytes(length: usize) -> f64 {
    length as f64
}
