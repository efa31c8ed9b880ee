//! What answers when nothing else can: a panic, a signal, or a deadline.
//!
//! Agents run the tool when a hook dies, so every way out of the process leads through
//! [`answer_once`]: whoever comes first writes the whole answer, everybody else waits for the exit.

use crate::{Exit, output};
use signal_hook::consts::{SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
use signal_hook::iterator::Signals;
use std::io::Write;
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicBool, Ordering};

/// `SIGXFSZ` on Linux and macOS alike; the signal library does not name it. Its default would end
/// the process in the middle of a write.
const SIGXFSZ: i32 = 25;

static ANSWERED: AtomicBool = AtomicBool::new(false);

/// Writes the one answer of this process and ends it.
pub(crate) fn answer_once(stdout: &[u8], stderr: &str, exit: Exit) -> ! {
    if ANSWERED.swap(true, Ordering::SeqCst) {
        loop {
            std::thread::park();
        }
    }
    output::answering(Exit::Usage.code().into());
    let written = write_whole(stdout);
    let exit = if written { exit } else { Exit::Usage };
    if !stderr.is_empty() {
        let _unheard = writeln!(std::io::stderr(), "{stderr}");
    }
    if !written {
        // An answer that was not written whole counts for nothing with the agent: block.
        let _unheard = writeln!(
            std::io::stderr(),
            "countersign: the answer could not be written to standard output, so the call is blocked"
        );
    }
    output::release(exit.code().into());
    std::process::exit(i32::from(exit.code()))
}

fn write_whole(bytes: &[u8]) -> bool {
    bytes.is_empty()
        || output::on_stdout(|out, at| {
            !leads_nowhere(at) && out.write_all(bytes).and_then(|()| out.flush()).is_ok()
        })
}

/// A program that is started with standard output closed gets the null device in its place, and
/// writing there succeeds.
fn leads_nowhere(stdout: BorrowedFd<'_>) -> bool {
    let null = nix::sys::stat::stat("/dev/null").map(|found| found.st_rdev);
    let found = nix::sys::stat::fstat(stdout).map(|found| found.st_rdev);
    matches!((null, found), (Ok(null), Ok(found)) if null == found)
}

/// Answers "block" on any signal that would end the process and when the deadline passes.
///
/// # Errors
/// When the signals cannot be watched; the caller must block the call.
pub(crate) fn watch(deadline_seconds: u32) -> std::io::Result<()> {
    let mut signals = Signals::new([
        SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
    ])?;
    let watcher = std::thread::Builder::new().stack_size(64 << 10);
    watcher.spawn(move || {
        let signal = signals.forever().next().unwrap_or(SIGTERM);
        let what = if signal == SIGALRM {
            format!("no answer within {deadline_seconds} s")
        } else {
            format!("stopped by signal {signal}")
        };
        answer_once(
            b"",
            &format!("countersign: {what}; nothing was judged, so the call is blocked"),
            Exit::Usage,
        )
    })?;
    nix::unistd::alarm::set(deadline_seconds);
    Ok(())
}
