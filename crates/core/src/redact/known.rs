//! Secrets that are known by their value.

use super::{Hiding, MARK, scan};
use std::borrow::Cow;
use std::fmt;

/// The least length of a value, and of a line or a form of it, in bytes.
const LEAST: usize = 8;

/// The greatest, and how many values are known at most: what a text costs is bounded by both.
const MOST: usize = 8 << 10;
const VALUES: usize = 128;

/// How many quotes in a row may stand between two bytes of a value.
const QUOTES: usize = 8;

/// The values, in every form in which they are found.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// The longest first.
    forms: Vec<Vec<u8>>,
    /// The bytes that a form begins with, a bit each.
    begins: [u128; 2],
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Known({} forms)", self.forms.len())
    }
}

/// The secret that a variable holds: its value where the name says so, else the password of the
/// address that it is.
pub(super) fn secret_of(name: &str, value: String) -> Option<String> {
    // Credentials are named by the file that holds them as often as they are given.
    let is_path = value.starts_with('/') && name.to_ascii_lowercase().contains("credential");
    if scan::is_secret_name(name) {
        return (!is_path).then_some(value);
    }
    scan::password_of(&value).map(str::to_owned)
}

impl Known {
    pub(super) fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut forms = Vec::new();
        for value in values.into_iter().take(VALUES) {
            let value = value.trim();
            if (LEAST..=MOST).contains(&value.len()) {
                forms.push(value.as_bytes().to_vec());
                encoded(value.as_bytes(), &mut forms);
                // Each line of a key is a secret of its own.
                if value.contains('\n') {
                    let lines = value.lines().map(str::trim);
                    let long = lines.filter(|line| line.len() >= 16 && !line.starts_with("-----"));
                    forms.extend(long.map(|line| line.as_bytes().to_vec()));
                }
            }
        }
        // A mark must not be taken for a secret.
        let mark = MARK.as_bytes();
        forms.retain(|form| {
            let is_part = form.len() <= mark.len() && holds(mark, form);
            form.len() >= LEAST && !is_part && !(form.contains(&b'[') && holds(form, mark))
        });
        forms.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        forms.dedup();
        let mut begins = [0_u128; 2];
        for first in forms.iter().filter_map(|form| form.first()) {
            if let Some(half) = begins.get_mut(usize::from(first >> 7)) {
                *half |= 1 << (first & 127);
            }
        }
        Self { forms, begins }
    }

    fn begins_with(&self, byte: u8) -> bool {
        let half = self.begins.get(usize::from(byte >> 7));
        half.is_some_and(|half| half >> (byte & 127) & 1 == 1)
    }

    pub(super) fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.forms.is_empty() {
            return Cow::Borrowed(text);
        }
        let bytes = text.as_bytes();
        let mut out = Hiding::of(text);
        // Secrets that overlap are hidden together.
        let mut open: Option<(usize, usize)> = None;
        for (at, _) in bytes
            .iter()
            .enumerate()
            .filter(|(_, byte)| self.begins_with(**byte))
        {
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(length) = self
                .forms
                .iter()
                .filter_map(|form| length_in(rest, form))
                .max()
            else {
                continue;
            };
            let to = at.saturating_add(length);
            open = Some(match open {
                Some((from, end)) if at <= end => (from, end.max(to)),
                Some((from, end)) => {
                    out.hide(from, end);
                    (at, to)
                }
                None => (at, to),
            });
        }
        if let Some((from, to)) = open {
            out.hide(from, to);
        }
        out.finish()
    }
}

/// How much of a text a form takes that it begins with, with the quotes in between.
fn length_in(text: &[u8], form: &[u8]) -> Option<usize> {
    let mut at = 0_usize;
    for wanted in form {
        let mut quotes = 0_usize;
        loop {
            let byte = text.get(at)?;
            let rest = text.get(at..)?;
            if rest.starts_with(MARK.as_bytes()) {
                return None;
            }
            at = at.saturating_add(1);
            if byte == wanted {
                break;
            }
            let is_quote = matches!(byte, b'"' | b'\'' | b'\\');
            if at == 1 || !is_quote || quotes == QUOTES {
                return None;
            }
            quotes = quotes.saturating_add(1);
        }
    }
    Some(at)
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// The value as it looks in base64, hexadecimal digits and addresses.
fn encoded(value: &[u8], forms: &mut Vec<Vec<u8>>) {
    const PLAIN: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const FOR_ADDRESSES: &[u8; 64] =
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for letters in [PLAIN, FOR_ADDRESSES] {
        for before in 0..3 {
            forms.push(base64(value, before, letters));
        }
    }
    for digits in [b"0123456789abcdef", b"0123456789ABCDEF"] {
        let digit = |four: u8| digits.get(usize::from(four)).copied().unwrap_or(b'0');
        let mut hexadecimal = Vec::with_capacity(value.len().saturating_mul(2));
        let mut address = Vec::with_capacity(value.len().saturating_mul(3));
        for &byte in value {
            let both = [digit(byte >> 4), digit(byte & 15)];
            hexadecimal.extend(both);
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                address.push(byte);
            } else {
                address.push(b'%');
                address.extend(both);
            }
        }
        forms.push(hexadecimal);
        // Where nothing is escaped, the value itself is known already.
        if address != value {
            forms.push(address);
        }
    }
}

/// The letters that are the same whatever stands around the value, with so many bytes before it in
/// the group of three that it begins in.
fn base64(value: &[u8], before: usize, letters: &[u8; 64]) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.len().saturating_mul(2));
    let (mut bits, mut count) = (0_u32, 0_u32);
    let padding = std::iter::repeat_n(&0_u8, before);
    for byte in padding.chain(value) {
        bits = (bits << 8 | u32::from(*byte)) & 0xffff;
        count = count.saturating_add(8);
        while count >= 6 {
            count = count.saturating_sub(6);
            let six = bits.checked_shr(count).unwrap_or(0) & 63;
            out.extend(letters.get(usize::try_from(six).unwrap_or(0)));
        }
    }
    let first = if before == 0 {
        0
    } else {
        before.saturating_add(1)
    };
    out.get(first..).unwrap_or_default().to_vec()
}
