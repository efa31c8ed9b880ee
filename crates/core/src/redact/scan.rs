//! One walk over a text, from word to word.

use super::shape::{has_digit, is_word, leading};
use super::{Hiding, cookie, shape};
use std::borrow::Cow;

/// What a name ends in whose value is a secret.
const NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "api_key",
    "api-key",
    "apikey",
    "access_key",
    "access-key",
    "accesskey",
    "account_key",
    "accountkey",
    "private_key",
    "secret_key",
    "secret-key",
    "secretkey",
    "signing_key",
    "encryption_key",
    "credential",
    "credentials",
    "sshpass",
    "_pass",
    "_pwd",
    "_pat",
    "_auth",
];

/// Names of parameters in an address whose values let somebody in, or sign it.
const PARAMETERS: &[&str] = &[
    "sig",
    "signature",
    "auth",
    "code",
    "key",
    "jwt",
    "session",
    "sid",
];

/// What is looked at of a value before it is called one: more than that is no name in a program.
const LOOKED_AT: usize = 256;

/// For whom secrets are taken out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// For somebody who judges a command: what a shell would act on stays.
    Command,
    /// For something that is kept: what may be a secret goes.
    Kept,
}

pub(super) fn redact(text: &str, care: Care) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut out = Hiding::of(text);
    let mut at = 0_usize;
    while let Some(&byte) = bytes.get(at) {
        let rest = text.get(at..).unwrap_or_default();
        let found = if is_word(byte) {
            let word = leading(rest, is_word);
            let before = at.checked_sub(1).and_then(|at| bytes.get(at)).copied();
            let found = in_word(word, rest, before, care, &mut out, at);
            Some(found.unwrap_or(Found::None(word.len())))
        } else if byte == b'\\' && bytes.get(at.saturating_add(1)).is_some_and(|b| is_word(*b)) {
            at = at.saturating_add(1);
            Some(escaped(text, at, care, &mut out))
        } else if rest.starts_with("://") {
            let after = rest.get(3..).unwrap_or_default();
            let found = url_password(after).map(|(keep, hide)| (keep.saturating_add(3), hide));
            found.map(Found::from)
        } else {
            None
        };
        at = match found {
            None => at.saturating_add(1),
            Some(Found::None(length)) => at.saturating_add(length.max(1)),
            Some(Found::Done(to)) => to,
            Some(Found::Hide(keep, hide)) => {
                let from = at.saturating_add(keep);
                let to = from.saturating_add(hide);
                out.hide(from, to);
                to
            }
        };
    }
    out.finish()
}

/// What was found at a place.
enum Found {
    /// Nothing in so many bytes.
    None(usize),
    /// Keep so many bytes, and hide so many.
    Hide(usize, usize),
    /// Pieces up to there, which are hidden already.
    Done(usize),
}

impl From<(usize, usize)> for Found {
    fn from((keep, hide): (usize, usize)) -> Self {
        Self::Hide(keep, hide)
    }
}

/// A word behind a backslash: the `n` of a line feed in JSON is no part of it, and in a shell it is.
fn escaped(text: &str, at: usize, care: Care, out: &mut Hiding<'_>) -> Found {
    let rest = text.get(at..).unwrap_or_default();
    let word = leading(rest, is_word);
    if let Some(found) = in_word(word, rest, None, care, out, at) {
        return found;
    }
    Found::None(if word.starts_with(['n', 'r', 't', 'b', 'f']) {
        1
    } else {
        word.len()
    })
}

/// A secret that begins with or after this word.
fn in_word(
    word: &str,
    text: &str,
    before: Option<u8>,
    care: Care,
    out: &mut Hiding<'_>,
    at: usize,
) -> Option<Found> {
    if let Some(found) = shape::in_word(word, text) {
        return Some(found.into());
    }
    let after = text.get(word.len()..)?;
    // A name and its value have something between them.
    let next = *after.as_bytes().first()?;
    if !matches!(next, b'=' | b':' | b'"' | b'\'' | b'\\' | b' ') {
        return None;
    }
    if word.eq_ignore_ascii_case("cookie") || word.eq_ignore_ascii_case("set-cookie") {
        let (keep, _) = separator(after)?;
        let start = at.saturating_add(word.len()).saturating_add(keep);
        let values = cookie::values(after.get(keep..)?);
        let mut to = None;
        for (from, length) in values {
            let from = start.saturating_add(from);
            out.hide(from, from.saturating_add(length));
            to = Some(from.saturating_add(length));
        }
        return to.map(Found::Done);
    }
    let (keep, hide) = if word.eq_ignore_ascii_case("bearer") {
        let blanks = leading(after, |byte| byte == b' ').len();
        let token = leading(after.get(blanks..)?, is_token);
        let secret = blanks > 0 && token.len() >= 16 && has_digit(token);
        secret.then_some((blanks, token.len()))?
    } else if ends_with(word, "authorization") {
        header(after)?
    } else if is_parameter(word, before, after) {
        parameter(word, after)?
    } else if is_secret_name(word) {
        value(word, after, care)?
    } else {
        return None;
    };
    Some(Found::Hide(word.len().saturating_add(keep), hide))
}

/// The value of what goes by this name is a secret.
pub(super) fn is_secret_name(name: &str) -> bool {
    NAMES.iter().any(|end| ends_with(name, end))
}

