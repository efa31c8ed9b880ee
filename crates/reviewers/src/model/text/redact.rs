//! Secrets are taken out of what is sent to a model.
//!
//! A hidden word could be the dangerous one, so only what looks like a secret is hidden, never a
//! blank, a path or anything that a shell would act on, and what is hidden is marked.

#[cfg(test)]
mod tests;

const MARK: &str = "[redacted]";

/// Words that are secrets by how they begin, and the least length of the rest.
const TOKENS: [(&str, usize); 22] = [
    ("sk-", 16),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("rk_live_", 16),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("gsk_", 20),
    ("xai-", 20),
    ("hf_", 20),
    ("npm_", 30),
    ("pypi-", 30),
    ("xoxa-", 10),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("xapp-", 10),
    ("AIza", 30),
    ("whsec_", 16),
];

/// What a name ends in whose value is a secret.
const NAMES: [&str; 10] = [
    "password",
    "passwd",
    "secret",
    "token",
    "api_key",
    "api-key",
    "apikey",
    "access_key",
    "access-key",
    "private_key",
];

/// The text without the secrets that can be told by their form.
pub fn redact(text: &str) -> String {
    let text = private_keys(text);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let word = leading(rest, is_word);
        let (keep, hide) = if !word.is_empty() {
            in_word(word, rest).unwrap_or((word.len(), 0))
        } else if let Some(after) = rest.strip_prefix("://") {
            url_password(after).map_or((3, 0), |(keep, hide)| (3 + keep, hide))
        } else if first == '\\' {
            // The `n` of a line feed in JSON is no part of the word behind it.
            (
                1 + leading(rest.get(1..).unwrap_or_default(), is_word)
                    .len()
                    .min(1),
                0,
            )
        } else {
            (first.len_utf8(), 0)
        };
        out.push_str(rest.get(..keep).unwrap_or_default());
        if hide > 0 {
            out.push_str(MARK);
        }
        rest = rest.get(keep + hide..).unwrap_or_default();
    }
    out
}

/// How much of the text to keep, and how much of it to hide then, where a secret begins with or
/// after this word.
fn in_word(word: &str, text: &str) -> Option<(usize, usize)> {
    if let Some((prefix, _)) = TOKENS
        .iter()
        .find(|(prefix, least)| word.starts_with(prefix) && word.len() >= prefix.len() + least)
    {
        return Some((prefix.len(), word.len() - prefix.len()));
    }
    if word.len() == 20 && (word.starts_with("AKIA") || word.starts_with("ASIA")) {
        return Some((4, 16));
    }
    if word.starts_with("eyJ") {
        let token = leading(text, |c| is_word(c) || c == '.');
        return (token.len() >= 40 && token.matches('.').count() >= 2)
            .then(|| (3, token.len() - 3));
    }
    let after = text.get(word.len()..)?;
    let (keep, hide) = if word.eq_ignore_ascii_case("bearer") {
        let blanks = leading(after, |c| c == ' ').len();
        let token = leading(after.get(blanks..)?, is_token);
        let secret = blanks > 0 && token.len() >= 16 && has_digit(token);
        secret.then_some((blanks, token.len()))?
    } else if ends_with(word, "authorization") {
        header(after)?
    } else if NAMES.iter().any(|name| ends_with(word, name)) {
        value(word, after)?
    } else {
        return None;
    };
    Some((word.len() + keep, hide))
}

/// `: Bearer abc`: what stands behind the name of the header.
fn header(after: &str) -> Option<(usize, usize)> {
    let (mut keep, _) = separator(after)?;
    let scheme = leading(after.get(keep..)?, char::is_alphabetic);
    let blanks = leading(after.get(keep + scheme.len()..)?, |c| c == ' ');
    if !blanks.is_empty() {
        keep += scheme.len() + blanks.len();
    }
    let token = leading(after.get(keep..)?, |c| is_token(c) || c == ':');
    let is_secret = if blanks.is_empty() {
        token.len() >= 8 && has_digit(token)
    } else {
        token.len() >= 6
    };
    is_secret.then_some((keep, token.len()))
}

