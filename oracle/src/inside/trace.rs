//! What bash prints under `set -x`, read back.

use crate::answer::Ran;
use crate::bytes::Bytes;

/// bash writes a longer line in pieces, between which other processes may write theirs.
const LONGEST_LINE: usize = 4000;

/// One line of the trace, which may hold several lines of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Traced {
    /// A command: a program, a builtin or a function.
    Command(Ran),
    /// An assignment, as it is printed.
    Assignment(Bytes),
}

/// Reads a whole trace. Compound forms (`[[`, `((`, `for`, `case`, `select`) are no commands. A
/// trace with a very long line is left alone.
pub(crate) fn read(trace: &[u8]) -> Vec<Traced> {
    let mut found = Vec::new();
    let mut starts: Vec<usize> = Vec::new();
    for at in line_starts(trace) {
        if marker(trace.get(at..).unwrap_or_default()).is_some() {
            starts.push(at);
        }
    }
    for (index, &start) in starts.iter().enumerate() {
        let end = starts.get(index.saturating_add(1)).copied();
        let end = end.unwrap_or(trace.len());
        let entry = trace.get(start..end).unwrap_or_default();
        if entry.len() > LONGEST_LINE {
            return Vec::new();
        }
        let Some((depth, text)) = marker(entry) else {
            continue;
        };
        // A torn last line has no end.
        let Some(text) = text.strip_suffix(b"\n") else {
            continue;
        };
        if is_compound(text) {
            continue;
        }
        if is_assignment(text) {
            found.push(Traced::Assignment(Bytes::from(text)));
        } else if let Some(argv) = words(text).filter(|argv| !argv.is_empty()) {
            found.push(Traced::Command(Ran {
                argv,
                program: None,
                depth,
                traced: true,
            }));
        }
    }
    found
}

fn line_starts(trace: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let after = trace.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    std::iter::once(0).chain(after.map(|(at, _)| at.saturating_add(1)))
}

/// Takes `+++@DEPTH@ ` off, which the prompt of the trace is set to.
fn marker(text: &[u8]) -> Option<(u32, &[u8])> {
    let pluses = text.iter().take_while(|byte| **byte == b'+').count();
    let rest = text.get(pluses..)?.strip_prefix(b"@")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let depth = std::str::from_utf8(rest.get(..digits)?)
        .ok()?
        .parse()
        .ok()?;
    let rest = rest.get(digits..)?.strip_prefix(b"@ ")?;
    (pluses > 0).then_some((depth, rest))
}

fn is_compound(text: &[u8]) -> bool {
    let heads: [&[u8]; 5] = [b"[[ ", b"((", b"for ", b"case ", b"select "];
    heads.iter().any(|head| text.starts_with(head))
}

fn is_assignment(text: &[u8]) -> bool {
    let name = text
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    if name == 0 || text.first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let mut rest = text.get(name..).unwrap_or_default();
    if rest.starts_with(b"[") {
        // The subscript may hold anything, also blanks.
        let Some(end) = rest.windows(2).position(|two| two == b"]=" || two == b"]+") else {
            return false;
        };
        rest = rest.get(end.saturating_add(1)..).unwrap_or_default();
    }
    rest.starts_with(b"=") || rest.starts_with(b"+=")
}

/// Splits a line and undoes bash's quoting; nothing when it is not bash's quoting.
fn words(text: &[u8]) -> Option<Vec<Bytes>> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut rest = text;
    while let Some((&first, after)) = rest.split_first() {
        if first == b' ' {
            words.extend(word.take().map(Bytes));
            rest = after;
            continue;
        }
        let word = word.get_or_insert_with(Vec::new);
        rest = match (first, after.first()) {
            (b'\'', _) => single_quoted(after, word)?,
            (b'$', Some(b'\'')) => ansi_quoted(after.get(1..)?, word)?,
            (b'\\', Some(&byte)) => {
                word.push(byte);
                after.get(1..)?
            }
            _ => {
                word.push(first);
                after
            }
        };
    }
    words.extend(word.map(Bytes));
    Some(words)
}

fn single_quoted<'a>(text: &'a [u8], word: &mut Vec<u8>) -> Option<&'a [u8]> {
    let end = text.iter().position(|byte| *byte == b'\'')?;
    word.extend(text.get(..end)?);
    text.get(end.saturating_add(1)..)
}

/// After `$'`.
fn ansi_quoted<'a>(mut text: &'a [u8], word: &mut Vec<u8>) -> Option<&'a [u8]> {
    loop {
        let (&first, after) = text.split_first()?;
        match first {
            b'\'' => return Some(after),
            b'\\' => text = escape(after, word)?,
            _ => {
                word.push(first);
                text = after;
            }
        }
    }
}

fn escape<'a>(text: &'a [u8], word: &mut Vec<u8>) -> Option<&'a [u8]> {
    let (&first, after) = text.split_first()?;
    let simple = match first {
        b'a' => 7,
        b'b' => 8,
        b'e' | b'E' => 0x1b,
        b'f' => 0xc,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 0xb,
        b'\\' | b'\'' | b'"' | b'?' => first,
        b'0'..=b'7' => return octal(text, word),
        b'u' | b'U' => return unicode(after, if first == b'u' { 4 } else { 8 }, word),
        _ => {
            word.extend([b'\\', first]);
            return Some(after);
        }
    };
    word.push(simple);
    Some(after)
}

fn octal<'a>(text: &'a [u8], word: &mut Vec<u8>) -> Option<&'a [u8]> {
    let digits = text.iter().take(3);
    let digits = digits.take_while(|byte| matches!(byte, b'0'..=b'7'));
    let length = digits.count();
    let value = text.get(..length)?.iter().fold(0u32, |value, digit| {
        value.wrapping_mul(8).wrapping_add(u32::from(digit & 7))
    });
    word.push(u8::try_from(value & 0xff).ok()?);
    text.get(length..)
}

fn unicode<'a>(text: &'a [u8], most: usize, word: &mut Vec<u8>) -> Option<&'a [u8]> {
    let digits = text.iter().take(most);
    let length = digits.take_while(|byte| byte.is_ascii_hexdigit()).count();
    let digits = std::str::from_utf8(text.get(..length)?).ok()?;
    let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    word.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
    text.get(length..)
}

#[cfg(test)]
mod tests {
    use super::{Traced, read};
    use crate::answer::Ran;
    use crate::bytes::Bytes;

    #[test]
    fn words_assignments_and_compound_forms_are_told_apart() {
        let trace = b"+@0@ echo 'a b' '' $'c\\n\\001' \\'x\n++@1@ x=1\n+@0@ [[ -n x ]]\n+@0@ cd 'two\nlines'\n+@0@ torn";
        let command = |depth, words: &[&[u8]]| {
            Traced::Command(Ran {
                argv: words.iter().map(|word| Bytes::from(*word)).collect(),
                program: None,
                depth,
                traced: true,
            })
        };
        let expected = [
            command(0, &[b"echo", b"a b", b"", b"c\n\x01", b"'x"]),
            Traced::Assignment(Bytes::from("x=1")),
            command(0, &[b"cd", b"two\nlines"]),
        ];
        assert_eq!(read(trace), expected);
    }
}
