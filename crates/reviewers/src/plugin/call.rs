use countersign_abi::{CallCtx, HostBox, Level, RStr};
use std::fmt;
use std::time::{Duration, Instant};

/// One call of the host: the time that is left, and the host's log.
pub struct Call<'a> {
    ctx: CallCtx,
    host: &'a HostBox,
    started: Instant,
}

impl<'a> Call<'a> {
    /// A call with this context, of this host.
    pub fn new(ctx: CallCtx, host: &'a HostBox) -> Self {
        Self {
            ctx,
            host,
            started: Instant::now(),
        }
    }

    /// The time that is left. When it is over nobody takes the answer any more.
    pub fn remaining(&self) -> Duration {
        Duration::from_millis(self.ctx.remaining_ms).saturating_sub(self.started.elapsed())
    }

    /// Nobody waits any more: cancelled, or out of time.
    pub fn is_over(&self) -> bool {
        self.remaining().is_zero() || self.host.is_cancelled(self.ctx.call_id)
    }

    /// Writes a line to the host's log. No secret belongs in it.
    pub fn log(&self, level: Level, message: &str) {
        if self.host.log_enabled(level as u8) {
            self.host.log(
                level as u8,
                RStr::from_str("plugin"),
                RStr::from_str(message),
                RStr::empty(),
            );
        }
    }
}

impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("ctx", &self.ctx)
            .finish_non_exhaustive()
    }
}
