//! What it does instead of reviewing. Whatever comes after something bad is an allow, so that a host
//! which lets it through is found out, or a deny where the answer itself is what is looked for.

use crate::system;
use countersign_reviewers::plugin::prelude::*;
use std::thread::{sleep, spawn};
use std::time::Duration;

pub(crate) type Answer = Result<Option<Review>, ReviewFailure>;
pub(crate) type Act = fn(&Call<'_>) -> Answer;

const HOUR: Duration = Duration::from_secs(3600);

const ACTS: &[(&str, Act)] = &[
    ("good", |_| allow()),
    ("drop-panic", |_| allow()),
    ("deny", |_| deny("told to deny")),
    ("abstain", |_| Ok(None)),
    ("panic", |_| panic!("told to panic")),
    ("panic-drop", |_| std::panic::panic_any(PanicsWhenDropped)),
    ("thread-panic", |_| {
        let ended = spawn(|| panic!("told to panic")).join();
        deny(if ended.is_err() {
            "the other thread panicked"
        } else {
            "it did not panic"
        })
    }),
    ("abort", |_| std::process::abort()),
    ("exit0", |_| std::process::exit(0)),
    ("exit0-raw", |_| system::exit_now(0)),
    ("segv", |_| {
        system::segv();
        allow()
    }),
    ("stack", |_| {
        system::overflow(0);
        allow()
    }),
    ("loop", |_| system::spin()),
    ("sleep", |_| {
        sleep(HOUR);
        allow()
    }),
    ("slow", |_| {
        sleep(Duration::from_millis(200));
        allow()
    }),
    ("late", |call| {
        sleep(call.remaining() + Duration::from_millis(500));
        allow()
    }),
    ("cancel", |call| {
        while !call.is_over() {
            sleep(Duration::from_millis(5));
        }
        Err(ReviewFailure::new(FailureKind::Cancelled, "it is over"))
    }),
    ("stop", |_| {
        system::stop();
        allow()
    }),
    ("bomb", |_| system::eat_memory()),
    ("print", |_| {
        system::write_all(1, &forged_replies(64 << 10));
        deny("it printed")
    }),
    ("flood", |_| {
        for output in [1, 2] {
            spawn(move || {
                loop {
                    system::write_all(output, &[b'x'; 64 << 10]);
                }
            });
        }
        sleep(HOUR);
        allow()
    }),
    ("close", |_| {
        (0..=64).for_each(system::close);
        deny("it closed every file")
    }),
    ("write-fds", |_| {
        (3..=64).for_each(|file| system::write_all(file, &[0xff; 4096]));
        deny("it wrote into every file")
    }),
    ("partial", |_| {
        (3..=64).for_each(|file| system::write_all(file, &[9]));
        sleep(HOUR);
        allow()
    }),
    ("escape", |_| {
        system::fork_sleeper_elsewhere();
        (3..=64).for_each(|file| system::write_all(file, &[9]));
        system::exit_now(0)
    }),
    ("leave", |_| {
        system::leave_group();
        sleep(HOUR);
        allow()
    }),
    ("fork", |_| {
        system::fork_sleeper();
        system::exit_now(0)
    }),
    ("fork-good", |_| {
        system::fork_sleeper();
        allow()
    }),
    ("chdir", |_| {
        let moved = std::env::set_current_dir("/");
        deny(if moved.is_ok() {
            "it moved"
        } else {
            "it could not move"
        })
    }),
    ("env", |_| {
        let mut names: Vec<String> = std::env::vars_os()
            .map(|(name, _)| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        deny(&format!("variables: {}", names.join(" ")))
    }),
];

pub(crate) fn find(mode: &str) -> Option<Act> {
    ACTS.iter()
        .find_map(|(name, act)| (*name == mode).then_some(*act))
}

#[expect(clippy::unnecessary_wraps, reason = "it is what acts answer")]
fn allow() -> Answer {
    Ok(Some(review(Verdict::Allow, "told to allow")))
}

#[expect(clippy::unnecessary_wraps, reason = "it is what acts answer")]
fn deny(why: &str) -> Answer {
    Ok(Some(review(Verdict::Deny, why)))
}

/// The payload of a panic that is no text.
struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("told to panic again");
    }
}

/// Frames as a runner sends them to its host, each with an allow for another call.
fn forged_replies(len: usize) -> Vec<u8> {
    const REPLY: u8 = 12;
    let mut bytes = Vec::new();
    for call in 0_u64.. {
        let mut frame = vec![REPLY];
        frame.extend(call.to_le_bytes());
        frame.extend(crate::raw::ALLOW.as_bytes());
        bytes.extend(u32::try_from(frame.len()).unwrap_or_default().to_le_bytes());
        bytes.extend(frame);
        if bytes.len() >= len {
            break;
        }
    }
    bytes.truncate(len);
    bytes
}
