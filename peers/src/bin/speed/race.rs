//! Ours and the peers on the same inputs, in turns.

use crate::clock;
use crate::inputs::inputs;
use countersign_lexer::Options;
use countersign_peers::{ours, peer::PEERS};
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How often the best bare parse must take what our extraction takes.
const PARSE_AIM: f64 = 4.0;

/// How often the best extraction must take what ours takes.
const EXTRACT_AIM: f64 = 6.0;

/// Fewer rounds say nothing.
const LEAST_ROUNDS: usize = 7;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ours,
    Parse,
    Extract,
    /// Ours with the copies that the peers' lists need; for the eye alone.
    Copy,
}

struct Racer {
    name: String,
    kind: Kind,
    run: Box<dyn Fn(&str)>,
    calls: u32,
    samples: Vec<f64>,
}

impl Racer {
    fn new(name: &str, kind: Kind, run: impl Fn(&str) + 'static) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            run: Box::new(run),
            calls: 1,
            samples: Vec::new(),
        }
    }

    fn least(&self) -> f64 {
        self.samples.first().copied().unwrap_or(f64::NAN)
    }

    fn median(&self) -> f64 {
        let middle = self.samples.get(self.samples.len() / 2);
        middle.copied().unwrap_or(f64::NAN)
    }
}

/// Races on every input, prints a table for each, and says whether all aims were met.
pub(crate) fn race(seconds: u64, only: Option<&str>) -> bool {
    let mut met = true;
    let mut summary = String::new();
    for (size, source) in inputs() {
        if only.is_some_and(|only| only != size) {
            continue;
        }
        let racers = run(&source, Duration::from_secs(seconds));
        print(size, &source, &racers);
        met &= summarise(size, &racers, &mut summary);
    }
    println!(
        "\nbest peer / ours, by the least time (aims: parse {PARSE_AIM}, extraction {EXTRACT_AIM})\n"
    );
    println!("| input | best parse / ours | best extraction / ours | aims |\n|---|---|---|---|");
    print!("{summary}");
    met
}

fn racers(source: &str) -> Vec<Racer> {
    let options = Options::default();
    let mut racers = vec![
        Racer::new("ours: lex + visit", Kind::Ours, move |source| {
            black_box(ours::visit(source.as_bytes(), &options));
        }),
        Racer::new("ours: lex + copy to lists", Kind::Copy, |source| {
            black_box(ours::extract(source).is_ok());
        }),
    ];
    for peer in PEERS {
        if !(peer.parse)(source) {
            println!("{} does not accept this input and is left out", peer.name);
            continue;
        }
        racers.push(Racer::new(
            &format!("{}: parse", peer.name),
            Kind::Parse,
            move |source| {
                black_box((peer.parse)(source));
            },
        ));
        racers.push(Racer::new(
            &format!("{}: parse + extract", peer.name),
            Kind::Extract,
            move |source| {
                black_box((peer.extract)(source).is_ok());
            },
        ));
    }
    racers
}

fn run(source: &str, budget: Duration) -> Vec<Racer> {
    let mut racers = racers(source);
    for racer in &mut racers {
        racer.calls = clock::calls_for(|| (racer.run)(black_box(source)));
    }
    let start = Instant::now();
    for round in 0.. {
        if round >= LEAST_ROUNDS && start.elapsed() > budget {
            break;
        }
        for racer in &mut racers {
            // The one before left its own data in the caches.
            (racer.run)(black_box(source));
            let sample = clock::time(racer.calls, || (racer.run)(black_box(source)));
            racer.samples.push(sample);
        }
    }
    for racer in &mut racers {
        racer.samples.sort_by(f64::total_cmp);
    }
    racers
}

fn least(racers: &[Racer], kind: Kind) -> f64 {
    racers
        .iter()
        .filter(|racer| racer.kind == kind)
        .map(Racer::least)
        .fold(f64::INFINITY, f64::min)
}

#[expect(clippy::cast_precision_loss, reason = "lengths are small")]
fn print(size: &str, source: &str, racers: &[Racer]) {
    let rounds = racers.first().map_or(0, |racer| racer.samples.len());
    println!("\n{size} ({} bytes, {rounds} rounds)\n", source.len());
    println!("| | least | median | ns/B | least / ours |\n|---|---|---|---|---|");
    let ours = least(racers, Kind::Ours);
    for racer in racers {
        println!(
            "| {} | {} | {} | {:.2} | {:.2} |",
            racer.name,
            human(racer.least()),
            human(racer.median()),
            racer.least() / source.len() as f64,
            racer.least() / ours
        );
    }
}

fn summarise(size: &str, racers: &[Racer], summary: &mut String) -> bool {
    let ours = least(racers, Kind::Ours);
    let parse = least(racers, Kind::Parse) / ours;
    let extract = least(racers, Kind::Extract) / ours;
    let met = parse >= PARSE_AIM && extract >= EXTRACT_AIM;
    let verdict = if met { "met" } else { "MISSED" };
    let _infallible = writeln!(
        summary,
        "| {size} | {parse:.2} | {extract:.2} | {verdict} |"
    );
    met
}

fn human(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.2} us", n / 1e3),
        n => format!("{:.2} ms", n / 1e6),
    }
}
