//! Which records are wanted.

use crate::audit::Record;
use clap::Args;
use jiff::{SignedDuration, Timestamp};

/// Which records are wanted.
#[derive(Debug, Clone, Args)]
pub(super) struct FilterArgs {
    /// Only records of this kind: `decision`, `failure`, `switch`, …
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Only records of this session, or of those that begin so
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// Only decisions with this verdict: `allow`, `defer`, `revise`, `deny`
    #[arg(long, value_name = "VERDICT", value_parser = ["allow", "defer", "revise", "deny"])]
    verdict: Option<String>,
    /// Only records from this day or time on: `2026-12-01`, `90m`, `12h`, `7d`
    #[arg(long, value_name = "WHEN", value_parser = since)]
    since: Option<Timestamp>,
}

impl FilterArgs {
    pub(super) fn wants(&self, record: &Record) -> bool {
        let event = &record.event;
        let session = |wanted: &str| {
            let session = event.session.as_deref();
            session.is_some_and(|session| session.starts_with(wanted))
        };
        let verdict = |wanted: &str| {
            let decision = event.decision.as_ref();
            decision.is_some_and(|decision| decision.verdict.to_string() == wanted)
        };
        self.kind
            .as_deref()
            .is_none_or(|kind| event.kind.as_str() == kind)
            && self.session.as_deref().is_none_or(session)
            && self.verdict.as_deref().is_none_or(verdict)
            && self.since.is_none_or(|since| is_since(record, since))
    }
}

/// One whose time cannot be read is shown rather than not.
pub(super) fn is_since(record: &Record, since: Timestamp) -> bool {
    record
        .time
        .parse::<Timestamp>()
        .map_or(true, |time| time >= since)
}

/// `2026-12-01`.
pub(super) fn day(text: &str) -> Result<String, String> {
    midnight(text)
        .map(|_| text.to_owned())
        .ok_or_else(|| "give a day, such as 2026-12-01".to_owned())
}

fn midnight(text: &str) -> Option<Timestamp> {
    let is_day = text.len() == 10;
    is_day.then(|| format!("{text}T00:00:00Z").parse().ok())?
}

/// A day or time in UTC, or how long ago.
pub(super) fn since(text: &str) -> Result<Timestamp, String> {
    let wrong = || {
        "give a day (2026-12-01), a time (2026-12-01T12:00:00Z) or how long ago (90m, 12h, 7d)"
            .to_owned()
    };
    if let Some(time) = midnight(text).or_else(|| text.parse().ok()) {
        return Ok(time);
    }
    let unit = text.chars().next_back().ok_or_else(wrong)?;
    let minutes = match unit {
        'm' => 1,
        'h' => 60,
        'd' => 24 * 60,
        _ => return Err(wrong()),
    };
    let count: i64 = text
        .strip_suffix(unit)
        .and_then(|count| count.parse::<u32>().ok())
        .ok_or_else(wrong)?
        .into();
    let ago = SignedDuration::from_mins(count.saturating_mul(minutes));
    Timestamp::now().checked_sub(ago).map_err(|_| wrong())
}
