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

/// The process ends by its own will.
pub(crate) fn release() {
    drop(kept().take());
}

fn kept() -> MutexGuard<'static, Option<Guard>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}
