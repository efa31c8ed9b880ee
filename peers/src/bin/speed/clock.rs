//! Processor time of this thread: what other programs do on the machine does not count, though
//! it still disturbs caches, hence many samples and the least of them.

use nix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The time this thread has had so far.
pub(crate) fn now() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// The time this thread has had since then.
pub(crate) fn since(start: Duration) -> Duration {
    now().saturating_sub(start)
}

/// What one call takes, in nanoseconds, over so many calls.
pub(crate) fn time(calls: u32, mut work: impl FnMut()) -> f64 {
    let start = now();
    for _ in 0..calls {
        work();
    }
    since(start).as_secs_f64() * 1e9 / f64::from(calls)
}

/// As many calls as it takes for the clock's own cost to vanish.
pub(crate) fn calls_for(mut work: impl FnMut()) -> u32 {
    const ENOUGH: f64 = 100_000.0;
    let mut calls = 1;
    while calls < 1 << 16 && time(calls, &mut work) * f64::from(calls) < ENOUGH {
        calls *= 2;
    }
    calls
}