/// `=abc`, `": "abc"`, or, behind an option, ` abc` and, in a list, `","abc"`.
fn value(name: &str, after: &str) -> Option<(usize, usize)> {
    let blanks = leading(after, |c| c == ' ').len();
    let option = name.starts_with("--");
    let (keep, quoted) = match separator(after) {
        Some(found) => found,
        None if option && blanks > 0 => (blanks, false),
        None if option && after.starts_with("\",\"") => (3, true),
        None => return None,
    };
    let rest = after.get(keep..)?;
    let value = leading(rest, |c| {
        !c.is_whitespace() && !c.is_control() && !"\"'`$\\(){}[];|&<>,".contains(c)
    });
    let next = rest.get(value.len()..)?.chars().next();
    // A reference to where the secret is, or a piece of a program: nothing to hide.
    let elsewhere =
        value.starts_with(['/', '~', '.', '@', '-']) || matches!(next, Some('(' | '[' | '$'));
    let upper = !name.contains(|c: char| c.is_ascii_lowercase());
    let likely = quoted || option || upper || has_digit(value);
    (value.len() >= 4 && likely && !elsewhere).then_some((keep, value.len()))
}

/// What stands between a name and its value, and whether the value is quoted.
fn separator(after: &str) -> Option<(usize, bool)> {
    let quotes = |text: &str| leading(text, |c| matches!(c, '"' | '\'' | '\\')).len();
    let blanks = |text: &str| leading(text, |c| c == ' ').len();
    let mut at = quotes(after);
    at += blanks(after.get(at..)?);
    if !after.get(at..)?.starts_with(['=', ':']) {
        return None;
    }
    at += 1;
    at += blanks(after.get(at..)?);
    let quote = quotes(after.get(at..)?);
    Some((at + quote, quote > 0))
}

/// `user:password@` behind `://`.
fn url_password(after: &str) -> Option<(usize, usize)> {
    let user = leading(after, |c| is_token(c) && c != '/');
    let password = after.get(user.len()..)?.strip_prefix(':')?;
    let password_len = leading(password, |c| {
        !c.is_whitespace() && !c.is_control() && !"\"'`$\\(){}|;&<>/@".contains(c)
    })
    .len();
    let is_password = password_len > 0 && password.get(password_len..)?.starts_with('@');
    is_password.then_some((user.len() + 1, password_len))
}

/// Private keys in PEM: the armour stays, the lines of base64 go. Any other line between the two
/// ends stays too, so that no command can hide there.
fn private_keys(text: &str) -> String {
    let (begin, dashes) = ("-----BEGIN ", "-----");
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(begin) {
        out.push_str(before);
        out.push_str(begin);
        rest = after;
        let Some((kind, body)) = after.split_once(dashes) else {
            break;
        };
        if kind.len() > 40 || !kind.contains("PRIVATE KEY") {
            continue;
        }
        out.push_str(kind);
        out.push_str(dashes);
        let end = body.find("-----END").unwrap_or(body.len());
        base64(body.get(..end).unwrap_or_default(), &mut out);
        rest = body.get(end..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

fn base64(body: &str, out: &mut String) {
    // Line ends, as they are and as JSON writes them.
    let lines_end = body
        .trim_end_matches(['\n', '\r', ' ', '\\', 'n', 'r'])
        .len();
    let mut at = 0;
    let mut escaped = false;
    for piece in body.split_inclusive(['\n', '\\']) {
        let start = usize::from(escaped && piece.starts_with(['n', 'r']));
        escaped = piece.ends_with('\\');
        let (before, line) = piece.split_at_checked(start).unwrap_or(("", piece));
        let line = line.trim_end_matches(['\n', '\\', '\r']);
        let after = piece.get(start + line.len()..).unwrap_or_default();
        let is_last = at + start + line.len() >= lines_end;
        at += piece.len();
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
    let has = |wanted: fn(&char) -> bool| line.chars().any(|c| wanted(&c));
    let is_base64 = line
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "+/=".contains(c));
    let is_mixed =
        has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase) && has(char::is_ascii_digit);
    is_base64 && ((line.len() >= 16 && is_mixed) || (is_last && !line.is_empty()))
}

fn leading(text: &str, wanted: impl Fn(char) -> bool) -> &str {
    let end = text.find(|c| !wanted(c)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

fn ends_with(word: &str, name: &str) -> bool {
    word.len()
        .checked_sub(name.len())
        .and_then(|at| word.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case(name))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn is_token(c: char) -> bool {
    is_word(c) || "._~+/=".contains(c)
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}
