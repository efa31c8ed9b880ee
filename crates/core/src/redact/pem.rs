//! Private keys in PEM: the armour stays, the lines of base64 go. Any other line between the two
//! ends stays too, so that no command can hide there.

use super::MARK;
use std::borrow::Cow;

const BEGIN: &str = "-----BEGIN ";
const DASHES: &str = "-----";
const END: &str = "-----END";

pub(super) fn redact(text: &str) -> Cow<'_, str> {
    if !text.contains(BEGIN) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(BEGIN) {
        out.push_str(before);
        out.push_str(BEGIN);
        rest = after;
        let Some((kind, body)) = after.split_once(DASHES) else {
            break;
        };
        if kind.len() > 40 || !kind.contains("PRIVATE KEY") {
            continue;
        }
        out.push_str(kind);
        out.push_str(DASHES);
        let end = body.find(END).unwrap_or(body.len());
        base64(body.get(..end).unwrap_or_default(), &mut out);
        rest = body.get(end..).unwrap_or_default();
    }
    out.push_str(rest);
    if out == text {
        return Cow::Borrowed(text);
    }
    Cow::Owned(out)
}

fn base64(body: &str, out: &mut String) {
    // Line ends, as they are and as JSON writes them.
    let lines_end = body
        .trim_end_matches(['\n', '\r', ' ', '\\', 'n', 'r'])
        .len();
    let mut at = 0_usize;
    let mut escaped = false;
    for piece in body.split_inclusive(['\n', '\\']) {
        let start = usize::from(escaped && piece.starts_with(['n', 'r']));
        escaped = piece.ends_with('\\');
        let (before, line) = piece.split_at_checked(start).unwrap_or(("", piece));
        let line = line.trim_end_matches(['\n', '\\', '\r']);
        let line_end = start.saturating_add(line.len());
        let after = piece.get(line_end..).unwrap_or_default();
        let is_last = at.saturating_add(line_end) >= lines_end;
        at = at.saturating_add(piece.len());
        out.push_str(before);
        out.push_str(if is_key_line(line, is_last) {
            MARK
        } else {
            line
        });
        out.push_str(after);
    }
}

fn is_key_line(line: &str, is_last: bool) -> bool {
    let has = |wanted: fn(&u8) -> bool| line.as_bytes().iter().any(wanted);
    let is_base64 = line
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
    let is_mixed =
        has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit);
    is_base64 && ((line.len() >= 16 && is_mixed) || (is_last && !line.is_empty()))
}
