//! Standard output, where a reader that went away is no failure of ours.

use countersign_reviewers::load::Guard;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Set while a plugin runs in this process: it keeps standard output for us.
static KEPT: Mutex<Option<Guard>> = Mutex::new(None);

/// Prints text.
pub(crate) fn print(text: &str) -> Result<(), String> {
    on_stdout(|out, _| out.write_all(text.as_bytes()).and_then(|()| out.flush()))
        .map_err(|error| unwritable(&error))
}

/// What a person is told when standard output cannot be written.
pub(crate) fn unwritable(error: &io::Error) -> String {
    format!("cannot write to standard output: {error}")
}

/// Writes to standard output, wherever it is kept.
pub(crate) fn on_stdout<T>(write: impl FnOnce(&mut dyn Write, BorrowedFd<'_>) -> T) -> T {
    if let Some(guard) = kept().as_mut() {
        let mut out = guard.stdout();
        return write(&mut out, guard.stdout().as_fd());
    }
    let mut out = io::stdout().lock();
    let at = io::stdout();
    write(&mut out, at.as_fd())
}

/// From now on plugins may run in this process: should one end it, `last_words` are written and the
/// process ends with `code`.
pub(crate) fn keep(last_words: Vec<u8>, code: i32) -> io::Result<()> {
    *kept() = Some(Guard::arm(last_words, code)?);
    Ok(())
}

/// The answer is about to be written: should a plugin end the process now, it is in this code and
/// without a second answer.
pub(crate) fn answering(code: i32) {
    if let Some(guard) = kept().as_ref() {
        guard.answering(code);
    }
}

/// The process ends by its own will. Where plugins ran in it, it ends here and now.
pub(crate) fn release(code: i32) {
    if let Some(guard) = kept().take() {
        guard.end(code);
    }
}

/// Keeps plugins in processes of their own away from this one's open files and memory, which the
/// system otherwise shows to every process of the same user.
pub(crate) fn hide_from_plugins() {
    #[cfg(target_os = "linux")]
    let _best_effort = nix::sys::prctl::set_dumpable(false);
}

fn kept() -> MutexGuard<'static, Option<Guard>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}
