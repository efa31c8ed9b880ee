//! Somebody else's text: with its markup escaped, without its secrets, and short.

pub(super) mod escape;
pub(super) mod redact;

use escape::is_invisible;

/// A piece of somebody else's text for a message: without its secrets, on one line, in at most so
/// many characters, and without a full stop.
pub fn clean(text: &str, characters: usize) -> String {
    let mut short: String = redact::redact(text)
        .trim()
        .trim_end_matches('.')
        .chars()
        .map(|character| match character {
            _ if is_invisible(character) || character.is_whitespace() => ' ',
            _ => character,
        })
        .take(characters + 1)
        .collect();
    if let Some((cut, _)) = short.char_indices().nth(characters) {
        short.truncate(cut);
        short.push('…');
    }
    short
}
