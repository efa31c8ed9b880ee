//! How soon a plugin that crashed is started again.

use std::collections::VecDeque;
use std::time::Duration;

/// Crashes are remembered for this long.
const WINDOW: Duration = Duration::from_secs(60);

/// This many within the window open the circuit: the plugin is left alone until the oldest of them
/// is out of the window.
const MOST: usize = 3;

/// The wait before the first start after a crash; doubled with each further one.
const FIRST_WAIT: Duration = Duration::from_millis(100);

/// The crashes of one plugin. Times are those of a clock that only goes forward.
#[derive(Debug, Clone, Default)]
pub(super) struct Crashes(VecDeque<Duration>);

/// Whether a plugin may be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Once this time has passed.
    After(Duration),
    /// Not now: this many crashes are too many.
    Open(usize),
}

impl Crashes {
    pub(super) fn note(&mut self, now: Duration) {
        self.forget_old(now);
        self.0.push_back(now);
    }

    pub(super) fn next_start(&mut self, now: Duration) -> Start {
        self.forget_old(now);
        if self.0.len() >= MOST {
            return Start::Open(self.0.len());
        }
        let Some(last) = self.0.back() else {
            return Start::After(Duration::ZERO);
        };
        let wait = FIRST_WAIT.saturating_mul(1 << (self.0.len() - 1).min(8));
        Start::After(last.saturating_add(wait).saturating_sub(now))
    }

    fn forget_old(&mut self, now: Duration) {
        while self.0.front().is_some_and(|&at| at + WINDOW <= now) {
            self.0.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Crashes, Start};
    use std::time::Duration;

    #[test]
    fn starts_later_with_each_crash_and_stops_at_three() {
        let seconds = Duration::from_secs;
        let mut crashes = Crashes::default();
        assert_eq!(crashes.next_start(seconds(1)), Start::After(Duration::ZERO));
        crashes.note(seconds(10));
        assert_eq!(
            crashes.next_start(seconds(10)),
            Start::After(Duration::from_millis(100))
        );
        assert_eq!(
            crashes.next_start(seconds(11)),
            Start::After(Duration::ZERO)
        );
        crashes.note(seconds(20));
        assert_eq!(
            crashes.next_start(seconds(20)),
            Start::After(Duration::from_millis(200))
        );
        crashes.note(seconds(30));
        assert_eq!(crashes.next_start(seconds(30)), Start::Open(3));
        assert_eq!(crashes.next_start(seconds(69)), Start::Open(3));
        assert_eq!(
            crashes.next_start(seconds(70)),
            Start::After(Duration::ZERO)
        );
        crashes.note(seconds(71));
        assert_eq!(crashes.next_start(seconds(71)), Start::Open(3));
    }
}
