//! Standard output, where a reader that went away is no failure of ours.

use std::io::{self, Write};

/// Prints text.
pub(crate) fn print(text: &str) -> Result<(), String> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|error| unwritable(&error))
}

/// What a person is told when standard output cannot be written.
pub(crate) fn unwritable(error: &io::Error) -> String {
    format!("cannot write to standard output: {error}")
}
