//! Commands in one line, quoted so that they could be typed again.

use crate::style::Style;
use crate::visible::{visible, visible_in_escapes};
use countersign_lexer::{Assignment, Command, Redirect, Word, WordKind};
use countersign_policy::Expanded;
use std::fmt::Write as _;

/// The longest word that is shown in full, in characters.
const MAX_WORD: usize = 200;

/// A command that stands in source: assignments, words, redirections.
pub(super) fn command(command: &Command<'_>, style: Style) -> String {
    let assignments = command.assignments().map(|it| assignment(&it, style));
    let words = command.words().map(|it| word(&it, style));
    let redirects = command.redirects().map(|it| redirect(&it, style));
    let pieces: Vec<String> = assignments.chain(words).chain(redirects).collect();
    pieces.join(" ")
}

/// A command that is made of words of another.
pub(super) fn derived(
    found: &Expanded,
    kinds: &[WordKind],
    assignments: &[String],
    style: Style,
) -> String {
    let words = found.view.argv.iter().zip(kinds);
    let words = words.map(|(word, kind)| match kind {
        WordKind::Static => quoted(word.as_bytes()),
        // Text that a program fills in later has no quotes of its own.
        kind if word.contains(' ') && !word.contains(['"', '\'', '`', '$']) => {
            dynamic(quoted(word.as_bytes()).as_bytes(), *kind, style)
        }
        kind => dynamic(word.as_bytes(), *kind, style),
    });
    let assignments = assignments.iter().map(|it| short(&visible(it)));
    let pieces: Vec<String> = assignments.chain(words).collect();
    pieces.join(" ")
}

/// One word, with what makes it dynamic.
pub(super) fn word(word: &Word<'_>, style: Style) -> String {
    match word.literal() {
        Some(literal) => quoted(literal),
        None => dynamic(word.source(), word.kind(), style),
    }
}

fn dynamic(source: &[u8], kind: WordKind, style: Style) -> String {
    let source = short(&visible(&String::from_utf8_lossy(source)));
    let kind = format!("‹{}›", kind.as_str());
    format!("{}{}", style.special(source), style.dim(kind))
}

fn assignment(assignment: &Assignment<'_>, style: Style) -> String {
    let value = assignment.value().filter(|_| !assignment.has_subscript());
    let Some(value) = value else {
        return short(&visible(&String::from_utf8_lossy(assignment.source())));
    };
    let name = String::from_utf8_lossy(assignment.name());
    let append = if assignment.append() { "+" } else { "" };
    let value = match value.literal() {
        Some(b"") => String::new(),
        _ => word(&value, style),
    };
    format!("{}{append}={value}", visible(&name))
}

/// A redirection; of a here-document only the delimiter and its length.
pub(super) fn redirect(redirect: &Redirect<'_>, style: Style) -> String {
    let usual = match redirect.op().as_str().as_bytes().first() {
        Some(b'<') => 0,
        _ => 1,
    };
    let mut text = match (redirect.fd_variable(), redirect.fd()) {
        (Some(name), _) => format!("{{{}}}", visible(&String::from_utf8_lossy(name))),
        (None, Some(fd)) if fd != usual => fd.to_string(),
        _ => String::new(),
    };
    text.push_str(redirect.op().as_str());
    let Some(body) = redirect.body() else {
        text.push_str(&word(&redirect.target(), style));
        return text;
    };
    let delimiter = String::from_utf8_lossy(redirect.target().source());
    text.push_str(&short(&visible(&delimiter)));
    let lines = String::from_utf8_lossy(body.source()).lines().count();
    let plural = if lines == 1 { "" } else { "s" };
    let size = format!(" ({lines} line{plural})");
    let _infallible = write!(text, "{}", style.dim(size));
    if body.is_dynamic() {
        let kind = format!("‹{}›", body.kind().as_str());
        let _infallible = write!(text, "{}", style.dim(kind));
    }
    text
}

/// A word that is certain, in the plainest quoting that keeps every byte.
fn quoted(bytes: &[u8]) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(byte);
    let text = String::from_utf8_lossy(bytes);
    if !bytes.is_empty() && bytes.iter().all(plain) {
        short(&text)
    } else if visible_in_escapes(&text) == text && std::str::from_utf8(bytes).is_ok() {
        format!("'{}'", short(&text.replace('\'', "'\\''")))
    } else {
        format!("$'{}'", short(&escaped(bytes)))
    }
}

/// The inside of `$' '`: what cannot be seen is an escape.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid().replace('\\', "\\\\").replace('\'', "\\'");
        text.push_str(&visible_in_escapes(&valid));
        for byte in chunk.invalid() {
            let _infallible = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// The beginning of a text that is too long for a line.
pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(MAX_WORD) {
        None => text.to_owned(),
        Some((at, _)) => {
            let (shown, rest) = text.split_at_checked(at).unwrap_or((text, ""));
            format!("{shown}…[{} more]", rest.chars().count())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{quoted, short};

    #[test]
    fn words_are_quoted_as_little_as_possible() {
        let table: &[(&[u8], &str)] = &[
            (b"--a=b/c.d", "--a=b/c.d"),
            (b"", "''"),
            (b"a b", "'a b'"),
            (b"*", "'*'"),
            (b"~", "'~'"),
            (b"it's", "'it'\\''s'"),
            ("ä".as_bytes(), "'ä'"),
            (b"a\n\\'b", "$'a\\n\\\\\\'b'"),
            (b"\xff\x1b", "$'\\xff\\u{1b}'"),
            ("\u{202e}x".as_bytes(), "$'\\u{202e}x'"),
        ];
        for (word, expected) in table {
            assert_eq!(quoted(word), *expected, "{word:?}");
        }
    }

    #[test]
    fn a_long_word_is_cut() {
        assert_eq!(short(&"ä".repeat(200)), "ä".repeat(200));
        let cut = short(&"ä".repeat(203));
        assert!(cut.ends_with("ä…[3 more]"), "{cut}");
    }
}