/// `: Bearer abc`: what stands behind the name of the header.
fn header(after: &str) -> Option<(usize, usize)> {
    let (mut keep, _) = separator(after)?;
    let scheme = leading(after.get(keep..)?, |byte| byte.is_ascii_alphabetic());
    let behind = keep.saturating_add(scheme.len());
    let blanks = leading(after.get(behind..)?, |byte| byte == b' ');
    if !blanks.is_empty() {
        keep = behind.saturating_add(blanks.len());
    }
    let token = leading(after.get(keep..)?, |byte| is_token(byte) || byte == b':');
    let is_secret = if blanks.is_empty() {
        token.len() >= 8 && (has_digit(token) || token.len() > LOOKED_AT)
    } else {
        token.len() >= 6
    };
    is_secret.then_some((keep, token.len()))
}

/// `?name=` or `&name=`.
fn is_parameter(word: &str, before: Option<u8>, after: &str) -> bool {
    let name = word.rsplit('-').next().unwrap_or_default();
    matches!(before, Some(b'?' | b'&' | b'#'))
        && after.starts_with('=')
        && (is_secret_name(word) || PARAMETERS.iter().any(|it| it.eq_ignore_ascii_case(name)))
}

fn parameter(word: &str, after: &str) -> Option<(usize, usize)> {
    let is_value = |byte: u8| is_token(byte) && byte != b'/' || matches!(byte, b'%' | b':' | b'!');
    let value = leading(after.get(1..)?, is_value);
    let is_secret = if is_secret_name(word) {
        value.len() >= 4
    } else {
        value.len() >= 16 && (has_digit(value) || value.len() > LOOKED_AT)
    };
    is_secret.then_some((1, value.len()))
}

/// `=abc`, `": "abc"`, or, behind an option, ` abc` and, in a list, `","abc"`.
fn value(name: &str, after: &str, care: Care) -> Option<(usize, usize)> {
    let blanks = leading(after, |byte| byte == b' ').len();
    let option = name.starts_with("--");
    let (keep, quoted) = match separator(after) {
        Some(found) => found,
        None if option && blanks > 0 => (blanks, false),
        None if option && after.starts_with("\",\"") => (3, true),
        None => return None,
    };
    let rest = after.get(keep..)?;
    // A reference to where the secret is: nothing to hide.
    if rest.starts_with(['/', '~', '.', '@', '-', '$']) {
        return None;
    }
    if care == Care::Kept
        && let Some(length) = in_quotes(after.get(..keep)?, rest)
    {
        return Some((keep, length));
    }
    let value = rest.split(ends_value).next().unwrap_or_default();
    // A piece of a program, whatever else it looks like.
    let next = rest.as_bytes().get(value.len());
    let elsewhere = matches!(next, Some(b'(' | b'[' | b'$')) && value.len() <= LOOKED_AT;
    let upper = !name.contains(|c: char| c.is_ascii_lowercase());
    let likely = quoted || option || upper || value.len() > LOOKED_AT || has_digit(value);
    (value.len() >= 4 && likely && !elsewhere).then_some((keep, value.len()))
}

/// All that stands between quotes, where it is one line and no mark already.
fn in_quotes(before: &str, rest: &str) -> Option<usize> {
    let quote = before
        .chars()
        .next_back()
        .filter(|c| matches!(c, '"' | '\''))?;
    let near = rest.bytes().take(LOOKED_AT.saturating_mul(2));
    let length = near
        .take_while(|byte| !(*byte == quote as u8 || *byte == b'\n'))
        .count();
    let is_closed = rest.as_bytes().get(length) == Some(&(quote as u8));
    let text = rest.get(..length)?;
    // Behind the backslash of an escaped quote, that quote itself ends it.
    let text = text.strip_suffix('\\').unwrap_or(text);
    let is_secret = is_closed && text.len() >= 4 && !text.contains(super::MARK);
    is_secret.then_some(text.len())
}

fn ends_value(c: char) -> bool {
    c.is_whitespace() || c.is_control() || "\"'`$\\(){}[];|&<>,".contains(c)
}

/// What stands between a name and its value, and whether the value is quoted.
fn separator(after: &str) -> Option<(usize, bool)> {
    let quotes = |text: &str| leading(text, |byte| matches!(byte, b'"' | b'\'' | b'\\')).len();
    let blanks = |text: &str| leading(text, |byte| byte == b' ').len();
    let mut at = quotes(after);
    at = at.saturating_add(blanks(after.get(at..)?));
    if !after.get(at..)?.starts_with(['=', ':']) {
        return None;
    }
    at = at.saturating_add(1);
    at = at.saturating_add(blanks(after.get(at..)?));
    let quote = quotes(after.get(at..)?);
    Some((at.saturating_add(quote), quote > 0))
}

/// `user:password@` behind `://`.
fn url_password(after: &str) -> Option<(usize, usize)> {
    let authority = after
        .split(|c: char| c.is_whitespace() || c.is_control() || "\"'`$\\(){}|;&<>/".contains(c))
        .next()?;
    let (user, _) = authority.rsplit_once('@')?;
    let (name, password) = user.split_once(':')?;
    let is_name = name
        .bytes()
        .all(|byte| is_token(byte) || b"%@".contains(&byte));
    (is_name && !password.is_empty()).then(|| (name.len().saturating_add(1), password.len()))
}

/// The password in an address, where there is one.
pub(super) fn password_of(address: &str) -> Option<&str> {
    let (_, after) = address.split_once("://")?;
    let (keep, length) = url_password(after)?;
    after.get(keep..)?.get(..length)
}

fn ends_with(word: &str, name: &str) -> bool {
    word.len()
        .checked_sub(name.len())
        .and_then(|at| word.as_bytes().get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case(name.as_bytes()))
}

fn is_token(byte: u8) -> bool {
    is_word(byte) || b"._~+/=".contains(&byte)
}
