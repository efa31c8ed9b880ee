//! Text as a person can trust it: what cannot be seen, or looks like something else, is shown as an
//! escape. Two different texts never look the same, since [`unescaped`] leads back from one to the
//! text it was made of.
//!
//! A letter of another script is shown as it is in a word of that script, and escaped where the word
//! has Latin letters too, or could be read as a Latin one.

mod letters;
#[cfg(test)]
mod tests;

use letters::{Letter, letter};
use std::fmt::Write as _;

/// The text with everything in it visible.
pub(crate) fn visible(text: &str) -> String {
    shown(text, true)
}

/// The same for a text in which a backslash is escaped already, as its own language does it.
pub(crate) fn visible_in_escapes(text: &str) -> String {
    shown(text, false)
}

fn shown(text: &str, backslashes: bool) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let length = if character.is_alphanumeric() {
            let end = rest.find(|c: char| !c.is_alphanumeric());
            let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            push_word(word, &mut shown);
            word.len()
        } else {
            let after = rest.get(character.len_utf8()..).unwrap_or_default();
            let before = shown.chars().next_back();
            if character == '\\' && !backslashes {
                shown.push(character);
            } else {
                push_other(character, before, after, &mut shown);
            }
            character.len_utf8()
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    shown
}

/// JSON with everything in it visible: the same values, in which each such character is escaped as
/// JSON does it.
pub(crate) fn visible_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for character in json.chars() {
        if character.is_ascii() || !is_deceptive(character) {
            shown.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _infallible = write!(shown, "\\u{unit:04x}");
            }
        }
    }
    shown
}

/// Letters and digits in a row.
fn push_word(word: &str, shown: &mut String) {
    if word.is_ascii() {
        shown.push_str(word);
        return;
    }
    let is = |wanted: Letter| move |c: char| letter(c) == wanted;
    let latin = word.contains(is(Letter::Latin));
    let mut letters = word.chars().filter(|c| letter(*c) != Letter::Digit);
    let all_alike = letters.all(|c| letter(c) == Letter::Alike);
    for character in word.chars() {
        let escaped = match letter(character) {
            Letter::Alike => latin || all_alike,
            Letter::Foreign => latin,
            Letter::Latin | Letter::Digit | Letter::Other => is_deceptive(character),
        };
        push(character, escaped, shown);
    }
}

fn push_other(character: char, before: Option<char>, after: &str, shown: &mut String) {
    match character {
        '\n' => shown.push_str("\\n"),
        '\t' => shown.push_str("\\t"),
        // One that could be read as the beginning of an escape, here or in what follows the text.
        '\\' => {
            let next = after.chars().next();
            let ambiguous = next.is_none_or(|next| {
                matches!(next, '\\' | 'n' | 't' | 'u') || !(next.is_ascii_graphic() || next == ' ')
            });
            shown.push_str(if ambiguous { "\\\\" } else { "\\" });
        }
        // Between words it is a dash; before one it could be that of an option.
        '\u{2013}' | '\u{2014}' => {
            let option = before.is_none_or(|c| !c.is_alphanumeric())
                && after.starts_with(|c: char| c.is_alphanumeric() || is_dash(c));
            push(character, option, shown);
        }
        _ => push(character, is_deceptive(character), shown),
    }
}

fn push(character: char, escaped: bool, shown: &mut String) {
    if escaped {
        let _infallible = write!(shown, "\\u{{{:x}}}", u32::from(character));
    } else {
        shown.push(character);
    }
}

fn is_dash(character: char) -> bool {
    matches!(character, '-' | '\u{2013}' | '\u{2014}')
}

/// It cannot be seen, changes how the rest is read, or looks like a character of a command.
fn is_deceptive(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    is_unseen(character) || letters::is_double(character)
}

fn is_unseen(character: char) -> bool {
    // Blanks other than the one, and what is no character at all.
    character.is_control()
        || character.is_whitespace()
        || u32::from(character) & 0xfffe == 0xfffe
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fdd0}'..='\u{fdef}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
            // Each machine shows something else there, or nothing.
            | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}'
            // Marks over and through the letter before: one letter has two spellings with them.
            | '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// The text that [`visible`] made this of.
#[cfg(test)]
fn unescaped(shown: &str) -> String {
    let mut text = String::new();
    let mut rest = shown;
    while let Some(character) = rest.chars().next() {
        let after = rest.get(character.len_utf8()..).unwrap_or_default();
        let escape = if character == '\\' {
            match after.chars().next() {
                Some('\\') => Some(('\\', 1)),
                Some('n') => Some(('\n', 1)),
                Some('t') => Some(('\t', 1)),
                Some('u') => after.strip_prefix("u{").and_then(|digits| {
                    let (digits, _) = digits.split_once('}')?;
                    let number = u32::from_str_radix(digits, 16).ok()?;
                    Some((char::from_u32(number)?, digits.len() + 3))
                }),
                _ => None,
            }
        } else {
            None
        };
        let (character, length) = escape.unwrap_or((character, 0));
        text.push(character);
        rest = after.get(length..).unwrap_or_default();
    }
    text
}
