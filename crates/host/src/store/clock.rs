use countersign_broker::store::{Reading, StoreClock};
use nix::time::{ClockId, clock_gettime};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where Linux names the run of the machine.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// The clocks of this machine. What cannot be read is read as a machine that was started this very
/// moment: all that expires is over then.
#[derive(Debug, Clone)]
pub struct SystemClock {
    start: String,
}

impl SystemClock {
    /// The clocks of this machine.
    pub fn new() -> Self {
        let start = std::fs::read_to_string(BOOT_ID).unwrap_or_default();
        let start = match start.trim() {
            // A name that no other process has.
            "" => format!("{} {:?}", std::process::id(), SystemTime::now()),
            start => start.to_owned(),
        };
        Self { start }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl StoreClock for SystemClock {
    fn read(&self) -> Reading {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH);
        // The clock that counts while the machine sleeps, too.
        let since_start = clock_gettime(ClockId::CLOCK_BOOTTIME).ok();
        let ms = |seconds: i64, nanos: i64| {
            let seconds = u64::try_from(seconds).unwrap_or(0);
            let nanos = u64::try_from(nanos).unwrap_or(0);
            seconds
                .saturating_mul(1000)
                .saturating_add(nanos / 1_000_000)
        };
        Reading {
            wall: wall.map_or(0, |wall| {
                u64::try_from(wall.as_millis()).unwrap_or(u64::MAX)
            }),
            since_start: since_start.map_or(0, |time| ms(time.tv_sec(), time.tv_nsec())),
            start: self.start.clone(),
        }
    }
}
