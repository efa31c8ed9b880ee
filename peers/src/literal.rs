//! Quote removal for the peers that leave it to their callers.

use std::iter::Peekable;
use std::str::Chars;

/// What a word written like this becomes, if that is certain. Not knowing is always allowed:
/// the comparison takes an unknown word for any number of words.
pub fn literal(raw: &str) -> Option<String> {
    if raw.bytes().all(is_plain) {
        return Some(raw.to_owned());
    }
    if raw.starts_with('~') {
        return None;
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\'' => single_quoted(&mut rest, &mut out)?,
            '"' => double_quoted(&mut rest, &mut out)?,
            '\\' => match rest.next() {
                Some('\n') => {}
                Some(escaped) => out.push(escaped),
                None => return None,
            },
            '$' => match rest.peek() {
                Some('"') => {}
                Some('\'') => {
                    rest.next();
                    ansi_quoted(&mut rest, &mut out)?;
                }
                _ => lone_dollar(&mut rest, &mut out)?,
            },
            '[' if !raw.contains(']') => out.push('['),
            '{' if !raw.contains(',') && !raw.contains("..") => out.push('{'),
            '`' | '*' | '?' | '[' | '{' | '(' | '<' | '>' => return None,
            _ => out.push(c),
        }
    }
    Some(out)
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_./:=,+%@^]}!#".contains(&byte) || !byte.is_ascii()
}

fn single_quoted(rest: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    loop {
        match rest.next()? {
            '\'' => return Some(()),
            c => out.push(c),
        }
    }
}

fn double_quoted(rest: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    loop {
        match rest.next()? {
            '"' => return Some(()),
            '`' => return None,
            '$' => lone_dollar(rest, out)?,
            '\\' => match rest.next()? {
                '\n' => {}
                c @ ('$' | '`' | '"' | '\\') => out.push(c),
                c => out.extend(['\\', c]),
            },
            c => out.push(c),
        }
    }
}

/// A dollar that starts no expansion.
fn lone_dollar(rest: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    let expands = rest
        .peek()
        .is_some_and(|&c| c.is_ascii_alphanumeric() || "_{([@*#?-$!".contains(c));
    (!expands).then(|| out.push('$'))
}

/// The escapes with a fixed result; any other makes the word unknown.
fn ansi_quoted(rest: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    loop {
        match rest.next()? {
            '\'' => return Some(()),
            '\\' => out.push(match rest.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'a' => '\x07',
                'b' => '\x08',
                'v' => '\x0b',
                'f' => '\x0c',
                'e' | 'E' => '\x1b',
                c @ ('\\' | '\'' | '"' | '?') => c,
                'x' => hexadecimal(rest, 2)?,
                'u' => hexadecimal(rest, 4)?,
                'U' => hexadecimal(rest, 8)?,
                c @ '0'..='7' => octal(c, rest)?,
                _ => return None,
            }),
            c => out.push(c),
        }
    }
}

fn hexadecimal(rest: &mut Peekable<Chars<'_>>, most: usize) -> Option<char> {
    let mut digits = String::new();
    while digits.len() < most
        && let Some(c) = rest.next_if(char::is_ascii_hexdigit)
    {
        digits.push(c);
    }
    ascii(u32::from_str_radix(&digits, 16).ok()?, most)
}

fn octal(first: char, rest: &mut Peekable<Chars<'_>>) -> Option<char> {
    let mut digits = String::from(first);
    while digits.len() < 3
        && let Some(c) = rest.next_if(|c| c.is_digit(8))
    {
        digits.push(c);
    }
    ascii(u32::from_str_radix(&digits, 8).ok()?, 2)
}

/// A byte above 127 need not be a character, so only `\u` and `\U` may give one.
fn ascii(value: u32, most: usize) -> Option<char> {
    let certain = value != 0 && (value < 128 || most > 2);
    certain.then(|| char::from_u32(value)).flatten()
}

#[cfg(test)]
mod tests {
    use super::literal;

    #[test]
    fn quotes_are_removed_where_the_result_is_certain() {
        for (raw, expected) in [
            ("a'b c'\"d\\\"e\"\\ f", Some("ab cd\"e f")),
            ("$'\\x41\\101\\n'$\"b\"", Some("AA\nb")),
            ("\"a $ b\"$", Some("a $ b$")),
            ("r\\\nm", Some("rm")),
            ("[", Some("[")),
            ("{}", Some("{}")),
            ("'*'", Some("*")),
            ("*.rs", None),
            ("~/x", None),
            ("a$x", None),
            ("\"$(x)\"", None),
            ("{a,b}", None),
            ("'open", None),
        ] {
            assert_eq!(literal(raw).as_deref(), expected, "{raw}");
        }
    }
}
