//! Lexing on two lanes, and what is said about it.

use crate::{Inputs, show, stack};
use countersign_lexer::{Options, lex};
use countersign_oracle::{invariants, shrink};
use rustix::time::{ClockId, clock_gettime};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

const LANES: u64 = 2;

/// Inputs are made on an ordinary stack and lexed on a small one, this many at a time.
const BATCH: u64 = 4096;

/// The longest that a kilobyte may take. Whatever is shorter counts as one.
const PER_KILOBYTE: Duration = Duration::from_millis(1);

/// Added to that, for a page fault or a cold cache.
const MARGIN: Duration = Duration::from_micros(500);

/// How often an input that took too long gets another chance.
const RETRIES: usize = 4;

#[derive(Debug, Default)]
struct Report {
    count: u64,
    bytes: usize,
    slowest: Duration,
    slowest_input: Vec<u8>,
    failures: Vec<String>,
}

impl Report {
    fn merge(mut self, other: Self) -> Self {
        self.count += other.count;
        self.bytes += other.bytes;
        if other.slowest > self.slowest {
            self.slowest = other.slowest;
            self.slowest_input = other.slowest_input;
        }
        self.failures.extend(other.failures);
        self
    }
}

/// Lexes all inputs and prints what there is to know.
pub(crate) fn run(inputs: Inputs) -> Result<(), String> {
    let start = Instant::now();
    let lanes: Vec<_> = (0..LANES)
        .map(|lane| std::thread::spawn(move || drive(inputs, lane)))
        .collect();
    let mut report = Report::default();
    for lane in lanes {
        let found = lane.join().map_err(|_| "a lane panicked".to_owned())?;
        report = report.merge(found?);
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} inputs, {} bytes, {seconds:.1} s, {:.0} inputs a second with making and checking them",
        report.count,
        report.bytes,
        rate(report.count, seconds)
    );
    println!(
        "slowest: {:?} for {} bytes: {}",
        report.slowest,
        report.slowest_input.len(),
        show(&report.slowest_input)
    );
    if report.failures.is_empty() {
        return Ok(());
    }
    for failure in report.failures.iter().take(20) {
        println!("FAILED {failure}");
    }
    Err(format!("{} inputs failed", report.failures.len()))
}

#[expect(clippy::cast_precision_loss, reason = "a number for people")]
fn rate(count: u64, seconds: f64) -> f64 {
    count as f64 / seconds.max(1e-9)
}

/// One lane: every other batch of the inputs.
fn drive(inputs: Inputs, lane: u64) -> Result<Report, String> {
    let mut report = Report::default();
    for batch in (lane..inputs.count.div_ceil(BATCH)).step_by(2) {
        let from = batch * BATCH;
        let to = inputs.count.min(from + BATCH);
        let texts: Vec<Vec<u8>> = (from..to)
            .map(|at| inputs.make(inputs.first + at))
            .collect();
        let found = stack::on_small_stack(move || check(texts))?;
        report = report.merge(found);
    }
    let failures = std::mem::take(&mut report.failures);
    report.failures = failures.into_iter().take(20).collect();
    Ok(report)
}

fn check(texts: Vec<Vec<u8>>) -> Report {
    let mut report = Report::default();
    for text in texts {
        report.count += 1;
        report.bytes += text.len();
        let took = match examine(&text) {
            Ok(took) => took,
            Err(what) => {
                let small = shrink::shrink(&text, |it| examine(it).is_err());
                report.failures.push(format!("{what}: {}", show(&small)));
                continue;
            }
        };
        if took > report.slowest {
            report.slowest = took;
            report.slowest_input = text;
        }
    }
    report
}

/// What lexing costs, or what is wrong with the script.
fn examine(text: &[u8]) -> Result<Duration, String> {
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        let before = cpu_time();
        let script = lex(text, &Options::default());
        let took = cpu_time().saturating_sub(before);
        (took, invariants::violation(text, &script))
    }));
    let Ok((mut took, violation)) = attempt else {
        return Err("lexing panics".to_owned());
    };
    if let Some(violation) = violation {
        return Err(violation);
    }
    let bound = bound(text.len());
    for _ in 0..RETRIES {
        if took <= bound {
            break;
        }
        let before = cpu_time();
        drop(lex(text, &Options::default()));
        took = took.min(cpu_time().saturating_sub(before));
    }
    if took > bound {
        return Err(format!("lexing takes {took:?}, more than {bound:?}"));
    }
    Ok(took)
}

fn bound(len: usize) -> Duration {
    let kilobytes = u32::try_from(len.div_ceil(1024)).unwrap_or(u32::MAX);
    PER_KILOBYTE * kilobytes.max(1) + MARGIN
}

/// What this thread has had of a processor, so that neighbours do not count.
fn cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}
